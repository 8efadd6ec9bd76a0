/* Details: what is kept of a run beside its row of results, where the experiment asks for it.
 * Each is a table of the database (doc/results.md), with a row per run and place: a sample of
 * the series, a range of the parallelism profile, or a PE. */
#ifndef TRACES_RESULTS_DETAIL_H
#define TRACES_RESULTS_DETAIL_H

#include "traces/results/database.h"

enum traces_detail {
    TRACES_DETAIL_SERIES,
    TRACES_DETAIL_PROFILE,
    TRACES_DETAIL_PE,
    TRACES_DETAIL_COUNT,
};

/* Of its table, and of the key by which an experiment asks for it. */
extern const char *const traces_detail_names[TRACES_DETAIL_COUNT];

/* Makes the tables that are not there, and their columns that are not there. */
bool traces_detail_make_tables(struct traces_database *store);

/* Copies what the attached database `shard` has of the runs in the table `fresh` (id,
 * identity): columns that both have. */
bool traces_detail_copy(struct traces_database *store);

/* Whether there is its table, which results of an older hiaton may lack; and whether the
 * results have any row of it. */
bool traces_detail_has_table(struct traces_database *store, enum traces_detail detail);
bool traces_detail_is_kept(struct traces_database *store, enum traces_detail detail);

#endif
