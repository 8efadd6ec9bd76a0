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

/* Of a machine that goes on. Takes time proportional to its state. */
void machine_verify(const struct machine *m);

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
