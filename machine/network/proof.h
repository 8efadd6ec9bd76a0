/* Proof that tokens in a network cannot wait for each other in a cycle.
 *
 * A channel is a link between routers with one of its channel classes. It depends on another
 * channel if a token in it can wait for the other one. If dependencies have no cycle, the network
 * is free of deadlock (Dally and Seitz 1987). If adaptive routing has escape channels, only these
 * are examined, with those that a token can wait for after any number of other channels (Duato, A
 * New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE Trans. Parallel and
 * Distributed Systems 4(12), 1993).
 *
 * All routes between PEs are listed, by every intermediate router of Valiant's routing. The proof
 * assumes that PEs take all tokens that arrive.
 */
#ifndef MACHINE_NETWORK_PROOF_H
#define MACHINE_NETWORK_PROOF_H

#include "machine/network/graph.h"

struct machine_channel {
    uint32_t link, from, to; /* link, and the routers at its ends */
    uint32_t channel_class;
};

struct machine_proof {
    bool is_free;
    /* Number of channels and of dependencies examined; with adaptive routing, summed over
     * destination PEs. */
    uint64_t channels, dependencies;
    struct machine_shape judged; /* shape of the network that was examined */

    /* A cycle of channels, each of which waits for the next, and the last for the first; owned;
     * NULL: none. */
    struct machine_channel *circle;
    size_t circle_length;
};

/* Networks with more PEs are proved by means of a smaller network. */
enum { MACHINE_PROOF_MAX_PES = 1024 };

void machine_graph_prove(const struct machine_graph *graph, struct machine_proof *proof);

/* Sets `judged` to the network to examine in place of `shape`. Networks from a file, or of up to
 * MACHINE_PROOF_MAX_PES PEs, are examined themselves. Else `judged` is a smaller one of the same
 * topology and routing, as dependencies follow from the relative positions of routers, not from
 * distances: with one PE per router if possible, and shorter dimensions, which stay odd or even, or
 * fewer levels or groups. */
void machine_proof_shape(const struct machine_shape *shape, struct machine_shape *judged);

/* Appends the cycle of channels as text: "router 0 -> 1 in class 0, 1 -> 2 in class 0, ...". */
void machine_proof_write(const struct machine_proof *proof, struct lib_text *out);
void machine_proof_free(struct machine_proof *proof);

#endif
