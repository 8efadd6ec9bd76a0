/* Networks of unlimited queues: one before each link. */
#include "machine/network/fabric_inside.h"

/* The way of the shortest queue; of equal ones the first. */
static struct machine_route choose(const struct machine_fabric *f,
                                   const struct fabric_packet *p)
{
    struct machine_route routes[MACHINE_MOST_ROUTES];
    const unsigned count = machine_route(f->graph, p->link, p->cls,
                                         isa_token_pe(&p->token), p->via, routes);
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (f->links[routes[i].link].queue.count <
            f->links[routes[best].link].queue.count)
            best = i;
    return routes[best];
}

/* A packet comes to a router, and before its next link; or to its PE. */
static void arrive(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t packet)
{
    struct fabric_packet *p = &f->packets[packet];
    if (fabric_is_ejection(f, p->link)) {
        fabric_deliver(f, packet);
        return;
    }
    const struct machine_route route = choose(f, p);
    p->cls = route.channel_class;
    f->links[route.link].stats.waited -= now;
    fabric_list_put(f, &f->links[route.link].queue, packet);
    machine_set_add(&f->waiting, route.link);
    if (__builtin_expect(outside->entered != NULL, 0))
        outside->entered(outside->context, MACHINE_FABRIC_QUEUE, route.link, &p->token);
}

static void arrive_all(struct machine_fabric *f,
                       const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t packet;
    while (fabric_take_far(f, now, &packet))
        arrive(f, outside, now, packet);
    struct fabric_wave *wave = &f->waves[now & f->wave_mask];
    const uint32_t *items = wave->items.items;
    const size_t count = wave->items.count;
    for (size_t i = 0; i < count; i++)
        arrive(f, outside, now, items[i]);
    f->in_waves -= count;
    wave->items.count = 0;
}

/* Under reverse a packet is kept, to be sent in the order of links. */
static __attribute__((noinline)) void keep(struct machine_fabric *f, uint32_t packet,
                                           uint64_t delay)
{
    *LIB_VEC_PUSH(&f->kept) = (struct fabric_kept){packet, delay};
}

/* A link, if it is free, passes on its oldest packet. */
static inline void serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t at)
{
    struct fabric_link *link = &f->links[at];
    if (link->free > now)
        return;
    if (outside->keep_room && fabric_is_ejection(f, at)) {
        const uint32_t pe = at - f->graph->pe_count;
        if (outside->has_room && !outside->has_room(outside->context, pe)) {
            f->held_back = true;
            return;
        }
        outside->keep_room(outside->context, pe);
    }
    const uint32_t packet = fabric_list_take(f, &link->queue);
    struct fabric_packet *p = &f->packets[packet];
    link->stats.waited += now;
    machine_set_remove_if(&f->waiting, at, link->queue.count == 0);
    const uint64_t delay = fabric_pass(f, at, p, now);
    f->moved = true;
    if (__builtin_expect(outside->left != NULL, 0))
        outside->left(outside->context, MACHINE_FABRIC_QUEUE, at, &p->token, link->free);
    if (delay == 0)
        fabric_deliver(f, packet);
    else if (__builtin_expect(f->is_reverse, 0))
        keep(f, packet, delay);
    else
        fabric_send(f, now, delay, packet);
}

static void serve_backwards(struct machine_fabric *f,
                            const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t at;
    MACHINE_SET_EACH_DOWN(&f->waiting, at)
    {
        serve(f, outside, now, at);
    }
    for (; f->kept.count > 0; f->kept.count--) {
        const struct fabric_kept *k = &f->kept.items[f->kept.count - 1];
        fabric_send(f, now, k->delay, k->packet);
    }
}

void fabric_queues_step(struct machine_fabric *f,
                        const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t at;
    arrive_all(f, outside, now);
    if (f->is_reverse) {
        serve_backwards(f, outside, now);
        return;
    }
    MACHINE_SET_EACH(&f->waiting, at)
    {
        serve(f, outside, now, at);
    }
}
