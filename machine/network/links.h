/* Networks of links without routers: each is a queue, first in, first out, and the port behind
 * it.
 *
 * A token that waits before a link goes through its port when it is the oldest there, the port is
 * free, and there is room where it goes. It occupies the port for a cycle, or, with
 * network.bandwidth B > 0, for ceil(bits / B) cycles; and is before its next link `latency`
 * cycles after it went through. A token with a tensor leaves the input port with its last bits.
 * In a cycle, tokens arrive before their links first; then the links are served, in the order of
 * their numbers, one token each. Those that arrive in the same cycle stand in the order in which
 * they went through the links before: by cycle, then by the numbers of these.
 *
 * Of n PEs the links 0 to n - 1 are the output ports, where tokens come from the PEs, and n to 2n
 * - 1 the input ports, from where they go to the input queue of their PE in the same cycle, if
 * that has room. A topology says which links there are between, and what follows which; nothing
 * else here depends on it.
 *
 * The place of a token on its way is the PE to which it goes; its link says where it is. In
 * machines with finite queues (machine/pe/backpressure.h) a link counts the tokens that are
 * `there`: before it, or on their way to it. They are at most network.capacity. Of an output port
 * what its PE has sent and what went through are known (machine_network_leaving): it is not
 * asked, and one that has none takes what one firing makes. Where neither queues nor bandwidth
 * have bounds, a timetable (machine/network/timetable.h) does the same with less. */
#ifndef MACHINE_NETWORK_LINKS_H
#define MACHINE_NETWORK_LINKS_H

#include "isa/fire/fire.h"
#include "machine/events.h"
#include "machine/network/fabric.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state.h"

/* A token that has gone through an input port, and whose last bits are still to come out. */
struct machine_leaving {
    struct isa_token token;
    uint64_t when; /* 0: there is none */
};

/* Tokens that are before their next link in a later cycle. */
struct machine_on_way {
    struct isa_token token;
    uint32_t link;
    uint32_t from; /* the link that it went through, in the cycle in which it did */
};

struct machine_way {
    LIB_VEC(struct machine_on_way) tokens;
};

/* The link behind link `at` on the way to PE `to`: machine_link_input of that PE, or one of those
 * between ports. Never asked of an input port. */
typedef uint32_t machine_next_link(const struct machine_network *network, uint32_t at,
                                   uint32_t to);

struct machine_topology {
    /* The links between ports; NULL: there are none, and each output port is joined to all input
     * ports. */
    uint32_t (*count)(const struct machine_settings *settings);

    /* The latency of a link, or of an output port: at least 1. */
    uint64_t (*latency)(const struct machine_network *network,
                        const struct machine_settings *settings, uint32_t link);

    machine_next_link *next;

    /* One cycle, where queues are unlimited and bandwidth is finite, and where queues are finite,
     * if there are no links between ports: MACHINE_LINKS_SERVE(next) defines both. */
    void (*serve_unlimited)(struct machine *m);
    void (*serve_finite)(struct machine *m);
};

static inline bool machine_link_is_input(const struct machine_network *network,
                                         uint32_t link)
{
    return link - network->pe_count < network->pe_count;
}

/* The input port of a PE. */
static inline uint32_t machine_link_input(const struct machine_network *network,
                                          uint32_t pe)
{
    return network->pe_count + pe;
}

/* For the common source of all cycles, below: */

/* Cycles that a token occupies a port of finite bandwidth: counts them. */
uint64_t machine_link_occupy(struct machine *m, struct machine_link *link,
                             const struct isa_token *t);

/* Whether a token that goes through the input port of a PE comes out with its last bits, as it
 * has a tensor with it; keeps it till then. */
bool machine_link_keeps(struct machine *m, const struct machine_link *link, uint32_t pe,
                        const struct isa_token *t);

/* --- one cycle ---------------------------------------------------------------------------- */

/* What is the same for all tokens of a cycle: in registers, as no token that is put anywhere can
 * change it. */
struct machine_links_now {
    struct machine *machine;
    struct machine_link *links;
    uint64_t cycle;
    uint64_t capacity; /* of a link; UINT64_MAX: unlimited */
    uint32_t pe_count;
    struct machine_set waiting;
    bool is_long;             /* a token may occupy a port for more than one cycle */
    bool tells;               /* m->tells_queues */
    struct machine_way *soon; /* in `latency` cycles, which most links take */
    uint64_t latency;
};

ISA_FIRE_INLINE struct machine_links_now machine_links_begin(struct machine *m,
                                                             const bool is_long)
{
    const struct machine_network *n = &m->network;
    return (struct machine_links_now){
        .machine = m,
        .links = n->links,
        .cycle = m->cycle,
        .capacity = m->output_room,
        .pe_count = n->pe_count,
        .waiting = n->waiting,
        .is_long = is_long,
        .soon = &n->ways[(m->cycle + n->latency) & n->way_mask],
        .latency = n->latency,
    };
}

/* A token goes through a port, which is free. */
ISA_FIRE_INLINE void machine_link_pass(const struct machine_links_now *now,
                                       struct machine_link *link,
                                       const struct isa_token *t)
{
    link->stats.tokens++;
    link->free = now->cycle +
                 (now->is_long ? machine_link_occupy(now->machine, link, t) : 1);
    if (now->tells)
        machine_emit_queue(now->machine, TRACES_EVENT_LEFT, TRACES_PLACE_LINK,
                           (uint32_t)(link - now->links), t, link->free);
}

/* A token comes before a link. */
ISA_FIRE_INLINE void machine_link_put(const struct machine_links_now *now, uint32_t at,
                                      const struct isa_token *t)
{
    struct machine_link *link = &now->links[at];
    link->stats.waits -= now->cycle;
    machine_set_add(&now->waiting, at);
    now->machine->network.some_wait = true;
    if (now->tells)
        machine_emit_entered(now->machine, TRACES_PLACE_LINK, at, t);
    machine_queue_put(&link->queue, t);
}

/* A token comes out of the network. */
ISA_FIRE_INLINE void machine_link_deliver(const struct machine_links_now *now,
                                          struct machine_link *link, uint32_t pe,
                                          const struct isa_token *t)
{
    machine_link_pass(now, link, t);
    if (now->is_long && __builtin_expect(now->machine->network.leaving != NULL, 0) &&
        machine_link_keeps(now->machine, link, pe, t))
        return;
    machine_put_input(now->machine, pe, t);
    if (now->tells)
        machine_emit_entered(now->machine, TRACES_PLACE_INPUT, pe, t);
}

/* Whether it may; accounts for it if so. */
ISA_FIRE_INLINE bool machine_link_enter(const struct machine_links_now *now,
                                        struct machine_link *link, uint32_t pe,
                                        const bool unlimited)
{
    if (unlimited || !now->machine->has_queues)
        return true;
    if (!machine_backpressure_to_enter(now->machine, pe))
        return false;
    link->there--;
    return true;
}

/* A token has gone through a port on its way to another link. */
ISA_FIRE_INLINE void machine_link_send(const struct machine_links_now *now,
                                       uint64_t latency, const struct isa_token *t,
                                       uint32_t to)
{
    struct machine_network *n = &now->machine->network;
    struct machine_way *way = now->soon;
    n->in_ways++;
    if (__builtin_expect(latency != now->latency, 0))
        way = &n->ways[(now->cycle + latency) & n->way_mask];
    struct machine_on_way *on_way = LIB_VEC_PUSH(&way->tokens);
    on_way->token = *t;
    on_way->link = to;
}

/* The same where links are not served in the order of their numbers, and all take as long: it goes
 * before what has gone through later links. */
ISA_FIRE_INLINE void machine_link_send_before(const struct machine_links_now *now,
                                              uint32_t from, const struct isa_token *t,
                                              uint32_t to)
{
    struct machine_network *n = &now->machine->network;
    assert(now->links[from].latency == now->latency);
    n->in_ways++;
    struct machine_on_way *place = LIB_VEC_PUSH(&now->soon->tokens);
    for (; place > now->soon->tokens.items && place[-1].from > from; place--)
        *place = place[-1];
    *place = (struct machine_on_way){*t, to, from};
}

/* Of tokens that come before output ports in one cycle: so many at most go through a free port at
 * once, into their places among the others. More are better sorted by the set of links. */
enum { MACHINE_LINKS_FEW = 16 };

/* Whether a token may go to a link; accounts for it if so. */
ISA_FIRE_INLINE bool machine_link_move(const struct machine_links_now *now,
                                       struct machine_link *from, struct machine_link *to)
{
    if (to->there >= now->capacity) {
        now->machine->held_back = true;
        return false;
    }
    from->there -= from >= now->links + now->pe_count; /* no output port */
    to->there++;
    now->machine->moved = true;
    return true;
}

/* Whether a token may go to a link whoever else does in this cycle: no port lets two through.
 * Accounts for it if so. `unlimited`, a constant: nobody need ask. */
ISA_FIRE_INLINE bool machine_link_move_any(const struct machine_links_now *now,
                                           struct machine_link *from, uint32_t to,
                                           const bool unlimited)
{
    struct machine_link *link = &now->links[to];
    return unlimited || (link->there + (uint64_t)now->pe_count <= now->capacity &&
                         machine_link_move(now, from, link));
}

/* What PEs have sent comes before their output ports. Only a request
 * (machine/pe/structure_memory.h) is to go elsewhere than to its activation. `next`, `unlimited`
 * and `at_once`, whether a token may go through a free port before others are looked at, are
 * constants. */
ISA_FIRE_INLINE void machine_links_depart(const struct machine_links_now *now,
                                          machine_next_link *next, const bool unlimited,
                                          const bool at_once)
{
    struct machine *m = now->machine;
    struct machine_wheel_slot *slot = machine_wheel_at(&m->network.departing, now->cycle);
    struct isa_token *t = slot->tokens;
    const bool few = at_once && slot->count <= MACHINE_LINKS_FEW;
    for (size_t left = slot->count; left > 0; left--, t++) {
        const uint32_t from = isa_token_pe(t);
        struct machine_link *link = &now->links[from];
        uint32_t to = machine_pe_of_token(m, t);
        if (__builtin_expect(to == from, 0))
            to = machine_request_pe(m, t);
        isa_token_move_to(t, to);
        const uint32_t behind = next(&m->network, from, to);
        if (few && machine_queue_count(&link->queue) == 0 && link->free <= now->cycle &&
            machine_link_move_any(now, link, behind, unlimited)) {
            machine_link_pass(now, link, t);
            machine_link_send_before(now, from, t, behind);
        } else {
            machine_link_put(now, from, t);
        }
    }
    slot->count = 0;
}

/* Tokens come before their next links. One that nobody waits before goes through its input port
 * `at_once`, as machine_link_serve would have it: no other link leads to that queue. */
ISA_FIRE_INLINE void machine_links_arrive(const struct machine_links_now *now,
                                          const bool unlimited, const bool at_once)
{
    struct machine_network *n = &now->machine->network;
    struct machine_way *way = &n->ways[now->cycle & n->way_mask];
    const struct machine_on_way *t = way->tokens.items;
    for (size_t left = way->tokens.count; left > 0; left--, t++) {
        struct machine_link *link = &now->links[t->link];
        const uint32_t pe = t->link - now->pe_count;
        if (at_once && pe < now->pe_count && machine_queue_count(&link->queue) == 0 &&
            link->free <= now->cycle && machine_link_enter(now, link, pe, unlimited))
            machine_link_deliver(now, link, pe, &t->token);
        else
            machine_link_put(now, t->link, &t->token);
    }
    n->in_ways -= way->tokens.count;
    way->tokens.count = 0;
}

/* Takes the oldest token from before a link. */
ISA_FIRE_INLINE const struct isa_token *
machine_link_take(const struct machine_links_now *now, struct machine_link *link)
{
    link->stats.waits += now->cycle;
    return machine_queue_oldest(&link->queue);
}

/* A link passes on its oldest token. `next`, `unlimited` and `at_once` are constants. */
ISA_FIRE_INLINE void machine_link_serve(const struct machine_links_now *now, uint32_t at,
                                        machine_next_link *next, const bool unlimited,
                                        const bool at_once)
{
    struct machine *m = now->machine;
    struct machine_link *link = &now->links[at];
    const uint32_t pe = at - now->pe_count;
    if (link->free > now->cycle)
        return;
    if (pe < now->pe_count) {
        if (!machine_link_enter(now, link, pe, unlimited))
            return;
        machine_link_deliver(now, link, pe, machine_link_take(now, link));
    } else {
        const struct isa_token *t = machine_queue_next(&link->queue, false);
        const uint32_t to = next(&m->network, at, isa_token_pe(t));
        if (!unlimited && m->has_queues && !machine_link_move(now, link, &now->links[to]))
            return;
        machine_link_take(now, link);
        machine_link_pass(now, link, t);
        if (at_once)
            machine_link_send_before(now, at, t, to);
        else
            machine_link_send(now, link->latency, t, to);
    }
    machine_queue_rewind(&link->queue);
    machine_set_remove_if(&now->waiting, at, machine_queue_count(&link->queue) == 0);
}

ISA_FIRE_INLINE void machine_links_unlimited(struct machine *m, machine_next_link *next)
{
    const struct machine_links_now now = machine_links_begin(m, true);
    uint32_t link;
    machine_links_depart(&now, next, true, true);
    machine_links_arrive(&now, true, true);
    if (!m->network.some_wait)
        return;
    MACHINE_SET_EACH(&now.waiting, link)
    {
        machine_link_serve(&now, link, next, true, true);
    }
    m->network.some_wait = !machine_set_is_empty(&now.waiting);
}

/* Output ports, or input ports, that tokens wait before. */
ISA_FIRE_INLINE void machine_links_walk(const struct machine_links_now *now,
                                        machine_next_link *next, const bool inputs)
{
    uint32_t link;
    if (!now->machine->network.some_wait)
        return;
    MACHINE_SET_EACH(&now->waiting, link)
    {
        if ((link >= now->pe_count) == inputs)
            machine_link_serve(now, link, next, false, true);
    }
}

/* The same of finite queues, where there are no links between ports: what goes through an output
 * port finds the input ports as they were before the first token goes through one of these. */
ISA_FIRE_INLINE void machine_links_finite(struct machine *m, machine_next_link *next,
                                          const bool is_long)
{
    const struct machine_links_now now = machine_links_begin(m, is_long);
    machine_links_depart(&now, next, false, true);
    machine_links_walk(&now, next, false);
    machine_links_arrive(&now, false, true);
    machine_links_walk(&now, next, true);
    m->network.some_wait = !machine_set_is_empty(&now.waiting);
}

/* A cycle whose queues nobody is told of, with `next` as a constant. Each topology has them of
 * its own: without a call through a pointer, a token costs some half. The second one may be for
 * finite queues. */
#define MACHINE_LINKS_SERVE(next)                                                        \
    static void serve_unlimited(struct machine *m)                                       \
    {                                                                                    \
        machine_links_unlimited(m, next);                                                \
    }                                                                                    \
    static void serve_finite(struct machine *m)                                          \
    {                                                                                    \
        if (m->network.bandwidth)                                                        \
            machine_links_finite(m, next, true);                                         \
        else                                                                             \
            machine_links_finite(m, next, false);                                        \
    }

#define TOPOLOGY(NAME, name, help) extern const struct machine_topology machine_##name;
MACHINE_TOPOLOGIES(TOPOLOGY)
#undef TOPOLOGY

#endif
