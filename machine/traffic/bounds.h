/* What can be said of a network without running it: distances, what fits between its halves, and
 * which link limits the traffic of a pattern. */
#ifndef MACHINE_TRAFFIC_BOUNDS_H
#define MACHINE_TRAFFIC_BOUNDS_H

#include "machine/traffic/pattern.h"

/* Above so many PEs, pairs are not listed, and what needs them is unknown (NaN, or 0 of counts). */
enum { MACHINE_BOUNDS_MAX_PES = 2048 };

struct machine_distances {
    uint32_t diameter; /* the most links between routers on a shortest way */
    double mean;       /* over all pairs of different PEs; 0 of one PE */
    double
        mean_all; /* over all pairs, a PE with itself included: the hops of uniform traffic */
};

void machine_graph_distances(const struct machine_graph *graph,
                             struct machine_distances *distances);

/* Tokens that can go in a cycle from the lower half of the PEs, by number, to the upper: the
 * greatest flow, each link between routers carrying one. 0: PEs of both halves are at one router,
 * or there are too many PEs. */
uint32_t machine_graph_between_halves(const struct machine_graph *graph);

/* Tokens per cycle on each link, where each PE sends one per cycle, times its rate: under
 * deterministic routing, or expected under Valiant's. Of adaptive routing those of the channels
 * to escape by alone, which is not what it does, but a network with no choice would. `load` has
 * room for all links. false: too many PEs. */
bool machine_graph_loads(const struct machine_graph *graph,
                         const struct machine_pattern *pattern, double *load);

struct machine_bound {
    double load;   /* what a PE can send, on average, in tokens per cycle; 0: unknown */
    uint32_t link; /* that is full then; the first of several */
    double mean_hops; /* of a token */
};

/* The greatest load under which no link carries more than one token per cycle. */
bool machine_graph_bound(const struct machine_graph *graph,
                         const struct machine_pattern *pattern,
                         struct machine_bound *bound);

#endif
