/* A run of an experiment that is a training (sim/training/training.h). */
#ifndef SIM_SWEEP_TRAINED_H
#define SIM_SWEEP_TRAINED_H

#include "sim/sweep/outcome.h"

/* The parameters of a training. All pointers are borrowed. */
struct sim_trained_request {
    const struct lib_source *source; /* source of the program */
    struct programs_known *known;    /* files that it reads */
    const char *title;               /* its name in reasons */
    const struct machine_settings *settings;
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    struct sim_training_options options;
    uint64_t seed;
    double wall_limit; /* seconds; 0 without a limit */
    bool keeps_epochs;
};

/* Trains to the end, or to the limit of the wall clock, in one thread. A training traps if its
 * options do not fit its examples, or if a number is not finite; the outcome then has the numbers
 * of the steps before. The outcome must be empty. */
void sim_trained_make(struct sim_outcome *outcome,
                      const struct sim_trained_request *request);

void sim_trained_make_run(struct sim_outcome *outcome,
                          const struct sim_experiment *experiment,
                          const struct sim_config *config);

#endif
