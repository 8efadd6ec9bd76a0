/* Loads energy tables that come with Hiaton, by name, or from a file. */
#ifndef SIM_LOADING_ENERGY_H
#define SIM_LOADING_ENERGY_H

#include "analysis/energy.h"
#include "lib/findings.h"

/* Loads an energy table into the arena. A file is relative to `folder`, which is "" or ends with a
 * slash. Returns NULL and adds diagnostics on errors; if the name is wrong, without a position,
 * so the caller adds where the user named the table. */
const struct analysis_energy *sim_energy_load(struct lib_arena *arena, const char *folder,
                                              const char *name, struct lib_diags *diags);

/* Adds the counts and energies of events to a report: as a table for people, else as the record
 * `energy_table`. The run must have counted its work (machine_count_work). */
void sim_energy_findings(const struct analysis_energy *table,
                         const struct traces_stats *stats, struct lib_findings *findings);

/* Adds the names of events that occurred in a run but have no energy in the table, separated by
 * commas. */
void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out);

#endif
