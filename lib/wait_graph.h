/* Search for a cycle in a graph of places that wait for each other, such as a deadlock; depth
 * first. The caller has the graph. A place is a number; for each place that the search reaches, the
 * caller adds the places that it waits for.
 *
 * Set `waits_for` and `context`, and the rest to 0. The cycle that is found depends only on the
 * order of the starts and on the order in which the caller adds places. */
#ifndef LIB_WAIT_GRAPH_H
#define LIB_WAIT_GRAPH_H

#include "lib/key_map.h"

typedef LIB_VEC(uint64_t) lib_wait_places;

/* A place on the path from the start. It waits for places of `ahead`, from index `first` on. */
struct lib_wait_step {
    uint64_t place;
    size_t first;
    size_t next; /* index in `ahead` of the place to visit next */
};

struct lib_wait_graph {
    /* Adds to `places` those that `place` waits for. A place is less than UINT64_MAX. */
    void (*waits_for)(void *context, uint64_t place, lib_wait_places *places);
    void *context;
    size_t max_places; /* max places to visit; 0: no limit */
    lib_wait_places ahead;
    LIB_VEC(struct lib_wait_step) way; /* path from the start to the current place */
    struct lib_key_map seen;           /* place + 1 -> whether it is on the path */
};

/* Searches from a place, except through places that were visited before. Returns the index in `way`
 * of the first place of a cycle, which ends with the last place of `way`; or SIZE_MAX if there is
 * no cycle or `max_places` is reached. */
size_t lib_wait_graph_follow(struct lib_wait_graph *graph, uint64_t start);

void lib_wait_graph_free(struct lib_wait_graph *graph);

#endif
