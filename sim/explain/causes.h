/* Causes of the cycles of a run (analysis/causes/causes.h), which is simulated or read from a file
 * of events. */
#ifndef SIM_EXPLAIN_CAUSES_H
#define SIM_EXPLAIN_CAUSES_H

#include "analysis/causes/stopped.h"
#include "sim/replay/source.h"

/* Returns the properties of a machine that the causes of such a program depend on. */
struct analysis_causes_machine sim_causes_machine(const struct machine_settings *settings,
                                                  const struct isa_graph *graph);

/* Follows the chain of causes in a run. The run is simulated twice, or, unless `file` is NULL, read
 * twice from it. `config` describes the run, with a divided program if its settings ask for one,
 * and the watch. Returns false on an error, with a diagnostic, or if the watch stops it. */
bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags);

/* Simulates a run, and finds what waits for what at its end. */
bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags);

#endif
