/* A run of an experiment that is a training (sim/training/training.h). */
#ifndef SIM_SWEEP_TRAINED_H
#define SIM_SWEEP_TRAINED_H

#include "sim/sweep/outcome.h"

/* A training that is to be made. All is borrowed. */
struct sim_trained_request {
    const struct lib_source *source; /* of the program; */
    struct programs_known *known;    /* the files that it reads; */
    const char *title;               /* what reasons call it */
    const struct machine_settings *settings;
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    struct sim_training_options options;
    uint64_t seed;
    double wall_limit; /* seconds; 0: none */
    bool keeps_epochs;
};

/* Trains to the end, or to the limit of the wall clock, in one thread. A training whose options do
 * not fit its examples, or that comes to a number which is not finite, is trapped; its numbers are
 * those of the steps before. The outcome was emptied. */
void sim_trained_make(struct sim_outcome *outcome,
                      const struct sim_trained_request *request);

/* The same for a run of an experiment. */
void sim_trained_make_run(struct sim_outcome *outcome,
                          const struct sim_experiment *experiment,
                          const struct sim_config *config);

#endif
