/* hiaton trace: the events of runs, of recordings or files of events. */
#include "sim/commands/cmd_trace.h"

#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"

static const struct sim_command commands[] = {
    {"diff", sim_trace_diff, "say where two runs differ, why, and by how much"},
    {"export", sim_trace_export,
     "write events for other programs: Perfetto, Konata, SQLite ..."},
};

int sim_trace(int argc, char **argv)
{
    static const struct sim_dispatch trace = {
        .commands = commands,
        .count = sizeof commands / sizeof *commands,
        .usage = "COMMAND [OPTION...] FILE...",
        .purpose = "Look at the events of runs that were recorded.",
        .manual = "man hiaton-trace",
    };
    return sim_dispatch(&trace, argc, argv);
}
