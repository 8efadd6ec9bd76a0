/* Properties of a network that need no run: distances, the flow between its halves, and the link
 * that limits the traffic of a pattern. */
#ifndef MACHINE_TRAFFIC_BOUNDS_H
#define MACHINE_TRAFFIC_BOUNDS_H

#include "machine/traffic/pattern.h"

/* For more PEs than this, pairs are not listed, and results that need them are unknown (NaN, or 0
 * for counts). */
enum { MACHINE_BOUNDS_MAX_PES = 2048 };

struct machine_distances {
    uint32_t diameter; /* most links between routers on a shortest route */
    double mean;       /* mean over all pairs of different PEs; 0 for one PE */
    double mean_all;   /* mean over all pairs, with equal PEs: hops of uniform traffic */
};

void machine_graph_distances(const struct machine_graph *graph,
                             struct machine_distances *distances);

/* Returns the tokens per cycle that can go from the lower half of the PEs, by number, to the upper
 * half: the maximum flow with capacity 1 for each link between routers. Returns 0 if PEs of both
 * halves are at one router, or if there are too many PEs. */
uint32_t machine_graph_between_halves(const struct machine_graph *graph);

/* Sets the tokens per cycle on each link if each PE sends one per cycle, times its rate: with
 * deterministic routing; or expected, with Valiant's; or, in place of adaptive routing, with its
 * escape channels only. `load` must have room for all links. Returns false if there are too many
 * PEs. */
bool machine_graph_loads(const struct machine_graph *graph,
                         const struct machine_pattern *pattern, double *load);

struct machine_bound {
    double load;      /* tokens per cycle that a PE can send, on average; 0 if unknown */
    uint32_t link;    /* first link that is full then */
    double mean_hops; /* mean hops per token */
};

/* Finds the greatest load with which no link carries more than one token per cycle. */
bool machine_graph_bound(const struct machine_graph *graph,
                         const struct machine_pattern *pattern,
                         struct machine_bound *bound);

#endif
