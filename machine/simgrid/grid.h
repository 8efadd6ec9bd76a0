/* The network of a machine whose nodes are the hosts of a platform (doc/model.md, "Platforms"): PEs
 * are connected to the switch of their node, and a carrier moves messages from node to node
 * (machine/simgrid/carrier.h).
 *
 *     PE --injection--> switch --> interface --carrier--> switch --ejection--> PE
 *
 * Numbers of links, with n PEs and N nodes:
 *
 *     0 ... n-1       injection of PE p, to its switch
 *     n ... 2n-1      ejection to PE p
 *     2n ... 2n+N-1   interface of node i, where messages wait
 *     2n+N ...        links of the platform
 *
 * A message is sent at the date of its cycle. It arrives in the first later cycle whose date is not
 * before its arrival in the carrier; in one cycle, messages arrive in the order of sending. */
#ifndef MACHINE_SIMGRID_GRID_H
#define MACHINE_SIMGRID_GRID_H

#include "machine/network/links.h"
#include "machine/simgrid/carrier.h"
#include "machine/state.h"

#define GRID_NOBODY UINT32_MAX

/* An injection (PE to switch) or ejection (switch to PE). */
struct grid_port {
    struct machine_queue queue;
    /* Token that is passing an ejection for several cycles. */
    struct isa_token leaving;
    uint64_t leaves; /* cycle of its delivery; 0 if there is none */
    uint64_t free;
    /* Traffic of the interface. `waits`: sum over tokens of the cycle of leaving `queue` minus
     * that of entering it; for a token that is still in `queue` only the latter is subtracted. */
    struct traces_link_stats stats;
};

/* A message that waits in the interface of a node, or is in transit. */
struct grid_message {
    LIB_VEC(struct isa_token) tokens; /* tokens, each with the PE to which it goes */
    uint64_t number;                  /* number in the order of sending */
    uint64_t ready, sent; /* cycles when it was complete, and when it was sent */
    uint64_t bits;        /* size in bits of its tokens */
    uint32_t from, to;    /* sending and receiving node */
    uint32_t next;        /* next message of its list */
    uint32_t link;        /* platform link to which its time is attributed */
    uint32_t mark;        /* its number from machine_nodes_send */
};

struct grid_nic {
    uint32_t first, last; /* list of waiting messages */
    uint32_t inside, most;
    struct traces_link_stats stats;
};

struct grid_link {
    uint64_t tokens, bits, messages;
    double busy;   /* cycles that it was busy */
    uint32_t load; /* number of messages that are passing it */
};

struct grid_arrival {
    uint64_t cycle, number;
    uint32_t message;
};

struct machine_grid {
    struct machine_platform *platform;
    struct machine_carrier *carrier;
    uint32_t pes, nodes, node_pes;
    double clock;  /* ticks per second if time is in ticks, else cycles per second */
    uint64_t pace; /* ticks per cycle; 1 if time is in cycles */
    uint64_t latency, bandwidth, window, header;

    struct grid_port *ports;
    struct machine_set waiting; /* ports with tokens */
    struct machine_way *ways; /* timing wheel of the tokens that have passed injections */
    uint64_t way_mask, in_ways;
    struct grid_nic *nics;
    struct machine_set talking; /* nodes whose interfaces have messages */
    /* For each pair of nodes: message that still collects tokens; or NULL. */
    uint32_t *open;
    LIB_VEC(struct grid_message) messages;
    uint32_t unused;
    LIB_VEC(uint32_t) sent;    /* ring buffer: number of sending -> message */
    uint64_t sendings, oldest; /* next number of sending, and the lowest one in transit */
    LIB_VEC(struct grid_arrival) arrivals; /* heap of arrivals that are known */
    struct grid_link *links;
    uint64_t reached; /* the carrier has advanced to the date of this cycle */
    /* Next cycle in which the carrier may know more arrivals; or MACHINE_NEVER. */
    uint64_t known;
    bool is_known;        /* `known` is up to date */
    uint64_t hops, count; /* `count` is the number of tokens in the network */
};

static inline uint32_t grid_node(const struct machine_grid *g, uint32_t pe)
{
    return pe / g->node_pes;
}

static inline bool grid_is_ejection(const struct machine_grid *g, uint32_t port)
{
    return port >= g->pes;
}

/* Simulates one cycle of the network. */
void grid_serve(struct machine *m);

/* Returns the next cycle in which something happens in the network, if nothing is sent until
 * then. */
uint64_t grid_next(struct machine *m);

/* Sends a token from a PE into the network (struct machine_network_kind). */
void grid_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                 uint64_t bits);
extern const struct machine_network_messages grid_messages;

/* Returns the first cycle whose date is not before `date`. */
uint64_t grid_cycle_of(const struct machine_grid *g, double date);

#endif
