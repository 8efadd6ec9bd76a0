/* A spool: all events of a run in a temporary file without a name, for analyses that read them more
 * than once. Serves runs whose machine cannot save its state (machine_can_be_saved), so that a
 * recording is impossible. */
#ifndef SIM_REPLAY_SPOOL_H
#define SIM_REPLAY_SPOOL_H

#include "sim/replay/source.h"

/* Simulates a run to its end and returns its events. Borrows the graph and all else that `config`
 * refers to. Returns NULL and adds a diagnostic if the run cannot start; returns NULL if the watch
 * of `config` stops it. */
struct sim_source *sim_spool_new(const struct sim_simulation_config *config,
                                 struct lib_diags *diags);
void sim_spool_free(struct sim_source *spool); /* NULL is allowed */

#endif
