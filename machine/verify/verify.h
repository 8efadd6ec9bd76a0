/* The invariants of a machine between two cycles:
 *
 *   tokens       All tokens made and not consumed are in queues, in wheels, or wait in slots. Each
 *                one under way belongs to a live activation, is at its PE, and goes to an
 *                instruction that fires there. A reference is to an array of its type.
 *   activations  `live` counts the tokens of an activation, its deferred reads and its children. A
 *                freed one is in the list of its function, with an empty frame. A named child is
 *                alive, and names its parent.
 *   frames       A slot has only values that its instruction, call or loop can leave there.
 *   rooms        Tokens that are held, leave and come at each PE are counted. Sets, slower store
 *                and slots of frames contain what waits there. A CALL that waits for an identifier
 *                is named by its call, and each named one waits.
 *   references   A structure counts the tokens, operands, cells, elements, deferred reads and parts
 *                of the result that refer to it, and is freed when there are none.
 *   statistics   Waiting operands, deferred reads and live activations agree with their counts.
 *                The sums over PEs are the totals.
 *
 * An engine relies on them for the safety of its memory. So a checkpoint, which can come from
 * anywhere, is rejected if it breaks one of them; and the verification checks each index before it
 * uses it. */
#ifndef MACHINE_VERIFY_VERIFY_H
#define MACHINE_VERIFY_VERIFY_H

#include "machine/state.h"

/* Returns a broken invariant of a machine whose run has not ended, PEs or an executor, such as
 * "waiting operands are counted"; or NULL. Takes time proportional to the state. */
const char *machine_broken(const struct machine *m);

/* Ends the process, as an assertion does but in any build, if an invariant is broken. */
void machine_verify(const struct machine *m);

/* --- for parts and kinds (machine/part.h: show, check) ---------------------------------------- */

/* Notes a broken invariant. */
__attribute__((cold)) void machine_audit_broken(struct machine_audit *f,
                                                const char *what);

/* Checks that an invariant holds. If it returns false, the caller must not use data that depends on
 * it. */
static inline bool machine_must(struct machine_audit *f, bool holds, const char *what)
{
    if (__builtin_expect(!holds, 0))
        machine_audit_broken(f, what);
    return holds;
}

/* Checks and counts a token that a part holds. Returns false if it is not valid. */
bool machine_audit_token(struct machine_audit *f, const struct isa_token *t);

/* Checks and counts a parked token. Returns false if it is not valid. */
bool machine_audit_parked(struct machine_audit *f, const struct isa_token *t);

/* Checks that a token is at its place or on its way there: the PE of its activation, or of its
 * element for a request. */
bool machine_audit_at_its_place(struct machine_audit *f, const struct isa_token *t);

/* Checks all tokens of a queue. Returns their number. */
uint32_t machine_audit_tokens(struct machine_audit *f, const struct machine_queue *q);

/* Counts a token on its way to the input queue of its PE, which keeps room for it. */
void machine_audit_coming(struct machine_audit *f, uint32_t pe);

/* Check a list of tokens on their way to input queues, or to output ports. */
void machine_audit_formed(struct machine_audit *f, const struct machine_wheel_slot *slot);
void machine_audit_leaving(struct machine_audit *f,
                           const struct machine_wheel_slot *slot);

/* Return the number of such tokens of one PE, after all parts have shown theirs. */
uint64_t machine_audit_held(const struct machine_audit *f, uint32_t pe);
uint64_t machine_audit_left(const struct machine_audit *f, uint32_t pe);

/* Returns the number of instructions of the start that have not fired. */
uint64_t machine_audit_starts(const struct machine_audit *f);

/* Counts calls without an identifier, which their callers should name. */
void machine_audit_named(struct machine_audit *f, uint64_t calls);

/* Checks the token of an APPLY before the coordinator. machine_audit_shipped returns the graph
 * nodes of copies that were sent to a PE but are not made. */
void machine_audit_asking(struct machine_audit *f, const struct isa_token *apply);
uint64_t machine_audit_shipped(const struct machine_audit *f, uint32_t pe);

/* Counts a NEXT that is held back, for its loop (machine/pe/k_bound.h). */
void machine_audit_held_back(struct machine_audit *f, const struct isa_token *next);

/* Checks the counts of PEs: machine_kind.check. */
void machine_audit_pes(const struct machine *m, struct machine_audit *f);

/* Checks that a set has only numbers below `size`. */
void machine_audit_set(struct machine_audit *f, const struct machine_set *set,
                       uint32_t size);

/* ---------------------------------------------------------------------------------------------- */

/* Called at the end of each cycle, in builds with --enable-checks: verifies after each cycle while
 * the run is short and the state small, then more rarely. */
static inline void machine_verify_cycle(struct machine *m)
{
#ifdef HIATON_CHECKS
    const uint64_t small = 1024, first = 64;
    uint64_t state = m->exec.counts.live + m->exec.tags.used + m->exec.deferred.count +
                     m->exec.structures.elements + m->pe_count;
    uint64_t interval = 1;
    /* Divided, because a checkpoint can have any cycle: a product could overflow. */
    while (interval < state / small || interval < m->cycle / first)
        interval *= 2;
    if ((m->cycle & (interval - 1)) != 0)
        return;
    const bool was_open = machine_network_close(m);
    machine_verify(m);
    if (was_open)
        machine_network_reopen(m);
#else
    (void)m;
#endif
}

#endif
