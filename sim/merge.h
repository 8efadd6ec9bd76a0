/* Putting the results of shards together (doc/experiments.md, Shards). */
#ifndef SIM_MERGE_H
#define SIM_MERGE_H

#include "sim/store.h"

/* Adds to `store`, which holds results of an experiment, those that the database at
 * `path` has of the same experiment. `differing` counts the runs that both hold with
 * different results; these stay as they are. false after an error. */
bool sim_merge_add(struct sim_store *store, const char *path, int64_t *differing);

#endif
