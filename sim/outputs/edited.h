/* The tables and figures of an experiment that were edited after its runs: those of the
 * database are as they were then. */
#ifndef SIM_OUTPUTS_EDITED_H
#define SIM_OUTPUTS_EDITED_H

#include "sim/messages/messages.h"
#include "sim/outputs/views.h"

/* Has a frame name the tables and figures of an experiment: of the file `path`, or, if that is
 * NULL, of the one beside the database, where there is one and they differ from those that are
 * kept; and says so. false after an error. */
bool sim_edited_take(struct traces_reader *frame, const char *path,
                     const struct sim_voice *voice, struct lib_diags *diags);

/* Returns the value of --experiment if it names an experiment that a database keeps, and not a
 * file, else NULL. */
const char *sim_edited_kept(const char *experiment);

#endif
