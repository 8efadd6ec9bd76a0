/* Networks of links without routers, such as a crossbar (doc/model/network.md). A link is a FIFO
 * queue with a port after it.
 *
 * The oldest token of a queue passes the port if that is free and there is room after it. It
 * occupies the port for a cycle, or for as long as its bits take with finite bandwidth, and reaches
 * its next link `latency` cycles after it passed.
 *
 * In a cycle, first tokens arrive at links; then links are served in ascending order, one token
 * each. Tokens that arrive in the same cycle are ordered by when they passed their previous links,
 * then by the numbers of the previous links.
 *
 * With n PEs, links 0 to n - 1 are output ports, to which PEs send tokens; links n to 2n - 1 are
 * input ports, from which tokens enter the input queue of their PE in the same cycle, if it has
 * room. A topology defines the links between them. The PE of a token in transit (isa_token_pe) is
 * the token's destination.
 */
#ifndef MACHINE_NETWORK_LINKS_H
#define MACHINE_NETWORK_LINKS_H

#include "isa/fire/fire.h"
#include "machine/events.h"
#include "machine/network/fabric.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state.h"

/* A token with a tensor that is passing an input port; its last bits have not passed yet. */
struct machine_leaving {
    struct isa_token token;
    uint64_t when; /* cycle in which the last bits have passed; 0: no token */
};

/* A token in transit to its next link. */
struct machine_on_way {
    struct isa_token token;
    uint32_t link;
    uint32_t from; /* link that the token passed last */
};

struct machine_way {
    LIB_VEC(struct machine_on_way) tokens;
};

/* Returns the link after link `at` on the way to PE `to`: the input port of the PE, or a link
 * between ports. `at` must not be an input port. */
typedef uint32_t machine_next_link(const struct machine_network *network, uint32_t at,
                                   uint32_t to);

struct machine_topology {
    /* Returns the number of links between ports. NULL: the topology has no such links, and each
     * output port leads to all input ports. */
    uint32_t (*count)(const struct machine_settings *settings);

    /* Returns the latency of a link or output port, at least 1. */
    uint64_t (*latency)(const struct machine_network *network,
                        const struct machine_settings *settings, uint32_t link);

    machine_next_link *next;

    /* Simulate one cycle. serve_unlimited: with unlimited queues and finite bandwidth.
     * serve_finite: with finite queues, for topologies without links between ports.
     * MACHINE_LINKS_SERVE(next) defines both. */
    void (*serve_unlimited)(struct machine *m);
    void (*serve_finite)(struct machine *m);
};

static inline bool machine_link_is_input(const struct machine_network *network,
                                         uint32_t link)
{
    return link - network->pe_count < network->pe_count;
}

static inline uint32_t machine_link_input(const struct machine_network *network,
                                          uint32_t pe)
{
    return network->pe_count + pe;
}

/* Returns for how many cycles a token occupies a port of finite bandwidth, and adds them to the
 * link's statistics. */
uint64_t machine_link_occupy(struct machine *m, struct machine_link *link,
                             const struct isa_token *t);

/* Whether a token with a tensor must stay in the input port of a PE until its last bits arrive. If
 * so, keeps it. */
bool machine_link_keeps(struct machine *m, const struct machine_link *link, uint32_t pe,
                        const struct isa_token *t);

/* Values that are the same for all tokens of a cycle; a copy, so that they can stay in
 * registers. */
struct machine_links_now {
    struct machine *machine;
    struct machine_link *links;
    uint64_t cycle;
    uint64_t capacity; /* max tokens of a link; UINT64_MAX: unlimited */
    uint32_t pe_count;
    struct machine_set waiting;
    bool many;    /* the sets of links and of PEs may have a second level */
    bool is_long; /* a token may occupy a port for more than one cycle */
    bool tells;   /* emit events of queues */
    /* Tokens that arrive at links in `latency` cycles, as most do. */
    struct machine_way *soon;
    uint64_t latency;
};

/* `is_long` and `many`: constants, members of the result. */
ISA_FIRE_INLINE struct machine_links_now
machine_links_begin(struct machine *m, const bool is_long, const bool many)
{
    const struct machine_network *n = &m->network;
    return (struct machine_links_now){
        .machine = m,
        .links = n->links,
        .cycle = m->run.cycle,
        .capacity = m->output_room,
        .pe_count = n->pe_count,
        .waiting.words = n->waiting.words,
        .waiting.tops = many ? n->waiting.tops : NULL, /* so that nothing asks for it */
        .waiting.word_count = n->waiting.word_count,
        .many = many,
        .is_long = is_long,
        .soon = &n->ways[(m->run.cycle + n->latency) & n->way_mask],
        .latency = n->latency,
    };
}

/* Lets a token pass a port, which must be free. */
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

/* Adds a token to the queue before a link. */
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

/* Delivers a token to the input queue of its PE. */
ISA_FIRE_INLINE void machine_link_deliver(const struct machine_links_now *now,
                                          struct machine_link *link, uint32_t pe,
                                          const struct isa_token *t)
{
    machine_link_pass(now, link, t);
    if (now->is_long && __builtin_expect(now->machine->network.leaving != NULL, 0) &&
        machine_link_keeps(now->machine, link, pe, t))
        return;
    machine_put_input_as(now->machine, pe, t, now->many);
    if (now->tells)
        machine_emit_entered(now->machine, TRACES_PLACE_INPUT, pe, t);
}

/* Whether a token may enter the input queue of a PE. If so, removes it from the count of the
 * link. */
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

/* Sends a token that has passed a port in transit to its next link. */
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

/* Like machine_link_send, for links of equal latency that are not served in ascending order: sorts
 * the token among those that pass links in this cycle, by the index of the link (`from`). */
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

/* If at most this many tokens reach output ports in a cycle, each passes its port at once if it
 * can, and is sorted into the list of tokens in transit (machine_link_send_before). If more do, all
 * enter the queues before the ports, which are served in order of ports: that is faster. */
enum { MACHINE_LINKS_FEW = 16 };

/* Whether there is room for a token before the link `to`. If so, counts the token there and no
 * longer at `from`. */
ISA_FIRE_INLINE bool machine_link_move(const struct machine_links_now *now,
                                       struct machine_link *from, struct machine_link *to)
{
    if (to->there >= now->capacity) {
        now->machine->run.held_back = true;
        return false;
    }
    /* output ports do not count tokens */
    from->there -= from >= now->links + now->pe_count;
    to->there++;
    now->machine->run.moved = true;
    return true;
}

/* Like machine_link_move, but requires room for a token from every PE, so that the answer does not
 * depend on the order in which links are served. `unlimited` is a constant: true if there is always
 * room. */
ISA_FIRE_INLINE bool machine_link_move_any(const struct machine_links_now *now,
                                           struct machine_link *from, uint32_t to,
                                           const bool unlimited)
{
    struct machine_link *link = &now->links[to];
    return unlimited || (link->there + (uint64_t)now->pe_count <= now->capacity &&
                         machine_link_move(now, from, link));
}

/* Moves tokens that PEs have sent to their output ports, and stores in each its destination: the PE
 * of its activation, or for a memory request (machine/pe/structure_memory.h) the PE of the element.
 * The last three parameters are constants. `at_once`: a token may pass a free port immediately. */
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

/* Moves tokens that arrive in this cycle to their next links. With `at_once`, a token passes a free
 * input port immediately if no token waits before it. That changes no order, as no other link leads
 * to the same input queue. */
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

/* Removes and returns the oldest token before a link. */
ISA_FIRE_INLINE const struct isa_token *
machine_link_take(const struct machine_links_now *now, struct machine_link *link)
{
    link->stats.waits += now->cycle;
    return machine_queue_oldest(&link->queue);
}

/* Serves a link: its oldest token passes if it can. The last three parameters are constants. */
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

/* `many`: a constant, whether the set of waiting links may have a second level. */
ISA_FIRE_INLINE void machine_links_unlimited(struct machine *m, machine_next_link *next,
                                             const bool many)
{
    const struct machine_links_now now = machine_links_begin(m, true, many);
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

/* Serves the input ports, or else the output ports, before which tokens wait. */
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

/* Simulates a cycle with finite queues without links between ports. Tokens that pass output ports
 * see the input ports as they were at the start of the cycle. */
ISA_FIRE_INLINE void machine_links_finite(struct machine *m, machine_next_link *next,
                                          const bool is_long)
{
    const struct machine_links_now now = machine_links_begin(m, is_long, false);
    machine_links_depart(&now, next, false, true);
    machine_links_walk(&now, next, false);
    machine_links_arrive(&now, false, true);
    machine_links_walk(&now, next, true);
    m->network.some_wait = !machine_set_is_empty(&now.waiting);
}

/* Defines functions of a topology that simulate a cycle without events; with finite queues, if the
 * set of waiting links has no second level. `next` is a constant, which is faster than a call by
 * pointer. */
#define MACHINE_LINKS_SERVE(next)                                                        \
    static void serve_unlimited(struct machine *m)                                       \
    {                                                                                    \
        if (m->network.waiting.tops)                                                     \
            machine_links_unlimited(m, next, true);                                      \
        else                                                                             \
            machine_links_unlimited(m, next, false);                                     \
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
