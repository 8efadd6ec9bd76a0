/* Predefined clusters, written as SimGrid's XML: common topologies of any size, and a real
 * cluster. */
#ifndef MACHINE_SIMGRID_READY_H
#define MACHINE_SIMGRID_READY_H

#include "lib/text.h"

#define MACHINE_READY_PLATFORMS(ROW)                                                     \
    ROW(STAR, star, "a link from and to each host, and one switch")                      \
    ROW(TORUS, torus, "hosts in up to three dimensions, whose ends are joined")          \
    ROW(FATTREE, fattree, "two levels of switches, with as many links on both")          \
    ROW(DRAGONFLY, dragonfly, "groups, chassis and routers, joined all to all")          \
    ROW(GRIFFON, griffon, "the cluster griffon of Grid'5000: 92 hosts in three cabinets")

enum machine_ready_kind {
#define READY(NAME, name, help) MACHINE_READY_##NAME,
    MACHINE_READY_PLATFORMS(READY)
#undef READY
        MACHINE_READY_COUNT
};

struct machine_ready {
    enum machine_ready_kind kind;
    uint32_t nodes; /* number of hosts, at least 2; fixed for a real cluster */

    /* Bandwidth and latency of each link, in SimGrid's syntax; ignored for a real cluster. */
    const char *bandwidth, *latency;
};

/* Returns the number of hosts of a real cluster; 0 for a topology of any size. */
uint32_t machine_ready_hosts(enum machine_ready_kind kind);

void machine_ready_write(const struct machine_ready *ready, struct lib_text *out);

#endif
