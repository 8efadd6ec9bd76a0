/* Bounds on loops (settings: loop.bound; `--# bound N` in a program): how many iterations of a
 * loop may be in flight. Such a loop is k-bounded (Culler); paper 2 says parallel_iterations.
 *
 * A NEXT that would begin an iteration waits for the next cycle at least. It waits on while as
 * many iterations of its loop are in flight as may be. In flight are those that are alive, but
 * for one that has nothing left but NEXTs that wait. That is decided at the beginning of a
 * cycle, before its issues. So it does not depend on the order of what happens at once at
 * several PEs.
 *
 * If no iteration needs what a later one makes, all that are in flight end, but for the newest.
 * That one comes to have nothing left but NEXTs, and one of them goes on, whatever the bound.
 * But an iteration may wait for an element of an array that a later one writes. So a bound is
 * soft: when nothing else can go on, the first NEXT that waits does. */
#ifndef MACHINE_PE_K_BOUND_H
#define MACHINE_PE_K_BOUND_H

#include "isa/exec/pack.h"
#include "machine/part.h"

struct machine_waiting_next {
    struct isa_token token;
    bool stalled; /* it has waited longer than for the next cycle */
};

struct machine_k_bound {
    uint32_t *of_site;                            /* per site; 0: none */
    LIB_VEC(struct machine_waiting_next) waiting; /* by PE, those of one as they came */
    bool exceeds;    /* the first of them goes on in the next cycle */
    uint64_t stalls; /* NEXTs that ever stalled, */
    uint64_t excess; /* and that went on beyond their bound */
};

/* A live NEXT is issued. True: it would begin an iteration, and waits. */
bool machine_k_bound_holds(struct machine_k_bound *bound, const struct isa_exec *x,
                           const struct isa_token *next);

/* Nothing else can go on: the first one that waits does. False: none waits. */
bool machine_k_bound_exceed(struct machine_k_bound *bound);

/* Takes out the one that goes on, the first from number `*at` on, which becomes its own;
 * false: there is none. Start with 0. */
bool machine_k_bound_take(struct machine *m, size_t *at, struct isa_token *next);

#endif
