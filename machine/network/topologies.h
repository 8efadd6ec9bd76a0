/* The networks that have links, one row each: the choice of `network.topology` and its help, the
 * enum MACHINE_NETWORK_NAME and the topology machine_NAME follow from it.
 *
 * ROW(NAME, name, help) */
#ifndef MACHINE_NETWORK_TOPOLOGIES_H
#define MACHINE_NETWORK_TOPOLOGIES_H

/* clang-format off */
#define MACHINE_TOPOLOGIES(ROW)                                                          \
    ROW(CROSSBAR, crossbar, "one output and one input port per PE")
/* clang-format on */

#endif
