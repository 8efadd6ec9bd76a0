/* Loads tables of energies: by the name of one that comes with the program, or from a file. */
#ifndef SIM_LOADING_ENERGY_H
#define SIM_LOADING_ENERGY_H

#include "analysis/energy.h"
#include "lib/findings.h"

/* Loads a table into the arena; a file is relative to `folder`, which is "" or ends in a slash.
 * Returns NULL and adds diagnostics on errors; those without a file do not say where the table was
 * named. */
const struct analysis_energy *sim_energy_load(struct lib_arena *arena, const char *folder,
                                              const char *name, struct lib_diags *diags);

/* What a table adds up to for a run whose work was counted: counts and energies of the events that
 * the table has, as a table for people, else as the record `energy_table`. */
void sim_energy_findings(const struct analysis_energy *table,
                         const struct traces_stats *stats, struct lib_findings *findings);

/* Names what happened in the run and the table does not have, with commas between. */
void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out);

#endif
