/* Search for a circle in a graph of places that wait for each other: depth first, from one start
 * after the other. The caller has the graph. A place is a number; for each place that the search
 * reaches, the caller adds the places that it waits for.
 *
 * Set `waits_for` and `context`, and the rest to 0. The circle that is found depends only on the
 * order of the starts and on the order in which the caller adds places. */
#ifndef LIB_WAIT_GRAPH_H
#define LIB_WAIT_GRAPH_H

#include "lib/key_map.h"

typedef LIB_VEC(uint64_t) lib_wait_places;

/* A place on the way, and the part of `ahead` that it waits for. */
struct lib_wait_step {
    uint64_t place;
    size_t first; /* in `ahead` */
    size_t next;  /* the place in `ahead` that is to be followed next */
};

struct lib_wait_graph {
    /* Adds the places that a place waits for. A place is less than UINT64_MAX. */
    void (*waits_for)(void *context, uint64_t place, lib_wait_places *places);
    void *context;
    size_t max_places; /* limit of places that the search visits; 0 if there is none */
    lib_wait_places ahead;
    LIB_VEC(struct lib_wait_step) way; /* from the start on */
    struct lib_key_map seen;           /* by place */
};

/* Follows the waiting from a place on, except through places that were visited before. Returns the
 * step of `way` for which its last step waits, or SIZE_MAX if there is no circle or the limit of
 * places is reached. */
size_t lib_wait_graph_follow(struct lib_wait_graph *graph, uint64_t start);

void lib_wait_graph_free(struct lib_wait_graph *graph);

#endif
