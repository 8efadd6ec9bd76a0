/* Counts a run once per cell of a table or figure. If nothing is random, all repetitions and seeds
 * give the same run (sim/experiment/expand.h), which must not look like ten runs that agree.
 *
 * Runs are the same if they have the same identity and the same names of program and machine. Two
 * names can mean the same, but the user asked for both. */
#ifndef ANALYSIS_VIEW_COUNTED_RUNS_H
#define ANALYSIS_VIEW_COUNTED_RUNS_H

#include "analysis/view/keys.h"

struct analysis_counted_runs {
    /* owned; columns that identify a run; if empty, every run counts */
    analysis_column_list columns;
    struct analysis_keys keys;
    struct analysis_counted_runs_entry *entries; /* hash table; in the arena of `keys` */
};

/* Requests the columns that identify runs. Call this before traces_reader_load. */
void analysis_counted_runs_want(struct traces_reader *frame);

/* Starts an empty set of counted runs. `once` must not be moved in memory, and is freed by
 * analysis_counted_runs_free. */
void analysis_counted_runs_start(struct analysis_counted_runs *once,
                                 const struct traces_reader *frame,
                                 struct lib_arena *arena);
void analysis_counted_runs_free(struct analysis_counted_runs *once);

/* Returns whether a run counts in the cell with index `place`: true for the first of equal runs,
 * false for the others. Equal runs that are compared with different runs (different `source`, a
 * hash of the runs that they are compared with) count once for each. */
bool analysis_counted_runs_take(struct analysis_counted_runs *once,
                                const struct traces_reader *frame, size_t run,
                                size_t place, uint64_t source);

#endif
