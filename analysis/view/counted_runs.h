/* Which runs a cube has counted, and where: a run counts once at a place. Where nothing is
 * random, all repetitions and seeds of a combination are one run (sim/experiment/expand.h),
 * and ten equal numbers of it would look like ten that agree.
 *
 * Runs are told apart by identity, and by program and machine: two of their names may stand
 * for the same, and were asked for apart. */
#ifndef ANALYSIS_VIEW_COUNTED_RUNS_H
#define ANALYSIS_VIEW_COUNTED_RUNS_H

#include "analysis/view/keys.h"

struct analysis_counted_runs {
    analysis_column_list columns; /* owned; none where results have no identities */
    struct analysis_keys keys;
    struct analysis_counted_runs_entry *entries; /* in the arena of the keys */
};

/* Says which columns it looks at: before traces_reader_load. */
void analysis_counted_runs_want(struct traces_reader *frame);

/* `once` must not be moved. Give back with analysis_counted_runs_free. */
void analysis_counted_runs_start(struct analysis_counted_runs *once,
                                 const struct traces_reader *frame,
                                 struct lib_arena *arena);
void analysis_counted_runs_free(struct analysis_counted_runs *once);

/* Whether a run comes to a place for the first time. Compared with another base, which
 * `source` stands for, it gives another number. */
bool analysis_counted_runs_take(struct analysis_counted_runs *once,
                                const struct traces_reader *frame, size_t run,
                                size_t place, uint64_t source);

#endif
