/* Details: data of runs beside their rows of results, kept if the experiment requests them. Each
 * detail is a table of the database (doc/results.md), with a row per run and place: a sample of the
 * series, a range of the parallelism profile, a PE, a link of the network, or an epoch of a
 * training. */
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

/* Names of the tables, which are also the keys of experiments that request them. */
extern const char *const traces_detail_names[TRACES_DETAIL_COUNT];

/* Whether the places of a detail are ranges of time, in cycles or depths; otherwise they are single
 * items. */
static inline bool traces_detail_is_over_time(enum traces_detail detail)
{
    return detail == TRACES_DETAIL_SERIES || detail == TRACES_DETAIL_PROFILE;
}

/* Creates the missing tables of details, and missing columns of existing ones. */
bool traces_detail_make_tables(struct traces_database *store);

/* Copies the details of the runs in the table `fresh` (id, identity) from the attached database
 * `shard`: the columns that both databases have. */
bool traces_detail_copy(struct traces_database *store);

/* As traces_detail_copy, for one table whose rows name a run. */
bool traces_detail_copy_table(struct traces_database *store, const char *table);

/* Whether the table of a detail exists, which results of an older hiaton may lack; and whether it
 * has any row. */
bool traces_detail_has_table(struct traces_database *store, enum traces_detail detail);
bool traces_detail_is_kept(struct traces_database *store, enum traces_detail detail);

/* --- rows --------------------------------------------------------------------------- */

/* Returns the columns of a detail as figures show them, a constant table. The first column is the
 * place: a cycle, a depth less 1 (of a profile), a PE, a link, or an epoch. Counts of a series are
 * per cycle. */
const struct traces_columns *traces_detail_columns(enum traces_detail detail);

/* Returns the columns without the place. */
const struct traces_columns *traces_detail_values(enum traces_detail detail);

/* The value of a column in each of `width` places from `from` on. */
struct traces_detail_row {
    int64_t number; /* number of the run in the results */
    size_t column;
    uint64_t from, width;
    double value; /* NaN if unknown */
};

/* Calls `take` for all rows of the wanted columns, of all results; for each column of a run in the
 * order of places. Returns false after an error. */
bool traces_detail_read(struct traces_database *store, enum traces_detail detail,
                        const bool *wanted,
                        void (*take)(const struct traces_detail_row *row, void *context),
                        void *context);

#endif
