/* Details: tables of an experiment's database (doc/results.md) with several rows per run, kept on
 * request. A row is a sample of the series, a range of the parallelism profile, a PE, a link of the
 * network, or an epoch of a training. */
#ifndef TRACES_RESULTS_DETAIL_H
#define TRACES_RESULTS_DETAIL_H

#include "traces/results/database.h"

enum traces_detail {
    TRACES_DETAIL_SERIES,
    TRACES_DETAIL_PROFILE,
    TRACES_DETAIL_PE,
    TRACES_DETAIL_LINKS,
    TRACES_DETAIL_EPOCHS,
    TRACES_DETAIL_COUNT,
};

/* Names of the tables with several rows per run, also the keys by which experiments request
 * them. */
extern const char *const traces_detail_names[TRACES_DETAIL_COUNT];

/* Whether the rows of a table are ranges of time (cycles or depths), instead of items such as
 * PEs. */
static inline bool traces_detail_is_over_time(enum traces_detail detail)
{
    return detail == TRACES_DETAIL_SERIES || detail == TRACES_DETAIL_PROFILE;
}

/* Creates missing tables with several rows per run, and missing columns of existing ones. */
bool traces_detail_make_tables(struct traces_database *store);

/* Whether those tables with several rows per run that exist have no column whose name differs only
 * by case from one of Hiaton's, which SQLite would take for it. A missing column is one that
 * another version did not have. Adds a diagnostic if not. */
bool traces_detail_check(struct traces_database *store);

/* Copies all details from the attached database `shard`, for the runs in the temporary table
 * `fresh`, which has their ids in `shard` and identities. Columns that only one of the two
 * databases has are left out. */
bool traces_detail_copy(struct traces_database *store);

/* Like traces_detail_copy, for any one table with a column `run`. */
bool traces_detail_copy_table(struct traces_database *store, const char *table);

/* Whether a table of details exists (an older hiaton may not have made it), and whether it has
 * rows. */
bool traces_detail_has_table(struct traces_database *store, enum traces_detail detail);
bool traces_detail_is_kept(struct traces_database *store, enum traces_detail detail);

/* --- rows --------------------------------------------------------------------------- */

/* Returns the columns of a table as figures show them: counts of a series are divided by cycles.
 * The first column says what a row is about: a cycle, a depth minus 1 (profile), a PE, a link or an
 * epoch. */
const struct traces_columns *traces_detail_columns(enum traces_detail detail);

/* Returns the columns of a table like traces_detail_columns, without the first. */
const struct traces_columns *traces_detail_values(enum traces_detail detail);

/* Writes the titles of a table's columns for CSV, and the query of all its rows. */
void traces_detail_write_all(enum traces_detail detail, struct lib_text *head,
                             struct lib_text *sql);

/* Value in one column of a table of a run. The value is of `width` cycles (or depths, PEs, links or
 * epochs), of which `from` is the first. */
struct traces_detail_row {
    int64_t number; /* the run: its number in the experiment (column `number`) */
    size_t column;
    uint64_t from, width;
    double value; /* NaN if unknown */
};

/* Calls `take` for the values of all runs in the wanted columns: column after column, each in the
 * order of the runs and of `from`. `wanted` has an element for each of traces_detail_columns.
 * Returns false after an error. */
bool traces_detail_read(struct traces_database *store, enum traces_detail detail,
                        const bool *wanted,
                        void (*take)(const struct traces_detail_row *row, void *context),
                        void *context);

#endif
