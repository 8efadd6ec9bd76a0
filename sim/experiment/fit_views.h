/* Checks, before the first run of an experiment begins, that its tables and figures can be
 * shown. */
#ifndef SIM_EXPERIMENT_FIT_VIEWS_H
#define SIM_EXPERIMENT_FIT_VIEWS_H

#include "sim/experiment/expand.h"

/* Checks that no table or figure would silently show a mean over a parameter (analysis_cube_hides)
 * if all runs complete. `wanted` has a flag per run: only runs whose flag is true are considered;
 * NULL: all. Returns false and adds an error at each table and figure that would.
 *
 * Assumes that each statistic of each run has a value, though a ratio can be 0 / 0, and a window
 * can begin after the end of a run. Does not decide where results matter, as for conditions on
 * results. Of a large experiment only the first runs are considered. So true does not promise that
 * no mean is hidden. */
bool sim_views_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                   const bool *wanted, struct lib_diags *diags);

#endif
