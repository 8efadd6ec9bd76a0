/* A source of the events of a run whose state cannot be saved (machine_can_be_saved), but which
 * must be read more than once: a file without a name, in the folder for temporary files. */
#ifndef SIM_REPLAY_SPOOL_H
#define SIM_REPLAY_SPOOL_H

#include "sim/replay/source.h"

/* Simulates a run to its end, once. Borrows the graph and what else `config` refers to. Returns
 * NULL if it cannot run, with a diagnostic, or if the watch of `config` stops it. */
struct sim_source *sim_spool_new(const struct sim_simulation_config *config,
                                 struct lib_diags *diags);
void sim_spool_free(struct sim_source *spool); /* NULL is allowed */

#endif
