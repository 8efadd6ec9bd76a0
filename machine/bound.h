/* Bounds on loops (settings: loop.bound; `--# bound N` in a program): how many iterations may
 * be in flight (Culler's k-bounded loops, paper 2's parallel_iterations).
 *
 * A NEXT that would begin an iteration waits for the next cycle, and on while as many
 * iterations of its loop are in flight as may be: alive, but for one that has nothing left
 * but NEXTs that wait. An iteration needs nothing that a later one makes, so all that are in
 * flight end, but for the newest, which comes to have nothing left but NEXTs: so one of them
 * goes on, whatever the bound. That is decided at the beginning of a cycle, before its turns,
 * so that it does not depend on the order of what happens at once at several PEs. */
#ifndef MACHINE_BOUND_H
#define MACHINE_BOUND_H

#include "isa/exec.h"

struct machine_bound {
    uint32_t *of_site;                 /* per site; 0: none. NULL: no loop has one */
    LIB_VEC(struct isa_token) waiting; /* NEXTs by PE, those of one as they came */
};

/* `standard` is for the loops that do not say; 0: none. */
void machine_bound_init(struct machine_bound *bound, const struct isa_graph *graph,
                        uint64_t standard);
void machine_bound_free(struct machine_bound *bound);

/* A live NEXT has its turn. True: it would begin an iteration, and waits. */
bool machine_bound_holds(struct machine_bound *bound, const struct isa_exec *x,
                         const struct isa_token *next);

/* Whether one that waits can go on. */
bool machine_bound_has_next(const struct machine_bound *bound, const struct isa_exec *x);

/* Takes out the one that goes on, the first from number `*at` on, which becomes its own;
 * false: there is none. Start with 0. */
bool machine_bound_take(struct machine_bound *bound, const struct isa_exec *x, size_t *at,
                        struct isa_token *next);

#endif
