/* "Networks of routers": shared declarations. */
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
    unsigned from, to;              /* numbers of routers; NONE: a PE */
    unsigned port;                  /* number, of a link between routers */
    bool is_global, is_up, is_down; /* is_up, is_down: in a cluster */
    struct tokens queue;            /* waiting before the link */
    struct used used;
    uint64_t free;
    /* Finite: buffers at the end of the link, by channel. */
    struct tokens buffers[MAX_CHANNELS];
    unsigned count; /* tokens in these buffers */
    uint64_t credits[MAX_CHANNELS];
    /* Cycle from which each port into the router at the link's end is free. */
    uint64_t ports[MAX_PORTS];
    unsigned grants_at;              /* round-robin pointer as an output */
    unsigned accepts_at, channel_at; /* round-robin pointers as an input */
    /* For "Why": what left each buffer last and used each port last; the credit that came for a
     * class without any. */
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
    unsigned ends;             /* PEs, or nodes in their place */
    unsigned node_pes;         /* PEs per node of a cluster; else 0 */
    unsigned first;            /* number of the first router between nodes; 0: none */
    unsigned each, port_count; /* ends, and ports, of each router */
    unsigned k, levels, width; /* of fat trees and the like: base, levels, width */
    /* Dragonfly: routers of a group, groups, global links of a router. */
    unsigned a, groups, h;
    struct listed *listed; /* the network in a file */
    /* Virtual-channel classes of deterministic routing, and of the routing in use. */
    unsigned classes, all_classes;
    LIB_VEC(struct link) links;
    struct numbers *ins, *outs; /* links into, out of each router */
    struct tokens out;          /* leave the network in this cycle */
    struct asks *asks;          /* scratch: requests of the tokens at a router */
    bool *granted;              /* scratch: granted requests */
    uint64_t *sent;             /* tokens that each injection ever got */
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
unsigned oracle_listed_router(const struct routers *n, unsigned end);
/* `went_down`: the last link led down. */
struct way oracle_listed_way(const struct routers *n, unsigned router, unsigned goal,
                             bool went_down);
unsigned oracle_listed_ways(const struct routers *n, unsigned router, unsigned goal,
                            struct way *ways);
bool oracle_listed_is_up(const struct routers *n, unsigned from, unsigned to);

#endif
