/* The rules of a topology of routers, for the files of machine/network/topologies/,
 * machine/network/graph.c and others that need them.
 *
 * A topology defines how many routers and ports there are, the router at the other end of a port,
 * and the port towards another router. The numbering of links, ejection, the two phases of
 * Valiant's routing and the escape channels of adaptive routing are the same for all topologies. */
#ifndef MACHINE_NETWORK_GRAPH_INTERNAL_H
#define MACHINE_NETWORK_GRAPH_INTERNAL_H

#include "lib/text.h"
#include "machine/network/graph.h"

/* A token at a router from which it must go to another one. */
struct machine_at {
    uint32_t router;
    uint32_t link; /* link over which it came, or MACHINE_NO_LINK */
    uint32_t cls; /* channel class in which it came, relative to the first of its phase */
    uint32_t target; /* router that it must reach, not this one */

    /* PE of the token. Used only if by_pe; else routes depend on the target router alone. */
    uint32_t to;
};

/* The next step of a route: a port, and a channel class relative to the first of the phase. */
struct machine_way_on {
    uint32_t port;
    uint32_t cls;
};

struct machine_rules {
    /* Sets shape.dims, shape.concentration, router_count and port_count of a graph. If its shape is
     * inconsistent, returns false and sets `why` to what is expected ("`mesh` ..."). */
    bool (*fit)(struct machine_graph *graph, struct lib_text *why);

    /* Returns the router at the other end of a port, or MACHINE_NO_LINK. May change *kind, which is
     * MACHINE_LINK_LOCAL before. */
    uint32_t (*behind)(const struct machine_graph *graph, uint32_t router, uint32_t port,
                       uint8_t *kind);

    /* Return the router to which a PE sends, and the one from which it receives. Default: PE /
     * concentration. */
    uint32_t (*source)(const struct machine_graph *graph, uint32_t pe);
    uint32_t (*sink)(const struct machine_graph *graph, uint32_t pe);

    /* Returns the next step of deterministic routing, which escape channels also use. */
    struct machine_way_on (*next)(const struct machine_graph *graph,
                                  const struct machine_at *at);

    /* Sets `ports` to the ports of all shortest routes, and returns their number. NULL if there is
     * no adaptive routing. */
    unsigned (*shortest)(const struct machine_graph *graph, const struct machine_at *at,
                         uint32_t *ports);

    /* Returns the number of links on a shortest route between routers. */
    uint32_t (*distance)(const struct machine_graph *graph, uint32_t from, uint32_t to);

    /* Shrinks a shape of more than `most` PEs for a proof of deadlock freedom
     * (machine_proof_shape). Default: no change. */
    void (*shrink)(struct machine_shape *shape, uint32_t most);
    uint8_t classes; /* number of channel classes that deterministic routing needs */
    /* All shortest routes together are free of deadlock, without escape channels. */
    bool adapts_free;
    bool stays_escape; /* a token in an escape channel stays in escape channels */
    bool by_file;      /* routes are from a file, so a proof uses the whole network */
    bool by_pe; /* routes depend on the PE, not only on its router; not with Valiant */
    bool has_valiant;
    bool is_box; /* routers form a box with the dimensions shape.dims */
    /* Routers take no time; links to them have the latency of the network. */
    bool is_free;
};

#define SHAPE(NAME, name, help) extern const struct machine_rules machine_##name##_rules;
MACHINE_SHAPES(SHAPE)
#undef SHAPE

extern const struct machine_rules machine_crossbar_rules;

const struct machine_rules *machine_rules_of(enum machine_shape_kind kind);

/* Builds the lists of links from and to each router (machine/network/graph.c). */
void machine_graph_list(struct machine_graph *graph);

/* Returns the first router that can be the random intermediate router of Valiant's routing; all
 * later ones can be, too. */
static inline uint32_t machine_graph_first_via(const struct machine_graph *graph)
{
    return graph->shape.nodes;
}

/* Network between the nodes of a cluster. */
struct machine_cluster {
    struct machine_graph *outer; /* graph of that network; its PEs are the nodes */
    uint32_t *here;  /* link of `outer`, except injections -> link of the whole graph */
    uint32_t *there; /* link of the whole graph, from 2n on -> link of `outer` */
};

/* Makes the graph of a shape with nodes (machine/network/topologies/cluster.c). For such a graph,
 * functions of machine/network/graph.h call the functions below. */
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

/* Returns the router `steps` steps further in dimension `d`, which must exist. */
uint32_t machine_graph_step(const struct machine_graph *graph, uint32_t router,
                            uint32_t d, int32_t steps);

/* Sets the dimensions of a box with router_count routers: those given, if their product is right;
 * else the two nearest factors, greater first. */
bool machine_graph_box(struct machine_graph *graph, const char *name,
                       struct lib_text *why);

/* Sets the number of routers to PEs / concentration, which must be an integer. */
bool machine_graph_concentrate(struct machine_graph *graph, uint32_t usual,
                               const char *name, struct lib_text *why);

/* Sets the dimensions to k and n, with k^n PEs and k PEs per router. k is given, or `usual`, or the
 * smallest number of which the number of PEs is a power. */
bool machine_graph_powers(struct machine_graph *graph, uint32_t usual, const char *name,
                          struct lib_text *why);

/* Shrink a shape for a proof: boxes get shorter dimensions that stay odd or even, powers fewer
 * levels. */
void machine_dims_shorten(struct machine_shape *shape, uint32_t most);
void machine_dims_lower(struct machine_shape *shape, uint32_t most);

/* Returns the number of PEs per router of a box, at least 1. */
uint32_t machine_dims_share(const struct machine_shape *shape);

#endif
