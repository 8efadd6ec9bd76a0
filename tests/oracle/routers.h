/* "Networks of routers": what their two modules share. */
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
    unsigned from, to;              /* routers; NONE: a PE */
    unsigned port;                  /* of a link between routers */
    bool is_global, is_up, is_down; /* the last two of a cluster */
    struct tokens queue;            /* before it */
    struct used used;
    uint64_t free;
    /* Of finite buffers: */
    struct tokens buffers[MAX_CHANNELS]; /* behind it */
    unsigned count;                      /* of tokens in these */
    uint64_t credits[MAX_CHANNELS];
    uint64_t ports[MAX_PORTS];       /* into its router: when each is free */
    unsigned grants_at;              /* pointers: of the link as an output, */
    unsigned accepts_at, channel_at; /* and as an input */
    /* "Why": what left each buffer last, and has used each port; the credit that came to a class
     * without any */
    struct stamp left[MAX_CHANNELS], users[MAX_PORTS], credited[MAX_CLASSES];
};

/* Links, by number. */
struct numbers {
    unsigned *items;
    size_t count, capacity;
};

struct asks;

struct routers {
    const struct oracle_settings *s;
    unsigned router_count, dims, size[MAX_DIMS];
    unsigned ends;             /* PEs, or nodes in their place */
    unsigned node_pes;         /* of a cluster; else 0 */
    unsigned first;            /* router between nodes; 0 where there are none */
    unsigned each, port_count; /* ends, and ports, per router */
    unsigned k, levels, width; /* of powers */
    unsigned a, groups, h;     /* of a dragonfly */
    struct listed *listed;     /* of a file */
    unsigned classes,
        all_classes; /* of deterministic routing; of the routing that there is */
    LIB_VEC(struct link) links;
    struct numbers *ins, *outs; /* of each router */
    struct tokens out;          /* of the network, in this cycle */
    struct asks *asks;          /* room for what the tokens of a router ask for, */
    bool *granted;              /* and what is granted */
    uint64_t *sent;             /* tokens that came before each injection */
};

/* A port, and a class of deterministic routing. */
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
/* `went_down`: by the last link. */
struct way oracle_listed_way(const struct routers *n, unsigned router, unsigned goal,
                             bool went_down);
unsigned oracle_listed_ways(const struct routers *n, unsigned router, unsigned goal,
                            struct way *ways);
bool oracle_listed_is_up(const struct routers *n, unsigned from, unsigned to);

#endif
