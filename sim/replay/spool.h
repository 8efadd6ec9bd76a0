/* Spool: the events of a run in a temporary file, to be read more than once. For runs that cannot
 * be recorded, as their state cannot be saved (machine_can_be_saved). */
#ifndef SIM_REPLAY_SPOOL_H
#define SIM_REPLAY_SPOOL_H

#include "sim/replay/source.h"

/* Simulates a run to its end and returns its events, in a file without a name in TMPDIR. Borrows
 * what `config` refers to. Returns NULL and adds a diagnostic if the run cannot start or the file
 * cannot be written; returns NULL if config->watch stops it. */
struct sim_source *sim_spool_new(const struct sim_simulation_config *config,
                                 struct lib_diags *diags);
void sim_spool_free(struct sim_source *spool); /* NULL is allowed */

#endif
