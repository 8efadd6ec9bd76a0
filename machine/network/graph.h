/* The graph of a network: routers, links and the routes of tokens, independent of time.
 *
 *     PE p --injection--> router --link--> router --ejection--> PE q
 *
 * The order of tokens in a cycle depends on the indexes of links (doc/model.md). With n PEs, they
 * are:
 *
 *     0 ... n-1     injection of PE p, to its router
 *     n ... 2n-1    ejection to PE p
 *     2n ...        links between routers, by router and port
 *
 * A token that came over a link in a channel class, which is a set of virtual channels, continues
 * over one of the links and classes that machine_route returns. With unlimited queues, classes have
 * no effect. Injections and ejections have one class, 0.
 *
 * The result of machine_route depends only on its arguments, so freedom of deadlock can be proved
 * (machine/network/proof.h).
 */
#ifndef MACHINE_NETWORK_GRAPH_H
#define MACHINE_NETWORK_GRAPH_H

#include "lib/arena.h"
#include "lib/diag.h"
#include "machine/topologies.h"

#include <stdbool.h>
#include <stdint.h>

enum machine_shape_kind {
#define SHAPE(NAME, name, help) MACHINE_SHAPE_##NAME,
    MACHINE_SHAPES(SHAPE)
#undef SHAPE
        MACHINE_SHAPE_CROSSBAR, /* network between nodes only: a single router */
    MACHINE_SHAPE_COUNT
};

enum machine_routing_kind {
#define ROUTING(NAME, name, help) MACHINE_ROUTING_##NAME,
    MACHINE_ROUTINGS(ROUTING)
#undef ROUTING
        MACHINE_ROUTING_COUNT
};

/* Kinds of links, which may differ in latency. */
enum machine_link_kind {
    MACHINE_LINK_INJECTION,
    MACHINE_LINK_EJECTION,
    MACHINE_LINK_LOCAL,
    MACHINE_LINK_GLOBAL, /* link between groups of a dragonfly */
    MACHINE_LINK_UP,     /* link from a node into the network between nodes */
    /* Link from the network between nodes into a node. Links up and down have one channel class,
     * 0. */
    MACHINE_LINK_DOWN,
    MACHINE_LINK_KINDS
};

#define MACHINE_NO_LINK UINT32_MAX
#define MACHINE_NO_VIA UINT32_MAX

enum {
    MACHINE_MAX_DIMS = 3,
    MACHINE_MAX_ROUTES = 66,     /* max number of routes that machine_route returns */
    MACHINE_MAX_RADIX = 64,      /* max links up from a router of a fat tree */
    MACHINE_MAX_ROUTERS = 65536, /* max routers in a dimension */
    /* max ports of all routers together, PEs' ports excluded */
    MACHINE_MAX_PORTS = 1 << 24,
};

/* What a graph is made for. A graph of a network from a file costs less if it is made for less. */
enum machine_graph_use {
    MACHINE_FOR_ROUTES,    /* everything */
    MACHINE_FOR_DISTANCES, /* everything except machine_route */
    MACHINE_FOR_LINKS,     /* neither machine_route nor machine_graph_distance */
};

/* Parameters that determine the graph of a network. */
struct machine_shape {
    enum machine_shape_kind kind;
    enum machine_routing_kind routing;
    uint32_t pe_count;
    /* dimensions; their meaning depends on the topology */
    uint32_t dims[MACHINE_MAX_DIMS];
    uint32_t dim_count;     /* number of `dims`; 0: derived from the number of PEs */
    uint32_t concentration; /* PEs per router; 0: the topology's default */
    const struct lib_source *file; /* text of the network file, for MACHINE_SHAPE_FILE */

    /* Number of nodes of a cluster, else 0; PEs per node. In a cluster, `dims` and `concentration`
     * describe the network between nodes. */
    uint32_t nodes, node_pes;
    /* for messages: the PEs of this network are the nodes of a cluster */
    bool joins_nodes;
    enum machine_graph_use use;
};

struct machine_graph_link {
    /* Routers at the link's ends. `from` of an injection and `to` of an ejection are PEs. */
    uint32_t from, to;
    uint8_t kind; /* enum machine_link_kind */
};

struct machine_graph {
    /* the shape, including values derived from others; its `file` is NULL */
    struct machine_shape shape;
    uint32_t pe_count, router_count, link_count;
    uint32_t channel_classes; /* number of channel classes of links between routers */
    struct machine_graph_link *links;

    /* Latency and bandwidth of each link between routers if the network file gives them, else 0.
     * The arrays are NULL if no link has its own. */
    uint64_t *own_latency, *own_bandwidth;

    /* Links from and to each router, including ejections and injections. Router r has the outgoing
     * links out[out_first[r]] ... out[out_first[r + 1] - 1]; likewise `in` for incoming ones. */
    uint32_t *out_first, *out;
    uint32_t *in_first, *in;

    /* Rules of the topology; for a cluster, of the network between nodes. */
    const struct machine_rules *rules;
    struct machine_cluster *cluster; /* network between the nodes of a cluster, or NULL */
    /* ports of a router to other routers, used or not; 0 for a cluster */
    uint32_t port_count;
    /* Link at port p of router r: ports[r * port_count + p]; or MACHINE_NO_LINK. NULL for a
     * cluster. */
    uint32_t *ports;
    /* coordinate d of router r: coords[r * shape.dim_count + d]; may be NULL */
    uint16_t *coords;
    /* Number of channel classes in one phase of a route. A route has one phase; with Valiant's
     * routing two, to the intermediate router and from there. */
    uint32_t phase_classes;
    void *own; /* private data of the topology */
    /* receives errors of the network file; only while the graph is made */
    struct lib_diags *diags;
    struct lib_arena *arena;
};

/* Makes the graph of a shape. Returns NULL if no network has this shape, and adds a diagnostic that
 * lists suitable numbers of PEs. */
struct machine_graph *machine_graph_make(const struct machine_shape *shape,
                                         struct lib_diags *diags);
void machine_graph_free(struct machine_graph *graph); /* `graph` may be NULL */

/* A possible next hop of a token: a link and a channel class. */
struct machine_route {
    uint32_t link;
    uint8_t channel_class;

    /* Escape channels keep the network free of deadlock (machine/network/proof.h): a token that
     * waits for another channel can also take this one. */
    bool is_escape;
};

/* Finds the next hops of a token to PE `to` that came over `link` in class `cls`. `via` is the
 * intermediate router of Valiant's routing, or MACHINE_NO_VIA. Writes them to `out`, which has room
 * for MACHINE_MAX_ROUTES, in order of preference with escape routes last. Returns how many there
 * are, at least 1. At the router of the PE, the ejection is the only one. */
unsigned machine_route(const struct machine_graph *graph, uint32_t link, uint32_t cls,
                       uint32_t to, uint32_t via, struct machine_route *out);

/* Whether machine_route always returns a single next hop. */
bool machine_graph_is_oblivious(const struct machine_graph *graph);

/* Whether the next hop depends only on the token's router and destination PE. */
bool machine_graph_is_local(const struct machine_graph *graph);

/* Returns the random intermediate router of Valiant's routing for a token. `number` is how many
 * tokens PE `pe` sent before it. */
uint32_t machine_graph_via(const struct machine_graph *graph, uint64_t seed, uint32_t pe,
                           uint64_t number);

/* Returns the min number of links between routers from PE to PE (in a dragonfly, with at most one
 * global link). Deterministic routing uses as many; in a network from a file, maybe more. */
uint32_t machine_graph_distance(const struct machine_graph *graph, uint32_t from,
                                uint32_t to);

/* Return the router to which a PE sends, and the router from which it receives. */
static inline uint32_t machine_graph_source(const struct machine_graph *graph,
                                            uint32_t pe)
{
    return graph->links[pe].to;
}

static inline uint32_t machine_graph_sink(const struct machine_graph *graph, uint32_t pe)
{
    return graph->links[graph->pe_count + pe].from;
}

/* Whether tokens can take any virtual channel of a link. */
static inline bool machine_graph_has_one_class(const struct machine_graph *graph,
                                               uint32_t link)
{
    const uint8_t kind = graph->links[link].kind;
    return kind != MACHINE_LINK_LOCAL && kind != MACHINE_LINK_GLOBAL;
}

/* Appends dimensions as text: "8x4x2". */
void machine_graph_write_dims(const uint32_t *dims, uint32_t count, struct lib_text *out);

/* Names of topologies and kinds of routing in settings. */
extern const char *const machine_shape_names[MACHINE_SHAPE_COUNT];
extern const char *const machine_routing_names[MACHINE_ROUTING_COUNT];

#endif
