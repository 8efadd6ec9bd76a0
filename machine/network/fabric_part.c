/* Connects a machine with a network of routers (machine/network/fabric.h): tokens that leave PEs go
 * to the injection links, delivered tokens to the input queues. */
#include "machine/events.h"
#include "machine/network/fabric.h"
#include "machine/network/graph_internal.h"
#include "machine/network/proof.h"
#include "machine/network/shape.h"
#include "machine/nodes.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/structure_memory.h"
#include "machine/verify.h"

#include <assert.h>

/* Sets the shape of the network. Returns false if there is none, as with a single PE. */
static bool shape_of(const struct machine_settings *s, struct machine_shape *shape)
{
    return s->pe_count > 1 && machine_network_shape(s, shape);
}

/* Makes the graph of a machine's network for its links alone. Returns NULL if the machine has no
 * routers or does not fit. */
static struct machine_graph *links_of(const struct machine_settings *s)
{
    struct machine_shape shape;
    struct lib_diags diags = {0};
    struct machine_graph *graph = NULL;
    if (shape_of(s, &shape)) {
        shape.use = MACHINE_FOR_LINKS;
        graph = machine_graph_make(&shape, &diags);
    }
    lib_diags_free(&diags);
    return graph;
}

/* Whether tokens cannot wait for each other in a cycle; if they can, adds the cycle as an error. */
static bool is_proved(const struct machine_graph *graph, struct lib_diags *diags)
{
    struct machine_proof proof;
    LIB_TEXT_OWN circle = {0};
    machine_graph_prove(graph, &proof);
    const bool is_free = proof.is_free;
    if (!is_free) {
        machine_proof_write(&proof, &circle);
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "`%s` with `%s` routing can deadlock where network.capacity is "
                       "not 0: tokens wait for each other in a circle: %s",
                       machine_shape_names[graph->shape.kind],
                       machine_routing_names[graph->shape.routing],
                       lib_text_get(&circle));
    }
    machine_proof_free(&proof);
    return is_free;
}

static bool is_of_routers(const struct machine_settings *s)
{
    struct machine_shape shape;
    return shape_of(s, &shape);
}

static bool settings_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    struct machine_shape shape;
    shape_of(s, &shape);
    if (s->network_capacity == 0)
        shape.use = MACHINE_FOR_LINKS;
    struct machine_graph *graph = machine_graph_make(&shape, diags);
    if (!graph)
        return false;
    bool fits = true;
    if (s->network_capacity && s->network_channels < graph->channel_classes) {
        lib_diag_plain(
            diags, LIB_DIAG_USAGE,
            "network.channels: `%s` with `%s` routing needs at least %u, found %u",
            machine_shape_names[shape.kind], machine_routing_names[shape.routing],
            graph->channel_classes, (unsigned)s->network_channels);
        fits = false;
    }
    fits = fits && (s->network_capacity == 0 || is_proved(graph, diags));
    machine_graph_free(graph);
    return fits;
}

static uint32_t count_links(const struct machine_settings *s)
{
    struct machine_graph *graph = links_of(s);
    const uint32_t count = graph ? graph->link_count : 0;
    machine_graph_free(graph);
    return count;
}

static void describe(const struct machine_settings *s, struct traces_network *network)
{
    struct machine_graph *graph = links_of(s);
    if (!graph)
        return;
    *network = (struct traces_network){
        .links = lib_mem_new(graph->link_count * sizeof *network->links),
        .link_count = graph->link_count,
        .node_pes = graph->shape.node_pes,
        .has_routers = true,
        .is_flat = graph->rules->is_free,
    };
    if (s->network_capacity) {
        network->channels = (uint32_t)s->network_channels;
        network->classes = graph->channel_classes;
        network->capacity = s->network_capacity;
        network->speedup = s->network_speedup;
    }
    for (uint32_t i = 0; i < graph->link_count; i++) {
        const struct machine_graph_link *link = &graph->links[i];
        const bool is_first = link->kind == MACHINE_LINK_INJECTION;
        const bool is_last = link->kind == MACHINE_LINK_EJECTION;
        network->links[i] = (struct traces_network_link){
            .from = is_first ? TRACES_NONE : link->from,
            .to = is_last ? TRACES_NONE : link->to,
            .delay = machine_fabric_delay(s, graph, i),
            .router = machine_fabric_router(s, graph, i),
            .is_whole = is_last || link->kind == MACHINE_LINK_DOWN ||
                        s->network_switching == MACHINE_STORE_AND_FORWARD,
            .credit = machine_fabric_credit_delay(s, graph, i),
            .has_one_class = machine_graph_has_one_class(graph, i),
        };
    }
    machine_graph_free(graph);
}

static bool raises_latency(const struct machine_settings *s)
{
    struct machine_settings one = *s, two = *s;
    struct lib_diags diags = {0};
    struct machine_graph *graph = machine_network_nodes_fit(s, &diags) ? links_of(s)
                                                                       : NULL;
    bool raises = false;
    one.network_latency = 1;
    two.network_latency = 2;
    for (uint32_t i = 0; graph && i < graph->link_count && !raises; i++) {
        const uint64_t delay = machine_fabric_delay(&one, graph, i);
        raises = machine_fabric_delay(s, graph, i) == delay &&
                 machine_fabric_delay(&two, graph, i) > delay;
    }
    machine_graph_free(graph);
    lib_diags_free(&diags);
    return raises;
}

static bool make(struct machine *m, void *state)
{
    (void)state;
    struct machine_network *n = &m->network;
    struct machine_shape shape;
    struct lib_diags diags = {0};
    if (!shape_of(&m->settings, &shape))
        return false;
    struct machine_graph *graph = machine_graph_make(&shape, &diags);
    assert(graph); /* machine_settings_fit has checked this */
    n->fabric = machine_fabric_new(graph, &m->settings, m->seed);
    if (m->about.timing)
        machine_fabric_count_ticks(n->fabric, m->about.ticks);
    if (m->nodes)
        machine_fabric_give_marks(n->fabric);
    n->gone = (const char *)machine_fabric_gone(n->fabric, &n->gone_step);
    machine_network_begin(m, &machine_network_fabric, graph->link_count);
    return true;
}

static void free_fabric(struct machine *m, void *state)
{
    machine_network_end(m);
    machine_fabric_free(state);
}

static void reset(struct machine *m, void *state)
{
    machine_network_clear(m);
    machine_fabric_reset(state, m->seed);
}

static bool has_room(void *context, uint32_t pe)
{
    return machine_backpressure_has_entry(context, pe);
}

static void keep_room(void *context, uint32_t pe)
{
    struct machine *m = context;
    m->tokens.pes[pe].came++;
}

static void tell(struct machine *m, enum traces_event_kind kind,
                 enum machine_fabric_place place, uint32_t link,
                 const struct isa_token *t, uint64_t until)
{
    machine_emit_queue(
        m, kind, place == MACHINE_FABRIC_QUEUE ? TRACES_PLACE_LINK : TRACES_PLACE_BUFFER,
        link, t, until);
}

static void tell_entered(void *context, enum machine_fabric_place place, uint32_t link,
                         const struct isa_token *t)
{
    tell(context, TRACES_EVENT_ENTERED, place, link, t, 0);
}

static void tell_left(void *context, enum machine_fabric_place place, uint32_t link,
                      const struct isa_token *t, uint64_t until)
{
    tell(context, TRACES_EVENT_LEFT, place, link, t, until);
}

static void tell_passes(void *context, uint32_t link, uint32_t channel,
                        uint32_t from_channel, const struct isa_token *t, uint64_t until)
{
    struct traces_event *event = machine_emit_queue(context, TRACES_EVENT_PASSES,
                                                    TRACES_PLACE_LINK, link, t, until);
    event->b = channel;
    event->pe = from_channel;
}

static void tell_blocked(void *context, uint32_t link, uint32_t channel,
                         const struct isa_token *t)
{
    struct machine *m = context;
    const bool is_ejection = link - m->pe_count < m->pe_count;
    machine_emit_queue(m, TRACES_EVENT_BLOCKED,
                       is_ejection ? TRACES_PLACE_INPUT : TRACES_PLACE_BUFFER,
                       is_ejection ? link - m->pe_count : link, t, 0)
        ->b = channel;
}

/* Sends a token; to another node as a message, which may get a number. */
static uint32_t send(struct machine *m, const struct isa_token *t, uint32_t from,
                     uint32_t to, uint64_t *bits)
{
    const uint32_t pes = (uint32_t)m->settings.cluster_pes;
    if (from / pes == to / pes) {
        machine_nodes_inside(m->nodes, from / pes, 1);
        return MACHINE_NODES_INSIDE;
    }
    *bits += machine_nodes_bits(m->nodes);
    return machine_nodes_send(m->nodes, from / pes, to / pes, t, 1, *bits);
}

/* Injects a token. Only a memory request goes to another PE than its activation's. */
static void inject(struct machine *m, struct machine_fabric *fabric,
                   const struct machine_fabric_outside *outside,
                   const struct isa_token *t)
{
    const uint32_t from = machine_token_pe(t);
    const uint32_t home = machine_pe_of_token(m, t);
    const bool is_request = home == from;
    const uint32_t to = is_request ? machine_request_pe(m, t) : home;
    uint64_t bits = 0;
    uint32_t mark = 0;
    if (m->nodes || machine_fabric_counts_bits(fabric))
        bits = machine_bits_on_way(m, t, is_request);
    if (m->nodes)
        mark = send(m, t, from, to, &bits);
    machine_fabric_inject(fabric, outside, m->run.cycle, from, to, t, bits, mark);
}

static struct machine_fabric_outside outside_of(struct machine *m)
{
    struct machine_fabric_outside outside = {.context = m};
    if (m->about.has_input_bounds) {
        outside.has_room = has_room;
        outside.keep_room = keep_room;
    } else if (m->has_queues) {
        outside.keep_room = keep_room;
    }
    if (m->watch.tells_queues) {
        outside.entered = tell_entered;
        outside.left = tell_left;
        outside.passes = tell_passes;
        outside.blocked = tell_blocked;
    }
    return outside;
}

static void ship(struct machine *m, uint32_t from, const struct isa_token *t,
                 uint64_t bits)
{
    const struct machine_fabric_outside outside = outside_of(m);
    const uint32_t mark = m->nodes ? send(m, t, from, machine_token_pe(t), &bits) : 0;
    machine_fabric_inject(m->network.fabric, &outside, m->run.cycle, from,
                          machine_token_pe(t), t, bits, mark);
}

static void serve(struct machine *m, void *state)
{
    struct machine_fabric *fabric = state;
    struct machine_wheel_slot *slot = machine_wheel_at(&m->network.departing,
                                                       m->run.cycle);
    if (slot->count == 0 && machine_fabric_count(fabric) == 0 && !m->has_queues)
        return;
    const struct machine_fabric_outside outside = outside_of(m);
    for (size_t i = 0; i < slot->count; i++)
        inject(m, fabric, &outside, &slot->tokens[i]);
    slot->count = 0;
    machine_fabric_step(fabric, &outside, m->run.cycle);
    m->run.moved |= machine_fabric_moved(fabric);
    m->run.held_back |= machine_fabric_held_back(fabric);
    size_t count;
    const bool many = m->tokens.with_input.tops != NULL;
    const struct isa_token *t = machine_fabric_delivered(fabric, &count);
    for (size_t i = 0; i < count; i++, t++) {
        const uint32_t pe = machine_token_pe(t);
        if (__builtin_expect(m->nodes != NULL, 0)) {
            const struct machine_nodes_item item = {.token = *t};
            machine_nodes_arrive(m->nodes, m->run.cycle, machine_fabric_mark(fabric, i),
                                 &item);
            continue;
        }
        machine_put_input_as(m, pe, t, many);
        if (m->watch.tells_queues)
            machine_emit_entered(m, TRACES_PLACE_INPUT, pe, t);
    }
}

static uint64_t next(struct machine *m, void *state)
{
    const bool is_stuck = m->has_queues ? !m->run.moved
                                        : machine_fabric_counts_bits(state);
    return machine_fabric_next(state, m->run.cycle, is_stuck);
}

static struct machine_wait waits(const struct machine *m, const void *state)
{
    if (!machine_fabric_waits(state))
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static void pack_token(struct lib_pack *pack, void *context, struct isa_token *t)
{
    struct machine *m = context;
    isa_exec_pack_tokens(pack, &m->tokens.exec, t, 1);
    lib_pack_expect(pack, machine_token_pe(t) < m->pe_count);
}

static void pack_fabric(struct lib_pack *pack, struct machine *m, void *state)
{
    machine_wheel_pack(pack, &m->tokens.exec, &m->network.departing);
    machine_fabric_pack(pack, state, pack_token, m);
    if (m->nodes && !pack->failed)
        lib_pack_expect(
            pack, machine_fabric_marks_are(state, machine_nodes_messages(m->nodes)));
}

struct found {
    const struct machine *machine;
    struct machine_audit *found; /* NULL if tokens are counted */
    uint64_t *there, *coming;
};

static void show_token(void *context, enum machine_fabric_where where, uint32_t link,
                       const struct isa_token *t)
{
    const struct found *f = context;
    (void)link;
    if (!machine_audit_token(f->found, t) || !machine_audit_at_its_place(f->found, t))
        return;
    if (where == MACHINE_FABRIC_LEAVES)
        machine_audit_coming(f->found, machine_token_pe(t));
}

static void show(const struct machine *m, const void *state, struct machine_audit *found)
{
    struct found f = {.machine = m, .found = found};
    machine_fabric_each(state, show_token, &f);
}

static void count_token(void *context, enum machine_fabric_where where, uint32_t link,
                        const struct isa_token *t)
{
    const struct found *f = context;
    (void)t;
    if (where == MACHINE_FABRIC_WAITS_BEFORE && link < f->machine->pe_count)
        f->there[link]++;
}

static void check(const struct machine *m, const void *state, struct machine_audit *found)
{
    const struct machine_fabric *fabric = state;
    struct found f = {.machine = m};
    uint64_t in = 0, out = 0;
    const char *wrong = machine_fabric_check(fabric);
    if (!machine_must(found, !wrong, wrong))
        return;
    f.there = lib_mem_new(m->pe_count * sizeof *f.there);
    machine_fabric_each(fabric, count_token, &f);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const uint64_t there = f.there[pe] + machine_audit_left(found, pe);
        const uint64_t gone = machine_network_gone(&m->network, pe);
        machine_must(found, gone + there == m->tokens.pes[pe].stats.network_tokens,
                     "what a PE sends goes through its injection");
        in += gone + f.there[pe];
        out += machine_fabric_measure(fabric, m->pe_count + pe, m->run.cycle).tokens;
    }
    machine_must(found, in >= out && in - out <= machine_fabric_count(fabric),
                 "tokens that went in come out, or are in the network");
    lib_mem_free(f.there);
}

static struct traces_link_stats measure(const struct machine *m, uint32_t at,
                                        uint64_t time)
{
    return machine_fabric_measure(m->network.fabric, at, time);
}

static void find_ends(const struct machine *m, uint32_t at, struct traces_link *about)
{
    const struct machine_graph_link *link =
        &machine_fabric_graph(m->network.fabric)->links[at];
    about->from = link->from;
    about->to = link->to;
}

static uint64_t hops(const struct machine *m)
{
    return machine_fabric_hops(m->network.fabric);
}

static void tell_one(void *context, enum machine_fabric_where where, uint32_t link,
                     const struct isa_token *t)
{
    struct machine *m = context;
    if (where == MACHINE_FABRIC_WAITS_BEFORE)
        machine_emit_entered(m, TRACES_PLACE_LINK, link, t);
    else if (where == MACHINE_FABRIC_WAITS_BEHIND)
        machine_emit_entered(m, TRACES_PLACE_BUFFER, link, t);
}

static void tell_queued(struct machine *m)
{
    machine_fabric_each(m->network.fabric, tell_one, m);
}

/* Returns the time of a message in an idle network: link by link of the deterministic route, each
 * with the last bits. */
static uint64_t time_alone(const struct machine_settings *s,
                           const struct machine_graph *g, uint32_t from, uint32_t to,
                           uint64_t bits)
{
    struct machine_route routes[MACHINE_MAX_ROUTES];
    uint64_t time = 0;
    uint32_t link = from, cls = 0;
    for (;;) {
        const uint64_t bandwidth = machine_fabric_bandwidth(s, g, link);
        time += machine_fabric_delay(s, g, link) +
                machine_network_occupied(bandwidth, bits) - 1;
        if (link - g->pe_count < g->pe_count)
            return time;
        machine_route(g, link, cls, to, MACHINE_NO_VIA, routes);
        link = routes[0].link;
        cls = routes[0].channel_class;
    }
}

static void time_round(const struct machine *m, uint32_t nodes, uint64_t bits,
                       uint64_t *times)
{
    const uint32_t pes = m->pe_count / nodes;
    struct lib_diags diags = {0};
    struct machine_shape shape;
    machine_network_shape(&m->settings, &shape);
    shape.routing = MACHINE_ROUTING_DETERMINISTIC;
    struct machine_graph *graph = machine_graph_make(&shape, &diags);
    for (uint32_t i = 0; i < nodes; i++)
        times[i] = time_alone(&m->settings, graph, i * pes, (i ? i - 1 : nodes - 1) * pes,
                              bits);
    machine_graph_free(graph);
    lib_diags_free(&diags);
}

const struct machine_network_kind machine_network_fabric = {
    .part = {MACHINE_PART_STATE_AT(network.fabric), .make = make, .free = free_fabric,
             .reset = reset, .serve = serve, .next = next, .waits = waits,
             .pack = pack_fabric, .show = show, .check = check, .is_plain = true},
    .is = is_of_routers,
    .fits = settings_fit,
    .count_links = count_links,
    .describe = describe,
    .raises_latency = raises_latency,
    .measure = measure,
    .find_ends = find_ends,
    .hops = hops,
    .tell_queued = tell_queued,
    .inject = ship,
    .time_round = time_round,
};
