#include "sim/commands/commands.h"

#include "sim/cli/execute.h"
#include "sim/outputs/run_figure.h"

static const struct argp_option own_options[] = {
    SIM_RUN_FIGURE_OPTIONS,
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state, void *own)
{
    return sim_run_figure_parse(key, text, state, own);
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_STATS | SIM_TAKES_OBSERVE | SIM_TAKES_RECORD | SIM_TAKES_FROM |
             SIM_TAKES_TRACE | SIM_TAKES_EVENTS,
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
    .options = own_options,
    .parse = parse,
};

static enum sim_status check(const struct sim_options *options, void *own)
{
    return sim_run_figure_check(own, &options->voice);
}

static void observe(struct sim_simulation_config *config, const void *own)
{
    sim_run_figure_observe(own, config);
}

static enum sim_status deliver(const struct sim_voice *voice, const char *program,
                               const struct sim_ending *ending, const void *own)
{
    return sim_run_figure_put(own, voice, program, ending);
}

int sim_run(int argc, char **argv)
{
    struct sim_run_figure figure = {0};
    const struct sim_execute_more more = {&figure, check, observe, deliver};
    int status = sim_execute(argc, argv, &usage, SIM_ENGINE_MACHINE, &more);
    sim_run_figure_free(&figure);
    return status;
}
