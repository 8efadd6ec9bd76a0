/* The invariants of a machine between two cycles, checked by assertions:
 *
 *   tokens       those made and not consumed are in queues, in wheels, or wait in slots;
 *                each that is under way belongs to a live activation, and is at its PE
 *   activations  `live` counts the tokens of an activation, its deferred reads and its
 *                children; a freed one is in the list of its function, and its frame is
 *                empty; a child that is named is alive, and names its parent
 *   rooms        what is held, leaves and comes at each PE is counted; sets, slower store
 *                and slots of frames hold what waits there; a CALL that waits for a number
 *                is one that its call names, and each that is named waits
 *   references   a structure counts the tokens, operands, cells, elements, deferred reads and
 *                parts of the result that name it, and is freed when there are none
 *   statistics   waiting operands, deferred reads, live activations are as many as
 *                counted; what the PEs did adds up to the totals */
#ifndef MACHINE_VERIFY_H
#define MACHINE_VERIFY_H

#include "machine/state.h"

/* Of a machine that goes on, PEs or an executor; in any build. Takes time proportional to its
 * state. */
void machine_verify(const struct machine *m);

/* Of PEs: machine_kind.verify. */
void machine_verify_pes(const struct machine *m);

/* --- for parts (machine_part.show, check) ---------------------------------------------------------- */

/* What must hold, in any build; else the process ends as by an assertion. */
#define MACHINE_MUST(condition, what)                                                    \
    (__builtin_expect(!!(condition), 1)                                                  \
         ? (void)0                                                                       \
         : machine_verify_failed(__FILE__, __LINE__, what))

_Noreturn __attribute__((cold)) void machine_verify_failed(const char *file, int line,
                                                           const char *what);

/* A token that a part holds. */
void machine_found_token(struct machine_found *f, const struct isa_token *t);

/* It is on its way to its place, or there: the PE of its activation; or, of an access that has gone
 * on, that of its element. */
void machine_found_at_its_place(const struct machine_found *f, const struct isa_token *t);

/* All tokens of a queue; returns how many. */
uint32_t machine_found_tokens(struct machine_found *f, const struct machine_queue *q);

/* One that comes to the input queue of its PE, which keeps room for it. */
void machine_found_coming(struct machine_found *f, uint32_t pe);

/* A list of tokens that are on their way to input queues, or to output ports. */
void machine_found_formed(struct machine_found *f, const struct machine_wheel_slot *slot);
void machine_found_leaving(struct machine_found *f,
                           const struct machine_wheel_slot *slot);

/* Such tokens of one PE, when all parts have shown theirs. */
uint64_t machine_found_held(const struct machine_found *f, uint32_t pe);
uint64_t machine_found_left(const struct machine_found *f, uint32_t pe);

/* Calls without a number, which their callers should name. */
void machine_found_named(struct machine_found *f, uint64_t calls);

/* ---------------------------------------------------------------------------------------------- */

/* In builds with --enable-checks, called at the end of each cycle: verifies after each
 * while the run is short and the state small, then the more rarely the longer the one and
 * the larger the other. */
static inline void machine_verify_cycle(const struct machine *m)
{
#ifdef HIATON_CHECKS
    const uint64_t small = 1024, first = 64;
    uint64_t state = m->exec.counts.live + m->exec.tags.used + m->exec.deferred.count +
                     m->exec.structures.elements + m->pe_count;
    uint64_t interval = 1;
    while (interval * small < state || interval * first < m->cycle)
        interval *= 2;
    if ((m->cycle & (interval - 1)) == 0)
        machine_verify(m);
#else
    (void)m;
#endif
}

#endif
