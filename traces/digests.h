/* Digests (hashes of what was computed) at regular times of a run. A recording keeps them, so that
 * a replay can find when and where it differs.
 *
 * A row at time T has the digest of all firings in the cycles before T, and 16 bits of the digest
 * of each part: of each PE, then of each function. Two runs are equal up to T if their rows are.
 * Rows are `interval` cycles apart; a last one is at the end of the run. A table has as many rows
 * as fit in TRACES_DIGESTS_BYTES, from TRACES_DIGESTS_LEAST to TRACES_DIGESTS_MAX; before it would
 * have more, the interval is doubled and every second row is removed. */
#ifndef TRACES_DIGESTS_H
#define TRACES_DIGESTS_H

#include "lib/pack.h"

enum {
    TRACES_DIGESTS_MAX = 1024,
    TRACES_DIGESTS_LEAST = 16,
    TRACES_DIGESTS_BYTES = 1 << 16,
    TRACES_DIGESTS_BOUND = 1 << 18, /* max rows of a table with a given interval */
};

struct traces_digests {
    uint64_t interval;
    uint64_t given; /* requested interval; 0: chosen automatically */
    uint64_t next;  /* time of the next row */
    uint64_t end;   /* time of the last row, set when the run ends; before that 0 */
    uint32_t parts;
    LIB_VEC(uint64_t) totals; /* per row: digest of all firings so far */
    LIB_VEC(uint16_t) marks;  /* per row: `parts` digests of parts */
};

void traces_digests_start(struct traces_digests *digests, uint32_t parts,
                          uint64_t interval);
void traces_digests_free(struct traces_digests *digests);

/* Adds the rows up to time `now`. No instruction may have fired since time `next`. of_parts has the
 * digest of each part. The digest of all firings is the sum of of_parts without the last
 * `functions` ones, which count the firings of the PEs again. */
void traces_digests_take(struct traces_digests *digests, uint64_t now,
                         const uint64_t *of_parts, uint32_t functions);

/* Adds the last row, at the time `now` at which the run has ended. */
void traces_digests_end(struct traces_digests *digests, uint64_t now,
                        const uint64_t *of_parts, uint32_t functions);

/* Returns the time of row `i` of the table. */
uint64_t traces_digests_time(const struct traces_digests *digests, size_t i);

/* Returns the first row in which two tables with the same interval and parts differ. If all common
 * rows agree, returns their number. */
size_t traces_digests_differ(const struct traces_digests *a,
                             const struct traces_digests *b);

/* Whether the digests of part `p` (a PE or function) differ in row `i`. */
static inline bool traces_digests_part_differs(const struct traces_digests *a,
                                               const struct traces_digests *b, size_t i,
                                               uint32_t p)
{
    return a->marks.items[i * a->parts + p] != b->marks.items[i * b->parts + p];
}

/* Packs or reads a table. A table to read into must be {0}. */
void traces_digests_pack(struct lib_pack *pack, struct traces_digests *digests);

#endif
