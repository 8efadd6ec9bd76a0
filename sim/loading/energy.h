/* Loads energy tables: by the name of one that comes with Hiaton, or from a file. */
#ifndef SIM_LOADING_ENERGY_H
#define SIM_LOADING_ENERGY_H

#include "analysis/energy.h"
#include "lib/findings.h"

/* Loads an energy table into the arena; a file is relative to `folder`, which is "" or ends with a
 * slash. Returns NULL and adds diagnostics on errors; those about no file do not say where the
 * table was named. */
const struct analysis_energy *sim_energy_load(struct lib_arena *arena, const char *folder,
                                              const char *name, struct lib_diags *diags);

/* Adds to a report the counts and energies of the events of a run whose work was counted: as a
 * table for people, or as the record `energy_table`. */
void sim_energy_findings(const struct analysis_energy *table,
                         const struct traces_stats *stats, struct lib_findings *findings);

/* Adds the events of the run that the table lacks, with commas between. */
void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out);

#endif
