/* Tables of networks with routers (machine/network/graph.h), and of the kinds of routing that they
 * may have. ROW(NAME, name, help) defines the choice `name` of setting network.topology, the enum
 * value MACHINE_NETWORK_NAME and the rules machine_NAME_rules. */
#ifndef MACHINE_TOPOLOGIES_H
#define MACHINE_TOPOLOGIES_H

/* clang-format off */
#define MACHINE_SHAPES(ROW)                                                              \
    ROW(BUS, bus, "one link for all")                                                    \
    ROW(RING, ring, "a ring of routers, both ways")                                      \
    ROW(MESH, mesh, "a line, grid or box of routers")                                    \
    ROW(TORUS, torus, "a mesh whose ends are joined")                                    \
    ROW(HYPERCUBE, hypercube, "routers whose numbers differ in one bit are joined")      \
    ROW(OMEGA, omega, "stages of switches, one way through (a butterfly)")               \
    ROW(FATTREE, fattree, "a tree of switches with as many links on each level")         \
    ROW(FLATFLY, flatfly, "a grid whose rows and columns are joined all to all")         \
    ROW(DRAGONFLY, dragonfly, "groups, joined all to all by global links")               \
    ROW(FILE, file, "routers and links that a file lists")
#define MACHINE_ROUTINGS(ROW)                                                            \
    ROW(DETERMINISTIC, deterministic, "one way for each pair of PEs")                    \
    ROW(ADAPTIVE, adaptive, "any shortest way, by load, with channels to escape by")     \
    ROW(VALIANT, valiant, "by a router that is drawn for each token")
/* clang-format on */

#endif
