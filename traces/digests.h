/* Digests (hashes of all firings so far) at regular times of a run. A recording keeps them, so that
 * a replay can find when and where it differs.
 *
 * The row of time T has the digest of all firings in the cycles before T, and a 16-bit hash of the
 * digest of each PE and of each function. Two runs are equal up to T if their rows are. Rows are
 * `interval` cycles apart, and the last one is at the end of the run. A table has room for as many
 * rows as fit in TRACES_DIGESTS_BYTES, from TRACES_DIGESTS_LEAST to TRACES_DIGESTS_MAX; if the user
 * requested an interval, for TRACES_DIGESTS_BOUND rows. When it is full, the interval doubles and
 * every second row is removed. */
#ifndef TRACES_DIGESTS_H
#define TRACES_DIGESTS_H

#include "lib/pack.h"

enum {
    TRACES_DIGESTS_MAX = 1024,
    TRACES_DIGESTS_LEAST = 16,
    TRACES_DIGESTS_BYTES = 1 << 16,
    TRACES_DIGESTS_BOUND = 1 << 18, /* max rows of a table whose interval was requested */
};

struct traces_digests {
    uint64_t interval;
    /* interval in cycles that the user requested; 0: chosen automatically */
    uint64_t given;
    uint64_t next; /* time of the next row, in cycles */
    uint64_t end;  /* time of the last row, set when the run ends; before that 0 */
    uint32_t parts;
    LIB_VEC(uint64_t) totals; /* per row: digest of all firings before its time */
    /* per row: a 16-bit hash of the digest of each PE, then of each function */
    LIB_VEC(uint16_t) marks;
};

void traces_digests_start(struct traces_digests *digests, uint32_t parts,
                          uint64_t interval);
void traces_digests_free(struct traces_digests *digests);

/* Adds the rows up to time `now`. No instruction may have fired since time digests->next. of_parts
 * has the digest of each PE, then of each of the `functions` functions. */
void traces_digests_take(struct traces_digests *digests, uint64_t now,
                         const uint64_t *of_parts, uint32_t functions);

/* Adds the last row, at the time `now` when the run has ended. */
void traces_digests_end(struct traces_digests *digests, uint64_t now,
                        const uint64_t *of_parts, uint32_t functions);

/* Returns the time of row `i`, in cycles. */
uint64_t traces_digests_time(const struct traces_digests *digests, size_t i);

/* Returns the index of the first row in which two tables differ. If all common rows are equal,
 * returns their number. Both tables must have the same interval and parts. */
size_t traces_digests_differ(const struct traces_digests *a,
                             const struct traces_digests *b);

/* Whether two tables differ in row `i` in the digest of part `p`: the index of a PE, or the number
 * of PEs + the index of a function. */
static inline bool traces_digests_part_differs(const struct traces_digests *a,
                                               const struct traces_digests *b, size_t i,
                                               uint32_t p)
{
    return a->marks.items[i * a->parts + p] != b->marks.items[i * b->parts + p];
}

/* Writes a table to a pack or reads it from one (lib/pack.h). A table to read into must be {0}. */
void traces_digests_pack(struct lib_pack *pack, struct traces_digests *digests);

#endif
