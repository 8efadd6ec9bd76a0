/* The network of a machine whose nodes are the hosts of a platform (doc/model.md, "Platforms"):
 * PEs are joined to the switch of their node, and messages go from node to node as a carrier has
 * them (machine/simgrid/carrier.h). Links have these numbers, of n PEs and N nodes:
 *     0 ... n-1       the injection of PE p, to its switch
 *     n ... 2n-1      the ejection to PE p
 *     2n ... 2n+N-1   the interface of node i, where messages wait
 *     2n+N ...        the links of the platform
 * A message is sent in a cycle, at its date, and comes in the first cycle whose date is not
 * before the one that the carrier says, and after the one of sending. Of equal cycles, in the
 * order of sending. */
#ifndef MACHINE_SIMGRID_GRID_H
#define MACHINE_SIMGRID_GRID_H

#include "machine/network/links.h"
#include "machine/simgrid/carrier.h"
#include "machine/state.h"

#define GRID_NOBODY UINT32_MAX

/* An injection or ejection. */
struct grid_port {
    struct machine_queue queue;
    struct isa_token
        leaving;     /* of an ejection that is occupied for longer than a cycle: */
    uint64_t leaves; /* it comes out in this one; 0: there is none */
    uint64_t free;
    struct traces_link_stats stats; /* as of struct machine_link */
};

/* In the interface of a node, or on its way. */
struct grid_message {
    LIB_VEC(struct isa_token) tokens; /* their places are the PEs to which they go */
    uint64_t number;                  /* of the sending, when it is sent */
    uint64_t ready, sent;             /* cycles */
    uint64_t bits;                    /* of its tokens */
    uint32_t from, to;                /* nodes */
    uint32_t next;                    /* in its list */
    uint32_t link;                    /* to which its time on the way is put down */
    uint32_t mark;                    /* machine_nodes_send */
};

struct grid_nic {
    uint32_t first, last; /* messages that wait */
    uint32_t inside, most;
    struct traces_link_stats stats;
};

struct grid_link {
    uint64_t tokens, bits, messages;
    double busy;   /* cycles */
    uint32_t load; /* messages that are on their way over it */
};

struct grid_arrival {
    uint64_t cycle, number;
    uint32_t message;
};

struct machine_grid {
    struct machine_platform *platform;
    struct machine_carrier *carrier;
    uint32_t pes, nodes, node_pes;
    double clock;  /* ticks in a second, where time is in ticks; else cycles */
    uint64_t pace; /* ticks of a cycle; 1: time is in cycles */
    uint64_t latency, bandwidth, window, header;

    struct grid_port *ports;
    struct machine_set waiting; /* ports that have tokens */
    struct machine_way *ways;   /* behind injections, per cycle */
    uint64_t way_mask, in_ways;
    struct grid_nic *nics;
    struct machine_set talking; /* nodes whose interface has messages */
    uint32_t *open;             /* per pair of nodes the message that gathers; or NULL */
    LIB_VEC(struct grid_message) messages;
    uint32_t unused;
    LIB_VEC(uint32_t) sent; /* a ring: by number, the message */
    uint64_t sendings,
        oldest; /* numbers: the next one, and the least that has not come */
    LIB_VEC(struct grid_arrival) arrivals; /* a heap */
    struct grid_link *links;
    uint64_t reached;     /* the carrier is at the date of this cycle, */
    uint64_t known;       /* and more is known of it in this one; MACHINE_NEVER; */
    bool is_known;        /* false: it is to be asked */
    uint64_t hops, count; /* tokens that are there */
};

static inline uint32_t grid_node(const struct machine_grid *g, uint32_t pe)
{
    return pe / g->node_pes;
}

static inline bool grid_is_ejection(const struct machine_grid *g, uint32_t port)
{
    return port >= g->pes;
}

/* One cycle. */
void grid_serve(struct machine *m);

/* The next cycle in which something happens, if nothing is sent till then. */
uint64_t grid_next(struct machine *m);

/* For struct machine_network_kind. */
void grid_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                 uint64_t bits);
extern const struct machine_network_messages grid_messages;

/* The first cycle whose date is not before this one. */
uint64_t grid_cycle_of(const struct machine_grid *g, double date);

#endif
