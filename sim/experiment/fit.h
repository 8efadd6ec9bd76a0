/* Checks, before the first run of an experiment begins, that all its programs can run on their
 * machines. */
#ifndef SIM_EXPERIMENT_FIT_H
#define SIM_EXPERIMENT_FIT_H

#include "sim/experiment/expand.h"

/* Checks that the program of each run can run on its machine (sim_program_fits). `wanted` has a
 * flag per run: only runs whose flag is true are checked; NULL: all. Returns false and adds a
 * diagnostic about the first run that cannot, at the value in the file that is the cause. Equal
 * settings are checked once, however many runs have them. */
bool sim_runs_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                  const bool *wanted, struct lib_diags *diags);

#endif
