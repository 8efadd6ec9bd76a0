/* Networks of unlimited queues: one before each link. */
#include "machine/network/fabric_inside.h"

/* Packets whose memory is asked for before they come; and of how many the ways are found before the first of them
 * waits, so that the memory of their links comes meanwhile: a large network has more than caches hold. */
enum { AHEAD = 6, NEXT = 3, TOGETHER = 32 };

/* The way of the shortest queue; of equal ones the first. */
static __attribute__((noinline)) struct machine_route
choose(const struct machine_fabric *f, const struct fabric_packet *p)
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

/* The link over which a packet goes on. */
static inline uint32_t next_link(struct machine_fabric *f, struct fabric_packet *p)
{
    uint32_t *way = NULL;
    if (f->ways) {
        way = &f->ways[(size_t)p->router * f->graph->pe_count + isa_token_pe(&p->token)];
        if (__builtin_expect(*way != 0, 1))
            return *way - 1;
    }
    const struct machine_route route = choose(f, p);
    p->cls = route.channel_class;
    if (way)
        *way = route.link + 1;
    return route.link;
}

/* The link before which a packet comes that comes to a router; FABRIC_NONE: it comes to its PE. */
static inline uint32_t find_next(struct machine_fabric *f, uint32_t packet)
{
    struct fabric_packet *p = &f->packets[packet];
    const bool is_out = fabric_is_ejection(f, p->link);
    return __builtin_expect(is_out, 0) ? FABRIC_NONE : next_link(f, p);
}

/* A packet comes before that link, or to its PE. */
static inline void arrive(struct machine_fabric *f,
                          const struct machine_fabric_outside *outside, uint64_t now,
                          uint32_t packet, uint32_t link)
{
    if (__builtin_expect(link == FABRIC_NONE, 0)) {
        fabric_deliver(f, packet);
        return;
    }
    f->links[link].stats.waits -= now;
    fabric_list_put(f, &f->links[link].queue, packet);
    fabric_set_add(&f->waiting, link);
    if (__builtin_expect(outside->entered != NULL, 0))
        outside->entered(outside->context, MACHINE_FABRIC_QUEUE, link,
                         &f->packets[packet].token);
}

/* What machine_route looks at first. */
static inline void prefetch_way(const struct machine_graph *g,
                                const struct fabric_packet *p)
{
    __builtin_prefetch(&g->links[p->link]);
    __builtin_prefetch(&g->ports[(size_t)p->router * g->port_count]);
}

/* The ways of these packets, which depend on nothing that happens while others come. */
static inline void find_ways(struct machine_fabric *f, const uint32_t *packets,
                             size_t count, size_t there, uint32_t *links)
{
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < there)
            __builtin_prefetch(&f->packets[packets[i + AHEAD]]);
        if (!f->ways && i + NEXT < there)
            prefetch_way(f->graph, &f->packets[packets[i + NEXT]]);
        links[i] = find_next(f, packets[i]);
        if (links[i] != FABRIC_NONE)
            __builtin_prefetch(&f->links[links[i]], 1);
    }
}

static void arrive_all(struct machine_fabric *f,
                       const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t packet;
    while (fabric_take_far(f, now, &packet))
        arrive(f, outside, now, packet, find_next(f, packet));
    struct fabric_wave *wave = &f->waves[now & f->wave_mask];
    const uint32_t *items = wave->items.items;
    const size_t count = wave->items.count;
    uint32_t links[TOGETHER];
    const size_t together = f->is_oblivious ? TOGETHER : 1;
    for (size_t first = 0, n; first < count; first += n) {
        n = count - first < together ? count - first : together;
        find_ways(f, items + first, n, count - first, links);
        for (size_t i = 0; i < n; i++)
            arrive(f, outside, now, items[first + i], links[i]);
    }
    f->in_waves -= count;
    wave->items.count = 0;
}

/* Under reverse a packet is kept, to be sent in the order of links. */
static __attribute__((noinline)) void keep(struct machine_fabric *f, uint32_t packet,
                                           uint64_t delay)
{
    *LIB_VEC_PUSH(&f->kept) = (struct fabric_kept){packet, delay};
}

/* The oldest packet before a link. */
static inline uint32_t take(struct machine_fabric *f, uint32_t at, uint64_t now)
{
    struct fabric_link *link = &f->links[at];
    link->stats.waits += now;
    const uint32_t packet = fabric_list_take(f, &link->queue);
    fabric_set_remove_if(&f->waiting, at, link->queue.count == 0);
    return packet;
}

/* A link, if it is free, passes on its oldest packet. */
static void serve(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                  uint64_t now, uint32_t at)
{
    const struct fabric_link *link = &f->links[at];
    if (link->free > now)
        return;
    if (outside->keep_room && fabric_is_ejection(f, at)) {
        const uint32_t pe = at - f->graph->pe_count;
        if (outside->has_room && !outside->has_room(outside->context, pe)) {
            f->seen.held_back = true;
            return;
        }
        outside->keep_room(outside->context, pe);
    }
    const uint32_t packet = take(f, at, now);
    const uint64_t delay = fabric_pass(f, at, packet, now);
    f->seen.moved = true;
    if (outside->left)
        outside->left(outside->context, MACHINE_FABRIC_QUEUE, at,
                      &f->packets[packet].token, link->free);
    if (delay == 0)
        fabric_deliver(f, packet);
    else if (f->is_reverse)
        keep(f, packet, delay);
    else
        fabric_send(f, now, delay, packet);
}

/* The same of all links, where each passes one packet per cycle, nobody listens, and PEs take all: every link
 * is free. */
static void serve_plain(struct machine_fabric *f, uint64_t now)
{
    const uint32_t first = 2 * f->graph->pe_count;
    uint64_t hops = 0;
    uint32_t at;
    FABRIC_SET_EACH(&f->waiting, at)
    {
        struct fabric_link *link = &f->links[at];
        const uint32_t packet = take(f, at, now);
        struct fabric_packet *p = &f->packets[packet];
        link->stats.tokens++;
        hops += at >= first;
        p->link = at;
        p->router = link->to;
        if (link->delay == 0)
            fabric_deliver(f, packet);
        else
            fabric_send(f, now, link->delay, packet);
    }
    f->hops += hops;
}

static void serve_backwards(struct machine_fabric *f,
                            const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t at;
    MACHINE_SET_EACH_DOWN(&f->waiting.items, at)
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
    } else if (!f->seen.counts_bits && !outside->keep_room && !outside->left) {
        serve_plain(f, now);
    } else {
        FABRIC_SET_EACH(&f->waiting, at)
        {
            serve(f, outside, now, at);
        }
    }
}
