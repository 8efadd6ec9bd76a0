/* Tables and figures of an experiment file that was edited after its runs: they replace the tables
 * and figures that the database stores. */
#ifndef SIM_OUTPUTS_EDITED_H
#define SIM_OUTPUTS_EDITED_H

#include "sim/messages/messages.h"
#include "sim/outputs/views.h"

/* Makes `frame` use the tables and figures of the experiment file `path`. If `path` is NULL, looks
 * for the experiment's file beside the database: uses it, with a message, if its labels, tables or
 * figures differ from those in the database. Returns false and adds a diagnostic on errors. */
bool sim_edited_take(struct traces_reader *frame, const char *path,
                     const struct sim_printer *printer, struct lib_diags *diags);

/* Returns `experiment`, the value of the option --experiment, if it is the name of an experiment in
 * the database; NULL if it is the path of a file, or NULL. */
const char *sim_edited_kept(const char *experiment);

#endif
