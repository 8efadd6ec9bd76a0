/* Shared declarations for "Networks of routers" (doc/model.md). */
#ifndef TESTS_ORACLE_ROUTERS_H
#define TESTS_ORACLE_ROUTERS_H

#include "tests/oracle/state.h"

enum {
    MAX_DIMS = 3,
    MAX_ROUTES = 80,
    MAX_CHANNELS = 64,
    MAX_PORTS = 16,
    MAX_CLASSES = 8
};

struct link {
    unsigned from, to;              /* numbers of the routers at both ends; NONE: a PE */
    unsigned port;                  /* number of the router's port, between routers */
    uint64_t latency, bandwidth;    /* of its own, or 0 */
    bool is_global, is_up, is_down; /* is_up, is_down: the link is in a cluster */
    struct tokens queue;            /* tokens that wait before the link */
    struct used used;
    uint64_t free;
    /* Finite buffers at the end of the link, by virtual channel. */
    struct tokens buffers[MAX_CHANNELS];
    unsigned count; /* number of tokens in `buffers` */
    uint64_t credits[MAX_CHANNELS];
    /* For each port into the router at the link's end: cycle in which it is free. */
    uint64_t ports[MAX_PORTS];
    unsigned grants_at;              /* round-robin pointer of the link as an output */
    unsigned accepts_at, channel_at; /* round-robin pointers of the link as an input */
    /* For the chain of causes: actions that last left each buffer, used each port, and gave a
     * credit to a class without any. */
    struct stamp left[MAX_CHANNELS], users[MAX_PORTS], credited[MAX_CLASSES];
};

/* A list of link numbers. */
struct numbers {
    unsigned *items;
    size_t count, capacity;
};

struct asks;

struct routers {
    const struct oracle_settings *s;
    unsigned router_count, dims, size[MAX_DIMS];
    unsigned ends;             /* number of PEs, or of nodes in their place */
    unsigned node_pes;         /* PEs per node of a cluster; else 0 */
    unsigned first;            /* number of the first router between nodes; 0: none */
    unsigned each, port_count; /* number of ends of a router, and of its ports */
    /* Of networks of powers, as fat trees: base, levels, width. */
    unsigned k, levels, width;
    /* Dragonfly: routers of a group, groups, global links of a router. */
    unsigned a, groups, h;
    struct listed *listed; /* the network that a file describes, or NULL */
    /* Virtual-channel classes of deterministic routing, and of the routing in use. */
    unsigned classes, all_classes;
    LIB_VEC(struct link) links;
    struct numbers *ins, *outs; /* for each router: links into it, links out of it */
    struct tokens out;          /* tokens that leave the network in this cycle */
    struct asks *asks;          /* scratch memory: requests of the tokens at a router */
    bool *granted;              /* scratch memory: requests that are granted */
    uint64_t *sent;             /* for each injection: tokens that ever came to it */
};

/* An output port of a router, and a virtual-channel class of deterministic routing. */
struct way {
    unsigned port, cls;
};

struct route {
    unsigned link, cls;
    bool escapes;
};

/* --- shapes.c --- */
void oracle_shape_make(struct routers *n);
void oracle_shape_free(struct routers *n);
unsigned oracle_routes(const struct routers *n, const struct token *t,
                       struct route *routes);

/* --- buffers.c: causes --- */
void oracle_why_injects(struct oracle *o, struct token *t, unsigned link);
void oracle_why_leaves(struct oracle *o, struct token *t, unsigned from, unsigned to,
                       unsigned cls);
void oracle_why_credit(struct oracle *o, unsigned link, unsigned cls, uint64_t place,
                       uint64_t cycle);
void oracle_why_no_room(struct oracle *o, unsigned pe);

/* --- listed.c: networks from files --- */
void oracle_listed_make(struct routers *n);
void oracle_listed_free(struct routers *n);
unsigned oracle_listed_behind(const struct routers *n, unsigned router, unsigned port);
bool oracle_listed_is_global(const struct routers *n, unsigned router, unsigned port);
void oracle_listed_measure(const struct routers *n, unsigned router, unsigned port,
                           struct link *link);
unsigned oracle_listed_router(const struct routers *n, unsigned end);
/* The way to the router `goal`: `end` is the PE or node there, or NONE on the way to a router in
 * between. */
struct way oracle_listed_way(const struct routers *n, unsigned router, unsigned goal,
                             unsigned end);
unsigned oracle_listed_ways(const struct routers *n, unsigned router, unsigned goal,
                            struct way *ways);

#endif
