/* Matches the firings of two runs, and finds those that are later or earlier, at another PE, or in
 * one run only.
 *
 * A firing waits in memory for its partner in the other run: memory grows with the distance between
 * the runs, not with their length. If too many wait, firings are divided into parts by their keys,
 * and the runs are read once per part. */
#ifndef ANALYSIS_DIFF_SHIFTS_H
#define ANALYSIS_DIFF_SHIFTS_H

#include "analysis/diff/pull.h"
#include "analysis/diff/walk.h"

/* Time shifts of the firings of an instruction: cycle in the second run minus cycle in the
 * first. */
struct analysis_shift {
    uint64_t fired[2]; /* number of firings in each run */
    uint64_t matched;  /* number of matched firings, which are in both runs */
    /* matched firings that are later in the second run; that are earlier */
    uint64_t later, earlier;
    uint64_t moved;        /* matched firings that are at another PE */
    int64_t sum, greatest; /* sum of all shifts; the shift farthest from 0 */
    uint64_t first;        /* cycle, in the first run, of the first shifted firing */
};

void analysis_shift_add(struct analysis_shift *to, const struct analysis_shift *shift);

/* A firing of a run. `key` is the same in both runs; `number` is an instruction number
 * (node_mapping.h). */
struct analysis_fired {
    uint64_t key, cycle, index;
    uint32_t number, pe;
};

/* A point in a run at which reading can start: cycle `cycle`, before which `index` firings
 * happened. */
struct analysis_mark {
    uint64_t cycle, index;
};

/* Facts about one of the two compared runs. */
struct analysis_shifts_run {
    /* number of firings, including those that only forward hiatons; cycle of the end */
    uint64_t fired, cycles;
    /* whether firings forwarded hiatons (dead tokens, which have no value) */
    bool has_dead;
    bool is_ended; /* whether the run ended; if so, `how` is an enum isa_end */
    uint8_t how;
    /* A bit per firing: whether the other run has an equal firing: same cycle, same PE, same other
     * values in its event. */
    uint64_t *agrees;
    LIB_VEC(struct analysis_mark) marks;
};

/* The first difference in the order of firings at a PE. */
struct analysis_order {
    bool is_found;
    uint32_t pe;
    uint64_t before; /* number of equal firings at the PE before the difference */
    bool is_there[2];
    struct analysis_fired fired[2];
};

struct analysis_shifts {
    struct analysis_shift *of; /* array indexed by instruction number (node_mapping.h) */
    struct analysis_shifts_run runs[2];
    struct analysis_order order;
    /* number of parts into which firings were divided; both runs were read once per part */
    unsigned parts;
    bool is_whole; /* whether both runs could be read completely */
};

/* Compares two runs. Keeps at most `most_waiting` firings whose partners are not found yet. Points
 * at which reading can start (struct analysis_mark) are at least `mark_every` firings apart. For
 * both numbers, 0 selects a default. */
struct analysis_shifts *analysis_shifts_find(const struct analysis_node_mapping *alike,
                                             const struct analysis_source sources[2],
                                             size_t most_waiting, uint64_t mark_every);
void analysis_shifts_free(struct analysis_shifts *shifts); /* NULL is allowed */

static inline bool analysis_agrees(const struct analysis_shifts_run *run, uint64_t index)
{
    return run->agrees[index / 64] >> index % 64 & 1;
}

/* Returns the index of the first differing firing from `index` on; UINT64_MAX: none. */
uint64_t analysis_next_difference(const struct analysis_shifts_run *run, uint64_t index);

/* Returns the index of the last differing firing before `index`; UINT64_MAX: none. */
uint64_t analysis_last_difference(const struct analysis_shifts_run *run, uint64_t index);

/* Returns the index into `marks` (points at which reading can start) of the last one at or before
 * the firing `index`. */
size_t analysis_mark_before(const struct analysis_shifts_run *run, uint64_t index);

#endif
