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
 * The grid knows no machine: grid_part.c connects it to one, by struct grid_outside. A message is
 * sent at the date of its cycle. It arrives in the first later cycle whose date is not
 * before its arrival in the carrier; in one cycle, messages arrive in the order of sending. */
#ifndef MACHINE_SIMGRID_GRID_H
#define MACHINE_SIMGRID_GRID_H

#include "machine/network/transit.h"
#include "machine/simgrid/carrier.h"
#include "machine/state_table.h"

#define GRID_NOBODY UINT32_MAX

/* Injection port (from a PE to its switch) or ejection port (from a switch to its PE). The member
 * `waits` of `stats` gets the cycle when a token leaves `queue` added, and the cycle when one
 * enters subtracted: the sum of all waits once `queue` is empty. */
#define GRID_PORT_FIELDS(F)                                                              \
    F(STRUCT, machine_queue, queue)                                                      \
    /* cycle in which `leaving` is delivered; 0: no token is passing */                  \
    F(NUMBER, uint64_t, leaves)                                                          \
    /* token that is passing the ejection port for several cycles */                     \
    F(SOME_TOKEN, leaving, s->leaves)                                                    \
    F(CHECK, !s->leaves || machine_token_pe(&s->leaving) < m->pe_count)                  \
    F(NUMBER, uint64_t, free) /* first cycle in which it can take another token */       \
    F(NUMBER, struct traces_link_stats, stats)
struct grid_port {
    GRID_PORT_FIELDS(LIB_STATE_MEMBER)
};

/* A message that waits in the interface of a node, or is in transit. */
#define GRID_MESSAGE_FIELDS(F)                                                             \
    F(EACH, isa_token, tokens)  /* the PE of each is its destination */                    \
    F(NUMBER, uint64_t, number) /* position of the message in the order of sending */      \
    F(NUMBER, uint64_t, ready)  /* cycle in which the message was complete */              \
    F(NUMBER, uint64_t, sent)   /* cycle in which the message was sent */                  \
    F(NUMBER, uint64_t, bits)   /* bits of the tokens */                                   \
    F(NUMBER, uint32_t, from)                                                              \
    F(NUMBER, uint32_t, to)                                                                \
    /* index of the next message that waits in the interface; if unused, of the next     \
     * unused one */ \
    F(NUMBER, uint32_t, next)                                                              \
    /* busiest link of the route when the message was sent; events name it */              \
    F(NUMBER, uint32_t, link)                                                              \
    F(SCRATCH, uint32_t, mark) /* index of the message from machine_nodes_send */          \
    F(CALL, if (m->nodes) LIB_PACK(pack, s->mark))                                         \
    F(CHECK, grid_message_fits(m, s))
struct grid_message {
    GRID_MESSAGE_FIELDS(LIB_STATE_MEMBER)
};

#define GRID_NIC_FIELDS(F)                                                               \
    F(NUMBER, uint32_t, first) /* first message that waits in the interface */           \
    F(NUMBER, uint32_t, last)  /* last message that waits in the interface */            \
    F(NUMBER, uint32_t, inside)                                                          \
    F(KEPT, uint32_t, most)                                                              \
    F(NUMBER, struct traces_link_stats, stats)
struct grid_nic {
    GRID_NIC_FIELDS(LIB_STATE_MEMBER)
};

#define GRID_LINK_FIELDS(F)                                                              \
    F(NUMBER, uint64_t, tokens)                                                          \
    F(NUMBER, uint64_t, bits)                                                            \
    F(NUMBER, uint64_t, messages)                                                        \
    F(NUMBER, double, busy)   /* cycles in which the link was occupied */                \
    F(NUMBER, uint32_t, load) /* number of messages that are passing the link */
struct grid_link {
    GRID_LINK_FIELDS(LIB_STATE_MEMBER)
};

#define GRID_ARRIVAL_FIELDS(F)                                                           \
    F(NUMBER, uint64_t, cycle)                                                           \
    F(NUMBER, uint64_t, number)                                                          \
    F(NUMBER, uint32_t, message)
struct grid_arrival {
    GRID_ARRIVAL_FIELDS(LIB_STATE_MEMBER)
};

/* What a grid reads and touches of the machine around it. */
struct grid_outside {
    uint64_t now;                    /* the current cycle */
    bool tells;                      /* events are emitted */
    struct machine_wheel *departing; /* tokens that leave their PEs */
    /* Bits by which each message says its number; whether the other functions for messages are to
     * be called. */
    uint64_t number_bits;
    bool has_nodes;

    void *context; /* first argument of all functions */
    /* Returns the PE to which a token goes that leaves its PE. */
    uint32_t (*destination)(const void *context, const struct isa_token *t);
    uint64_t (*bits)(const void *context, const struct isa_token *t);
    void (*deliver)(void *context, const struct isa_token *t); /* to its PE */
    /* Called, if events are emitted, when a token enters or leaves the queue `link`. */
    void (*token_entered)(void *context, uint32_t link, const struct isa_token *t);
    void (*token_left)(void *context, uint32_t link, const struct isa_token *t,
                       uint64_t until);

    /* Adds to the tokens on their way within a node. */
    void (*inside)(void *context, uint32_t node, int64_t tokens);
    /* Called when a message of `bits` bits is sent, with its first token; returns its mark. Called
     * when the message arrives: it is to be released, now or later. */
    uint32_t (*message_sent)(void *context, const struct grid_message *message,
                             uint64_t bits);
    void (*message_came)(void *context, const struct grid_message *message, uint32_t at);
};

#define MACHINE_GRID_FIELDS(F)                                                             \
    F(KEPT, struct machine_platform *, platform)                                           \
    F(KEPT, struct machine_carrier *, carrier)                                             \
    F(KEPT, uint32_t, pes)                                                                 \
    F(KEPT, uint32_t, nodes)                                                               \
    F(KEPT, uint32_t, node_pes)                                                            \
    F(KEPT, double, clock)  /* units of time (see `pace`) per second */                    \
    F(KEPT, uint64_t, pace) /* units of time per cycle; 1 if the unit is a cycle */        \
    F(KEPT, uint64_t, latency)                                                             \
    F(KEPT, uint64_t, bandwidth)                                                           \
    F(KEPT, uint64_t, window)                                                              \
    F(KEPT, uint64_t, header)                                                              \
    F(CHECK, s->carrier->pack != NULL)                                                     \
    F(CALL, machine_wheel_pack(pack, &m->tokens.exec, &m->network.departing))              \
    F(STRUCTS, grid_port, ports, 2 * (size_t)s->pes)                                       \
    F(STRUCT, machine_set, waiting) /* ports that hold tokens */                           \
    F(STRUCT, machine_set, talking) /* nodes whose interfaces hold messages */             \
    /* tokens that have passed injection ports */                                          \
    F(STRUCT, machine_transit, transit)                                                    \
    F(CALL, LIB_PACK(pack, s->transit.count))                                              \
    F(EACH, grid_message, messages)                                                        \
    F(NUMBER, uint32_t, unused)                                                            \
    /* ring buffer: `number` of a message -> index in `messages` */                        \
    F(VEC, uint32_t, sent)                                                                 \
    F(NUMBER, uint64_t, sendings) /* `number` of the next message sent */                  \
    F(NUMBER, uint64_t, oldest)   /* lowest `number` in transit */                         \
    /* heap of the messages whose arrival is known */                                      \
    F(EACH, grid_arrival, arrivals)                                                        \
    F(STRUCTS, grid_nic, nics, s->nodes)                                                   \
    /* For each pair of nodes: index of the message that collects tokens, or             \
     * GRID_NOBODY. NULL if messages have one token. */ \
    F(ARRAY, uint32_t, open, s->open ? (size_t)s->nodes * s->nodes : 0)                    \
    F(CHECK, grid_is_sound(s))                                                             \
    F(STRUCTS, grid_link, links, s->platform->link_count)                                  \
    F(NUMBER, uint64_t, reached) /* cycle up to whose date the carrier has advanced */     \
    /* next cycle in which the carrier may report arrivals, or MACHINE_NEVER; whether it \
     * is up to date */ \
    F(SCRATCH, uint64_t, known)                                                            \
    F(SCRATCH, bool, is_known)                                                             \
    F(NUMBER, uint64_t, hops)                                                              \
    F(NUMBER, uint64_t, count) /* number of tokens in the network */                       \
    F(CALL, grid_pack_carrier(pack, s))
struct machine_grid {
    struct grid_outside outside; /* set by grid_part.c */
    MACHINE_GRID_FIELDS(LIB_STATE_MEMBER)
};

static inline uint32_t grid_node(const struct machine_grid *g, uint32_t pe)
{
    return pe / g->node_pes;
}

static inline bool grid_is_ejection(const struct machine_grid *g, uint32_t port)
{
    return port >= g->pes;
}

/* Simulates cycle outside.now. */
void grid_serve(struct machine_grid *g);

/* Returns the next cycle in which something happens if no PE sends until then. */
uint64_t grid_next(struct machine_grid *g);

/* Sends a token into the network. */
void grid_inject(struct machine_grid *g, uint32_t from, const struct isa_token *t);

/* Delivers the tokens of an arrived message to the ejection ports of their PEs. */
void grid_release(struct machine_grid *g, uint32_t message);

/* Returns the first cycle that begins at or after `date` (seconds since the start of the run). */
uint64_t grid_cycle_of(const struct machine_grid *g, double date);

#endif
