/* Export of experiment results as CSV or JSON (doc/results.md). The bytes depend only on the
 * experiment, not on how it was run. */
#ifndef TRACES_RESULTS_EXPORT_H
#define TRACES_RESULTS_EXPORT_H

#include "lib/json.h"
#include "traces/results/reader.h"

/* Destination of an export, which need not fit in memory. Exports add to `text`; between two rows,
 * if `text` has become long, they call `put`. The caller writes what remains at the end. */
struct traces_export {
    struct lib_text *text;
    /* Writes and empties the string. NULL: `text` keeps everything. */
    void (*put)(void *context, struct lib_text *text);
    void *context;
};

/* Adds all results of a database as CSV. traces_layout_check must accept the database. Returns
 * false after an error. */
bool traces_export_csv(struct traces_database *store, const struct traces_export *out);

/* Adds the rows of a query as CSV, after a line with column titles. */
void traces_export_rows(struct traces_rows *rows, const struct traces_export *out);

/* Whether to export measurements of the host, which differ between executions. */
enum traces_export_host { TRACES_EXPORT_WITHOUT_HOST, TRACES_EXPORT_WITH_HOST };
bool traces_export_json(struct traces_database *store, enum traces_export_host host,
                        const struct traces_export *out);

/* Adds a cell as a field of CSV. If traces_column_is_name(column), it is in quotes. `column` may be
 * NULL. */
void traces_export_value(struct lib_text *out, const struct traces_column *column,
                         const struct traces_cell *cell);

/* Adds the cells of the current row to an open JSON object, with their titles as keys. A cell with
 * the title "static.cycles" becomes key `cycles` of an object `static`; cells of the same object
 * must be adjacent. */
void traces_export_nested(struct lib_json *json, const struct traces_rows *rows);

/* Adds a cell to JSON, an infinity as a string. */
void traces_export_cell(struct lib_json *json, const char *key,
                        const struct traces_cell *cell);

/* Adds a table of details (traces/results/detail.h) as CSV; only the column titles if the database
 * does not have the table. */
bool traces_export_detail(struct traces_database *store, enum traces_detail detail,
                          const struct traces_export *out);

#endif
