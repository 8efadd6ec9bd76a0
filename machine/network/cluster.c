/* Clusters: nodes with several PEs, connected by a network. Every node has a switch, a router with
 * links from and to its PEs (injections and ejections), a link up into the network between nodes,
 * and a link down from it. That network is any other graph, whose PEs are the nodes.
 * doc/model/network.md, "Clusters", numbers routers and links. */
#include "machine/network/graph_internal.h"

#include <assert.h>

static uint32_t up_of(const struct machine_graph *g, uint32_t node)
{
    return 2 * g->pe_count + node;
}

static void join_pes(struct machine_graph *g)
{
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        const uint32_t node = pe / g->shape.node_pes;
        g->links[pe] = (struct machine_graph_link){pe, node, MACHINE_LINK_INJECTION};
        g->links[g->pe_count + pe] = (struct machine_graph_link){node, pe,
                                                                 MACHINE_LINK_EJECTION};
    }
}

static void join_nodes(struct machine_graph *g, struct machine_cluster *c)
{
    const uint32_t nodes = g->shape.nodes, base = 2 * g->pe_count;
    for (uint32_t node = 0; node < nodes; node++) {
        g->links[up_of(g, node)] = (struct machine_graph_link){
            node, nodes + machine_graph_source(c->outer, node), MACHINE_LINK_UP};
        c->there[up_of(g, node) - base] = node;
    }
}

/* Adds the links that leave the routers of the other graph, ejections first. */
static void join_routers(struct machine_graph *g, struct machine_cluster *c)
{
    const struct machine_graph *outer = c->outer;
    const uint32_t nodes = g->shape.nodes, base = 2 * g->pe_count;
    uint32_t link = up_of(g, nodes);
    for (uint32_t i = 0; i < outer->out_first[outer->router_count]; i++, link++) {
        const struct machine_graph_link *l = &outer->links[outer->out[i]];
        const bool is_down = l->kind == MACHINE_LINK_EJECTION;
        g->links[link] = (struct machine_graph_link){
            nodes + l->from, is_down ? l->to : nodes + l->to,
            is_down ? (uint8_t)MACHINE_LINK_DOWN : l->kind};
        c->here[outer->out[i] - nodes] = link;
        c->there[link - base] = is_down ? MACHINE_NO_LINK : outer->out[i];
    }
    assert(link == g->link_count);
}

/* Returns an array for the links of the whole graph, from one of the other graph, or NULL. */
static uint64_t *spread(const struct machine_graph *g, const uint64_t *outer)
{
    const uint32_t base = 2 * g->pe_count;
    uint64_t *all = outer ? LIB_ARENA_ARRAY(g->arena, uint64_t, g->link_count) : NULL;
    for (uint32_t i = base; i < g->link_count && outer; i++)
        if (g->cluster->there[i - base] != MACHINE_NO_LINK)
            all[i] = outer[g->cluster->there[i - base]];
    return all;
}

static void join(struct machine_graph *g, struct machine_graph *outer)
{
    const uint32_t nodes = g->shape.nodes;
    struct machine_cluster *c = LIB_ARENA_NEW(g->arena, struct machine_cluster);
    g->cluster = c;
    c->outer = outer;
    g->router_count = nodes + outer->router_count;
    g->channel_classes = outer->channel_classes;
    g->phase_classes = outer->phase_classes;
    g->link_count = 2 * g->pe_count + outer->link_count; /* injections become links up */
    g->links = LIB_ARENA_ARRAY(g->arena, struct machine_graph_link, g->link_count);
    c->here = LIB_ARENA_ARRAY(g->arena, uint32_t, outer->link_count - nodes);
    c->there = LIB_ARENA_ARRAY(g->arena, uint32_t, outer->link_count);
    join_pes(g);
    join_nodes(g, c);
    join_routers(g, c);
    machine_graph_list(g);
    g->own_latency = spread(g, outer->own_latency);
    g->own_bandwidth = spread(g, outer->own_bandwidth);
}

struct machine_graph *machine_cluster_make(const struct machine_shape *shape,
                                           struct lib_diags *diags)
{
    struct machine_shape between = *shape;
    assert((uint64_t)shape->nodes * shape->node_pes == shape->pe_count);
    between.pe_count = shape->nodes;
    between.nodes = between.node_pes = 0;
    between.joins_nodes = true;
    struct machine_graph *outer = machine_graph_make(&between, diags);
    if (!outer)
        return NULL;
    struct lib_arena *arena = lib_arena_new();
    struct machine_graph *g = LIB_ARENA_NEW(arena, struct machine_graph);
    *g = (struct machine_graph){.shape = outer->shape,
                                .pe_count = shape->pe_count,
                                .rules = outer->rules,
                                .arena = arena};
    g->shape.pe_count = shape->pe_count;
    g->shape.nodes = shape->nodes;
    g->shape.node_pes = shape->node_pes;
    g->shape.joins_nodes = false;
    join(g, outer);
    return g;
}

void machine_cluster_free(struct machine_graph *g)
{
    machine_graph_free(g->cluster->outer);
}

unsigned machine_cluster_route(const struct machine_graph *g, uint32_t link, uint32_t cls,
                               uint32_t to, uint32_t via, struct machine_route *out)
{
    const struct machine_cluster *c = g->cluster;
    const uint32_t nodes = g->shape.nodes, node = to / g->shape.node_pes;
    const uint32_t at = g->links[link].to;
    if (at < nodes) {
        const uint32_t next = at == node ? g->pe_count + to : up_of(g, at);
        *out = (struct machine_route){next, 0, true};
        return 1;
    }
    const unsigned count = machine_route(
        c->outer, c->there[link - 2 * g->pe_count], cls, node,
        via == MACHINE_NO_VIA ? MACHINE_NO_VIA : via - nodes, out);
    for (unsigned i = 0; i < count; i++)
        out[i].link = c->here[out[i].link - nodes];
    return count;
}

uint32_t machine_cluster_distance(const struct machine_graph *g, uint32_t from,
                                  uint32_t to)
{
    const uint32_t a = from / g->shape.node_pes, b = to / g->shape.node_pes;
    return a == b ? 0 : 2 + machine_graph_distance(g->cluster->outer, a, b);
}

uint32_t machine_cluster_via(const struct machine_graph *g, uint64_t seed, uint32_t pe,
                             uint64_t number)
{
    return g->shape.nodes + machine_graph_via(g->cluster->outer, seed, pe, number);
}
