/* The proof, over channel dependencies, that tokens cannot wait for each other in a circle.
 *
 * A channel is a link between routers with one of its channel classes. It depends on another one
 * if a token that is in the first can wait for the second: with finite buffers it holds the one
 * while it waits for the other. If no circle of dependencies exists, the network is free of
 * deadlock (Dally and Seitz 1987). If a token can take one of several channels, only its escape
 * channels are examined, with the channels for which one can wait after any number of others
 * (Duato, A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE Trans.
 * Parallel and Distributed Systems 4(12), 1993).
 *
 * All routes of all tokens are listed: from every PE, to every PE, by every router of Valiant's
 * routing. For a large network, a smaller one of its topology is examined: see machine_proof_shape.
 *
 * The proof assumes that PEs take all tokens that are ejected; it does not cover full PEs. */
#ifndef MACHINE_NETWORK_PROOF_H
#define MACHINE_NETWORK_PROOF_H

#include "machine/network/graph.h"

struct machine_channel {
    uint32_t link, from, to; /* link and its routers */
    uint32_t channel_class;
};

struct machine_proof {
    bool is_free;
    uint64_t channels,
        dependencies;            /* numbers examined; adaptive routing: sum over PEs */
    struct machine_shape judged; /* network that was examined */

    /* A circle of channels: each waits for the next, and the last for the first. Owned. */
    struct machine_channel *circle;
    size_t circle_length;
};

/* For more PEs than this, a smaller network is examined. */
enum { MACHINE_PROOF_MAX_PES = 1024 };

void machine_graph_prove(const struct machine_graph *graph, struct machine_proof *proof);

/* Sets `judged` to the shape to be examined for a shape: the same one up to MACHINE_PROOF_MAX_PES
 * PEs, or if it is from a file; else a smaller one of the same topology and routing. Dependencies
 * follow from the relative positions of coordinates, digits and groups, not from their distances.
 * So the smaller one has one PE per router if the topology allows that, dimensions are shorter but
 * stay odd or even, a hypercube, an omega or a fat tree has fewer levels, and a dragonfly fewer
 * groups. */
void machine_proof_shape(const struct machine_shape *shape, struct machine_shape *judged);

/* Adds the circle: "router 0 -> 1 in class 0, 1 -> 2 in class 0, ...". */
void machine_proof_write(const struct machine_proof *proof, struct lib_text *out);
void machine_proof_free(struct machine_proof *proof);

#endif
