/* Matches the firings of two runs one by one, and finds those that came later or earlier, at
 * another PE, or in one run only.
 *
 * A firing waits in memory for its partner: memory grows with the distance between the runs, not
 * with their length. If too many wait, the firings are divided into parts by their keys, and the
 * runs are read once per part. */
#ifndef ANALYSIS_DIFF_SHIFTS_H
#define ANALYSIS_DIFF_SHIFTS_H

#include "analysis/diff/pull.h"
#include "analysis/diff/walk.h"

/* The shifts of an instruction: times in the second run minus those in the first. */
struct analysis_shift {
    uint64_t fired[2];       /* number of firings in each run */
    uint64_t matched;        /* number of firings in both runs */
    uint64_t later, earlier; /* matched firings that came later; that came earlier */
    uint64_t moved;          /* matched firings at another PE */
    int64_t sum, greatest;   /* sum of the shifts; the shift farthest from 0 */
    uint64_t first; /* cycle, in the first run, of the first firing that shifted */
};

void analysis_shift_add(struct analysis_shift *to, const struct analysis_shift *shift);

/* A firing of a run. */
struct analysis_fired {
    uint64_t key, cycle, index;
    uint32_t number, pe;
};

/* A place in a run: a cycle, and the number of firings before it. */
struct analysis_mark {
    uint64_t cycle, index;
};

/* State of the comparison for one of the two runs. */
struct analysis_shifts_run {
    uint64_t fired, cycles; /* number of firings, including dead ones; cycle of the end */
    bool has_dead;          /* has dead firings, which only pass a hiaton on */
    bool is_ended;          /* the run ended, as `how` (enum isa_end) */
    uint8_t how;
    /* A bit per firing: the other run has it in the same cycle, at the same PE. */
    uint64_t *agrees;
    LIB_VEC(struct analysis_mark) marks;
};

/* The first difference in the order of firings at a PE. */
struct analysis_order {
    bool is_found;
    uint32_t pe;
    uint64_t before; /* number of equal firings at this PE before the difference */
    bool is_there[2];
    struct analysis_fired fired[2];
};

struct analysis_shifts {
    struct analysis_shift *of; /* indexed by instruction number (node_mapping.h) */
    struct analysis_shifts_run runs[2];
    struct analysis_order order;
    unsigned parts; /* how often both runs were read */
    bool is_whole;  /* both runs could be read completely */
};

/* Compares two runs. At most `most_waiting` firings wait for a partner; marks are `mark_every`
 * firings apart. 0: the default. */
struct analysis_shifts *analysis_shifts_find(const struct analysis_node_mapping *alike,
                                             const struct analysis_source sources[2],
                                             size_t most_waiting, uint64_t mark_every);
void analysis_shifts_free(struct analysis_shifts *shifts); /* NULL is allowed */

static inline bool analysis_agrees(const struct analysis_shifts_run *run, uint64_t index)
{
    return run->agrees[index / 64] >> index % 64 & 1;
}

/* Return the index of the first differing firing from `index` on; of the last one before it; or
 * UINT64_MAX. */
uint64_t analysis_next_difference(const struct analysis_shifts_run *run, uint64_t index);
uint64_t analysis_last_difference(const struct analysis_shifts_run *run, uint64_t index);

/* Returns the index in `marks` of the last mark at or before a firing. */
size_t analysis_mark_before(const struct analysis_shifts_run *run, uint64_t index);

#endif
