/* Firings of two runs, one by one: what came later or earlier, elsewhere, or in one run only.
 *
 * Firings that wait for their partner are kept, so that memory grows with how far the runs are
 * out of step, not with their length. Where too many wait, the firings are divided by their keys,
 * and the runs are read once for each part. */
#ifndef ANALYSIS_DIFF_SHIFTS_H
#define ANALYSIS_DIFF_SHIFTS_H

#include "analysis/diff/pull.h"
#include "analysis/diff/walk.h"

/* Of an instruction. Times are those of the second run, less those of the first. */
struct analysis_shift {
    uint64_t fired[2];       /* in each run */
    uint64_t matched;        /* in both */
    uint64_t later, earlier; /* of these */
    uint64_t moved;          /* at another PE */
    int64_t sum, greatest;   /* of the shifts; the one that is farthest from 0 */
    uint64_t first;          /* cycle in the first run of the first that is shifted */
};

/* Sums of several. */
void analysis_shift_add(struct analysis_shift *to, const struct analysis_shift *shift);

/* A firing of a run, by its place in the stream. */
struct analysis_fired {
    uint64_t key, cycle, index;
    uint32_t number, pe;
};

/* Where a part of a run begins: so many firings are in the cycles before. */
struct analysis_mark {
    uint64_t cycle, index;
};

/* What one run alone says. */
struct analysis_shifts_run {
    uint64_t fired, cycles; /* firings, dead ones too; the time of the end */
    bool has_dead;          /* firings that only passed a hiaton on */
    bool is_ended;          /* it came to an end: `how` (enum isa_end) */
    uint8_t how;
    uint64_t
        *agrees; /* a bit per firing: it is the same in both runs, PE, cycle and all */
    LIB_VEC(struct analysis_mark) marks;
};

/* The first place where the order of firings at a PE is another: the k-th firing there. */
struct analysis_order {
    bool is_found;
    uint32_t pe;
    uint64_t before; /* firings at this PE are the same */
    bool is_there[2];
    struct analysis_fired fired[2];
};

struct analysis_shifts {
    struct analysis_shift *of; /* by number (analysis/diff/node_mapping.h) */
    struct analysis_shifts_run runs[2];
    struct analysis_order order;
    unsigned parts; /* so many times both were read */
    bool is_whole;  /* both sources could be read */
};

/* So many firings may wait, and so many are between two marks; 0: the usual number. */
struct analysis_shifts *analysis_shifts_find(const struct analysis_node_mapping *alike,
                                             const struct analysis_source sources[2],
                                             size_t most_waiting, uint64_t mark_every);
void analysis_shifts_free(struct analysis_shifts *shifts); /* NULL is allowed */

static inline bool analysis_agrees(const struct analysis_shifts_run *run, uint64_t index)
{
    return run->agrees[index / 64] >> index % 64 & 1;
}

/* The first firing from `index` on that is not the same, or the last one before `index`;
 * UINT64_MAX: there is none. */
uint64_t analysis_next_difference(const struct analysis_shifts_run *run, uint64_t index);
uint64_t analysis_last_difference(const struct analysis_shifts_run *run, uint64_t index);

/* The last mark at or before a firing; its number. */
size_t analysis_mark_before(const struct analysis_shifts_run *run, uint64_t index);

#endif
