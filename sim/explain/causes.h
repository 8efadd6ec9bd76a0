/* Finds the causes of the cycles of a run (analysis/causes/causes.h), which is simulated or read
 * from an event file. */
#ifndef SIM_EXPLAIN_CAUSES_H
#define SIM_EXPLAIN_CAUSES_H

#include "analysis/causes/stopped.h"
#include "sim/replay/source.h"

/* Returns what the causes of a program depend on in a machine. */
struct analysis_causes_machine sim_causes_machine(const struct machine_settings *settings,
                                                  const struct isa_graph *graph);

/* Follows the causal chain of a run, which is simulated twice; or read twice from `file`, if not
 * NULL. `config` describes the run; its program must be partitioned already if the settings demand
 * that; its callback `watch` can stop the run. Returns false if it did; on errors also adds a
 * diagnostic. */
bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags);

/* Simulates a run, and finds what waits for what at its end. Returns false like sim_causes_run. */
bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags);

#endif
