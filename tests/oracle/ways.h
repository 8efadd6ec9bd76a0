/* Ways of deterministic routing in a network from a file (doc/model/network.md, "Shapes"). */
#ifndef TESTS_ORACLE_WAYS_H
#define TESTS_ORACLE_WAYS_H

#include "tests/oracle/state.h"

enum { WAYS_ROUTERS = 16, WAYS_GOALS = 5 * WAYS_ROUTERS };

struct ways_net {
    unsigned routers, pe_count;
    unsigned count[WAYS_ROUTERS];            /* ports of each router */
    unsigned to[WAYS_ROUTERS][WAYS_ROUTERS]; /* routers that they lead to */
    unsigned long pes[WAYS_ROUTERS];
    unsigned goals, at[WAYS_GOALS];   /* router of each goal */
    unsigned long weight[WAYS_GOALS]; /* PEs that each goal stands for */
    unsigned far[WAYS_ROUTERS][WAYS_ROUTERS];
    bool last_root, first_port, sides_only; /* planted mistakes */
};

struct ways_made {
    unsigned port[WAYS_GOALS][WAYS_ROUTERS];
    unsigned long load[WAYS_ROUTERS][WAYS_ROUTERS]; /* of each port */
};

/* Sets net->far. */
void oracle_ways_distances(struct ways_net *net);

/* Makes the ways. Returns false if all have a circle. */
bool oracle_ways_make(const struct ways_net *net, struct ways_made *made);

#endif
