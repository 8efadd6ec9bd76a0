/* hiaton trace: the events of a run, from a file of events or a recording. */
#include "sim/commands/cmd_trace.h"

#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"

static const struct sim_command commands[] = {
    {"info", sim_trace_info, "say what is in a file of events, or in a recording"},
    {"text", sim_trace_text, "print events as lines"},
};

int sim_trace(int argc, char **argv)
{
    static const struct sim_dispatch trace = {
        .commands = commands,
        .count = sizeof commands / sizeof *commands,
        .usage = "COMMAND [OPTION...] FILE",
        .purpose = "Show the events of a run: of `hiaton run --trace' or `--record'.",
        .manual = "man hiaton-trace",
    };
    return sim_dispatch(&trace, argc, argv);
}
