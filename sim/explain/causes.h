/* Finds the causes of the cycles of a run (analysis/causes/causes.h), which is simulated or read
 * from an event file. */
#ifndef SIM_EXPLAIN_CAUSES_H
#define SIM_EXPLAIN_CAUSES_H

#include "analysis/causes/stopped.h"
#include "sim/replay/source.h"

/* Follows the causal chain of a run. If `file` is NULL, simulates the run twice, else reads it
 * twice from `file`. `config` describes the run. If the settings demand that the program is
 * partitioned, it must be partitioned already. Returns false if the callback `watch` of `config`
 * stopped the run; returns false and adds a diagnostic on errors. */
bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags);

/* Simulates a run, and lists the tokens that cannot proceed at its end and what they wait for.
 * Returns false if stopped or on errors, like sim_causes_run. */
bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags);

#endif
