/* Rules of a topology of routers: how many routers and ports exist, which router is at the other
 * end of a port, and which port leads towards another router. The indexes of links, ejections, the
 * phases of Valiant's routing and escape channels are the same for all topologies (graph.c). */
#ifndef MACHINE_NETWORK_GRAPH_INTERNAL_H
#define MACHINE_NETWORK_GRAPH_INTERNAL_H

#include "lib/text.h"
#include "machine/network/graph.h"

/* A token at a router that is not its last. */
struct machine_at {
    uint32_t router;
    uint32_t link; /* link over which the token came, or MACHINE_NO_LINK */
    /* channel class in which the token came, relative to the first class of the phase */
    uint32_t cls;
    uint32_t target; /* router that the token must reach; not `router` */

    /* Destination PE; MACHINE_NO_PE on the way to an intermediate router. Used only if the topology
     * has `by_pe`; otherwise routes depend only on `target`. */
    uint32_t to;
};

#define MACHINE_NO_PE UINT32_MAX

/* A next hop: port of the router, and channel class relative to the first class of the phase. */
struct machine_way_on {
    uint32_t port;
    uint32_t cls;
};

struct machine_rules {
    /* Sets shape.dims, shape.concentration, router_count and port_count of a graph. If its shape is
     * inconsistent, returns false and sets `why` to what is expected. */
    bool (*fit)(struct machine_graph *graph, struct lib_text *why);

    /* Returns the router at the other end of a port, or MACHINE_NO_LINK. The caller sets *kind to
     * MACHINE_LINK_LOCAL; the function changes it if the link is of another kind. */
    uint32_t (*behind)(const struct machine_graph *graph, uint32_t router, uint32_t port,
                       uint8_t *kind);

    /* Set graph->own_latency and graph->own_bandwidth, which are NULL before. NULL: no link has its
     * own. */
    void (*measure)(struct machine_graph *graph);

    /* Return the router to which a PE sends, and the router from which it receives. NULL: that is
     * router pe / concentration. */
    uint32_t (*source)(const struct machine_graph *graph, uint32_t pe);
    uint32_t (*sink)(const struct machine_graph *graph, uint32_t pe);

    /* Returns the next hop of deterministic routing, which escape channels also use. */
    struct machine_way_on (*next)(const struct machine_graph *graph,
                                  const struct machine_at *at);

    /* Writes the ports of all shortest routes to `ports` and returns the number of these ports.
     * NULL if the topology has no adaptive routing. */
    unsigned (*shortest)(const struct machine_graph *graph, const struct machine_at *at,
                         uint32_t *ports);

    /* Returns the number of links of a shortest route between routers. */
    uint32_t (*distance)(const struct machine_graph *graph, uint32_t from, uint32_t to);

    /* Shrinks a shape with more than `most` PEs for a proof of deadlock freedom
     * (machine_proof_shape). NULL: no change. */
    void (*shrink)(struct machine_shape *shape, uint32_t most);
    uint8_t classes; /* number of channel classes in a phase of deterministic routing */
    /* Adaptive routing over all shortest routes is free of deadlock without escape channels. */
    bool adapts_free;
    bool stays_escape; /* a token in an escape channel stays in escape channels */
    bool by_file;      /* routes are from a file, so a proof examines the whole network */
    bool by_pe;        /* routes depend on the destination PE, not only on its router */
    bool has_valiant;
    bool is_box; /* routers form a box with dimensions shape.dims */
    /* Routers take no time; links to them have the network's latency. */
    bool is_free;
};

#define SHAPE(NAME, name, help) extern const struct machine_rules machine_##name##_rules;
MACHINE_SHAPES(SHAPE)
#undef SHAPE

extern const struct machine_rules machine_crossbar_rules;

const struct machine_rules *machine_rules_of(enum machine_shape_kind kind);

/* Builds the lists of links from and to each router. */
void machine_graph_list(struct machine_graph *graph);

/* Returns the index of the first router that can be the intermediate router of Valiant's routing.
 * All routers with greater indexes can be, too. */
static inline uint32_t machine_graph_first_via(const struct machine_graph *graph)
{
    return graph->shape.nodes;
}

/* Network between the nodes of a cluster. */
struct machine_cluster {
    /* graph of the network between nodes, whose PEs are the nodes */
    struct machine_graph *outer;
    /* for each link of `outer`, except injections: index of this link in the whole graph */
    uint32_t *here;
    /* for each link of the whole graph from 2n on (n PEs): index of this link in `outer` */
    uint32_t *there;
};

/* Makes the graph of a shape with nodes. The functions below implement the functions of
 * machine/network/graph.h for clusters. */
struct machine_graph *machine_cluster_make(const struct machine_shape *shape,
                                           struct lib_diags *diags);
void machine_cluster_free(struct machine_graph *graph);
unsigned machine_cluster_route(const struct machine_graph *graph, uint32_t link,
                               uint32_t cls, uint32_t to, uint32_t via,
                               struct machine_route *out);
uint32_t machine_cluster_distance(const struct machine_graph *graph, uint32_t from,
                                  uint32_t to);
uint32_t machine_cluster_via(const struct machine_graph *graph, uint64_t seed,
                             uint32_t pe, uint64_t number);

#endif
