/* Uses tables and figures of an experiment file that was edited after its runs, in place of those
 * in the database. */
#ifndef SIM_OUTPUTS_EDITED_H
#define SIM_OUTPUTS_EDITED_H

#include "sim/messages/messages.h"
#include "sim/outputs/views.h"

/* Makes `frame` use the tables and figures of the experiment file `path`. If `path` is NULL, uses
 * the file beside the database, if it exists and differs from the stored text, and reports so.
 * Returns false and adds a diagnostic on errors. */
bool sim_edited_take(struct traces_reader *frame, const char *path,
                     const struct sim_printer *printer, struct lib_diags *diags);

/* Returns the value of the option --experiment if it names an experiment in the database; NULL if
 * it names a file. */
const char *sim_edited_kept(const char *experiment);

#endif
