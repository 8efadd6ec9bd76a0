/* Loads tables of energies: by the name of one that comes with the program, or from a file. */
#ifndef SIM_LOADING_ENERGY_H
#define SIM_LOADING_ENERGY_H

#include "analysis/energy.h"
#include "lib/json.h"

/* Loads a table into the arena; a file is relative to `folder`, which is "" or ends in a slash.
 * Returns NULL and adds diagnostics on errors; those without a file do not say where the table was
 * named. */
const struct analysis_energy *sim_energy_load(struct lib_arena *arena, const char *folder,
                                              const char *name, struct lib_diags *diags);

/* Add the energies of a run whose work was counted, by this table: as lines with counts, and as the
 * key `energy_table` of a JSON object. */
void sim_energy_write(const struct analysis_energy *table,
                      const struct traces_stats *stats, struct lib_text *out);
/* Adds the names of counted events that the table does not have, separated by commas. */
void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out);
void sim_energy_write_json(const struct analysis_energy *table,
                           const struct traces_stats *stats, struct lib_json *json);

#endif
