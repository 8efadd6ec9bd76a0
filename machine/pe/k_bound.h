/* Bounds on loops (settings: loop.bound; `--# bound N` in a program): the most iterations of a loop
 * that can be in flight. Such a loop is k-bounded (Culler); paper 2 calls it parallel_iterations.
 *
 * A NEXT that would begin an iteration waits at least for the next cycle, and as long as the bound
 * of its loop is reached. All iterations alive are in flight, except one that has only NEXTs left,
 * which wait. This is decided at the beginning of a cycle, before its issues, so that it does not
 * depend on the order of concurrent events at several PEs.
 *
 * If no iteration needs a value from a later one, all iterations in flight end, except the newest.
 * That one then has only NEXTs left, and one of them is released, whatever the bound. But an
 * iteration can wait for an element of an array that a later one writes. So a bound is soft: when
 * nothing else can proceed, the first waiting NEXT is released. */
#ifndef MACHINE_PE_K_BOUND_H
#define MACHINE_PE_K_BOUND_H

#include "isa/exec/pack.h"
#include "machine/part.h"

struct machine_waiting_next {
    struct isa_token token;
    bool stalled; /* it has waited longer than for the next cycle */
};

struct machine_k_bound {
    uint32_t *of_site;                            /* bound per site; 0 for none */
    LIB_VEC(struct machine_waiting_next) waiting; /* by PE, then in order of arrival */
    bool exceeds; /* the first of them is released in the next cycle */
};

#endif
