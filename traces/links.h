/* Links of a network: which link leads where, and how long it takes at least. They are part of the
 * description of a machine (traces/machine.h). Each kind of network describes its own
 * (machine/network/network.h). */
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

struct machine_graph;

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

    /* Distances between PEs; NULL: not asked for, or the network has no routers of ours. */
    struct machine_graph *graph; /* owned */
    const struct traces_network_distances *distances;
    uint64_t step; /* min delay of a link between routers; UINT64_MAX: there is none */
};

/* Questions to `graph` of a network. */
struct traces_network_distances {
    /* Returns the min cycles on links between routers from one PE to another. */
    uint64_t (*between)(const struct traces_network *network, uint32_t from, uint32_t to);

    /* Returns the number of links from the lower half of the PEs to the upper half. */
    uint32_t (*between_halves)(const struct machine_graph *graph);
    void (*free)(struct machine_graph *graph);
};

/* Returns the number of links from the lower half of `pe_count` PEs to the upper half; 0: unlimited
 * or unknown. */
uint32_t traces_network_between_halves(const struct traces_network *network,
                                       uint32_t pe_count);

void traces_network_free(struct traces_network *network); /* `network` may be NULL */

#endif
