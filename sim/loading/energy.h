/* Tables of energies as the user names them: one that comes with the program, or a file. */
#ifndef SIM_LOADING_ENERGY_H
#define SIM_LOADING_ENERGY_H

#include "analysis/energy.h"
#include "lib/findings.h"

/* Loads a table into the arena. A file is looked for in `folder`, which is "" or has a slash at its
 * end. NULL after errors; those about no file name nothing of where the table was named. */
const struct analysis_energy *sim_energy_load(struct lib_arena *arena, const char *folder,
                                              const char *name, struct lib_diags *diags);

/* What a table adds up to for a run whose work was counted: counts and energies of the events that
 * the table has, as a table for people, else as the record `energy_table`. */
void sim_energy_tell(const struct analysis_energy *table,
                     const struct traces_stats *stats, struct lib_findings *findings);

/* Names what happened in the run and the table does not have, with commas between. */
void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out);

#endif
