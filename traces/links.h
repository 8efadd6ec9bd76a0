/* Links of a network, described from the settings of a machine before a run. Each kind of network
 * describes its links (machine/network/shape.h); analyses read them. */
#ifndef TRACES_LINKS_H
#define TRACES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

/* Link of a network, or port of a PE. Indexes of links in events: first the output port of each PE
 * (with routers: the link from the PE into the network), then the input port of each PE, then the
 * links between routers. A crossbar has only ports, with one router between them. */
struct traces_network_link {
    uint32_t from, to; /* routers at the ends of the link; TRACES_NONE for a PE */
    uint64_t delay;    /* cycles from entering the link to leaving it */
    uint64_t router;   /* part of `delay` that is spent in a router */
    /* cycles from when a buffer place after the link becomes free until the sender knows it */
    uint64_t credit;
    bool has_one_class; /* all virtual channels of the link are of one class */
    bool is_whole;      /* a token leaves the link when its last bits do, not its first */
    bool is_open;       /* next link and delay of a token are not known in advance */
    /* a token may wait for the link even after the token in front has passed it */
    bool holds;
};

struct traces_network {
    struct traces_network_link *links; /* owned array of link_count links */
    uint32_t link_count;               /* 0 for an ideal network */
    /* PEs per node of a cluster; 0: not a cluster. Tokens leave a node as whole packets. */
    uint32_t node_pes;
    bool has_routers;
    /* All paths between PEs (or between nodes of a cluster) are alike, as through one router. */
    bool is_flat;

    /* Finite buffers of the network: virtual channels per link, classes of channels, places per
     * channel, and internal ports per input link. All 0 if queues are unlimited. */
    uint32_t channels, classes;
    uint64_t capacity, speedup;
};

#endif
