/* Putting the results of shards together (doc/experiments.md, Shards). */
#ifndef TRACES_RESULTS_MERGE_H
#define TRACES_RESULTS_MERGE_H

#include "traces/results/database.h"

/* Adds to `store`, which holds results of an experiment, those that the database at
 * `path` has of the same experiment. `differing` counts the runs that both hold with
 * different results; these stay as they are. false after an error. */
bool traces_merge_add(struct traces_database *store, const char *path,
                      int64_t *differing);

#endif
