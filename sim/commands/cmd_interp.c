#include "sim/commands/commands.h"

#include "sim/cli/execute.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_OPTIMISE | SIM_TAKES_STATS | SIM_TAKES_PORT | SIM_TAKES_PARAMS,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help =
        "Run a program without a machine, and print its result."
        "\vThe untimed interpreter is the oracle: whatever a machine does, it ends "
        "like this. Of the settings only deadness, loop.bound, limits.tokens, "
        "limits.depth, limits.memory, tensor.math, tensor.core and those that are used "
        "when a source is compiled have an effect here. The seed decides what params "
        "begin with. A "
        "program whose RECVs are scheduled for each tag has deadness=propagate here, "
        "as it means nothing without.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
};

int sim_interp(int argc, char **argv)
{
    return sim_execute(argc, argv, &usage, SIM_ENGINE_INTERPRETER, NULL);
}
