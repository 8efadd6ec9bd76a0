/* Whether the tables and figures of an experiment can be shown: asked before the first run
 * begins. */
#ifndef SIM_EXPERIMENT_FIT_VIEWS_H
#define SIM_EXPERIMENT_FIT_VIEWS_H

#include "sim/experiment/expand.h"

/* Whether no table or figure would show a mean over a parameter for which it does not ask
 * (analysis_cube_hides), if all runs complete. `wanted` has a flag for each run: only those that
 * are true are looked at; NULL takes all. Returns false, and adds an error at each table and
 * figure that would hide something.
 *
 * Each run is taken to have a value, also where one may be none: a ratio of 0 / 0, or a window
 * behind the end of the run. Where results decide, it does not: about conditions and places that
 * depend on what comes out of runs. Of a large experiment only the first runs are looked at. So
 * true does not promise that nothing is hidden. */
bool sim_views_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                   const bool *wanted, struct lib_diags *diags);

#endif
