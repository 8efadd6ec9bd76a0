/* The links of a network, as the settings of a machine describe them before a run. The kinds of
 * networks fill them in (machine/network/shape.h), and analyses read them. */
#ifndef TRACES_LINKS_H
#define TRACES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

/* A link of a network. Events use the number of a link: the output ports or injections of PEs have
 * the first numbers, the input ports or ejections the next. In a crossbar the ports are the links,
 * with one router between them. */
struct traces_network_link {
    uint32_t from, to; /* routers; TRACES_NONE for a PE */
    uint64_t delay;  /* cycles from when a token enters it until the token is behind it */
    uint64_t router; /* cycles of the delay that are spent in the router */
    uint64_t credit; /* cycles from a free place behind it until its credit is back */
    bool has_one_class; /* all its channels are of one class */
    bool is_whole;      /* a token is behind it only with its last bits */
    bool is_open;       /* a token is behind it when it enters the next link, any link */
    bool holds;         /* tokens wait before it for more than the token before them */
};

struct traces_network {
    struct traces_network_link *links; /* owned */
    uint32_t link_count;               /* 0 for an ideal network */
    uint32_t node_pes; /* PEs per node, which a token leaves as a whole; or 0 */
    bool has_routers;
    bool is_flat; /* ways between PEs, or nodes, differ in nothing: there is one router */

    /* Finite buffers: channels of a link, classes of channels, places per channel, and ports of an
     * input link. 0 channels if queues are unlimited. */
    uint32_t channels, classes;
    uint64_t capacity, speedup;
};

#endif
