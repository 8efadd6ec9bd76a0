/* A processing element (PE): its input queue, and what it counts. */
#ifndef MACHINE_PE_H
#define MACHINE_PE_H

#include "machine/state_table.h"
#include "machine/tokens/queue.h"
#include "traces/stats.h"

/* A PE. During a run, stats.turns is the number of issues minus the number of delivered tokens,
 * modulo 2^64, so that the plain engine needs one counter. An issue delivers no token if the
 * instruction has no token operands, or if the token has to wait before it takes effect, or becomes
 * a request. A released token is delivered without an issue.
 *
 * Finite queues only (machine/pe/backpressure.h): `came` plus stats.local_tokens, modulo 2^64, is
 * the number of tokens in the input queue or on their way there (machine_pe_held). */
#define MACHINE_PE_FIELDS(F)                                                             \
    F(APART, machine_queue, input) /* tokens to be issued */                             \
    F(NUMBER, struct traces_pe_stats, stats)                                             \
    F(SCRATCH, uint64_t, came)                                                           \
    F(SCRATCH, uint64_t, promised) /* room reserved for issues of cycle promised_at */   \
    F(SCRATCH, uint64_t, promised_at)                                                    \
    F(NUMBER, uint64_t, timing_digest) /* hash of when the PE fired what */              \
    F(NUMBER, uint64_t, carried) /* number of tokens that SENDs and RECVs passed on */
struct machine_pe {
    MACHINE_PE_FIELDS(LIB_STATE_MEMBER)
};

_Static_assert(
    sizeof(void *) != 8 || sizeof(struct machine_pe) == 128,
    "the size of a PE is a power of two: its place is found by a shift, 1 % of a run");

/* Returns how many tokens are in the input queue of a PE or on their way there, if queues are
 * finite. With links, a token from the network counts once it has got room in the queue. */
static inline uint64_t machine_pe_held(const struct machine_pe *pe)
{
    return pe->came + pe->stats.local_tokens;
}

/* Room in an input queue, in tokens. Room for one firing of its own PE stays free: otherwise, other
 * PEs could fill the queue and stop the PE. */
struct machine_room {
    uint64_t capacity; /* UINT64_MAX: unlimited */
    /* A token from the network enters if fewer are there: the rest is for tokens of its own PE. */
    uint64_t entry;
};

/* Whether the input queue of a PE has room for a token from the network. */
static inline bool machine_pe_has_entry(const struct machine_pe *pe,
                                        const struct machine_room *room)
{
    const uint64_t held = machine_pe_held(pe);
    return held == 0 || held < room->entry;
}

#endif
