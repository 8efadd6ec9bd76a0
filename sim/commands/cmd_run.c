#include "sim/commands/commands.h"

#include "sim/cli/execute.h"
#include "sim/cli/output_options.h"

static const struct lib_field own_options[] = {
    SIM_TENSOR_FILES_OPTION(0),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_OPTIMISE | SIM_TAKES_STATS | SIM_TAKES_OBSERVE | SIM_TAKES_RECORD |
             SIM_TAKES_FROM | SIM_TAKES_TRACE | SIM_TAKES_EVENTS | SIM_TAKES_PORT |
             SIM_TAKES_PARAMS,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help = "Run a program on a simulated machine; print its result and statistics."
            "\vPROGRAM is a source, an assembly text or an image (`-': standard input); "
            "NAME=VALUE gives an input of the program another value.\n\n"
            "`hiaton machines', `hiaton settings' and `hiaton settings --statistics' "
            "list what there is to choose and what is measured.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
};

static enum sim_status check(const struct sim_options *options, void *files)
{
    return sim_tensor_files_check(files, &options->printer);
}

static void observe(struct sim_simulation_config *config, void *files)
{
    sim_tensor_files_observe(files, config);
}

static enum sim_status deliver(const struct sim_printer *printer,
                               const struct sim_ending *ending, void *files)
{
    return sim_tensor_files_put(files, printer, ending);
}

int sim_run(int argc, char **argv)
{
    struct sim_tensor_files files = {0};
    const struct sim_execute_more more = {&files, check, observe, deliver};
    const int status = sim_execute(argc, argv, &usage, SIM_ENGINE_MACHINE, &more);
    sim_tensor_files_free(&files);
    return status;
}
