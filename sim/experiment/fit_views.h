/* Checks, before the first run of an experiment, that its tables and figures can be shown. */
#ifndef SIM_EXPERIMENT_FIT_VIEWS_H
#define SIM_EXPERIMENT_FIT_VIEWS_H

#include "sim/experiment/expand.h"

/* Checks that no table or figure would silently show a mean over a parameter (analysis_cube_hides)
 * if all runs complete. `wanted` has a flag per run and selects the runs to consider; NULL: all.
 * Returns false and adds an error at each table and figure that would.
 *
 * The check is approximate: it assumes that statistics have values, although a ratio can be 0 / 0;
 * it skips tables and figures whose conditions or axes are results; and it considers only the first
 * runs of a large experiment, and then skips tables and figures with a base. */
bool sim_views_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                   const bool *wanted, struct lib_diags *diags);

#endif
