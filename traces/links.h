/* The links of a network, described from the settings of a machine before a run. Each kind of
 * network describes its links (machine/network/shape.h); analyses read them. */
#ifndef TRACES_LINKS_H
#define TRACES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

/* A link of a network. In events, the links have numbers: first the output ports of the PEs (with
 * routers: the injections, from a PE into the network), then the input ports (ejections), then
 * links between routers. A crossbar has only ports, with one router between them. */
struct traces_network_link {
    uint32_t from, to;  /* routers at its ends; TRACES_NONE for a PE */
    uint64_t delay;     /* cycles that a token takes over the link */
    uint64_t router;    /* part of `delay` that is spent in the router */
    uint64_t credit;    /* cycles until the sender knows of a free place after the link */
    bool has_one_class; /* all virtual channels of the link are of one class */
    bool is_whole;      /* a token has passed only when its last bits have */
    bool is_open; /* a token has passed when it enters its next link, whichever that is */
    bool holds; /* tokens may wait before the link although the one in front has passed */
};

struct traces_network {
    struct traces_network_link *links; /* owned */
    uint32_t link_count;               /* number of links; 0 for an ideal network */
    /* PEs per node of a cluster, which tokens leave as whole packets; or 0 */
    uint32_t node_pes;
    bool has_routers;
    /* All paths between PEs, or between nodes, are alike, as with one router. */
    bool is_flat;

    /* For finite buffers: virtual channels per link, classes of channels, places per channel, and
     * internal ports per input link. All 0 if queues are unlimited. */
    uint32_t channels, classes;
    uint64_t capacity, speedup;
};

#endif
