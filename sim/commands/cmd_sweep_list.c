/* hiaton sweep list: the runs of an experiment, without running them. */
#include "sim/commands/listing.h"

enum { KEY_SHARD = 0x300 };

static const struct argp_option own_options[] = {
    SIM_SHARD_OPTION(KEY_SHARD),
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state, void *context)
{
    if (key != KEY_SHARD)
        return ARGP_ERR_UNKNOWN;
    *(struct sim_shard *)context = sim_shard_parse(text, state->name);
    return 0;
}

static const struct sim_usage usage = {
    .takes = 0,
    .arguments = "EXPERIMENT.yaml",
    .help = "Check an experiment and print its runs: their numbers, and what differs."
            "\vWith --verbose also their seeds and identities.",
    .least = 1,
    .most = 1,
    .missing = "EXPERIMENT.yaml",
    .options = own_options,
    .parse = parse,
};

static void put(const struct lib_text *piece, void *context)
{
    sim_put(context, NULL, piece);
}

int sim_sweep_list(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_shard shard = {0};
    struct sim_sweep sweep;
    sim_options_parse(&options, &usage, &shard, argc, argv);
    enum sim_status status = sim_sweep_open(&sweep, options.arguments[0], &options.voice);
    if (status == SIM_DONE)
        sim_listing_write(&sweep.experiment, &sweep.runs, shard, options.voice.verbose,
                          put, &options.voice);
    sim_sweep_close(&sweep);
    sim_options_free(&options);
    return status;
}
