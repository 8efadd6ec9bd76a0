/* Depth-first search for a cycle of vertices that wait for each other, such as a deadlock. The
 * caller identifies each vertex by an integer, called its place. When the search reaches a vertex,
 * it calls `waits_for` to get the vertices that this vertex waits for.
 *
 * Initialise with {.waits_for, .context}. The cycle found depends only on the order of the starts
 * and of the vertices that `waits_for` adds. */
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
    /* visited vertices: place + 1 -> whether the vertex is on the path */
    struct lib_key_map seen;
};

/* Searches for a cycle that can be reached from vertex `start`. Vertices that an earlier search
 * visited are skipped. If a cycle is found, graph->way ends with it, and its first index in
 * graph->way is returned. Returns SIZE_MAX if none is found or max_places is reached. */
size_t lib_wait_graph_follow(struct lib_wait_graph *graph, uint64_t start);

void lib_wait_graph_free(struct lib_wait_graph *graph);

#endif
