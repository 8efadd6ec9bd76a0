/* Checks, before the first run, that all programs of an experiment can run on their machines, and
 * that training options fit the programs. */
#ifndef SIM_EXPERIMENT_FIT_H
#define SIM_EXPERIMENT_FIT_H

#include "sim/experiment/expand.h"

/* Checks that the program of each run can run on the run's machine (sim_program_fits); for
 * trainings also that their options are possible. `wanted` has a flag per run and selects the runs
 * to check; NULL: all. Returns false at the first run that fails, with an error at the value that
 * is the cause. */
bool sim_runs_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                  const bool *wanted, struct lib_diags *diags);

#endif
