#include "machine/network/links.h"

#include "machine/events.h"
#include "machine/network/timetable.h"
#include "machine/verify.h"
#include "traces/links.h"

static const struct machine_topology *const topologies[] = {NULL, /* ideal */
#define TOPOLOGY(NAME, name, help) [MACHINE_NETWORK_##NAME] = &machine_##name,
                                                            MACHINE_TOPOLOGIES(TOPOLOGY)
#undef TOPOLOGY
};

static const struct machine_topology *topology_of(const struct machine_settings *s)
{
    const uint64_t at = s->network_topology;
    const bool has_links = s->pe_count > 1 && s->cluster_nodes == 0 &&
                           at < sizeof topologies / sizeof *topologies;
    return has_links ? topologies[at] : NULL;
}

static bool is_of_links(const struct machine_settings *s)
{
    return topology_of(s) != NULL;
}

static uint32_t count_links(const struct machine_settings *s)
{
    const struct machine_topology *topology = topology_of(s);
    return 2 * (uint32_t)s->pe_count + (topology->count ? topology->count(s) : 0);
}

static void describe(const struct machine_settings *s, struct traces_network *network)
{
    const uint32_t pes = (uint32_t)s->pe_count;
    network->link_count = count_links(s);
    network->is_flat = true;
    network->links = lib_mem_new(network->link_count * sizeof *network->links);
    for (uint32_t i = 0; i < network->link_count; i++) {
        struct traces_network_link *link = &network->links[i];
        const bool is_output = i < pes;
        link->from = is_output ? TRACES_NONE : 0;
        link->to = is_output ? 0 : TRACES_NONE;
        link->delay = !is_output ? 0 : s->network_latency ? s->network_latency : 1;
    }
}

/* A token takes at least a cycle between two ports. */
static bool raises_latency(const struct machine_settings *s)
{
    (void)s;
    return true;
}

static void choose(struct machine *m)
{
    struct machine_network *n = &m->network;
    n->topology = topology_of(&m->settings);
    n->has_links = n->topology != NULL;
    n->away = n->has_links ? &n->departing : &m->tokens.formed;
    n->delay = n->has_links ? 0 : m->settings.network_latency;
}

/* Returns the latency of a link: at least a cycle, even if time is in ticks. */
static uint64_t latency_of(const struct machine_network *n,
                           const struct machine_settings *s, uint32_t link)
{
    const uint64_t latency = n->topology->latency(n, s, link);
    return latency > n->pace ? latency : n->pace;
}

static bool make(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    struct machine_network *n = &m->network;
    choose(m);
    if (!n->has_links)
        return false;
    n->pe_count = m->pe_count;
    n->kind = &machine_network_links;
    n->link_count = count_links(s);
    n->bandwidth = s->network_bandwidth;
    n->pace = m->about.ticks;
    if (m->about.timing && n->bandwidth == 0)
        n->bandwidth = UINT64_MAX / 2;
    n->links = lib_mem_new(n->link_count * sizeof *n->links);
    n->rings = machine_rings_new(n->link_count);
    n->promises = lib_mem_new(n->pe_count * sizeof *n->promises);
    n->gone = (const char *)&n->links->stats.tokens;
    n->gone_step = sizeof *n->links;
    n->waiting = machine_set_new(n->link_count);
    uint64_t longest = 1;
    n->latency = latency_of(n, s, 0);
    for (uint32_t i = 0; i < n->link_count; i++) {
        struct machine_link *link = &n->links[i];
        machine_queue_init_in(&link->queue, n->rings, i);
        if (!machine_link_is_input(n, i))
            link->latency = latency_of(n, s, i);
        longest = link->latency > longest ? link->latency : longest;
    }
    while (n->way_mask < longest)
        n->way_mask = 2 * n->way_mask + 1;
    n->ways = lib_mem_new((n->way_mask + 1) * sizeof *n->ways);
    if (m->code->has_tensors)
        n->leaving = lib_mem_new(n->pe_count * sizeof *n->leaving);
    n->timetable = machine_timetable_new(m);
    return true;
}

static void free_network(struct machine *m, void *state)
{
    struct machine_network *n = &m->network;
    (void)state;
    for (uint32_t i = 0; i < n->link_count; i++)
        machine_queue_free(&n->links[i].queue);
    machine_rings_free(n->rings);
    for (uint64_t i = 0; n->ways && i <= n->way_mask; i++)
        LIB_VEC_FREE(&n->ways[i].tokens);
    machine_timetable_free(n->timetable);
    machine_wheel_free(&n->departing);
    machine_set_free(&n->waiting);
    LIB_MEM_FREE(n->leaving, n->promises, n->links, n->ways);
}

/* Empties the queues. The timetable is closed; it reads the queues when opened. */
static void reset(struct machine *m, void *state)
{
    struct machine_network *n = &m->network;
    assert(!n->open);
    (void)state;
    for (uint32_t i = 0; i < n->link_count; i++) {
        struct machine_link *link = &n->links[i];
        machine_queue_clear(&link->queue);
        link->free = 0;
        link->stats = (struct traces_link_stats){0};
        link->there = 0;
    }
    for (uint64_t i = 0; i <= n->way_mask; i++)
        n->ways[i].tokens.count = 0;
    if (n->leaving)
        memset(n->leaving, 0, n->pe_count * sizeof *n->leaving);
    memset(n->promises, 0, n->pe_count * sizeof *n->promises);
    machine_wheel_clear(&n->departing);
    machine_set_clear(&n->waiting);
}

/* Whether a token is a memory request, which alone goes to another PE than its activation's. */
static bool is_request(const struct machine *m, const struct isa_token *t)
{
    return machine_pe_of_token(m, t) != isa_token_pe(t);
}

uint64_t machine_link_occupy(struct machine *m, struct machine_link *link,
                             const struct isa_token *t)
{
    const uint64_t bandwidth = m->network.bandwidth;
    const uint64_t bits = machine_bits_on_way(m, t, is_request(m, t));
    const uint64_t cycles = (bits + bandwidth - 1) / bandwidth * m->network.pace;
    link->stats.bits += bits;
    link->stats.busy += cycles;
    return cycles;
}

bool machine_link_keeps(struct machine *m, const struct machine_link *link, uint32_t pe,
                        const struct isa_token *t)
{
    struct machine_network *n = &m->network;
    struct machine_leaving *leaving = &n->leaving[pe];
    if (link->free <= m->run.cycle + n->pace ||
        machine_carried_bytes(m, t, is_request(m, t)) == 0)
        return false;
    assert(leaving->when == 0);
    *leaving = (struct machine_leaving){*t, link->free - n->pace};
    n->leaving_count++;
    return true;
}

static __attribute__((noinline)) void leave_ports(struct machine *m)
{
    struct machine_network *n = &m->network;
    for (uint32_t pe = 0; pe < n->pe_count && n->leaving_count; pe++) {
        struct machine_leaving *leaving = &n->leaving[pe];
        if (leaving->when == 0 || leaving->when > m->run.cycle)
            continue;
        leaving->when = 0;
        n->leaving_count--;
        machine_put_input(m, pe, &leaving->token);
        machine_emit_entered(m, TRACES_PLACE_INPUT, pe, &leaving->token);
    }
}

ISA_FIRE_INLINE void serve_any(struct machine *m, const bool tells)
{
    const struct machine_network *n = &m->network;
    machine_next_link *const next = n->topology->next;
    struct machine_links_now now = machine_links_begin(m, n->bandwidth > 0, true);
    now.tells = tells;
    uint32_t link;
    machine_links_depart(&now, next, false, false);
    machine_links_arrive(&now, false, false);
    MACHINE_SET_EACH(&now.waiting, link)
    {
        machine_link_serve(&now, link, next, false, false);
    }
    m->network.some_wait = !machine_set_is_empty(&now.waiting);
}

static __attribute__((noinline)) void serve_general(struct machine *m)
{
    serve_any(m, false);
}

static __attribute__((noinline)) void serve_told(struct machine *m)
{
    serve_any(m, true);
}

static bool has_nothing_to_do(const struct machine *m)
{
    const struct machine_network *n = &m->network;
    return n->leaving_count == 0 &&
           n->departing.slots[m->run.cycle & n->departing.mask].count == 0 &&
           n->ways[m->run.cycle & n->way_mask].tokens.count == 0 && !n->some_wait;
}

static void serve(struct machine *m)
{
    if (m->network.open) {
        machine_timetable_serve(m);
        return;
    }
    if (has_nothing_to_do(m))
        return;
    if (m->network.leaving_count)
        leave_ports(m);
    if (m->watch.tells_queues)
        serve_told(m);
    else if (m->network.timetable || (m->has_queues && m->network.waiting.tops))
        serve_general(m);
    else if (!m->has_queues)
        m->network.topology->serve_unlimited(m);
    else if (m->network.topology->serve_finite)
        m->network.topology->serve_finite(m);
    else
        serve_general(m);
}

/* Returns when an occupied link becomes free. With finite queues, free links wait for room. */
static __attribute__((noinline)) uint64_t next_free(const struct machine *m)
{
    uint64_t first = MACHINE_NEVER;
    uint32_t i;
    MACHINE_SET_EACH(&m->network.waiting, i)
    {
        uint64_t when = m->network.links[i].free;
        if (when <= m->run.cycle)
            when = m->has_queues ? MACHINE_NEVER : m->run.cycle + 1;
        first = when < first ? when : first;
    }
    return first;
}

static uint64_t next_arrival(const struct machine *m)
{
    const struct machine_network *n = &m->network;
    for (uint64_t d = 1;
         n->in_ways && d <= n->way_mask && m->run.cycle + d < m->run.soonest; d++)
        if (n->ways[(m->run.cycle + d) & n->way_mask].tokens.count)
            return m->run.cycle + d;
    return MACHINE_NEVER;
}

static uint64_t next_leaving(const struct machine *m)
{
    const struct machine_network *n = &m->network;
    uint64_t first = MACHINE_NEVER;
    for (uint32_t pe = 0; n->leaving_count && pe < n->pe_count; pe++)
        if (n->leaving[pe].when && n->leaving[pe].when < first)
            first = n->leaving[pe].when;
    return first;
}

/* `next` of links without a timetable. Not inlined: a machine with one would save registers. */
static __attribute__((noinline)) uint64_t next_of_links(const struct machine *m)
{
    const struct machine_network *n = &m->network;
    if (n->some_wait && (m->has_queues ? m->run.moved : n->bandwidth == 0))
        return m->run.cycle + 1;
    const uint64_t free = n->some_wait ? next_free(m) : MACHINE_NEVER;
    const uint64_t arrival = next_arrival(m);
    const uint64_t leaving = next_leaving(m);
    const uint64_t first = free < arrival ? free : arrival;
    return leaving < first ? leaving : first;
}

static uint64_t next(struct machine *m)
{
    return m->network.open ? machine_timetable_next(m) : next_of_links(m);
}

static struct machine_wait waits(const struct machine *m)
{
    if (!m->network.some_wait)
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

MACHINE_PACKS_ALL(machine_link, 80);

static void pack_link(struct lib_pack *pack, struct machine *m, struct machine_link *link)
{
    machine_queue_pack(pack, &m->tokens.exec, &link->queue);
    LIB_PACK(pack, link->free, link->stats, link->there);
}

static void pack_leaving(struct lib_pack *pack, struct machine *m)
{
    struct machine_network *n = &m->network;
    n->leaving_count = 0;
    for (uint32_t pe = 0; pe < n->pe_count; pe++) {
        struct machine_leaving *leaving = &n->leaving[pe];
        LIB_PACK(pack, leaving->when);
        n->leaving_count += leaving->when != 0;
        if (leaving->when)
            isa_exec_pack_tokens(pack, &m->tokens.exec, &leaving->token, 1);
        lib_pack_expect(pack, leaving->when == 0 || leaving->when > m->run.cycle - 1);
    }
}

MACHINE_PACKS_ALL(machine_network, 232);

static void pack_network(struct lib_pack *pack, struct machine *m, void *state)
{
    struct machine_network *n = &m->network;
    (void)state;
    for (uint32_t i = 0; i < n->link_count; i++)
        pack_link(pack, m, &n->links[i]);
    machine_set_pack(pack, &n->waiting);
    n->some_wait = !machine_set_is_empty(&n->waiting);
    machine_wheel_pack(pack, &m->tokens.exec, &n->departing);
    n->in_ways = 0;
    for (uint64_t i = 0; i <= n->way_mask; i++) {
        LIB_PACK_EACH(pack, &n->ways[i].tokens, t, {
            isa_exec_pack_tokens(pack, &m->tokens.exec, &t->token, 1);
            LIB_PACK(pack, t->link);
            lib_pack_expect(pack, t->link < n->link_count);
        });
        n->in_ways += n->ways[i].tokens.count;
    }
    if (n->leaving)
        pack_leaving(pack, m);
}

static bool show_token(struct machine_audit *f, const struct isa_token *t)
{
    return machine_audit_token(f, t) && machine_audit_at_its_place(f, t);
}

static void show_queue(const struct machine *m, struct machine_audit *f, uint32_t at)
{
    const struct machine_network *n = &m->network;
    const struct machine_queue *q = &n->links[at].queue;
    for (uint32_t i = q->head; i != q->tail; i++) {
        const struct isa_token *t = &q->tokens[i & q->mask];
        if (!show_token(f, t) ||
            !machine_must(f,
                          !machine_link_is_input(n, at) ||
                              at == machine_link_input(n, isa_token_pe(t)),
                          "a token goes through the input port of its PE"))
            return;
    }
}

static void show(const struct machine *m, struct machine_audit *f)
{
    const struct machine_network *n = &m->network;
    for (uint64_t i = 0; i <= n->departing.mask; i++)
        machine_audit_leaving(f, &n->departing.slots[i]);
    for (uint64_t i = 0; i <= n->way_mask; i++)
        for (size_t k = 0; k < n->ways[i].tokens.count; k++)
            if (!show_token(f, &n->ways[i].tokens.items[k].token))
                return;
    for (uint32_t i = 0; i < n->link_count; i++)
        show_queue(m, f, i);
    for (uint32_t pe = 0; n->leaving_count && pe < n->pe_count; pe++) {
        const struct machine_leaving *leaving = &n->leaving[pe];
        if (leaving->when && show_token(f, &leaving->token) &&
            machine_must(f, isa_token_pe(&leaving->token) == pe,
                         "a token goes through the input port of its PE"))
            machine_audit_coming(f, pe);
    }
}

/* Counts for each link the tokens before it and on their way to it. */
static void count_there(const struct machine *m, struct machine_audit *f, uint64_t *there)
{
    const struct machine_network *n = &m->network;
    for (uint64_t i = 0; i <= n->way_mask; i++) {
        const size_t count = n->ways[i].tokens.count;
        if (!machine_must(
                f,
                count <= n->pe_count &&
                    (count == 0 || ((i - m->run.cycle) & n->way_mask) <= n->latency),
                "an output port lets one token through in a cycle"))
            return;
        for (size_t k = 0; k < count; k++) {
            const struct machine_on_way *t = &n->ways[i].tokens.items[k];
            if (!machine_must(
                    f,
                    t->link >= n->pe_count && t->link < n->link_count &&
                        (!machine_link_is_input(n, t->link) ||
                         t->link == machine_link_input(n, isa_token_pe(&t->token))),
                    "a token is on its way to a link"))
                return;
            there[t->link]++;
        }
    }
    for (uint32_t i = 0; i < n->link_count; i++)
        there[i] += machine_queue_count(&n->links[i].queue);
    for (uint32_t pe = 0; pe < n->pe_count; pe++)
        there[pe] += machine_audit_left(f, pe);
}

static void check(const struct machine *m, struct machine_audit *f)
{
    const struct machine_network *n = &m->network;
    uint64_t *there = lib_mem_new(n->link_count * sizeof *there);
    uint64_t from = 0, to = 0; /* tokens that went between links */
    machine_audit_set(f, &n->waiting, n->link_count);
    count_there(m, f, there);
    for (uint32_t i = 0; i < n->link_count; i++) {
        const struct machine_link *link = &n->links[i];
        const bool is_output = i < n->pe_count;
        machine_must(
            f, machine_set_has(&n->waiting, i) == (machine_queue_count(&link->queue) > 0),
            "a link is listed if tokens wait before it");
        machine_must(f, n->bandwidth || link->free <= m->run.cycle + 1,
                     "a port is occupied for one cycle");
        machine_must(f, !m->has_queues || is_output || link->there == there[i],
                     "tokens before a link and on their way there are counted");
        machine_must(f,
                     !is_output || link->stats.tokens + there[i] ==
                                       m->tokens.pes[i].stats.network_tokens,
                     "what a PE sends goes through its output port");
        from += machine_link_is_input(n, i) ? 0 : link->stats.tokens;
        to += is_output ? 0 : link->stats.tokens + there[i];
    }
    machine_must(f, from == to, "tokens go from link to link");
    lib_mem_free(there);
}

static struct traces_link_stats measure(const struct machine *m, uint32_t at,
                                        uint64_t time)
{
    const struct machine_link *link = &m->network.links[at];
    struct traces_link_stats stats = link->stats;
    stats.waits += machine_queue_count(&link->queue) * time;
    stats.busy = m->network.bandwidth ? stats.busy : stats.tokens;
    return stats;
}

static void tell_queued(struct machine *m)
{
    for (uint32_t i = 0; i < m->network.link_count; i++)
        machine_emit_queue_entered(m, TRACES_PLACE_LINK, i, &m->network.links[i].queue);
}

const struct machine_network_kind machine_network_links = {
    .part = {.make = make,
             .free = free_network,
             .reset = reset,
             .serve = serve,
             .next = next,
             .waits = waits,
             .pack = pack_network,
             .show = show,
             .check = check,
             .is_plain = true},
    .is = is_of_links,
    .count_links = count_links,
    .describe = describe,
    .raises_latency = raises_latency,
    .measure = measure,
    .tell_queued = tell_queued,
};
