/* Results as files: comma-separated values and JSON (doc/results.md). The bytes depend only on the
 * experiment, not on how it was run. */
#ifndef TRACES_RESULTS_EXPORT_H
#define TRACES_RESULTS_EXPORT_H

#include "lib/json.h"
#include "traces/results/reader.h"

/* Adds all results of a database that traces_layout_check accepts. Returns false after an error. */
bool traces_export_csv(struct traces_database *store, struct lib_text *out);

/* Adds rows as comma-separated values, below their heads. */
void traces_export_rows(struct traces_rows *rows, struct lib_text *out);

/* Whether to add measurements of the host, which differ from one execution to the next. */
enum traces_export_host { TRACES_EXPORT_WITHOUT_HOST, TRACES_EXPORT_WITH_HOST };
bool traces_export_json(struct traces_database *store, enum traces_export_host host,
                        struct lib_text *out);

/* Adds a cell as a field of comma-separated values, always in quotes if `column` has names. `column`
 * may be NULL. */
void traces_export_value(struct lib_text *out, const struct traces_column *column,
                         const struct traces_cell *cell);

/* Adds the cells of a row to an open object. Points in their heads are objects in objects:
 * "static.cycles". Heads that begin alike follow each other. */
void traces_export_nested(struct lib_json *json, const struct traces_rows *rows);

/* Adds the value of a cell; infinities are strings. */
void traces_export_cell(struct lib_json *json, const char *key,
                        const struct traces_cell *cell);

/* Adds a detail as comma-separated values; only the names of the columns if the results do not have
 * it. */
bool traces_export_detail(struct traces_database *store, enum traces_detail detail,
                          struct lib_text *out);

#endif
