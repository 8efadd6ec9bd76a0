/* "Networks of routers": what their two modules share. */
#ifndef TESTS_ORACLE_ROUTERS_H
#define TESTS_ORACLE_ROUTERS_H

#include "tests/oracle/state.h"

enum { MOST_DIMS = 3, MOST_ROUTES = 80, MOST_CHANNELS = 64, MOST_PORTS = 16 };

struct link {
    unsigned from, to; /* routers; NONE: a PE */
    unsigned port;     /* of a link between routers */
    bool is_global;
    struct tokens queue; /* before it */
    uint64_t free;
    /* Of finite buffers: */
    struct tokens buffers[MOST_CHANNELS]; /* behind it */
    uint64_t credits[MOST_CHANNELS];
    uint64_t ports[MOST_PORTS]; /* into its router: when each is free */
    unsigned grants_at;         /* pointers: of the link as an output, */
    unsigned accepts_at, channel_at; /* and as an input */
};

struct routers {
    const struct oracle_settings *s;
    unsigned router_count, dims, size[MOST_DIMS];
    unsigned classes, all_classes; /* of deterministic routing; of the routing that there is */
    LIB_VEC(struct link) links;
    uint64_t *sent; /* tokens that came before each injection */
};

struct route {
    unsigned link, cls;
    bool escapes;
};

/* --- shapes.c --- */
void oracle_shape_make(struct routers *n);
unsigned oracle_routes(const struct routers *n, const struct token *t,
                       struct route *routes);

#endif
