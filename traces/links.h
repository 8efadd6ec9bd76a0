/* Links of a network, described from the settings of a machine before a run. Each kind of network
 * describes its links (machine/network/shape.h); analyses read them. */
#ifndef TRACES_LINKS_H
#define TRACES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

/* Link of a network. Events number first the output ports of the PEs (with routers: from a PE into
 * the network), then the input ports, then links between routers. A crossbar has only ports, with
 * one router between them. */
struct traces_network_link {
    uint32_t from, to; /* routers at the ends of the link; TRACES_NONE for a PE */
    uint64_t delay;    /* cycles from entering the link to leaving it */
    uint64_t router;   /* part of `delay` that is spent in a router */
    /* cycles until the sender knows that a buffer place after the link is free */
    uint64_t credit;
    bool has_one_class; /* all virtual channels of the link are of one class */
    bool is_whole;      /* a token has arrived only when its last bits have */
    bool is_open;       /* a token leaves the link by entering any other link */
    /* tokens may still wait for the link after the token in front has passed */
    bool holds;
};

struct traces_network {
    struct traces_network_link *links; /* owned array of link_count links */
    uint32_t link_count;               /* 0 for an ideal network */
    /* Number of PEs in each node of a cluster, which tokens leave as whole packets; 0: no
     * cluster. */
    uint32_t node_pes;
    bool has_routers;
    /* All paths between PEs, or between nodes of a cluster, are alike, as with one router. */
    bool is_flat;

    /* Finite buffers of the network: virtual channels per link, classes of channels, places per
     * channel, and internal ports per input link. All 0 if queues are unlimited. */
    uint32_t channels, classes;
    uint64_t capacity, speedup;
};

#endif
