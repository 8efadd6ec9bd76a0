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
#include "machine/owner.h"
#include "machine/pe.h"
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

/* Where tokens go: to the PEs of their activations; in a partitioned graph, in the machine of each
 * instruction, which has machine_pes PEs. */
struct machine_crossbar_places {
    const struct isa_activations *activations;
    const uint32_t *machine_of;
    uint32_t machine_pes;
};

/* What a crossbar reads and touches of the machine around it. */
struct machine_crossbar_outside {
    struct machine_crossbar_places places;
    struct machine_wheel *departing; /* tokens that leave their PEs */
    struct machine_pe *pes;          /* whose input queues get them */
    struct machine_set with_input;   /* PEs whose input queues have tokens */

    /* With finite queues: room in the input queue of each PE, and the capacity of input ports. */
    bool has_queues;
    const struct machine_room *rooms;
    uint64_t port_room;

    void *context; /* first argument of all functions */
    /* Returns the PE to which a memory request goes. */
    uint32_t (*request_pe)(const void *context, const struct isa_token *t);
    /* Return the bits of a token, and the bytes of its tensors. `is_request`: it goes to another PE
     * than its activation's. Others without tensors have token_bits, and label_bits for each label
     * of their tags. */
    uint64_t token_bits, label_bits;
    uint64_t (*bits)(const void *context, const struct isa_token *t, bool is_request);
    uint64_t (*tensor_bytes)(const void *context, const struct isa_token *t,
                             bool is_request);
    /* Called, if events are emitted, when a token enters or leaves the queue `number`. */
    void (*token_entered)(void *context, enum traces_place place, uint32_t number,
                          const struct isa_token *t);
    void (*token_left)(void *context, uint32_t link, const struct isa_token *t,
                       uint64_t until);
};

#define MACHINE_CROSSBAR_FIELDS(F)                                                              \
    F(KEPT, uint32_t, pe_count)                                                                 \
    F(KEPT, uint64_t, bandwidth)                                                                \
    F(KEPT, uint64_t, pace) /* ticks per cycle, by which occupation is multiplied */            \
    F(KEPT, uint64_t, latency)                                                                  \
    F(STRUCTS, machine_link, links, 2 * (size_t)s->pe_count)                                    \
    F(KEPT, struct machine_rings *, rings) /* owned: memory of the queues of links */           \
    F(STRUCT, machine_set, waiting)        /* links before which a token waits */               \
    F(SCRATCH, bool, some_wait) /* `waiting` is not empty; valid between two cycles */          \
    F(CALL, s->some_wait = !machine_set_is_empty(&s->waiting))                                  \
    F(CALL, machine_wheel_pack(pack, &m->tokens.exec, &m->network.departing))                   \
    F(STRUCT, machine_transit, transit) /* tokens on their way to input ports */                \
    F(CALL, machine_transit_count(&s->transit))                                                 \
    /* for each PE: token with a tensor that is leaving its input port; NULL: no tensors */     \
    F(STRUCTS, machine_leaving, leaving, s->pe_count)                                           \
    F(SCRATCH, uint32_t, leaving_count)                                                         \
    F(CALL, crossbar_count(s))                                                                  \
    /* fast simulation (machine/network/timetable.h), or NULL; `open`: while it is used */      \
    F(MADE, struct machine_timetable *, timetable, machine_timetable_free)                      \
    F(KEPT, struct machine_timetable *, open)                                                   \
    F(KEPT, struct machine_crossbar_outside, outside)                                           \
    /* In the last step, a token entered an input queue or port; a full one blocked a token. */ \
    F(SCRATCH, bool, moved)                                                                     \
    F(SCRATCH, bool, held_back)
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

/* Returns the PE of a token's activation. */
static inline uint32_t machine_crossbar_home(const struct machine_crossbar_places *places,
                                             const struct isa_token *t)
{
    const uint32_t place = machine_place_of_tag(places->activations, isa_token_tag(t));
    return __builtin_expect(places->machine_of != NULL, 0)
               ? places->machine_of[isa_token_instr(t)] * places->machine_pes + place
               : place;
}

/* Puts a token into the input queue of its PE. `many`: a constant, whether out->with_input has a
 * second level. */
static inline __attribute__((always_inline)) void
machine_crossbar_deliver(const struct machine_crossbar_outside *out, uint32_t pe,
                         const struct isa_token *t, const bool many)
{
    machine_queue_put(&out->pes[pe].input, t);
    if (many)
        machine_set_add(&out->with_input, pe);
    else
        machine_set_add_flat(&out->with_input, pe);
}

/* Whether a step in cycle `now` would change nothing. */
static inline bool machine_crossbar_is_idle(const struct machine_crossbar *x,
                                            uint64_t now)
{
    return !x->some_wait && x->leaving_count == 0 &&
           machine_wheel_at(x->outside.departing, now)->count == 0 &&
           machine_transit_at(&x->transit, now)->tokens.count == 0;
}

/* Simulates cycle `now`, in which the crossbar is not idle, without the timetable. `tells`: emits
 * events. */
void machine_crossbar_step(struct machine_crossbar *crossbar, uint64_t now, bool tells);

/* Returns the next cycle before `end` in which a step changes something, or MACHINE_NEVER.
 * `is_stuck`: no token moved in the last step, so that tokens before free links cannot move. */
uint64_t machine_crossbar_next(const struct machine_crossbar *crossbar, uint64_t now,
                               uint64_t end, bool is_stuck);

#endif
