#include "sim/commands/listing.h"

static const struct lib_field own_options[] = {
    SIM_SWEEP_CHOICE_OPTIONS(0),
    {0},
};

static const struct sim_usage usage = {
    .takes = 0,
    .arguments = "EXPERIMENT.yaml",
    .help = "Check an experiment and print its runs: their numbers, and what differs."
            "\vWith --verbose also their seeds and identities.",
    .least = 1,
    .most = 1,
    .missing = "EXPERIMENT.yaml",
    .options = own_options,
};

static void put(const struct lib_text *piece, void *context)
{
    sim_put(context, NULL, piece);
}

int sim_sweep_list(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_sweep_choice choice = {0};
    struct sim_sweep sweep;
    sim_options_parse(&options, &usage, &choice, argc, argv);
    enum sim_status status = sim_sweep_open(&sweep, options.arguments[0], &choice,
                                            &options.printer);
    if (status == SIM_DONE)
        sim_listing_write(&sweep.experiment, &sweep.runs, &sweep.selection,
                          options.printer.verbose ? SIM_LISTING_LONG : SIM_LISTING_SHORT,
                          put, &options.printer);
    sim_sweep_close(&sweep);
    sim_sweep_choice_free(&choice);
    sim_options_free(&options);
    return status;
}
