/* A run of an experiment that is a training (sim/training/training.h). */
#ifndef SIM_SWEEP_TRAINED_H
#define SIM_SWEEP_TRAINED_H

#include "sim/sweep/outcome.h"

/* Trains to the end, or to the limit of the wall clock, in one thread. A training whose options do
 * not fit its examples, or that comes to a number which is not finite, is trapped; its numbers are
 * those of the steps before. The outcome was emptied. */
void sim_trained_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment,
                      const struct sim_config *config);

#endif
