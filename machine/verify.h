/* The invariants of a machine between two cycles, checked by a recount:
 *
 *   tokens       All tokens made and not consumed are in queues, timing wheels or slots. Each one
 *                in transit belongs to a live activation, is at its PE, and goes to an instruction
 *                that fires there. A reference is to an array of its type.
 *   activations  `live` counts the tokens of an activation, its deferred reads and its children. A
 *                freed one is in the list of its function, with an empty frame. A named child is
 *                alive, and names its parent.
 *   frames       A slot has only values that its instruction, call or loop can leave there.
 *   rooms        Counters of the tokens that each PE holds, sends and expects are right. Sets,
 *                slower stores and frames contain what waits there. A CALL that waits for an
 *                identifier is named by its call, and each named one waits.
 *   references   A structure counts the tokens, operands, cells, elements, deferred reads and parts
 *                of the result that refer to it, and is freed when there are none.
 *   statistics   Waiting operands, deferred reads and live activations agree with their counts.
 *                The sums over PEs are the totals.
 *
 * An engine relies on them for the safety of its memory. So a checkpoint, which can come from
 * anywhere, is rejected if it breaks one of them; and the verification checks each index before it
 * uses it. */
#ifndef MACHINE_VERIFY_H
#define MACHINE_VERIFY_H

#include "machine/state.h"

/* Returns the first broken invariant of a machine whose run has not ended, such as "waiting
 * operands are counted"; or NULL. Takes time proportional to the size of the state. */
const char *machine_broken(const struct machine *m);

/* Aborts the process, in any build, if an invariant of the machine is broken. */
void machine_verify(const struct machine *m);

/* --- for the parts of a machine and its kinds (machine/part.h: members show and check) -------- */

/* Records a broken invariant, unless one was recorded before. */
__attribute__((cold)) void machine_audit_broken(struct machine_audit *f,
                                                const char *what);

/* Records the invariant `what` as broken unless it `holds`. If machine_must returns false, the
 * caller must not use data that depends on the invariant. */
static inline bool machine_must(struct machine_audit *f, bool holds, const char *what)
{
    if (__builtin_expect(!holds, 0))
        machine_audit_broken(f, what);
    return holds;
}

/* Checks and counts a token that a component holds. Returns false if the token is invalid. */
bool machine_audit_token(struct machine_audit *f, const struct isa_token *t);

/* Checks and counts a token that waits until a constant of its loop has arrived. Returns false if
 * the token is invalid. */
bool machine_audit_parked(struct machine_audit *f, const struct isa_token *t);

/* Checks that a token is at, or in transit to, the PE of its activation; or, if it is a request
 * for an array element, the PE of that element. */
bool machine_audit_at_its_place(struct machine_audit *f, const struct isa_token *t);

/* Counts a token in transit to the input queue of a PE, where room is reserved for it. */
void machine_audit_coming(struct machine_audit *f, uint32_t pe);

/* Checks and counts a token of a part; `audit` is a struct machine_audit. */
bool machine_audit_visit(void *audit, const struct isa_token *t,
                         enum machine_token_place place);

/* Returns how many tokens are in transit to the input queue of a PE, once all are counted. */
uint64_t machine_audit_held(const struct machine_audit *f, uint32_t pe);
/* Returns how many tokens are in transit to the output port of a PE, once all are counted. */
uint64_t machine_audit_left(const struct machine_audit *f, uint32_t pe);

/* Returns how many instructions without token operands have not fired yet. */
uint64_t machine_audit_starts(const struct machine_audit *f);

/* Adds to the number of calls that wait for an identifier and that a frame has to name. */
void machine_audit_named(struct machine_audit *f, uint64_t calls);

/* Whether a token is an APPLY that asks the coordinator of copies for a node, or may be on its way
 * there. */
bool machine_audit_asks(const struct machine_audit *f, const struct isa_token *t);
/* Returns the number of instructions in copies of graphs that were sent to a PE but are not made
 * yet. */
uint64_t machine_audit_shipped(const struct machine_audit *f, uint32_t pe);

/* Checks and counts a NEXT that waits until its loop may begin another iteration; like
 * machine_audit_visit. */
bool machine_audit_held_back(void *audit, const struct isa_token *next,
                             enum machine_token_place place);

/* Checks the counters and statistics of all PEs. */
void machine_audit_pes(const struct machine *m, struct machine_audit *f);

/* Checks that all members of the set are below `size`. */
void machine_audit_set(struct machine_audit *f, const struct machine_set *set,
                       uint32_t size);

/* ---------------------------------------------------------------------------------------------- */

/* Called after each cycle in builds with --enable-checks: verifies every cycle while the run is
 * short and the state small, else fewer. */
static inline void machine_verify_cycle(struct machine *m)
{
#ifdef HIATON_CHECKS
    const uint64_t small = 1024, first = 64;
    uint64_t state = m->tokens.exec.counts.live + m->tokens.exec.tags.used +
                     m->tokens.exec.deferred.count + m->tokens.exec.structures.elements +
                     m->pe_count;
    uint64_t interval = 1;
    /* Division, because a product could overflow: a checkpoint can have any cycle. */
    while (interval < state / small || interval < m->run.cycle / first)
        interval *= 2;
    if ((m->run.cycle & (interval - 1)) != 0)
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
