/* The events of a run whose state cannot be saved (machine_can_be_saved), as a source that can be
 * read again: in a file without a name, in the folder for temporary files. */
#ifndef SIM_REPLAY_SPOOL_H
#define SIM_REPLAY_SPOOL_H

#include "sim/replay/source.h"

/* Simulates what `config` says to its end, once. NULL: it could not, or who watches did not want
 * more, and why is in `diags`. The graph and what else is in `config` are borrowed. */
struct sim_source *sim_spool_new(const struct sim_simulation_config *config,
                                 struct lib_diags *diags);
void sim_spool_free(struct sim_source *spool); /* NULL is allowed */

#endif
