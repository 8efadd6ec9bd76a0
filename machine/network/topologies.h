/* The networks that have links, one row each: the choice of `network.topology` and its help, the
 * enum MACHINE_NETWORK_NAME and the topology machine_NAME follow from it.
 *
 * ROW(NAME, name, help) */
#ifndef MACHINE_NETWORK_TOPOLOGIES_H
#define MACHINE_NETWORK_TOPOLOGIES_H

/* clang-format off */
#define MACHINE_TOPOLOGIES(ROW)                                                          \
    ROW(CROSSBAR, crossbar, "one output and one input port per PE")

/* Those that have routers (machine/network/graph.h), and how tokens are routed there. */
#define MACHINE_SHAPES(ROW)                                                              \
    ROW(MESH, mesh, "a line, grid or box of routers")
#define MACHINE_ROUTINGS(ROW)                                                            \
    ROW(DETERMINISTIC, deterministic, "one way for each pair of PEs")                    \
    ROW(ADAPTIVE, adaptive, "any shortest way, by load, with channels to escape by")     \
    ROW(VALIANT, valiant, "by a router that is drawn for each token")
/* clang-format on */

#endif
