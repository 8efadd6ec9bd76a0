/* Depth-first search for a cycle of vertices that wait for each other, such as a deadlock. The
 * caller has the graph. A vertex is a number, called its place; the caller lists the vertices that
 * it waits for when the search reaches it.
 *
 * Set `waits_for` and `context`, and the rest to 0. The cycle found depends only on the order of
 * starts and listed vertices. */
#ifndef LIB_WAIT_GRAPH_H
#define LIB_WAIT_GRAPH_H

#include "lib/key_map.h"

typedef LIB_VEC(uint64_t) lib_wait_places;

/* Vertex on the path from the start of the search. The vertices that it waits for are in `ahead`,
 * from index `first` on. */
struct lib_wait_step {
    uint64_t place;
    size_t first;
    size_t next; /* index in `ahead` of the vertex to visit next */
};

struct lib_wait_graph {
    /* Adds to `places` the vertices that vertex `place`, a number below UINT64_MAX, waits for. */
    void (*waits_for)(void *context, uint64_t place, lib_wait_places *places);
    void *context;
    size_t max_places; /* max vertices to visit; 0: no limit */
    lib_wait_places ahead;
    LIB_VEC(struct lib_wait_step) way; /* path from the start to the current vertex */
    /* visited vertices: number + 1 -> whether it is on the path */
    struct lib_key_map seen;
};

/* Searches for a cycle from vertex `start`, without vertices that an earlier search visited.
 * Returns SIZE_MAX if there is none or max_places is reached. Else graph->way ends with the cycle,
 * which begins at the index returned. */
size_t lib_wait_graph_follow(struct lib_wait_graph *graph, uint64_t start);

void lib_wait_graph_free(struct lib_wait_graph *graph);

#endif
