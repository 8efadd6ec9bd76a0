/* The graph of a network: routers, the links between them, and the routes of tokens. It does not
 * depend on cycles or a machine.
 *
 *     PE p --injection--> router --link--> router --ejection--> PE q
 *
 * The number of a link is part of the order of events (doc/model.md). With n PEs:
 *
 *     0 ... n-1     injection of PE p, to its router
 *     n ... 2n-1    ejection to PE p
 *     2n ...        links between routers, by router and port
 *
 * Clusters are networks of routers, too, with a switch in each node
 * (machine/network/topologies/cluster.c).
 *
 * A token that came over a link in a channel class continues over one of the links that
 * machine_route returns, in the class given there. A class is a set of virtual channels; with
 * unlimited buffers it has no effect. Injections and ejections have one class, 0.
 *
 * The result of machine_route depends only on its arguments. So all dependencies between channels
 * can be listed (machine/network/proof.h). */
#ifndef MACHINE_NETWORK_GRAPH_H
#define MACHINE_NETWORK_GRAPH_H

#include "lib/arena.h"
#include "lib/diag.h"
#include "machine/network/topologies.h"

#include <stdbool.h>
#include <stdint.h>

enum machine_shape_kind {
#define SHAPE(NAME, name, help) MACHINE_SHAPE_##NAME,
    MACHINE_SHAPES(SHAPE)
#undef SHAPE
        MACHINE_SHAPE_CROSSBAR, /* of nodes: one router for all */
    MACHINE_SHAPE_COUNT
};

enum machine_routing_kind {
#define ROUTING(NAME, name, help) MACHINE_ROUTING_##NAME,
    MACHINE_ROUTINGS(ROUTING)
#undef ROUTING
        MACHINE_ROUTING_COUNT
};

/* Kinds of links, which can differ in latency. */
enum machine_link_kind {
    MACHINE_LINK_INJECTION,
    MACHINE_LINK_EJECTION,
    MACHINE_LINK_LOCAL,
    MACHINE_LINK_GLOBAL, /* between the groups of a dragonfly */
    MACHINE_LINK_UP,     /* from a node into the network between nodes */
    MACHINE_LINK_DOWN,   /* from there into a node; up and down links have one class, 0 */
    MACHINE_LINK_KINDS
};

#define MACHINE_NO_LINK UINT32_MAX
#define MACHINE_NO_VIA UINT32_MAX

enum {
    MACHINE_MAX_DIMS = 3,
    MACHINE_MAX_ROUTES = 66,     /* results of machine_route */
    MACHINE_MAX_RADIX = 64,      /* up links of a router of a fat tree */
    MACHINE_MAX_ROUTERS = 65536, /* in a dimension */
    MACHINE_MAX_PORTS = 1 << 24, /* ports between routers, in total */
};

/* The parameters of a graph. */
struct machine_shape {
    enum machine_shape_kind kind;
    enum machine_routing_kind routing;
    uint32_t pe_count;
    uint32_t dims[MACHINE_MAX_DIMS]; /* meaning depends on the topology */
    uint32_t dim_count;              /* 0 if derived from the number of PEs */
    uint32_t concentration;          /* PEs per router; 0 for that of the topology */
    const struct lib_source *file;   /* file of MACHINE_SHAPE_FILE */

    /* Cluster (machine/network/topologies/cluster.c); dims and concentration are those of the
     * network between nodes. */
    uint32_t nodes, node_pes; /* nodes, or 0; PEs per node */
    bool joins_nodes;         /* for diagnostics: its PEs are the nodes of a cluster */
};

struct machine_graph_link {
    uint32_t from,
        to;       /* routers; `from` of an injection and `to` of an ejection are PEs */
    uint8_t kind; /* enum machine_link_kind */
};

struct machine_graph {
    struct machine_shape shape; /* completed with derived values; `file` is not kept */
    uint32_t pe_count, router_count, link_count;
    uint32_t channel_classes;         /* classes of links between routers, at least 1 */
    struct machine_graph_link *links; /* [link_count] */

    /* The links that leave a router, including ejections, and the links to it, including
     * injections, by number. Those that leave r are out[out_first[r]] ...
     * out[out_first[r + 1] - 1]. */
    uint32_t *out_first, *out;
    uint32_t *in_first, *in;

    /* For routing: */
    /* Rules of the topology; in a cluster, between nodes. */
    const struct machine_rules *rules;
    struct machine_cluster *cluster; /* NULL without nodes */
    uint32_t port_count;             /* ports per router, between routers */
    uint32_t *ports;  /* [router * port_count + port]: link, or MACHINE_NO_LINK */
    uint16_t *coords; /* [router * shape.dim_count + dimension], or NULL */
    /* Classes of one phase of a route; Valiant's has two phases. */
    uint32_t phase_classes;
    void *own;               /* data of the topology */
    struct lib_diags *diags; /* errors in a file, while the graph is made */
    struct lib_arena *arena;
};

/* Makes the graph of a shape. Returns NULL, after an error that lists suitable numbers of PEs, if
 * there is none. */
struct machine_graph *machine_graph_make(const struct machine_shape *shape,
                                         struct lib_diags *diags);
void machine_graph_free(struct machine_graph *graph); /* NULL is allowed */

/* A route that a token can take. */
struct machine_route {
    uint32_t link;
    uint8_t channel_class;

    /* The network is free of deadlock because of escape channels (machine/network/proof.h): a token
     * that waits for another channel must also be able to take this one. */
    bool is_escape;
};

/* Finds the routes of a token to PE `to` that came over `link` in class `cls`; with Valiant's
 * routing by router `via`, else MACHINE_NO_VIA. Escape routes come last; otherwise they are in
 * order of preference. Returns their number, at least 1; `out` must have room for
 * MACHINE_MAX_ROUTES. The ejection to the PE itself is always the only one. */
unsigned machine_route(const struct machine_graph *graph, uint32_t link, uint32_t cls,
                       uint32_t to, uint32_t via, struct machine_route *out);

/* Returns true if machine_route always returns one link. */
bool machine_graph_is_oblivious(const struct machine_graph *graph);

/* Returns true if that link depends only on the router of a token and its PE. */
bool machine_graph_is_local(const struct machine_graph *graph);

/* Returns the router by which Valiant's routing sends the token number `number` of a PE. */
uint32_t machine_graph_via(const struct machine_graph *graph, uint64_t seed, uint32_t pe,
                           uint64_t number);

/* Returns the fewest links between routers that a token can cross from PE to PE; in a dragonfly,
 * with at most one global link. Deterministic routing takes this number, or possibly more in a
 * network from a file. */
uint32_t machine_graph_distance(const struct machine_graph *graph, uint32_t from,
                                uint32_t to);

/* Return the router at which a PE injects, and the one from which its tokens are ejected. */
static inline uint32_t machine_graph_source(const struct machine_graph *graph,
                                            uint32_t pe)
{
    return graph->links[pe].to;
}

static inline uint32_t machine_graph_sink(const struct machine_graph *graph, uint32_t pe)
{
    return graph->links[graph->pe_count + pe].from;
}

/* Returns true if tokens can take any virtual channel of a link. */
static inline bool machine_graph_has_one_class(const struct machine_graph *graph,
                                               uint32_t link)
{
    const uint8_t kind = graph->links[link].kind;
    return kind != MACHINE_LINK_LOCAL && kind != MACHINE_LINK_GLOBAL;
}

/* Adds the dimensions as "8x4x2". */
void machine_graph_write_dims(const uint32_t *dims, uint32_t count, struct lib_text *out);

/* Names of kinds of shapes and of routing, as in settings. */
extern const char *const machine_shape_names[MACHINE_SHAPE_COUNT];
extern const char *const machine_routing_names[MACHINE_ROUTING_COUNT];

#endif
