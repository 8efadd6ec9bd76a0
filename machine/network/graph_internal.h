/* What a topology is made of: for the files of machine/network/topologies/ and
 * machine/network/graph.c, and for those who ask what a topology is like.
 *
 * A topology says how many routers and ports there are, which router is behind a port, and which
 * port leads on to another router. Numbers of links, lists, ejection, Valiant's two phases and
 * the escape channels of adaptive routing are the same for all. */
#ifndef MACHINE_NETWORK_GRAPH_INTERNAL_H
#define MACHINE_NETWORK_GRAPH_INTERNAL_H

#include "lib/text.h"
#include "machine/network/graph.h"

/* A token at a router, between routers. */
struct machine_at {
    uint32_t router;
    uint32_t
        link; /* between routers, over which it came; MACHINE_NO_LINK: it starts here */
    uint32_t cls;    /* in which it came, among those of its phase */
    uint32_t target; /* the router that it shall reach, another one */
    uint32_t
        to; /* the PE for which it is; only what is the same for all PEs of the target may depend on it */
};

/* A way on: a port, and a class among those of the phase. */
struct machine_way_on {
    uint32_t port;
    uint32_t cls;
};

struct machine_rules {
    /* Settles shape.dims, shape.concentration, router_count and port_count of a graph that has
     * but its shape. false: it does not fit, and `why` says what is expected ("`mesh` ..."). */
    bool (*fit)(struct machine_graph *graph, struct lib_text *why);
    /* The router behind a port, or MACHINE_NO_LINK; `kind` is MACHINE_LINK_LOCAL unless it says
     * otherwise. */
    uint32_t (*behind)(const struct machine_graph *graph, uint32_t router, uint32_t port,
                       uint8_t *kind);
    /* The routers of a PE; NULL: PE / concentration. */
    uint32_t (*source)(const struct machine_graph *graph, uint32_t pe);
    uint32_t (*sink)(const struct machine_graph *graph, uint32_t pe);
    /* The one way of deterministic routing, which is also that of escape channels. */
    struct machine_way_on (*next)(const struct machine_graph *graph,
                                  const struct machine_at *at);
    /* The ports of all shortest ways; returns how many. NULL: there is no adaptive routing. */
    unsigned (*shortest)(const struct machine_graph *graph, const struct machine_at *at,
                         uint32_t *ports);
    /* Links on a shortest way from router to router. */
    uint32_t (*distance)(const struct machine_graph *graph, uint32_t from, uint32_t to);
    /* Makes a shape of more PEs than `most` so small that it can be proved (machine_proof_shape);
     * NULL: it stays. */
    void (*shrink)(struct machine_shape *shape, uint32_t most);
    uint8_t classes; /* that deterministic routing needs; */
    bool
        adapts_free; /* all shortest ways together are free of deadlock: adaptive routing needs no escape */
    bool stays_escape; /* what has taken a channel to escape by keeps to those */
    bool
        by_file; /* it is what a file says: ways are no formula, and a proof looks at all of it */
    bool by_pe; /* ways depend on the PE, and not on its router alone; not with Valiant */
    bool has_valiant;
    bool is_box; /* routers are in a box of shape.dims */
    bool
        is_free; /* a router takes no time, and the way up to it has the latency of the network */
};

#define SHAPE(NAME, name, help) extern const struct machine_rules machine_##name##_rules;
MACHINE_SHAPES(SHAPE)
#undef SHAPE

extern const struct machine_rules machine_crossbar_rules;

const struct machine_rules *machine_rules_of(enum machine_shape_kind kind);

/* Lists the links that leave each router, and that come to it: machine/network/graph.c. */
void machine_graph_list(struct machine_graph *graph);

/* The first router by which Valiant's routing sends; all behind it are others. */
static inline uint32_t machine_graph_first_via(const struct machine_graph *graph)
{
    return graph->shape.nodes;
}

/* The graph of a shape that has nodes (machine/network/topologies/cluster.c), and what its public
 * functions do then. */
struct machine_graph *machine_cluster_make(const struct machine_shape *shape,
                                           struct lib_diags *diags);
void machine_cluster_free(struct machine_graph *graph);
struct machine_graph *machine_cluster_between(const struct machine_graph *graph);
unsigned machine_cluster_route(const struct machine_graph *graph, uint32_t link,
                               uint32_t cls, uint32_t to, uint32_t via,
                               struct machine_route *out);
uint32_t machine_cluster_distance(const struct machine_graph *graph, uint32_t from,
                                  uint32_t to);
uint32_t machine_cluster_via(const struct machine_graph *graph, uint64_t seed,
                             uint32_t pe, uint64_t number);

/* machine/network/dims.c */

/* The coordinates of each router, for a box of shape.dims: dimension 0 is the fastest. */
void machine_graph_coords(struct machine_graph *graph);

static inline const uint16_t *machine_coords(const struct machine_graph *graph,
                                             uint32_t router)
{
    return graph->coords + (size_t)router * graph->shape.dim_count;
}

/* The router `steps` further in dimension `d`, which is in the box. */
uint32_t machine_graph_step(const struct machine_graph *graph, uint32_t router,
                            uint32_t d, int32_t steps);

/* Settles dims of a box with so many routers: those that were given, whose product must be right;
 * else the two nearest factors, the greater first. */
bool machine_graph_box(struct machine_graph *graph, const char *name,
                       struct lib_text *why);

/* Settles how many routers there are: PEs / concentration, which must be whole. */
bool machine_graph_concentrate(struct machine_graph *graph, uint32_t usual,
                               const char *name, struct lib_text *why);

/* Settles dims as k and n, with k^n PEs, and k PEs per router: k as it was given; else `usual`,
 * or the least of which the count is a power. */
bool machine_graph_powers(struct machine_graph *graph, uint32_t usual, const char *name,
                          struct lib_text *why);

/* To be proved: a box becomes shorter, but stays odd or even; powers have fewer levels. */
void machine_dims_shorten(struct machine_shape *shape, uint32_t most);
void machine_dims_lower(struct machine_shape *shape, uint32_t most);

/* PEs per router, where so many PEs are at a box of dims; at least 1. */
uint32_t machine_dims_share(const struct machine_shape *shape);

#endif
