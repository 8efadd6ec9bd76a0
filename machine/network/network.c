/* What the rest of the machine asks of its network, whichever it is. */
#include "machine/events.h"
#include "machine/network/fabric.h"
#include "machine/network/links.h"

void machine_network_make_wheels(struct machine *m, uint64_t longest)
{
    if (m->network.has_links)
        machine_wheel_init(&m->network.departing, longest);
}

/* --- room before an output port, or an injection ---------------------------------------------- */

void machine_network_promise(struct machine *m, uint32_t pe, uint32_t count)
{
    struct machine_gate *gate = &m->network.gates[pe];
    if (gate->promised_at != m->cycle)
        *gate = (struct machine_gate){0, m->cycle};
    gate->promised += count;
}

void machine_network_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                            uint64_t bits)
{
    if (m->network.grid)
        machine_grid_inject(m, from, t);
    else
        machine_fabric_ship(m, from, t, bits);
}

/* --- what there is ---------------------------------------------------------------------------- */

uint32_t machine_link_count(const struct machine_settings *settings)
{
    const uint32_t links = machine_crossbar_link_count(settings);
    if (machine_grid_is(settings))
        return machine_grid_link_count(settings);
    return links ? links : machine_fabric_link_count(settings);
}

bool machine_latency_is_raised(const struct machine_settings *settings)
{
    const bool has_ports = settings->network_topology == MACHINE_NETWORK_CROSSBAR &&
                           settings->cluster_nodes == 0;
    if (settings->network_latency > 0 || settings->pe_count < 2 ||
        settings->executor_workers || machine_grid_is(settings))
        return false;
    return has_ports || machine_fabric_raises_latency(settings);
}

/* --- what is seen ----------------------------------------------------------------------------- */

/* On the ideal network and the crossbar a token crosses one. */
uint64_t machine_network_hops(const struct machine *m, uint64_t sent)
{
    if (m->network.grid)
        return machine_grid_hops(m->network.grid);
    return m->network.fabric ? machine_fabric_hops(m->network.fabric) : sent;
}

static void tell_one(void *context, enum machine_fabric_where where, uint32_t link,
                     const struct isa_token *t)
{
    struct machine *m = context;
    if (where == MACHINE_FABRIC_WAITS_BEFORE)
        machine_tell_entered(m, TRACES_PLACE_LINK, link, t);
    else if (where == MACHINE_FABRIC_WAITS_BEHIND)
        machine_tell_entered(m, TRACES_PLACE_BUFFER, link, t);
}

void machine_network_tell_queued(struct machine *m)
{
    const struct machine_network *n = &m->network;
    if (m->nodes)
        machine_nodes_tell_queued(m);
    if (n->grid)
        machine_grid_tell_queued(m);
    if (n->fabric)
        machine_fabric_each(n->fabric, tell_one, m);
    for (uint32_t i = 0; n->links && i < n->link_count; i++) {
        const struct machine_queue *q = &n->links[i].queue;
        for (uint32_t k = q->head; k != q->tail; k++)
            machine_tell_entered(m, TRACES_PLACE_LINK, i, &q->tokens[k & q->mask]);
    }
}

/* --- what is measured of links ---------------------------------------------------------------- */

uint32_t machine_network_link_count(const struct machine *m)
{
    const struct machine_network *n = &m->network;
    if (n->grid)
        return machine_grid_links(n->grid);
    return n->fabric ? machine_fabric_graph(n->fabric)->link_count : n->link_count;
}

struct traces_link_stats machine_link_measure(const struct machine *m, uint32_t at,
                                              uint64_t time)
{
    const struct machine_network *n = &m->network;
    if (n->grid)
        return machine_grid_measure(n->grid, at, time);
    if (n->fabric)
        return machine_fabric_measure(n->fabric, at, time);
    const struct machine_link *link = &n->links[at];
    struct traces_link_stats stats = link->stats;
    stats.waits += machine_queue_count(&link->queue) * time;
    stats.busy = n->bandwidth ? stats.busy : stats.tokens;
    return stats;
}

struct machine_network_load machine_network_load(const struct machine *m)
{
    struct machine_network_load load = {0};
    for (uint32_t i = 0, count = machine_network_link_count(m); i < count; i++) {
        const uint64_t busy = machine_link_measure(m, i, 0).busy;
        load.busy += busy;
        load.most = busy > load.most ? busy : load.most;
    }
    return load;
}

struct traces_link machine_link_about(const struct machine *m, uint32_t at, uint64_t time)
{
    const struct machine_network *n = &m->network;
    const uint32_t pes = m->pe_count;
    struct traces_link link = {.port = TRACES_PORT_LINK,
                               .number = at - 2 * pes,
                               .from = TRACES_NO_ROUTER,
                               .to = TRACES_NO_ROUTER,
                               .stats = machine_link_measure(m, at, time)};
    if (n->fabric) {
        const struct machine_graph_link *l = &machine_fabric_graph(n->fabric)->links[at];
        link.from = l->from;
        link.to = l->to;
    }
    if (at < pes) {
        link.port = TRACES_PORT_OUTPUT;
        link.number = link.from = at;
    } else if (at < 2 * pes) {
        link.port = TRACES_PORT_INPUT;
        link.number = link.to = at - pes;
    }
    return link;
}
