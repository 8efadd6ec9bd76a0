/* Results as files: comma-separated values and JSON (doc/results.md), the same bytes for
 * the same experiment however it was run. */
#ifndef SIM_EXPORT_H
#define SIM_EXPORT_H

#include "lib/json.h"
#include "sim/store.h"

/* Adds all results of a database that sim_schema_check accepts. false after an error. */
bool sim_export_csv(struct sim_store *store, struct lib_text *out);
bool sim_export_json(struct sim_store *store, bool with_host, struct lib_text *out);

/* Adds a field of comma-separated values, in quotes where it must be. */
void sim_export_field(struct lib_text *out, const char *text);

/* Adds what stands in a cell; infinities are texts. */
void sim_export_cell(struct lib_json *json, const char *key, const struct sim_cell *cell);

/* Adds the series: a row for each run and cycle. */
bool sim_export_series(struct sim_store *store, struct lib_text *out);

#endif
