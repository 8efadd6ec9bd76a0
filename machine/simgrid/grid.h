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

/* Injection port (from a PE to its switch) or ejection port (from a switch to its PE). */
struct grid_port {
    struct machine_queue queue;
    /* Token that is passing the ejection port for several cycles. */
    struct isa_token leaving;
    uint64_t leaves; /* cycle in which `leaving` is delivered; 0: no token is passing */
    /* First cycle in which the port can take another token. */
    uint64_t free;
    /* Traffic of the port. Its member `waits` gets the cycle when a token leaves `queue` added,
     * and the cycle when one enters subtracted: the sum of all waits once `queue` is empty. */
    struct traces_link_stats stats;
};

/* A message that waits in the interface of a node, or is in transit. */
struct grid_message {
    /* Tokens of the message, each with its destination PE. */
    LIB_VEC(struct isa_token) tokens;
    uint64_t number;      /* position of the message in the order of sending */
    uint64_t ready, sent; /* cycles in which the message was complete, and was sent */
    uint64_t bits;        /* bits of the tokens */
    uint32_t from, to;
    /* Index of the next message that waits in the interface; if unused, of the next unused one. */
    uint32_t next;
    /* Busiest link of the route when the message was sent; events name it. */
    uint32_t link;
    uint32_t mark; /* index of the message from machine_nodes_send */
};

struct grid_nic {
    uint32_t first, last; /* first and last message that waits in the interface */
    uint32_t inside, most;
    struct traces_link_stats stats;
};

struct grid_link {
    uint64_t tokens, bits, messages;
    double busy;   /* cycles in which the link was occupied */
    uint32_t load; /* number of messages that are passing the link */
};

struct grid_arrival {
    uint64_t cycle, number;
    uint32_t message;
};

struct machine_grid {
    struct machine_platform *platform;
    struct machine_carrier *carrier;
    uint32_t pes, nodes, node_pes;
    double clock;  /* units of time (see `pace`) per second */
    uint64_t pace; /* units of time per cycle; 1 if the unit is a cycle */
    uint64_t latency, bandwidth, window, header;

    struct grid_port *ports;
    struct machine_set waiting; /* ports that hold tokens */
    /* Timing wheel of the tokens that have passed injection ports. */
    struct machine_way *ways;
    uint64_t way_mask, in_ways;
    struct grid_nic *nics;
    struct machine_set talking; /* nodes whose interfaces hold messages */
    /* For each pair of nodes: index of the message that collects tokens, or GRID_NOBODY. NULL if
     * messages have one token. */
    uint32_t *open;
    LIB_VEC(struct grid_message) messages;
    uint32_t unused;
    /* Ring buffer: `number` of a message -> index in `messages`. */
    LIB_VEC(uint32_t) sent;
    /* `sendings`: `number` of the next message sent. `oldest`: lowest number in transit. */
    uint64_t sendings, oldest;
    /* Heap of the messages whose arrival is known. */
    LIB_VEC(struct grid_arrival) arrivals;
    struct grid_link *links;
    uint64_t reached; /* cycle up to whose date the carrier has advanced */
    /* Next cycle in which the carrier may report arrivals; or MACHINE_NEVER. */
    uint64_t known;
    bool is_known;        /* whether `known` is up to date */
    uint64_t hops, count; /* `count`: number of tokens in the network */
};

static inline uint32_t grid_node(const struct machine_grid *g, uint32_t pe)
{
    return pe / g->node_pes;
}

static inline bool grid_is_ejection(const struct machine_grid *g, uint32_t port)
{
    return port >= g->pes;
}

void grid_serve(struct machine *m);

/* Returns the next cycle in which something happens if no PE sends until then. */
uint64_t grid_next(struct machine *m);

/* Sends a token of `bits` bits into the network. */
void grid_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                 uint64_t bits);
extern const struct machine_network_messages grid_messages;

/* Returns the first cycle that begins at or after `date` (seconds since the start of the run). */
uint64_t grid_cycle_of(const struct machine_grid *g, double date);

#endif
