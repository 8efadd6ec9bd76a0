/* The crossbar (doc/model/network.md): each PE has an output port, from which any input port can be
 * reached. A port is a FIFO queue with a link after it.
 *
 * The oldest token of a queue passes the port if that is free and there is room after it. It
 * occupies the port for a cycle, or for as long as its bits take with finite bandwidth, and reaches
 * the input port `latency` cycles after it passed the output port.
 *
 * In a cycle, first tokens arrive at ports; then ports are served in ascending order, one token
 * each. Tokens that arrive in the same cycle are ordered by the output ports that they passed.
 *
 * With n PEs, links 0 to n - 1 are output ports, to which PEs send tokens; links n to 2n - 1 are
 * input ports, from which tokens enter the input queue of their PE in the same cycle, if it has
 * room. The PE of a token in transit (machine_token_pe) is the token's destination.
 */
#ifndef MACHINE_NETWORK_CROSSBAR_H
#define MACHINE_NETWORK_CROSSBAR_H

#include "machine/network/network.h"
#include "machine/network/transit.h"
#include "machine/state.h"
#include "machine/state_table.h"

/* A token with a tensor that is passing an input port; its last bits have not passed yet. `when`:
 * cycle in which the last bits have passed; 0: no token. */
#define MACHINE_LEAVING_FIELDS(F)                                                        \
    F(NUMBER, uint64_t, when)                                                            \
    F(SOME_TOKEN, token, s->when)                                                        \
    F(CHECK, s->when == 0 || s->when > m->run.cycle - 1)
struct machine_leaving {
    MACHINE_LEAVING_FIELDS(LIB_STATE_MEMBER)
};

/* A port. The member `waits` of `stats` is the sum of the cycles in which tokens left minus the
 * cycles in which they arrived; `busy` is 0 if bandwidth is unlimited. */
#define MACHINE_LINK_FIELDS(F)                                                           \
    F(STRUCT, machine_queue, queue)                                                      \
    F(NUMBER, uint64_t, free) /* cycle from which the port is free */                    \
    F(NUMBER, struct traces_link_stats, stats)                                           \
    /* tokens before an input port or in transit to it; not counted for output ports */  \
    F(NUMBER, uint32_t, there)
struct machine_link {
    MACHINE_LINK_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_CROSSBAR_FIELDS(F)                                                         \
    F(KEPT, uint32_t, pe_count)                                                            \
    F(KEPT, uint64_t, bandwidth)                                                           \
    F(KEPT, uint64_t, pace) /* ticks per cycle, by which occupation is multiplied */       \
    F(KEPT, uint64_t, latency)                                                             \
    F(STRUCTS, machine_link, links, 2 * (size_t)s->pe_count)                               \
    F(KEPT, struct machine_rings *, rings) /* owned: memory of the queues of links */      \
    F(STRUCT, machine_set, waiting)        /* links before which a token waits */          \
    F(SCRATCH, bool, some_wait) /* `waiting` is not empty; valid between two cycles */     \
    F(CALL, s->some_wait = !machine_set_is_empty(&s->waiting))                             \
    F(CALL, machine_wheel_pack(pack, &m->tokens.exec, &m->network.departing))              \
    F(STRUCT, machine_transit, transit) /* tokens on their way to input ports */           \
    F(CALL, machine_transit_count(&s->transit))                                            \
    /* for each PE: token with a tensor that is leaving its input port; NULL without     \
     * tensors */ \
    F(STRUCTS, machine_leaving, leaving, s->pe_count)                                      \
    F(SCRATCH, uint32_t, leaving_count)                                                    \
    F(CALL, crossbar_count(s))                                                             \
    /* fast simulation (machine/network/timetable.h), or NULL; the same while it is in   \
     * use, else NULL */ \
    F(KEPT, struct machine_timetable *, timetable)                                         \
    F(KEPT, struct machine_timetable *, open)
struct machine_crossbar {
    MACHINE_CROSSBAR_FIELDS(LIB_STATE_MEMBER)
};

static inline bool machine_link_is_input(const struct machine_crossbar *x, uint32_t link)
{
    return link >= x->pe_count;
}

static inline uint32_t machine_link_input(const struct machine_crossbar *x, uint32_t pe)
{
    return x->pe_count + pe;
}

#endif
