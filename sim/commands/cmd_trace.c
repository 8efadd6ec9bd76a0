/* hiaton trace: the events of a run, of a recording or a file of events. */
#include "sim/commands/cmd_trace.h"

#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"

static const struct sim_command commands[] = {
    {"export", sim_trace_export,
     "write the events for other programs: Perfetto, Konata ..."},
};

static const struct sim_dispatch dispatch = {
    .commands = commands,
    .count = sizeof commands / sizeof commands[0],
    .usage = "COMMAND [OPTION...] FILE",
    .purpose = "Look at what happened in a run.",
    .manual = "man hiaton-trace",
};

int sim_trace(int argc, char **argv)
{
    return sim_dispatch(&dispatch, argc, argv);
}
