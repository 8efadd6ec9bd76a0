/* Bounds on loops (setting loop.bound; `--# bound N` in a program): the max number of iterations of
 * a loop that are active at once. Such a loop is k-bounded (Culler); paper 2 calls the bound
 * parallel_iterations.
 *
 * A NEXT, the instruction that begins an iteration, waits at least for the next cycle, and until
 * its loop is below its bound. All live iterations count, except one that has only waiting NEXTs
 * left. This is decided at the beginning of a cycle, so the order of events within a cycle does not
 * matter.
 *
 * A bound is soft, because an iteration can wait for an array element that a later one writes: when
 * nothing else can proceed, the first waiting NEXT is released. */
#ifndef MACHINE_PE_K_BOUND_H
#define MACHINE_PE_K_BOUND_H

#include "machine/part.h"
#include "machine/state_table.h"

#define MACHINE_WAITING_NEXT_FIELDS(F)                                                   \
    F(TOKEN, token)                                                                      \
    F(BOOL, stalled) /* the token was not released in the cycle after its arrival */
struct machine_waiting_next {
    MACHINE_WAITING_NEXT_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_K_BOUND_FIELDS(F)                                                            \
    /* max active iterations of the loop at each site; 0: unlimited */                       \
    F(OWNED, uint32_t, of_site)                                                              \
    /* NEXTs (tokens that begin an iteration) that wait; sorted by PE, then by arrival */    \
    F(EACH, machine_waiting_next, waiting)                                                   \
    /* Deadlock: the first waiting NEXT is released in the next cycle, despite the bound. */ \
    F(BOOL, exceeds)
struct machine_k_bound {
    MACHINE_K_BOUND_FIELDS(LIB_STATE_MEMBER)
};

#endif
