#include "sim/commands/commands.h"

#include "sim/cli/execute.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_STATS | SIM_TAKES_OBSERVE | SIM_TAKES_RECORD,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help =
        "Run a program on a simulated machine; print its result and statistics."
        "\vPROGRAM is a source, an assembly text or an image (`-': standard input); "
        "NAME=VALUE gives an input of the program another value.\n\n"
        "`hiaton machines', `hiaton settings' and `hiaton settings --statistics' list "
        "what there is to choose and what is measured.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
};

int sim_run(int argc, char **argv)
{
    return sim_execute(argc, argv, &usage, SIM_ENGINE_MACHINE);
}
