/* Merging the results of shards (doc/experiments.md, Shards). */
#ifndef TRACES_RESULTS_MERGE_H
#define TRACES_RESULTS_MERGE_H

#include "traces/results/database.h"

/* Adds the results in the database at `path` to `store`, which has results of the same experiment.
 * Sets *differing to the number of runs that both have with different results; these are not
 * changed. Returns false after an error. */
bool traces_merge_add(struct traces_database *store, const char *path,
                      int64_t *differing);

#endif
