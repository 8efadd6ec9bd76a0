/* Whether tokens can wait for each other in a circle: the proof over channel dependencies.
 *
 * A channel is a link between routers with one of its channel classes. It depends on another one
 * if a token that is in the first can wait for the second: with finite buffers it holds the one
 * while it waits for the other. If no circle of dependencies exists, the network is free of
 * deadlock (Dally and Seitz 1987). Where a token may take one of several channels, those by which
 * it can escape are judged alone, with what one of them can wait for after any number of others
 * (Duato, A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE Trans.
 * Parallel and Distributed Systems 4(12), 1993).
 *
 * All ways of all tokens are listed, from every PE, to every PE, by every router of Valiant's. A
 * large network is judged by a smaller one of its topology: see machine_proof_shape.
 *
 * PEs take what comes out of the network: what waits because a PE is full is no matter of this
 * proof. */
#ifndef MACHINE_NETWORK_PROOF_H
#define MACHINE_NETWORK_PROOF_H

#include "machine/network/graph.h"

struct machine_channel {
    uint32_t link, from, to; /* and its routers */
    uint32_t channel_class;
};

struct machine_proof {
    bool is_free;
    uint64_t channels,
        dependencies; /* that were looked at; of adaptive routing, of each PE apart */
    struct machine_shape judged; /* the network that was looked at */
    /* A circle, each of which waits for the next, and the last for the first. Owned. */
    struct machine_channel *circle;
    size_t circle_length;
};

/* Above so many PEs a network is judged by a smaller one. */
enum { MACHINE_PROOF_MAX_PES = 1024 };

void machine_graph_prove(const struct machine_graph *graph, struct machine_proof *proof);

/* The shape by which one is judged: itself up to 1024 PEs, and if it is from a file; else a
 * smaller one of the same topology and routing. Dependencies are made by how coordinates, digits
 * and groups lie to each other, and not by how far they are apart. So there is one PE per router
 * where that is free, dimensions become shorter but stay odd or even, and a hypercube, an omega
 * or a fat tree has fewer levels, a dragonfly fewer groups. */
void machine_proof_shape(const struct machine_shape *shape, struct machine_shape *judged);

/* Adds the circle: "router 0 -> 1 in class 0, 1 -> 2 in class 0, ...". */
void machine_proof_write(const struct machine_proof *proof, struct lib_text *out);
void machine_proof_free(struct machine_proof *proof);

#endif
