/* Merging the results of shards: parts of one experiment that ran in separate processes
 * (doc/experiments.md, Shards). */
#ifndef TRACES_RESULTS_MERGE_H
#define TRACES_RESULTS_MERGE_H

#include "traces/results/database.h"

/* Whether a database can be merged: it is one of results, and has the tables and columns that its
 * version has. Adds a diagnostic if not. */
bool traces_merge_check(struct traces_database *store);

/* Adds the results in the database at `path` to `store`, which has results of the same experiment.
 * A run with different results in both stays as it is in `store`; *differing is set to the number
 * of such runs. Returns false after an error. */
bool traces_merge_add(struct traces_database *store, const char *path,
                      int64_t *differing);

#endif
