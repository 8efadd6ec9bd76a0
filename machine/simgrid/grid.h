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
 * A message is sent in a cycle, at the date of the cycle. It arrives in the first later cycle whose
 * date is not before the arrival from the carrier; several of one cycle arrive in the order of
 * sending. */
#ifndef MACHINE_SIMGRID_GRID_H
#define MACHINE_SIMGRID_GRID_H

#include "machine/network/links.h"
#include "machine/simgrid/carrier.h"
#include "machine/state.h"

#define GRID_NOBODY UINT32_MAX

/* An injection or ejection. */
struct grid_port {
    struct machine_queue queue;
    /* Token on an ejection that is occupied for several cycles. */
    struct isa_token leaving;
    uint64_t leaves; /* cycle when it is delivered; 0 if there is none */
    uint64_t free;
    struct traces_link_stats stats; /* as those of struct machine_link */
};

/* A message in the interface of a node, or on its way. */
struct grid_message {
    LIB_VEC(struct isa_token) tokens; /* their places are the PEs to which they go */
    uint64_t number;                  /* number of the sending */
    uint64_t ready, sent;             /* cycles */
    uint64_t bits;                    /* bits of its tokens */
    uint32_t from, to;                /* nodes */
    uint32_t next;                    /* next of its list */
    uint32_t link; /* link to which its time on the way is attributed */
    uint32_t mark; /* number from machine_nodes_send */
};

struct grid_nic {
    uint32_t first, last; /* messages that wait */
    uint32_t inside, most;
    struct traces_link_stats stats;
};

struct grid_link {
    uint64_t tokens, bits, messages;
    double busy;   /* cycles */
    uint32_t load; /* messages on their way over it */
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
    struct machine_set waiting; /* ports that have tokens */
    struct machine_way *ways;   /* wheel of tokens behind injections */
    uint64_t way_mask, in_ways;
    struct grid_nic *nics;
    struct machine_set talking; /* nodes whose interface has messages */
    uint32_t *open; /* message that gathers tokens, per pair of nodes; or NULL */
    LIB_VEC(struct grid_message) messages;
    uint32_t unused;
    LIB_VEC(uint32_t) sent;    /* ring: number of a sending -> message */
    uint64_t sendings, oldest; /* next number; least number that has not arrived */
    LIB_VEC(struct grid_arrival) arrivals; /* a heap */
    struct grid_link *links;
    uint64_t reached;     /* the carrier is at the date of this cycle */
    uint64_t known;       /* cycle when it knows more, or MACHINE_NEVER */
    bool is_known;        /* `known` is current; else the carrier must be asked */
    uint64_t hops, count; /* count: tokens in the network */
};

static inline uint32_t grid_node(const struct machine_grid *g, uint32_t pe)
{
    return pe / g->node_pes;
}

static inline bool grid_is_ejection(const struct machine_grid *g, uint32_t port)
{
    return port >= g->pes;
}

/* Simulates one cycle. */
void grid_serve(struct machine *m);

/* Returns the next cycle in which something happens, if nothing is sent until then. */
uint64_t grid_next(struct machine *m);

/* For struct machine_network_kind. */
void grid_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                 uint64_t bits);
extern const struct machine_network_messages grid_messages;

/* Returns the first cycle whose date is not before `date`. */
uint64_t grid_cycle_of(const struct machine_grid *g, double date);

#endif
