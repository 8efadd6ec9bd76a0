/* The invariants of a machine between two cycles:
 *
 *   tokens       those made and not consumed are in queues, in wheels, or wait in slots;
 *                each that is under way belongs to a live activation, and is at its PE; it goes to an
 *                instruction that fires there, and a reference among them is to an array of its type
 *   activations  `live` counts the tokens of an activation, its deferred reads and its
 *                children; a freed one is in the list of its function, and its frame is
 *                empty; a child that is named is alive, and names its parent
 *   frames       a slot holds what its instruction, call or loop can leave there
 *   rooms        what is held, leaves and comes at each PE is counted; sets, slower store
 *                and slots of frames hold what waits there; a CALL that waits for a number
 *                is one that its call names, and each that is named waits
 *   references   a structure counts the tokens, operands, cells, elements, deferred reads and
 *                parts of the result that name it, and is freed when there are none
 *   statistics   waiting operands, deferred reads, live activations are as many as
 *                counted; what the PEs did adds up to the totals
 *
 * They are all that keeps an engine within its memory. So a checkpoint, which anyone may have
 * written, is refused where one of them is broken; and what looks for that follows no index
 * before it has looked at it. */
#ifndef MACHINE_VERIFY_VERIFY_H
#define MACHINE_VERIFY_VERIFY_H

#include "machine/state.h"

/* What is broken of a machine that goes on, PEs or an executor: "waiting operands are counted";
 * NULL: nothing. Takes time proportional to its state. */
const char *machine_broken(const struct machine *m);

/* Ends the process, as an assertion does, if something is; in any build. */
void machine_verify(const struct machine *m);

/* --- for parts and kinds (machine/part.h: show, check) --------------------------------------------- */

/* Something does not hold. */
__attribute__((cold)) void machine_audit_broken(struct machine_audit *f,
                                                const char *what);

/* Whether something holds that must. What follows from it may not be looked at if it does not. */
static inline bool machine_must(struct machine_audit *f, bool holds, const char *what)
{
    if (__builtin_expect(!holds, 0))
        machine_audit_broken(f, what);
    return holds;
}

/* A token that a part holds; false: it is none. */
bool machine_audit_token(struct machine_audit *f, const struct isa_token *t);

/* The same of one that is parked. */
bool machine_audit_parked(struct machine_audit *f, const struct isa_token *t);

/* It is on its way to its place, or there: the PE of its activation; or, of an access that has gone
 * on, that of its element. */
bool machine_audit_at_its_place(struct machine_audit *f, const struct isa_token *t);

/* All tokens of a queue; returns how many. */
uint32_t machine_audit_tokens(struct machine_audit *f, const struct machine_queue *q);

/* One that comes to the input queue of its PE, which keeps room for it. */
void machine_audit_coming(struct machine_audit *f, uint32_t pe);

/* A list of tokens that are on their way to input queues, or to output ports. */
void machine_audit_formed(struct machine_audit *f, const struct machine_wheel_slot *slot);
void machine_audit_leaving(struct machine_audit *f,
                           const struct machine_wheel_slot *slot);

/* Such tokens of one PE, when all parts have shown theirs. */
uint64_t machine_audit_held(const struct machine_audit *f, uint32_t pe);
uint64_t machine_audit_left(const struct machine_audit *f, uint32_t pe);

/* Instructions of the start that have not fired. */
uint64_t machine_audit_starts(const struct machine_audit *f);

/* Calls without a number, which their callers should name. */
void machine_audit_named(struct machine_audit *f, uint64_t calls);

/* The token of an APPLY before the coordinator; and nodes of copies that were sent to a PE, and
 * are not made. */
void machine_audit_asking(struct machine_audit *f, const struct isa_token *apply);
uint64_t machine_audit_shipped(const struct machine_audit *f, uint32_t pe);

/* A NEXT that is held back: its loop counts it (machine/pe/k_bound.h). */
void machine_audit_held_back(struct machine_audit *f, const struct isa_token *next);

/* What PEs count: machine_kind.check. */
void machine_audit_pes(const struct machine *m, struct machine_audit *f);

/* A set has nothing but numbers below `size`. */
void machine_audit_set(struct machine_audit *f, const struct machine_set *set,
                       uint32_t size);

/* ---------------------------------------------------------------------------------------------- */

/* In builds with --enable-checks, called at the end of each cycle: verifies after each
 * while the run is short and the state small, then the more rarely the longer the one and
 * the larger the other. */
static inline void machine_verify_cycle(struct machine *m)
{
#ifdef HIATON_CHECKS
    const uint64_t small = 1024, first = 64;
    uint64_t state = m->exec.counts.live + m->exec.tags.used + m->exec.deferred.count +
                     m->exec.structures.elements + m->pe_count;
    uint64_t interval = 1;
    /* Divided, as a checkpoint may say any cycle: a product would overflow. */
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
