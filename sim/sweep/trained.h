/* Makes those runs of an experiment that train a program (sim/training/training.h). */
#ifndef SIM_SWEEP_TRAINED_H
#define SIM_SWEEP_TRAINED_H

#include "sim/sweep/outcome.h"

/* Arguments of sim_trained_make; all pointers are borrowed. */
struct sim_trained_request {
    const struct lib_source *source; /* source of the program */
    struct programs_known *known;    /* files that the program reads */
    const char *title;               /* name of the program in messages */
    const struct sim_settings *settings;
    const char *const *inputs; /* each NAME=VALUE */
    size_t input_count;
    struct sim_training_options options;
    uint64_t seed;
    double wall_limit; /* seconds of the host's time; 0: no limit */
    bool keeps_epochs; /* keep losses and other measurements of each epoch */
};

/* Trains in one thread to the end, or to the limit of the host's time, which counts as interrupted.
 * `outcome` must be {0}. A training that fails counts as trapped, for instance if a loss is not
 * finite; or it ends as the failed run of its program did. The outcome has the measurements of the
 * steps before. */
void sim_trained_make(struct sim_outcome *outcome,
                      const struct sim_trained_request *request);

void sim_trained_make_run(struct sim_outcome *outcome,
                          const struct sim_experiment *experiment,
                          const struct sim_config *config);

#endif
