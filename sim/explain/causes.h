/* Causes of a run (analysis/causes/causes.h): of a session, which is simulated, or of a file of
 * events. */
#ifndef SIM_EXPLAIN_CAUSES_H
#define SIM_EXPLAIN_CAUSES_H

#include "analysis/causes/stopped.h"
#include "sim/replay/source.h"

/* What of a machine the causes of such a program depend on. */
struct analysis_causes_machine sim_causes_machine(const struct machine_settings *settings,
                                                  const struct isa_graph *graph);

/* Follows the chain of a run, which is simulated twice; or that of `file` (else NULL), which is
 * read twice. `config` says what runs, a program that is divided if it shall be, and who watches.
 * false: it could not, or nobody wants more, and why is in `diags`. */
bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags);

/* Runs what `config` says, and finds what waits for what at its end. */
bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags);

#endif
