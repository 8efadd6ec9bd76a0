/* The rules of a topology, for the files of machine/network/topologies/ and
 * machine/network/graph.c, and for those that ask about a topology.
 *
 * A topology defines the numbers of routers and ports, the router behind a port, and the port
 * towards another router. The numbers of links, lists, ejection, Valiant's two phases and the
 * escape channels of adaptive routing are the same for all topologies. */
#ifndef MACHINE_NETWORK_GRAPH_INTERNAL_H
#define MACHINE_NETWORK_GRAPH_INTERNAL_H

#include "lib/text.h"
#include "machine/network/graph.h"

/* A token at a router, between routers. */
struct machine_at {
    uint32_t router;
    uint32_t link;   /* link between routers over which it came, or MACHINE_NO_LINK */
    uint32_t cls;    /* class in which it came, among those of its phase */
    uint32_t target; /* router to be reached, not this one */

    /* PE to which it goes. Unless `by_pe`, routes must be the same for all PEs of the target. */
    uint32_t to;
};

/* The next step of a route: a port, and a class among those of the phase. */
struct machine_way_on {
    uint32_t port;
    uint32_t cls;
};

struct machine_rules {
    /* Sets shape.dims, shape.concentration, router_count and port_count of a graph that has only
     * its shape. If the shape does not fit, returns false and sets `why` to what is expected
     * ("`mesh` ..."). */
    bool (*fit)(struct machine_graph *graph, struct lib_text *why);

    /* Returns the router behind a port, or MACHINE_NO_LINK. Can change `kind`, which is
     * MACHINE_LINK_LOCAL before. */
    uint32_t (*behind)(const struct machine_graph *graph, uint32_t router, uint32_t port,
                       uint8_t *kind);

    /* Return the routers of a PE. Default: PE / concentration. */
    uint32_t (*source)(const struct machine_graph *graph, uint32_t pe);
    uint32_t (*sink)(const struct machine_graph *graph, uint32_t pe);

    /* Returns the step of deterministic routing, which is also that of escape channels. */
    struct machine_way_on (*next)(const struct machine_graph *graph,
                                  const struct machine_at *at);

    /* Sets the ports of all shortest routes, and returns their number. NULL without adaptive
     * routing. */
    unsigned (*shortest)(const struct machine_graph *graph, const struct machine_at *at,
                         uint32_t *ports);

    /* Returns the links on a shortest route from router to router. */
    uint32_t (*distance)(const struct machine_graph *graph, uint32_t from, uint32_t to);

    /* Makes a shape of more than `most` PEs small enough for a proof (machine_proof_shape).
     * Default: does not change it. */
    void (*shrink)(struct machine_shape *shape, uint32_t most);
    uint8_t classes; /* classes that deterministic routing needs */
    /* All shortest routes together are free of deadlock, without escape. */
    bool adapts_free;
    bool stays_escape; /* a token in an escape channel takes only escape channels */
    bool by_file;      /* routes come from a file; a proof uses the whole network */
    bool by_pe; /* routes depend on the PE, not only on its router; not with Valiant */
    bool has_valiant;
    bool is_box; /* routers are in a box of shape.dims */
    /* A router takes no time; links up to it have the latency of the network. */
    bool is_free;
};

#define SHAPE(NAME, name, help) extern const struct machine_rules machine_##name##_rules;
MACHINE_SHAPES(SHAPE)
#undef SHAPE

extern const struct machine_rules machine_crossbar_rules;

const struct machine_rules *machine_rules_of(enum machine_shape_kind kind);

/* Lists the links that leave each router, and the links to it (machine/network/graph.c). */
void machine_graph_list(struct machine_graph *graph);

/* Returns the first router by which Valiant's routing sends; all later ones are used, too. */
static inline uint32_t machine_graph_first_via(const struct machine_graph *graph)
{
    return graph->shape.nodes;
}

/* The network between the nodes of a cluster. */
struct machine_cluster {
    struct machine_graph *outer; /* its PEs are the nodes */
    uint32_t *here;  /* link of the outer graph, except injections -> link of the whole */
    uint32_t *there; /* link of the whole, from 2n on -> link of the outer graph */
};

/* Makes the graph of a shape that has nodes (machine/network/topologies/cluster.c). The functions
 * of machine/network/graph.h call the following ones for such a graph. */
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

/* --- dimensions (machine/network/dims.c) ------------------------------------------------------ */

/* Sets the coordinates of each router in a box of shape.dims. Dimension 0 varies fastest. */
void machine_graph_coords(struct machine_graph *graph);

static inline const uint16_t *machine_coords(const struct machine_graph *graph,
                                             uint32_t router)
{
    return graph->coords + (size_t)router * graph->shape.dim_count;
}

/* Returns the router `steps` further in dimension `d`, which must be in the box. */
uint32_t machine_graph_step(const struct machine_graph *graph, uint32_t router,
                            uint32_t d, int32_t steps);

/* Sets the dims of a box with router_count routers: those that were given, whose product must be
 * right; else the two nearest factors, the greater first. */
bool machine_graph_box(struct machine_graph *graph, const char *name,
                       struct lib_text *why);

/* Sets the number of routers: PEs / concentration, which must be whole. */
bool machine_graph_concentrate(struct machine_graph *graph, uint32_t usual,
                               const char *name, struct lib_text *why);

/* Sets dims to k and n, with k^n PEs, and k PEs per router: k as given; else `usual`, or the least
 * one of which the number of PEs is a power. */
bool machine_graph_powers(struct machine_graph *graph, uint32_t usual, const char *name,
                          struct lib_text *why);

/* Shrink a shape for a proof: a box becomes shorter, but stays odd or even; powers get fewer
 * levels. */
void machine_dims_shorten(struct machine_shape *shape, uint32_t most);
void machine_dims_lower(struct machine_shape *shape, uint32_t most);

/* Returns the PEs per router of a box of dims, at least 1. */
uint32_t machine_dims_share(const struct machine_shape *shape);

#endif
