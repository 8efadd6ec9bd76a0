/* Properties of a network that need no run: distances, the flow between its halves, and the link
 * that limits the traffic of a pattern. */
#ifndef MACHINE_TRAFFIC_BOUNDS_H
#define MACHINE_TRAFFIC_BOUNDS_H

#include "machine/settings.h"
#include "machine/traffic/pattern.h"

/* Above this number of PEs, results that need each pair of PEs are unknown (NaN or 0). */
enum { MACHINE_BOUNDS_MAX_PES = 2048 };

struct machine_distances {
    uint32_t diameter; /* max distance of two PEs, in links between routers */
    /* Mean number of links between routers, over all pairs of different PEs. */
    double mean;
    /* The same mean, with the pairs of a PE and itself: the mean hops of uniform traffic. */
    double mean_all;
};

void machine_graph_distances(const struct machine_graph *graph,
                             struct machine_distances *distances);

/* Returns how many tokens per cycle can go from the first half of the PEs to the second: the
 * maximum flow if each link between routers takes one. Returns 0 if a router has PEs of both
 * halves, or if there are too many PEs. */
uint32_t machine_graph_between_halves(const struct machine_graph *graph);

/* Sets load[i] to the mean tokens per cycle on link i if the PEs send one per cycle on average.
 * With adaptive routing, all tokens are assumed to use the escape channels. Returns false if there
 * are more than MACHINE_BOUNDS_MAX_PES PEs. */
bool machine_graph_loads(const struct machine_graph *graph,
                         const struct machine_pattern *pattern, double *load);

struct machine_bound {
    double load;      /* max tokens per cycle that a PE can send on average; 0: unknown */
    uint32_t link;    /* the first link that is saturated at this load */
    double mean_hops; /* mean links between routers per token */
};

/* Finds the max load of PEs at which no link is occupied for more than all cycles. A token occupies
 * a link for one cycle. If links have bandwidths of their own, a token of `bits` bits occupies each
 * link for as long as its bandwidth says; links without their own have that of `settings`. Returns
 * false if there are too many PEs. */
bool machine_graph_bound(const struct machine_graph *graph,
                         const struct machine_pattern *pattern,
                         const struct machine_settings *settings, uint64_t bits,
                         struct machine_bound *bound);

#endif
