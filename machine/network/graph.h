/* The shape of a network: routers, the links between them, and the ways that tokens go. It knows
 * no cycles and no machine.
 *
 * A link leads from a PE to a router (injection), from a router to a PE (ejection), or from
 * router to router. A router is no PE. The number of a link is part of the order of events
 * (doc/model.md): of n PEs,
 *     0 ... n-1     the injection of PE p, to its router
 *     n ... 2n-1    the ejection to PE p
 *     2n ...        between routers, by router and port
 * Clusters are networks of routers too, with a switch in each node
 * (machine/network/topologies/cluster.c).
 *
 * A token that has come over a link, in a channel class, goes on over one of the links that
 * machine_route names, in the class that stands there. A class is a set of virtual channels (or,
 * where buffers are unlimited, nothing). Injections and ejections have one class, 0.
 *
 * What machine_route says depends on its arguments alone. So all dependencies between channels
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

/* What a link is: kinds may differ in latency. */
enum machine_link_kind {
    MACHINE_LINK_INJECTION,
    MACHINE_LINK_EJECTION,
    MACHINE_LINK_LOCAL,
    MACHINE_LINK_GLOBAL, /* between the groups of a dragonfly */
    MACHINE_LINK_UP,     /* from a node into the network between nodes */
    MACHINE_LINK_DOWN,   /* and back; these two have one class, 0 */
    MACHINE_LINK_KINDS
};

#define MACHINE_NO_LINK UINT32_MAX
#define MACHINE_NO_VIA UINT32_MAX

enum {
    MACHINE_MAX_DIMS = 3,
    MACHINE_MAX_ROUTES = 66,     /* that machine_route can name */
    MACHINE_MAX_RADIX = 64,      /* up links of a router of a fat tree */
    MACHINE_MAX_ROUTERS = 65536, /* in a dimension */
    MACHINE_MAX_PORTS = 1 << 24, /* between routers, of all */
};

/* What is asked for. */
struct machine_shape {
    enum machine_shape_kind kind;
    enum machine_routing_kind routing;
    uint32_t pe_count;
    uint32_t dims[MACHINE_MAX_DIMS]; /* what they are each topology says */
    uint32_t dim_count;              /* 0: derived from the count of PEs */
    uint32_t concentration;          /* PEs per router; 0: as the topology has it */
    const struct lib_source *file;   /* of MACHINE_SHAPE_FILE */
    /* Of a cluster (machine/network/topologies/cluster.c); dims and concentration are those of
     * the network between nodes. */
    uint32_t nodes, node_pes; /* 0: none; PEs of each */
    bool joins_nodes;         /* its PEs are the nodes of a cluster: for diagnostics */
};

struct machine_graph_link {
    uint32_t from,
        to;       /* routers; of an injection `from`, of an ejection `to` is the PE */
    uint8_t kind; /* enum machine_link_kind */
};

struct machine_graph {
    struct machine_shape shape; /* with all that was derived; `file` is not kept */
    uint32_t pe_count, router_count, link_count;
    uint32_t channel_classes;         /* at least 1; of links between routers */
    struct machine_graph_link *links; /* link_count */
    /* The links that leave a router, ejections included, and that come to it, injections
     * included, each in the order of their numbers: those of r are out[out_first[r]] ...
     * out[out_first[r + 1] - 1]. */
    uint32_t *out_first, *out;
    uint32_t *in_first, *in;

    /* For routing alone. */
    const struct machine_rules *rules; /* of a cluster those between nodes */
    struct machine_cluster *cluster;   /* NULL: there are no nodes */
    uint32_t port_count;               /* per router, between routers; */
    uint32_t *ports;  /* [router * port_count + port]: a link or MACHINE_NO_LINK */
    uint16_t *coords; /* [router * shape.dim_count + dimension], where there are any */
    uint32_t phase_classes;  /* of one phase of a route; Valiant has two */
    void *own;               /* of the topology */
    struct lib_diags *diags; /* while it is made: what is wrong in a file */
    struct lib_arena *arena;
};

/* The network of a shape. NULL: it is none; why, and which counts of PEs would do, is in
 * `diags`. */
struct machine_graph *machine_graph_make(const struct machine_shape *shape,
                                         struct lib_diags *diags);
void machine_graph_free(struct machine_graph *graph); /* NULL is allowed */

/* Where a token may go. */
struct machine_route {
    uint32_t link;
    uint8_t channel_class;
    bool
        is_escape; /* the network is free of deadlock by these channels (machine/network/proof.h): who waits for
                       another channel must be able to take this one */
};

/* Where a token goes that came over `link` in class `cls`, to reach PE `to`; of Valiant's routing
 * by router `via` (else MACHINE_NO_VIA). Links that are no escape come first; among like ones the
 * order is that of preference. Returns how many there are, at least 1; `out` has room for
 * MACHINE_MAX_ROUTES. The ejection to the PE itself is always the only one. */
unsigned machine_route(const struct machine_graph *graph, uint32_t link, uint32_t cls,
                       uint32_t to, uint32_t via, struct machine_route *out);

/* Whether machine_route always names one link. */
bool machine_graph_is_oblivious(const struct machine_graph *graph);

/* Whether the one link that it names depends on the router where a token is and the PE alone. */
bool machine_graph_is_local(const struct machine_graph *graph);

/* The router by which Valiant's routing sends the token that a PE sends as its `number`th. */
uint32_t machine_graph_via(const struct machine_graph *graph, uint64_t seed, uint32_t pe,
                           uint64_t number);

/* The fewest links between routers that a token can cross from PE to PE; in a dragonfly, with one
 * global link at most. Deterministic routing takes so many, but for a network from a file, where
 * it may take more. */
uint32_t machine_graph_distance(const struct machine_graph *graph, uint32_t from,
                                uint32_t to);

/* The routers at which a PE injects, and from which its tokens are ejected. */
static inline uint32_t machine_graph_source(const struct machine_graph *graph,
                                            uint32_t pe)
{
    return graph->links[pe].to;
}

static inline uint32_t machine_graph_sink(const struct machine_graph *graph, uint32_t pe)
{
    return graph->links[graph->pe_count + pe].from;
}

/* Whether tokens may take any virtual channel of a link. */
static inline bool machine_graph_has_one_class(const struct machine_graph *graph,
                                               uint32_t link)
{
    const uint8_t kind = graph->links[link].kind;
    return kind != MACHINE_LINK_LOCAL && kind != MACHINE_LINK_GLOBAL;
}

/* Adds "8x4x2". */
void machine_graph_write_dims(const uint32_t *dims, uint32_t count, struct lib_text *out);

/* The names of a kind of shape and of routing, as settings have them. */
extern const char *const machine_shape_names[MACHINE_SHAPE_COUNT];
extern const char *const machine_routing_names[MACHINE_ROUTING_COUNT];

#endif
