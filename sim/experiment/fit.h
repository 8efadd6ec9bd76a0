/* Whether the runs of an experiment can be made: asked before the first of them begins. */
#ifndef SIM_EXPERIMENT_FIT_H
#define SIM_EXPERIMENT_FIT_H

#include "sim/experiment/expand.h"

/* Whether the program of each run can run on its machine (sim_program_fits). `wanted` has a flag
 * for each run: only those that are true are asked for; NULL asks for all. Returns false if a run
 * cannot be made, and adds a diagnostic about the first one, at the value in the file that makes
 * it so. Equal settings are checked once, however many runs have them. */
bool sim_runs_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                  const bool *wanted, struct lib_diags *diags);

#endif
