/* Finds the causes of the cycles of a run (analysis/causes/causes.h), which is simulated or read
 * from an event file. */
#ifndef SIM_EXPLAIN_CAUSES_H
#define SIM_EXPLAIN_CAUSES_H

#include "analysis/causes/stopped.h"
#include "sim/replay/source.h"

/* Returns the properties of a machine on which the causes of a program depend. */
struct analysis_causes_machine sim_causes_machine(const struct machine_settings *settings,
                                                  const struct isa_graph *graph);

/* Follows the chain of causes in a run, which is simulated twice, or read twice from `file` if that
 * is not NULL. `config` describes the run. Its program is already divided if the settings ask for
 * it, and its callback `watch` can stop the run. Returns false if it did, or adds a diagnostic and
 * returns false on errors. */
bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags);

/* Simulates a run, and finds out what waits for what at its end. */
bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags);

#endif
