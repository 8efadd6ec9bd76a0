/* Digests per interval: what a recording keeps of a run, so that a replay can tell where it
 * differs.
 *
 * A row at the time T has the timing digest of all firings in the cycles before T, and 16 bits of
 * that of each part: of each PE, then of each function. Two runs are the same up to T if their
 * rows are. Rows are `interval` cycles apart, and one more stands at the end. There are as many
 * as a table of TRACES_DIGESTS_BYTES holds, at most TRACES_DIGESTS_MAX; where there would be
 * more, the interval is doubled and every second row left out. */
#ifndef TRACES_DIGESTS_H
#define TRACES_DIGESTS_H

#include "lib/pack.h"

enum {
    TRACES_DIGESTS_MAX = 1024,
    TRACES_DIGESTS_LEAST = 16,
    TRACES_DIGESTS_BYTES = 1 << 16,
    TRACES_DIGESTS_BOUND = 1 << 18, /* where the interval was given */
};

/* Start with {0}, then traces_digests_start. */
struct traces_digests {
    uint64_t interval;
    uint64_t given; /* the interval that was asked for; 0: it is chosen */
    uint64_t next;  /* the time of the next row */
    uint64_t end;   /* the time of the last one, when the run has ended; else 0 */
    uint32_t parts;
    LIB_VEC(uint64_t) totals; /* a row each */
    LIB_VEC(uint16_t) marks;  /* `parts` of each row */
};

void traces_digests_start(struct traces_digests *digests, uint32_t parts,
                          uint64_t interval);
void traces_digests_free(struct traces_digests *digests);

/* At the time `now`, which is `next` or later, if nothing happened since: the digest of each
 * part. `functions`: so many of the last ones are left out of the total, as they count again. */
void traces_digests_take(struct traces_digests *digests, uint64_t now,
                         const uint64_t *of_parts, uint32_t functions);

/* The run has ended at this time: the last row. */
void traces_digests_end(struct traces_digests *digests, uint64_t now,
                        const uint64_t *of_parts, uint32_t functions);

/* The time of row `i`. */
uint64_t traces_digests_time(const struct traces_digests *digests, size_t i);

/* The first row in which two tables of the same interval and parts differ; the number of rows of
 * the shorter: in none that both have. */
size_t traces_digests_differ(const struct traces_digests *a,
                             const struct traces_digests *b);

/* Whether part `p` differs in row `i`. */
static inline bool traces_digests_part_differs(const struct traces_digests *a,
                                               const struct traces_digests *b, size_t i,
                                               uint32_t p)
{
    return a->marks.items[i * a->parts + p] != b->marks.items[i * b->parts + p];
}

/* To be read, it is {0}. */
void traces_digests_pack(struct lib_pack *pack, struct traces_digests *digests);

#endif
