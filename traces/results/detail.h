/* Details: what is kept of a run beside its row of results, where the experiment asks for it.
 * Each is a table of the database (doc/results.md), with a row per run and place: a sample of the
 * series, a range of the parallelism profile, a PE, a link of its network, or an epoch of a
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

/* Of its table, and of the key by which an experiment asks for it. */
extern const char *const traces_detail_names[TRACES_DETAIL_COUNT];

/* Whether its places are of a time, cycles or depths, which go on from one to the next; else each
 * is a thing. */
static inline bool traces_detail_is_over_time(enum traces_detail detail)
{
    return detail == TRACES_DETAIL_SERIES || detail == TRACES_DETAIL_PROFILE;
}

/* Makes the tables that are not there, and their columns that are not there. */
bool traces_detail_make_tables(struct traces_database *store);

/* Copies what the attached database `shard` has of the runs in the table `fresh` (id,
 * identity): columns that both have. */
bool traces_detail_copy(struct traces_database *store);

/* The same of one table whose rows name a run. */
bool traces_detail_copy_table(struct traces_database *store, const char *table);

/* Whether there is its table, which results of an older hiaton may lack; and whether the
 * results have any row of it. */
bool traces_detail_has_table(struct traces_database *store, enum traces_detail detail);
bool traces_detail_is_kept(struct traces_database *store, enum traces_detail detail);

/* --- what is in it ------------------------------------------------------------------ */

/* Its columns as figures show them, in a constant table. The first is the place: a cycle, of a
 * profile or else a depth less 1, a PE, a link, or an epoch. What a series counts is a number per
 * cycle. */
const struct traces_columns *traces_detail_columns(enum traces_detail detail);
/* The same without the place. */
const struct traces_columns *traces_detail_values(enum traces_detail detail);

/* What a column was, in each of `width` places from `from` on. */
struct traces_detail_row {
    int64_t number; /* of the run in the results */
    size_t column;
    uint64_t from, width;
    double value; /* NaN: none */
};

/* Calls `take` for all rows of the columns that are wanted, of all results: of a column of a run
 * in the order of places. false after an error. */
bool traces_detail_read(struct traces_database *store, enum traces_detail detail,
                        const bool *wanted,
                        void (*take)(const struct traces_detail_row *row, void *context),
                        void *context);

#endif
