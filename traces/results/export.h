/* Results as files: comma-separated values and JSON (doc/results.md), the same bytes for
 * the same experiment however it was run. */
#ifndef TRACES_RESULTS_EXPORT_H
#define TRACES_RESULTS_EXPORT_H

#include "lib/json.h"
#include "traces/results/detail.h"

/* Adds all results of a database that traces_layout_check accepts. false after an error. */
bool traces_export_csv(struct traces_database *store, struct lib_text *out);

/* What was measured of the host differs from one execution to the next. */
enum traces_export_host { TRACES_EXPORT_WITHOUT_HOST, TRACES_EXPORT_WITH_HOST };
bool traces_export_json(struct traces_database *store, enum traces_export_host host,
                        struct lib_text *out);

/* Adds a field of comma-separated values, in quotes where it must be; a name always, if there is
 * one. */
void traces_export_field(struct lib_text *out, const char *text);
void traces_export_name(struct lib_text *out, const char *text);

/* Adds what stands in a cell; infinities are texts. */
void traces_export_cell(struct lib_json *json, const char *key,
                        const struct traces_cell *cell);

/* Adds a detail as comma-separated values: of results that keep none of it, the names of the
 * columns alone. */
bool traces_export_detail(struct traces_database *store, enum traces_detail detail,
                          struct lib_text *out);

#endif
