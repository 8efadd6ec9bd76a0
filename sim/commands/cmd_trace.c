/* hiaton trace: the events of a run, of a recording or a file of events. */
#include "sim/commands/cmd_trace.h"

#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"

static const struct sim_command commands[] = {
    {"export", sim_trace_export,
     "write events for other programs: Perfetto, Konata, SQLite ..."},
};

int sim_trace(int argc, char **argv)
{
    static const struct sim_dispatch trace = {
        .commands = commands,
        .count = sizeof commands / sizeof *commands,
        .usage = "COMMAND [OPTION...] FILE...",
        .purpose = "Show the events of a run.",
        .manual = "man hiaton-trace",
    };
    return sim_dispatch(&trace, argc, argv);
}
