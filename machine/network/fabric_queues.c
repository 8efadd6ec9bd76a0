/* Networks of routers with unlimited queues, one before each link. */
#include "isa/fire/fire_base.h"
#include "machine/network/fabric_internal.h"

/* Prefetching. AHEAD, NEXT: distances. TOGETHER: packets whose routes are found, and whose links
 * are prefetched, before the first is queued. Networks of more than FEW_LINKS links exceed a
 * first-level cache. */
enum { AHEAD = 6, NEXT = 3, TOGETHER = 32, FEW_LINKS = 1 << 8 };

/* Returns the route with the shortest queue, the first of equal ones. */
static __attribute__((noinline)) struct machine_route
choose(const struct machine_fabric *f, const struct fabric_packet *p)
{
    struct machine_route routes[MACHINE_MAX_ROUTES];
    const unsigned count = machine_route(f->graph, p->link, p->cls,
                                         machine_token_pe(&p->token), p->via, routes);
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (f->links[routes[i].link].queue.count <
            f->links[routes[best].link].queue.count)
            best = i;
    return routes[best];
}

ISA_FIRE_INLINE uint32_t next_link(struct machine_fabric *f, struct fabric_packet *p)
{
    uint32_t *way = NULL;
    if (f->ways) {
        way = &f->ways[(size_t)p->router * f->graph->pe_count +
                       machine_token_pe(&p->token)];
        if (__builtin_expect(*way != 0, 1))
            return *way - 1;
    }
    const struct machine_route route = choose(f, p);
    p->cls = route.channel_class;
    if (way)
        *way = route.link + 1;
    return route.link;
}

/* Returns the next link of an arriving packet, or FABRIC_NONE at its PE. */
ISA_FIRE_INLINE uint32_t find_next(struct machine_fabric *f, uint32_t packet)
{
    struct fabric_packet *p = &f->packets[packet];
    const bool is_out = fabric_is_ejection(f, p->link);
    return __builtin_expect(is_out, 0) ? FABRIC_NONE : next_link(f, p);
}

/* Queues an arriving packet before a link, or delivers it. `many`, here and below: a constant,
 * whether the set of waiting links may have a third level. */
ISA_FIRE_INLINE void arrive(struct machine_fabric *f,
                            const struct machine_fabric_outside *outside, uint64_t now,
                            uint32_t packet, uint32_t link, const bool many)
{
    if (__builtin_expect(link == FABRIC_NONE, 0)) {
        fabric_deliver(f, packet);
        return;
    }
    f->links[link].stats.waits -= now;
    fabric_list_put(f, &f->links[link].queue, packet);
    if (many)
        fabric_set_add(&f->waiting, link);
    else
        fabric_set_add_small(&f->waiting, link);
    if (__builtin_expect(outside->entered != NULL, 0))
        outside->entered(outside->context, MACHINE_FABRIC_QUEUE, link,
                         &f->packets[packet].token);
}

/* Prefetches the data that machine_route reads first. */
ISA_FIRE_INLINE void prefetch_way(const struct machine_graph *g,
                                  const struct fabric_packet *p)
{
    __builtin_prefetch(&g->links[p->link]);
    __builtin_prefetch(&g->ports[(size_t)p->router * g->port_count]);
}

/* Finds the next links of packets, whose routes do not depend on other arrivals. */
ISA_FIRE_INLINE void find_ways(struct machine_fabric *f, const uint32_t *packets,
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

ISA_FIRE_INLINE void arrive_together(struct machine_fabric *f,
                                     const struct machine_fabric_outside *outside,
                                     uint64_t now, const uint32_t *packets, size_t count,
                                     const bool many)
{
    uint32_t links[TOGETHER];
    const size_t together = f->is_oblivious ? TOGETHER : 1;
    for (size_t first = 0, n; first < count; first += n) {
        n = count - first < together ? count - first : together;
        find_ways(f, packets + first, n, count - first, links);
        for (size_t i = 0; i < n; i++)
            arrive(f, outside, now, packets[first + i], links[i], many);
    }
}

/* Copies of members of a fabric, which the compiler need not read again after each write. */
struct hand {
    uint64_t now, mask, hops, sent;
    struct fabric_link *links;
    struct fabric_packet *packets;
    struct fabric_wave *waves;
    struct fabric_set waiting;
    uint32_t *ways;
    uint32_t pe_count;
};

static inline struct hand hand_of(const struct machine_fabric *f, uint64_t now)
{
    return (struct hand){
        .now = now,
        .mask = f->wave_mask,
        .links = f->links,
        .packets = f->packets,
        .waves = f->waves,
        .waiting = f->waiting,
        .ways = f->ways,
        .pe_count = f->graph->pe_count,
    };
}

/* Handles arrivals if routes are known, nothing emits events, and the network fits into a
 * first-level cache. */
ISA_FIRE_INLINE void arrive_plain(struct machine_fabric *f, uint64_t now,
                                  const uint32_t *packets, size_t count)
{
    const struct hand h = hand_of(f, now);
    for (size_t i = 0; i < count; i++) {
        const uint32_t packet = packets[i];
        struct fabric_packet *p = &h.packets[packet];
        if (__builtin_expect(p->link - h.pe_count < h.pe_count, 0)) {
            fabric_deliver(f, packet);
            continue;
        }
        const uint32_t pe = machine_token_pe(&p->token);
        uint32_t at = h.ways[(size_t)p->router * h.pe_count + pe] - 1;
        if (__builtin_expect(at == FABRIC_NONE, 0))
            at = next_link(f, p);
        h.links[at].stats.waits -= now;
        fabric_list_put(f, &h.links[at].queue, packet);
        fabric_set_add_small(&h.waiting, at);
    }
}

ISA_FIRE_INLINE void arrive_all(struct machine_fabric *f,
                                const struct machine_fabric_outside *outside,
                                uint64_t now, const bool many)
{
    uint32_t packet;
    while (fabric_take_far(f, now, &packet))
        arrive(f, outside, now, packet, find_next(f, packet), many);
    struct fabric_wave *wave = &f->waves[now & f->wave_mask];
    const uint32_t *items = wave->items.items;
    const size_t count = wave->items.count;
    if (!many && f->graph->link_count <= FEW_LINKS && f->ways && !outside->entered)
        arrive_plain(f, now, items, count);
    else
        arrive_together(f, outside, now, items, count, many);
    f->in_waves -= count;
    wave->items.count = 0;
}

ISA_FIRE_INLINE uint32_t take(struct machine_fabric *f, uint32_t at, uint64_t now)
{
    struct fabric_link *link = &f->links[at];
    link->stats.waits += now;
    const uint32_t packet = fabric_list_take(f, &link->queue);
    fabric_set_remove_if(&f->waiting, at, link->queue.count == 0);
    return packet;
}

/* Sends the oldest packet of a link, if the link is free. */
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
    else
        fabric_send(f, now, delay, packet);
}

/* Serves the links of a word of a set, from link `first` on, if each passes one packet per cycle,
 * there are no events and PEs take all tokens, so that every link is free. Returns, as bits, the
 * links before which packets still wait. */
ISA_FIRE_INLINE uint64_t serve_word(struct machine_fabric *f, struct hand *h,
                                    uint32_t first, uint64_t links)
{
    uint64_t waiting = 0;
    for (; links; links &= links - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(links), at = first + bit;
        struct fabric_link *link = &h->links[at];
        const uint32_t packet = link->queue.first, delay = link->delay;
        struct fabric_packet *p = &h->packets[packet];
        link->queue.first = p->next;
        waiting |= (uint64_t)(--link->queue.count > 0) << bit;
        link->stats.waits += h->now;
        link->stats.tokens++;
        h->hops += at >= 2 * h->pe_count;
        p->link = at;
        p->router = link->to;
        if (delay == 0) {
            fabric_deliver(f, packet);
        } else if (__builtin_expect(delay > h->mask, 0)) {
            fabric_send_far(f, h->now + delay, packet);
        } else {
            h->sent++;
            *LIB_VEC_PUSH(&h->waves[(h->now + delay) & h->mask].items) = packet;
        }
    }
    return waiting;
}

/* Serves all links with waiting packets. As none arrives meanwhile, each word of the set is written
 * once. */
ISA_FIRE_INLINE void serve_plain(struct machine_fabric *f, uint64_t now, const bool many)
{
    struct hand h = hand_of(f, now);
    uint32_t top = many ? machine_set_word(&h.waiting.tops, 0) : 0;
    for (; top < h.waiting.tops.word_count;
         top = many ? machine_set_word(&h.waiting.tops, top + 1) : top + 1) {
        uint64_t waiting = 0;
        for (uint64_t words = h.waiting.tops.words[top]; words; words &= words - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(words);
            uint64_t *word = &h.waiting.items.words[64 * top + bit];
            *word = serve_word(f, &h, 64 * (64 * top + bit), *word);
            waiting |= (uint64_t)(*word != 0) << bit;
        }
        h.waiting.tops.words[top] = waiting;
    }
    f->hops += h.hops;
    f->in_waves += h.sent;
}

ISA_FIRE_INLINE void step(struct machine_fabric *f,
                          const struct machine_fabric_outside *outside, uint64_t now,
                          const bool many)
{
    arrive_all(f, outside, now, many);
    if (!f->seen.counts_bits && !outside->keep_room && !outside->left) {
        serve_plain(f, now, many);
    } else {
        uint32_t at;
        FABRIC_SET_EACH(&f->waiting, at)
        {
            serve(f, outside, now, at);
        }
    }
}

static __attribute__((noinline)) void
step_many(struct machine_fabric *f, const struct machine_fabric_outside *outside,
          uint64_t now)
{
    step(f, outside, now, true);
}

void fabric_queues_step(struct machine_fabric *f,
                        const struct machine_fabric_outside *outside, uint64_t now)
{
    if (__builtin_expect(f->waiting.tops.tops != NULL, 0))
        step_many(f, outside, now);
    else
        step(f, outside, now, false);
}
