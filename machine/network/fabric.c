#include "machine/network/fabric_internal.h"

#include "lib/heap.h"
#include "machine/network/graph_internal.h"

enum { MAX_WAVES = 1 << 12, MAX_WAYS = 1 << 20, FIRST_PACKETS = 64 };

/* Each link has its own cache line, so that a packet that arrives there costs one miss. */
#define LINE sizeof(struct fabric_link)
_Static_assert(LINE == 64, "a link is a line of a cache");

/* Returns the latency of a kind of links. Links up and down have those of injections and ejections
 * between nodes. */
static uint64_t latency_of(const struct machine_settings *s,
                           const struct machine_graph *g, enum machine_link_kind kind)
{
    const bool has_nodes = g->shape.nodes > 0;
    const bool is_crossbar = g->rules->is_free;
    switch (kind) {
    case MACHINE_LINK_INJECTION:
        return has_nodes ? s->cluster_latency : s->network_injection;
    case MACHINE_LINK_EJECTION:
        return has_nodes ? 0 : s->network_ejection;
    case MACHINE_LINK_UP:
        return is_crossbar ? s->network_latency : s->network_injection;
    case MACHINE_LINK_DOWN:
        return is_crossbar ? 0 : s->network_ejection;
    case MACHINE_LINK_GLOBAL:
        return s->network_global ? s->network_global : s->network_latency;
    default:
        return s->network_latency;
    }
}

/* Ejections lead to no router; switches of nodes and crossbars take no time. */
uint64_t machine_fabric_router(const struct machine_settings *s,
                               const struct machine_graph *g, uint32_t link)
{
    const struct machine_graph_link *l = &g->links[link];
    const bool is_free = l->kind == MACHINE_LINK_EJECTION || l->to < g->shape.nodes ||
                         g->rules->is_free;
    return is_free ? 0 : s->network_router;
}

uint64_t machine_fabric_delay(const struct machine_settings *s,
                              const struct machine_graph *g, uint32_t link)
{
    const enum machine_link_kind kind = (enum machine_link_kind)g->links[link].kind;
    const uint64_t own = g->own_latency ? g->own_latency[link] : 0;
    const uint64_t all = (own ? own : latency_of(s, g, kind)) +
                         machine_fabric_router(s, g, link);
    return all || kind == MACHINE_LINK_EJECTION ? all : 1;
}

static uint64_t occupied(uint64_t bandwidth, uint64_t bits)
{
    return bandwidth ? (bits + bandwidth - 1) / bandwidth : 1;
}

uint64_t machine_fabric_bandwidth(const struct machine_settings *s,
                                  const struct machine_graph *g, uint32_t link)
{
    if (g->own_bandwidth && g->own_bandwidth[link])
        return g->own_bandwidth[link];
    return g->shape.nodes && link < 2 * g->pe_count ? s->cluster_bandwidth
                                                    : s->network_bandwidth;
}

uint64_t fabric_own_cycles(const struct machine_fabric *f, uint32_t at,
                           const struct fabric_size *size)
{
    if (f->has_nodes && at < 2 * f->graph->pe_count)
        return occupied(f->inside, size->bits) * f->pace;
    const uint64_t own = f->graph->own_bandwidth ? f->graph->own_bandwidth[at] : 0;
    return own ? occupied(own, size->bits) * f->pace : size->cycles;
}

/* Whether a packet waits for its last bits at the switch of its node, because it leaves or enters
 * the node. */
bool fabric_node_stores(const struct machine_fabric *f, uint32_t at,
                        const struct fabric_packet *p)
{
    const struct machine_graph_link *link = &f->graph->links[at];
    if (link->kind == MACHINE_LINK_INJECTION)
        return machine_graph_sink(f->graph, machine_token_pe(&p->token)) != link->to;
    return link->kind == MACHINE_LINK_DOWN;
}

uint64_t machine_fabric_credit_delay(const struct machine_settings *s,
                                     const struct machine_graph *g, uint32_t link)
{
    const uint64_t delay = machine_fabric_delay(s, g, link);
    const uint64_t router = machine_fabric_router(s, g, link);
    const uint64_t latency = delay > router ? delay - router : 0;
    const uint64_t all = latency + s->network_credit;
    return all ? all : 1;
}

/* Makes the timing wheel, as long as the longest delay, within a limit. */
static void make_waves(struct machine_fabric *f)
{
    uint64_t longest = 1;
    for (uint32_t i = 0; i < f->graph->link_count; i++)
        longest = f->links[i].delay > longest ? f->links[i].delay : longest;
    longest = longest < MAX_WAVES ? longest : MAX_WAVES - 1;
    while (f->wave_mask < longest)
        f->wave_mask = 2 * f->wave_mask + 1;
    f->waves = lib_mem_new((f->wave_mask + 1) * sizeof *f->waves);
}

static void make_links(struct machine_fabric *f, const struct machine_settings *s)
{
    f->links_block = lib_mem_new_scattered(f->graph->link_count * sizeof *f->links +
                                           LINE - 1);
    f->links = (struct fabric_link *)(((uintptr_t)f->links_block + LINE - 1) & -LINE);
    f->waiting = fabric_set_new(f->graph->link_count);
    for (uint32_t i = 0; i < f->graph->link_count; i++) {
        f->links[i].delay = (uint32_t)machine_fabric_delay(s, f->graph, i);
        if (!fabric_is_ejection(f, i))
            f->links[i].to = f->graph->links[i].to;
        f->links[i].has_one_class = machine_graph_has_one_class(f->graph, i);
    }
    make_waves(f);
}

struct machine_fabric *machine_fabric_new(struct machine_graph *graph,
                                          const struct machine_settings *s, uint64_t seed)
{
    struct machine_fabric *f = lib_mem_new(sizeof *f);
    *f = (struct machine_fabric){
        .graph = graph,
        .seed = seed,
        .bandwidth = s->network_bandwidth,
        .pace = 1,
        .inside = s->cluster_bandwidth,
        .has_nodes = graph->shape.nodes > 0,
        .seen.counts_bits = s->network_bandwidth ||
                            (graph->shape.nodes && s->cluster_bandwidth) ||
                            graph->own_bandwidth,
        .differs = graph->shape.nodes > 0 || graph->own_bandwidth,
        .stores = s->network_switching == MACHINE_STORE_AND_FORWARD,
        .has_via = graph->shape.routing == MACHINE_ROUTING_VALIANT,
        .is_tight = s->network_capacity > 0,
        .is_oblivious = machine_graph_is_oblivious(graph),
        .free_packet = FABRIC_NONE,
    };
    make_links(f, s);
    const uint64_t ways = (uint64_t)graph->router_count * graph->pe_count;
    if (machine_graph_is_local(graph) && ways <= MAX_WAYS && !f->is_tight)
        f->ways = lib_mem_new(ways * sizeof *f->ways);
    if (f->has_via)
        f->sent = lib_mem_new(graph->pe_count * sizeof *f->sent);
    if (f->is_tight)
        fabric_channels_make(f, s);
    return f;
}

uint32_t fabric_packet_grow(struct machine_fabric *f)
{
    if (f->packet_used == f->packet_capacity) {
        const size_t room = f->packet_capacity ? 2 * (size_t)f->packet_capacity
                                               : FIRST_PACKETS;
        size_t bytes = f->packet_capacity * sizeof *f->packets;
        size_t of_sizes = f->packet_capacity * sizeof *f->sizes;
        f->packets = lib_mem_extend(f->packets, &bytes, room * sizeof *f->packets);
        f->sizes = lib_mem_extend(f->sizes, &of_sizes, room * sizeof *f->sizes);
        f->packet_capacity = (uint32_t)room;
    }
    return f->packet_used++;
}

static bool is_before(const struct fabric_far *a, const struct fabric_far *b)
{
    return a->cycle < b->cycle || (a->cycle == b->cycle && a->order < b->order);
}

void fabric_send_far(struct machine_fabric *f, uint64_t cycle, uint32_t what)
{
    const struct fabric_far e = {cycle, f->far_order++, what};
    LIB_HEAP_PUT(&f->far, &e, is_before);
}

bool fabric_take_far(struct machine_fabric *f, uint64_t now, uint32_t *what)
{
    if (__builtin_expect(f->far.count == 0, 1) || f->far.items[0].cycle > now)
        return false;
    struct fabric_far first;
    LIB_HEAP_TAKE(&f->far, &first, is_before);
    *what = first.what;
    return true;
}

void machine_fabric_inject(struct machine_fabric *f,
                           const struct machine_fabric_outside *outside, uint64_t now,
                           uint32_t pe, uint32_t to, const struct isa_token *t,
                           uint64_t bits, uint32_t mark)
{
    const uint32_t at = fabric_packet_new(f);
    struct fabric_packet *p = &f->packets[at];
    p->token = *t;
    machine_token_move_to(&p->token, to);
    p->via = MACHINE_NO_VIA;
    p->cls = 0;
    p->channel = 0;
    p->link = pe;
    p->router = 0;
    p->mark = mark;
    f->sizes[at] = (struct fabric_size){.since = now, .born = now};
    if (f->seen.counts_bits) {
        f->sizes[at].bits = bits;
        f->sizes[at].cycles = occupied(f->bandwidth, bits) * f->pace;
    }
    if (f->has_via)
        p->via = machine_graph_via(f->graph, f->seed, pe, f->sent[pe]++);
    f->links[pe].stats.waits -= now;
    fabric_list_put(f, &f->links[pe].queue, at);
    fabric_set_add(&f->waiting, pe);
    if (outside->entered)
        outside->entered(outside->context, MACHINE_FABRIC_QUEUE, pe, &p->token);
}

void machine_fabric_step(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now)
{
    f->delivered.count = f->marks.count = 0;
    f->seen.moved = f->seen.held_back = false;
    if (f->is_tight)
        fabric_channels_step(f, outside, now);
    else
        fabric_queues_step(f, outside, now);
    f->seen.delivered = f->delivered.items;
    f->seen.delivered_count = f->delivered.count;
}

void machine_fabric_count_ticks(struct machine_fabric *f, uint64_t ticks)
{
    assert(!f->is_tight && f->seen.count == 0);
    f->pace = ticks;
    f->seen.counts_bits = true;
    for (uint32_t i = 0; i < f->graph->link_count; i++) {
        const uint64_t own = f->graph->own_latency ? f->graph->own_latency[i] : 0;
        f->links[i].delay += (uint32_t)(own * (ticks - 1));
        if (!fabric_is_ejection(f, i) && f->links[i].delay < ticks)
            f->links[i].delay = (uint32_t)ticks;
    }
    lib_mem_free(f->waves);
    make_waves(f);
}

void machine_fabric_give_marks(struct machine_fabric *f)
{
    f->gives_marks = true;
}

uint32_t machine_fabric_mark(const struct machine_fabric *f, size_t delivered)
{
    return f->marks.items[delivered];
}

bool machine_fabric_marks_are(const struct machine_fabric *f, size_t below)
{
    for (uint32_t i = 0; i < f->packet_used; i++)
        if (f->packets[i].mark >= below && f->packets[i].mark != UINT32_MAX)
            return false;
    return true;
}

static inline bool has_waiting(const struct machine_fabric *f)
{
    return !fabric_set_is_empty(&f->waiting) || (f->is_tight && fabric_channels_wait(f));
}

bool machine_fabric_waits(const struct machine_fabric *f)
{
    return f->seen.count > 0 && has_waiting(f);
}

/* Whether an arrival of a cycle counts: any packet, and with `with_credits` any credit. */
static bool counts(const uint32_t *what, size_t count, bool with_credits)
{
    for (size_t i = 0; i < count; i++)
        if (with_credits || !(what[i] & FABRIC_CREDIT))
            return true;
    return false;
}

static uint64_t next_arrival(const struct machine_fabric *f, uint64_t now,
                             bool with_credits)
{
    uint64_t far = MACHINE_NEVER;
    for (size_t i = 0; i < f->far.count; i++) {
        const struct fabric_far *e = &f->far.items[i];
        if (e->cycle > now && e->cycle < far && counts(&e->what, 1, with_credits))
            far = e->cycle;
    }
    for (uint64_t d = 1; f->in_waves > 0 && d <= f->wave_mask; d++) {
        const struct fabric_wave *wave = &f->waves[(now + d) & f->wave_mask];
        if (counts(wave->items.items, wave->items.count, with_credits))
            return now + d < far ? now + d : far;
    }
    return far;
}

/* Returns the next cycle in which an occupied link becomes free; a link with a queue counts only if
 * packets wait there. */
static uint64_t next_free(const struct machine_fabric *f, uint64_t now)
{
    uint64_t first = MACHINE_NEVER;
    for (uint32_t i = 0; i < f->graph->link_count; i++) {
        const uint64_t free = f->links[i].free;
        if (free > now && free < first && (f->is_tight || f->links[i].queue.count))
            first = free;
    }
    return first;
}

uint64_t machine_fabric_next(const struct machine_fabric *f, uint64_t now, bool is_stuck)
{
    if (f->seen.count == 0)
        return MACHINE_NEVER;
    const bool waits = has_waiting(f);
    if (waits && !is_stuck)
        return now + 1;
    const uint64_t free = waits && f->seen.counts_bits ? next_free(f, now)
                                                       : MACHINE_NEVER;
    const uint64_t arrival = next_arrival(f, now, waits);
    return free < arrival ? free : arrival;
}

const struct machine_graph *machine_fabric_graph(const struct machine_fabric *f)
{
    return f->graph;
}

uint64_t machine_fabric_hops(const struct machine_fabric *f)
{
    return f->hops;
}

const uint64_t *machine_fabric_gone(const struct machine_fabric *f, size_t *step)
{
    *step = sizeof *f->links;
    return &f->links->stats.tokens;
}

struct traces_link_stats machine_fabric_measure(const struct machine_fabric *f,
                                                uint32_t at, uint64_t now)
{
    const struct fabric_link *link = &f->links[at];
    struct traces_link_stats stats = link->stats;
    stats.waits += link->queue.count * now;
    stats.busy = f->seen.counts_bits ? stats.busy : stats.tokens;
    return stats;
}
