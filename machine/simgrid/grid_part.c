/* The network of a platform as a part of a machine. */
#include "machine/describe.h"
#include "machine/events.h"
#include "machine/nodes.h"
#include "machine/pe/coordinator.h"
#include "machine/pe/structure_memory.h"
#include "machine/simgrid/grid.h"
#include "machine/state_table.h"
#include "machine/verify.h"
#include "traces/links.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- which network ---------------------------------------------------------------------------- */

static bool is_of_platform(const struct machine_settings *s)
{
    return s->network_topology == MACHINE_NETWORK_SIMGRID && !machine_has_workers(s) &&
           s->pe_count > 1;
}

static bool can_be_saved(const struct machine_settings *s)
{
    return s->network_model == MACHINE_MODEL_NATIVE || (uint32_t)machine_nodes(s) == 1;
}

static bool refuse(struct lib_diags *diags, const char *text)
{
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text);
    return false;
}

/* Warns of latencies without a unit, which SimGrid reads as seconds: seldom meant. */
static void warn_of_latency(const struct machine_settings *s,
                            const struct machine_platform *p, struct lib_diags *diags)
{
    static const double beyond_reason = 1e7; /* cycles */
    for (uint32_t i = 0; i < p->link_count; i++) {
        const struct machine_platform_link *link = &p->links[i];
        const double cycles = link->latency * (double)s->cluster_clock;
        if (cycles < beyond_reason)
            continue;
        const struct lib_source *source = &s->network_platform->source;
        lib_diag_warning(diags, LIB_DIAG_MEANING, source,
                         machine_platform_place(source, link->name),
                         "link `%s` has a latency of %g s, which is %.0f cycles of "
                         "cluster.clock=%" PRIu64 "; without a unit a latency is in "
                         "seconds: write 1us or 500ns",
                         link->name, link->latency, cycles, s->cluster_clock);
        return;
    }
}

static bool fits(const struct machine_settings *s, struct lib_diags *diags)
{
    if (!s->network_platform)
        return refuse(diags, "network.topology=simgrid needs a platform: give "
                             "network.platform=FILE.xml (hiaton platform writes some)");
    if (machine_has_queues(s))
        return refuse(diags, "network.topology=simgrid has unlimited queues: expected 0 "
                             "for queue.capacity and network.capacity");
    struct machine_platform *p = machine_platform_try(
        s->network_platform, (uint32_t)machine_nodes(s), s->cluster_clock, diags);
    if (p)
        warn_of_latency(s, p, diags);
    if (p)
        machine_platform_warn_of_speeds(&s->network_platform->source, diags);
    if (p && s->network_model == MACHINE_MODEL_NATIVE)
        machine_platform_warn_of_options(&s->network_platform->source, diags);
    machine_platform_free(p);
    return p != NULL;
}

static uint32_t count_links(const struct machine_settings *s)
{
    struct lib_diags diags = {0};
    const uint32_t nodes = (uint32_t)machine_nodes(s);
    struct machine_platform *p = NULL;
    if (s->network_platform)
        p = machine_platform_read(s->network_platform, nodes, &diags);
    const uint32_t count = p ? 2 * (uint32_t)s->pe_count + nodes + p->link_count : 0;
    machine_platform_free(p);
    lib_diags_free(&diags);
    return count;
}

/* Describes the links. One router after all nodes stands for the platform. */
static void describe(const struct machine_settings *s, struct traces_network *network)
{
    const uint32_t pes = (uint32_t)s->pe_count, nodes = (uint32_t)machine_nodes(s);
    network->has_routers = true;
    network->link_count = count_links(s);
    network->links = lib_mem_new((network->link_count + 1) * sizeof *network->links);
    for (uint32_t i = 0; i < network->link_count; i++) {
        struct traces_network_link *link = &network->links[i];
        if (i < pes)
            *link = (struct traces_network_link){
                .from = TRACES_NONE,
                .to = i / (pes / nodes),
                .delay = s->cluster_latency ? s->cluster_latency : 1};
        else if (i < 2 * pes)
            *link = (struct traces_network_link){
                .from = (i - pes) / (pes / nodes), .to = TRACES_NONE, .is_whole = true};
        else if (i < 2 * pes + nodes)
            *link = (struct traces_network_link){
                .from = i - 2 * pes, .to = nodes, .holds = true};
        else
            *link = (struct traces_network_link){
                .from = nodes, .to = nodes, .is_open = true};
    }
}

const char *const *machine_link_names(const struct machine_settings *s,
                                      struct lib_arena *arena, uint32_t *first,
                                      uint32_t *count)
{
    struct lib_diags diags = {0};
    const uint32_t nodes = (uint32_t)machine_nodes(s);
    if (!is_of_platform(s) || !s->network_platform)
        return NULL;
    struct machine_platform *p = machine_platform_read(s->network_platform, nodes,
                                                       &diags);
    const char **names = LIB_ARENA_ARRAY(arena, const char *, p ? p->link_count + 1 : 1);
    for (uint32_t i = 0; p && i < p->link_count; i++)
        names[i] = lib_arena_copy(arena, p->links[i].name, strlen(p->links[i].name));
    *first = 2 * (uint32_t)s->pe_count + nodes;
    *count = p ? p->link_count : 0;
    machine_platform_free(p);
    lib_diags_free(&diags);
    return names;
}

/* --- setting up and taking down --------------------------------------------------------------- */

/* Returns how many messages without labels fill the longest route from a node: its
 * bandwidth-delay product, and one more. */
static uint32_t messages_of(const struct machine_grid *g, uint32_t from, double bytes)
{
    double most = 0;
    for (uint32_t to = 0; to < g->nodes; to++) {
        const struct machine_platform_way way = machine_platform_way(g->platform, from,
                                                                     to);
        double latency = 0, bandwidth = INFINITY;
        for (uint32_t i = 0; i < way.count; i++) {
            const struct machine_platform_link *link = &g->platform->links[way.links[i]];
            latency += link->latency;
            bandwidth = fmin(bandwidth, link->bandwidth);
        }
        if (way.count)
            most = fmax(most, latency * bandwidth / bytes);
    }
    return most < 1e6 ? (uint32_t)ceil(most) + 1 : 1000000;
}

static void make_nics(const struct machine *m, struct machine_grid *g)
{
    const double bytes = (double)(g->header + (m->token_bits + 7) / 8);
    g->nics = lib_mem_new(g->nodes * sizeof *g->nics);
    for (uint32_t i = 0; i < g->nodes; i++) {
        g->nics[i] = (struct grid_nic){.first = GRID_NOBODY, .last = GRID_NOBODY};
        g->nics[i].most = (uint32_t)m->settings.nic_messages;
        if (g->nics[i].most == 0)
            g->nics[i].most = messages_of(g, i, bytes);
    }
    if (g->window == 0)
        return;
    const size_t pairs = (size_t)g->nodes * g->nodes;
    g->open = lib_mem_new(pairs * sizeof *g->open);
    for (size_t i = 0; i < pairs; i++)
        g->open[i] = GRID_NOBODY;
}

static void make_ports(struct machine_grid *g)
{
    g->ports = lib_mem_new(2 * (size_t)g->pes * sizeof *g->ports);
    for (uint32_t i = 0; i < 2 * g->pes; i++)
        machine_queue_init(&g->ports[i].queue);
    g->waiting = machine_set_new(2 * g->pes);
    g->talking = machine_set_new(g->nodes);
    g->transit = machine_transit_new(g->latency);
}

/* Makes the carrier. The platform was read before, so only the host can fail. */
static void make_carrier(struct machine *m, struct machine_grid *g)
{
    const struct machine_settings *s = &m->settings;
    struct lib_diags diags = {0};
    LIB_TEXT_OWN why = {0};
    g->platform = machine_platform_read(s->network_platform, g->nodes, &diags);
    if (g->platform && (s->network_model == MACHINE_MODEL_NATIVE || g->nodes == 1))
        g->carrier = machine_carrier_native(g->platform);
    else if (g->platform)
        g->carrier = machine_carrier_simgrid(&s->network_platform->source, &why);
    if (!g->carrier)
        lib_mem_exhausted(0);
    lib_diags_free(&diags);
}

static bool make(struct machine *m, void *state)
{
    const struct machine_settings *s = &m->settings;
    struct machine_grid *g = state;
    if (!is_of_platform(s))
        return false;
    const uint64_t pace = m->about.ticks;
    *g = (struct machine_grid){
        .pes = m->pe_count,
        .nodes = (uint32_t)machine_nodes(s),
        .clock = (double)(s->cluster_clock * pace),
        .pace = pace,
        .latency = s->cluster_latency ? s->cluster_latency : pace,
        .bandwidth = s->cluster_bandwidth,
        .window = s->message_window,
        .header = s->message_header,
        .unused = GRID_NOBODY,
    };
    g->node_pes = g->pes / g->nodes;
    make_carrier(m, g);
    make_ports(g);
    make_nics(m, g);
    g->links = lib_mem_new((g->platform->link_count + 1) * sizeof *g->links);
    machine_network_begin(m, &machine_network_grid,
                          2 * g->pes + g->nodes + g->platform->link_count);
    return true;
}

/* --- what it needs of the machine ------------------------------------------------------------- */

/* Only a memory request goes to another PE than its activation's. */
static uint32_t destination(const void *context, const struct isa_token *t)
{
    const struct machine *m = context;
    const uint32_t home = machine_pe_of_token(m, t);
    return home == machine_token_pe(t) ? machine_request_pe(m, t) : home;
}

/* Only a request or graph goes to another PE than that of its activation. */
static uint64_t bits_of(const void *context, const struct isa_token *t)
{
    const struct machine *m = context;
    const bool is_shipped = m->coordinator && machine_coordinator_ships(m, t);
    return machine_bits_on_way(
        m, t, machine_pe_of_token(m, t) != machine_token_pe(t) || is_shipped);
}

static void deliver(void *context, const struct isa_token *t)
{
    const uint32_t pe = machine_token_pe(t);
    machine_put_input(context, pe, t);
    machine_emit_entered(context, TRACES_PLACE_INPUT, pe, t);
}

static void tell_entered(void *context, uint32_t link, const struct isa_token *t)
{
    machine_emit_entered(context, TRACES_PLACE_LINK, link, t);
}

static void tell_left(void *context, uint32_t link, const struct isa_token *t,
                      uint64_t until)
{
    machine_emit_queue(context, TRACES_EVENT_LEFT, TRACES_PLACE_LINK, link, t, until);
}

static void count_inside(void *context, uint32_t node, int64_t tokens)
{
    machine_nodes_inside(((struct machine *)context)->nodes, node, tokens);
}

static uint32_t send_message(void *context, const struct grid_message *message,
                             uint64_t bits)
{
    const struct machine *m = context;
    return machine_nodes_send(m->nodes, message->from, message->to, message->tokens.items,
                              message->tokens.count, bits);
}

static void receive_message(void *context, const struct grid_message *message,
                            uint32_t at)
{
    const struct machine_nodes_item item = {.message = at};
    const struct machine *m = context;
    machine_nodes_arrive(m->nodes, m->run.cycle, message->mark, &item);
}

static void join(struct machine *m)
{
    m->network.grid->outside = (struct grid_outside){
        .departing = &m->network.departing,
        .number_bits = machine_nodes_bits(m->nodes),
        .has_nodes = m->nodes != NULL,
        .context = m,
        .destination = destination,
        .bits = bits_of,
        .deliver = deliver,
        .token_entered = tell_entered,
        .token_left = tell_left,
        .inside = count_inside,
        .message_sent = send_message,
        .message_came = receive_message,
    };
}

/* Returns the grid, in the current cycle. */
static struct machine_grid *grid_now(struct machine *m)
{
    m->network.grid->outside.now = m->run.cycle;
    m->network.grid->outside.tells = m->watch.tells_queues;
    return m->network.grid;
}

static void serve(struct machine *m, void *state)
{
    (void)state;
    grid_serve(grid_now(m));
}

static uint64_t next(struct machine *m, void *state)
{
    (void)state;
    return grid_next(grid_now(m));
}

static void inject(struct machine *m, uint32_t from, const struct isa_token *t,
                   uint64_t bits)
{
    (void)bits; /* messages count the bits of their tokens */
    grid_inject(grid_now(m), from, t);
}

static void release(struct machine *m, uint32_t message)
{
    grid_release(grid_now(m), message);
}

static bool has_message(const struct machine *m, uint32_t at)
{
    return at < m->network.grid->messages.count;
}

static void tell_message(struct machine *m, uint32_t at, enum traces_event_kind kind,
                         enum traces_place place, uint32_t number)
{
    const struct grid_message *message = &m->network.grid->messages.items[at];
    for (size_t i = 0; i < message->tokens.count; i++)
        machine_emit_queue(m, kind, place, number, &message->tokens.items[i],
                           kind == TRACES_EVENT_LEFT ? m->run.cycle : 0);
}

static const struct machine_network_messages messages = {release, has_message,
                                                         tell_message};

/* --- state ------------------------------------------------------------------------------------ */

static bool grid_message_fits(const struct machine *m, const struct grid_message *message)
{
    const struct machine_grid *g = m->network.grid;
    bool fits = message->from < g->nodes && message->to < g->nodes &&
                message->link < g->platform->link_count;
    for (size_t i = 0; i < message->tokens.count; i++)
        fits &= machine_token_pe(&message->tokens.items[i]) < m->pe_count;
    return fits;
}

static bool is_message(const struct machine_grid *g, uint32_t at)
{
    return at == GRID_NOBODY || at < g->messages.count;
}

/* Whether all links and messages named in a state exist, and `sent` is a ring. */
static bool grid_is_sound(const struct machine_grid *g)
{
    bool is_sound = is_message(g, g->unused) && g->oldest <= g->sendings &&
                    g->sendings - g->oldest <= g->sent.count &&
                    (g->sent.count & (g->sent.count - 1)) == 0 &&
                    g->sent.capacity == g->sent.count;
    for (uint64_t i = 0; i <= g->transit.mask; i++)
        for (size_t k = 0; k < g->transit.ways[i].tokens.count; k++)
            is_sound &= g->transit.ways[i].tokens.items[k].link < 2 * g->pes + g->nodes;
    for (size_t i = 0; i < g->messages.count; i++)
        is_sound &= is_message(g, g->messages.items[i].next);
    for (size_t i = 0; i < g->sent.count; i++)
        is_sound &= is_message(g, g->sent.items[i]);
    for (size_t i = 0; i < g->arrivals.count; i++)
        is_sound &= g->arrivals.items[i].message < g->messages.count;
    for (uint32_t i = 0; i < g->nodes; i++)
        is_sound &= is_message(g, g->nics[i].first) && is_message(g, g->nics[i].last);
    for (size_t i = 0; g->open && i < (size_t)g->nodes * g->nodes; i++)
        is_sound &= is_message(g, g->open[i]);
    return is_sound;
}

static void grid_pack_carrier(struct lib_pack *pack, const struct machine_grid *g)
{
    if (!pack->failed)
        g->carrier->pack(pack, g->carrier);
}

MACHINE_TRANSIT_STATE
LIB_STATE(struct machine, grid_port, GRID_PORT_FIELDS)
LIB_STATE(struct machine, grid_message, GRID_MESSAGE_FIELDS)
LIB_STATE(struct machine, grid_nic, GRID_NIC_FIELDS)
LIB_STATE(struct machine, grid_link, GRID_LINK_FIELDS)
LIB_STATE(struct machine, grid_arrival, GRID_ARRIVAL_FIELDS)
LIB_STATE(struct machine, machine_grid, MACHINE_GRID_FIELDS)

static void free_grid(struct machine *m, void *state)
{
    const struct machine_grid *g = state;
    machine_grid_fields_free(m, state);
    machine_network_end(m);
    g->carrier->free(g->carrier);
    machine_platform_free(g->platform);
}

/* --- invariants ------------------------------------------------------------------------------- */

static void show_token(struct machine_audit *found, const struct isa_token *t)
{
    if (machine_audit_token(found, t))
        machine_audit_at_its_place(found, t);
}

static void show(const struct machine *m, const void *state, struct machine_audit *found)
{
    const struct machine_grid *g = state;
    (void)m;
    for (uint32_t i = 0; i < 2 * g->pes; i++) {
        const struct machine_queue *q = &g->ports[i].queue;
        for (uint32_t k = q->head; k != q->tail; k++)
            show_token(found, &q->tokens[k & q->mask]);
        if (g->ports[i].leaves)
            show_token(found, &g->ports[i].leaving);
    }
    for (uint64_t i = 0; i <= g->transit.mask; i++)
        for (size_t k = 0; k < g->transit.ways[i].tokens.count; k++)
            show_token(found, &g->transit.ways[i].tokens.items[k].token);
    for (size_t i = 0; i < g->messages.count; i++)
        for (size_t k = 0; k < g->messages.items[i].tokens.count; k++)
            show_token(found, &g->messages.items[i].tokens.items[k]);
}

static uint64_t count_tokens(const struct machine_grid *g)
{
    uint64_t count = g->transit.count;
    for (uint32_t i = 0; i < 2 * g->pes; i++)
        count += machine_queue_count(&g->ports[i].queue) + (g->ports[i].leaves > 0);
    for (size_t i = 0; i < g->messages.count; i++)
        count += g->messages.items[i].tokens.count;
    return count;
}

static void check(const struct machine *m, const void *state, struct machine_audit *found)
{
    const struct machine_grid *g = state;
    uint64_t inside = 0;
    machine_must(found, g->count == count_tokens(g), "tokens in the network are counted");
    for (uint32_t pe = 0; pe < g->pes; pe++) {
        const struct grid_port *port = &g->ports[pe];
        machine_must(found,
                     port->stats.tokens + machine_queue_count(&port->queue) +
                             machine_audit_left(found, pe) ==
                         m->tokens.pes[pe].stats.network_tokens,
                     "what a PE sends goes through its injection");
    }
    for (uint32_t i = 0; i < g->nodes; i++)
        inside += g->nics[i].inside;
    machine_must(found, inside <= g->sendings - g->oldest,
                 "messages on their way have numbers");
}

/* --- what is seen ----------------------------------------------------------------------------- */

static uint64_t hops(const struct machine *m)
{
    return m->network.grid->hops;
}

static struct traces_link_stats measure(const struct machine *m, uint32_t at,
                                        uint64_t time)
{
    const struct machine_grid *g = m->network.grid;
    struct traces_link_stats stats = {0};
    if (at < 2 * g->pes) {
        stats = g->ports[at].stats;
        stats.waits += machine_queue_count(&g->ports[at].queue) * time;
        stats.busy = g->bandwidth ? stats.busy : stats.tokens * g->pace;
    } else if (at < 2 * g->pes + g->nodes) {
        const struct grid_nic *nic = &g->nics[at - 2 * g->pes];
        stats = nic->stats;
        for (uint32_t i = nic->first; i != GRID_NOBODY; i = g->messages.items[i].next)
            stats.waits += g->messages.items[i].tokens.count * time;
    } else {
        const struct grid_link *link = &g->links[at - 2 * g->pes - g->nodes];
        stats.tokens = link->tokens;
        stats.bits = link->bits;
        stats.busy = (uint64_t)link->busy;
    }
    return stats;
}

static void tell_queued(struct machine *m)
{
    const struct machine_grid *g = m->network.grid;
    for (uint32_t i = 0; i < 2 * g->pes; i++)
        machine_emit_queue_entered(m, TRACES_PLACE_LINK, i, &g->ports[i].queue);
    for (uint32_t i = 0; i < g->nodes; i++)
        for (uint32_t k = g->nics[i].first; k != GRID_NOBODY;
             k = g->messages.items[k].next)
            for (size_t j = 0; j < g->messages.items[k].tokens.count; j++)
                machine_emit_entered(m, TRACES_PLACE_LINK, 2 * g->pes + i,
                                     &g->messages.items[k].tokens.items[j]);
}

/* --- messages between nodes ------------------------------------------------------------------- */

/* The probe passes all links one after another. */
static void time_round(const struct machine *m, uint32_t nodes, uint64_t bits,
                       uint64_t *times)
{
    const struct machine_grid *g = m->network.grid;
    const double bytes = (double)(g->header + bits / 8);
    for (uint32_t from = 0; from < nodes; from++) {
        const struct machine_platform_way way = machine_platform_way(
            g->platform, from, from ? from - 1 : nodes - 1);
        double seconds = 0;
        for (uint32_t i = 0; i < way.count; i++) {
            const struct machine_platform_link *link = &g->platform->links[way.links[i]];
            seconds += link->latency + bytes / link->bandwidth;
        }
        const uint64_t cycles = grid_cycle_of(g, seconds);
        times[from] = g->latency + (cycles ? cycles : 1) +
                      machine_network_occupied(g->bandwidth, bits) - 1;
    }
}

const struct machine_network_kind machine_network_grid = {
    .part = {MACHINE_PART_STATE(network.grid), .make = make, .free = free_grid,
             .serve = serve, .next = next, .pack = machine_grid_fields_pack, .show = show,
             .check = check, .is_plain = true},
    .joins_nodes = true,
    .shares_links = true,
    .is = is_of_platform,
    .fits = fits,
    .count_links = count_links,
    .describe = describe,
    .can_be_saved = can_be_saved,
    .measure = measure,
    .hops = hops,
    .tell_queued = tell_queued,
    .inject = inject,
    .time_round = time_round,
    .join = join,
    .messages = &messages,
};
