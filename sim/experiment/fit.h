/* Checks, before the first run, that all programs of an experiment can run on their machines. */
#ifndef SIM_EXPERIMENT_FIT_H
#define SIM_EXPERIMENT_FIT_H

#include "sim/experiment/expand.h"

/* Checks that the program of each run can run on the run's machine (sim_program_fits). `wanted` has
 * a flag per run and selects the runs to check; NULL: all. Returns false at the first run that
 * cannot, with an error at the value that is the cause. */
bool sim_runs_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                  const bool *wanted, struct lib_diags *diags);

#endif
