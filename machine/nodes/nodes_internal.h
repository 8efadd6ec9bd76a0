/* State of the nodes of a machine: messages, faults and termination. */
#ifndef MACHINE_NODES_INTERNAL_H
#define MACHINE_NODES_INTERNAL_H

#include "machine/nodes/nodes.h"
#include "machine/state.h"

#define NODES_NOBODY UINT32_MAX

/* A message between nodes that is in transit or lost. */
struct nodes_message {
    uint64_t key; /* instruction and tag of the message's first token */
    uint64_t tokens;
    uint32_t from, to, number;
    uint32_t next; /* if this entry is unused: index of the next unused one */
    uint8_t is_used, is_lost, is_release;
};

/* A message that a fault holds back. */
struct nodes_held {
    struct machine_nodes_item item;
    /* Cycle of delivery; MACHINE_NEVER: when nothing else can proceed. */
    uint64_t until;
    uint32_t message;
    /* Whether the message is reordered: delivered after the next one from its sender to its
     * receiver. */
    uint32_t is_overtaken;
};

/* Messages from one node to another, numbered from 0 in the order of sending. */
struct nodes_pair {
    uint32_t sent;
    uint32_t base; /* all messages with numbers below `base` have arrived */
    /* Bit i: message `base` + i has arrived. */
    LIB_VEC(uint64_t) came;
};

/* The probe, a message that goes round all nodes to detect termination (Safra, EWD 998); and the
 * results of its last round, which node 0 keeps. */
struct nodes_probe {
    uint32_t at;      /* node that has the probe, or to which it travels */
    uint64_t arrives; /* cycle of the arrival of the probe at node `at` */
    /* Messages sent minus received, of the nodes visited in this round. */
    int64_t sum;
    /* `is_black`: a node visited in this round has received a message since the previous visit.
     * `is_round`: the probe has left node 0, so that its arrival there completes a round. */
    bool is_black, is_round;
    /* In the last round, no node received a message, but messages were missing. */
    bool waits;
    int64_t missing; /* messages sent, but not received, as the last round found */
    uint64_t since;  /* cycle since which `missing` messages have been missing */
};

struct nodes_node {
    int64_t surplus; /* messages that the node sent minus messages that it received */
    uint64_t inside; /* tokens in transit between PEs of the node */
    bool is_black;   /* the node has received a message since the probe left the node */
};

struct machine_nodes {
    uint32_t count, pes;
    bool counts;
    uint64_t seed, latest; /* `latest`: longest delay that a fault causes, in cycles */
    struct machine_fault_list list;
    LIB_VEC(struct nodes_message) messages;
    uint32_t unused;
    /* Messages that faults hold back, in order of arrival. */
    LIB_VEC(struct nodes_held) held;
    LIB_VEC(struct machine_nodes_item) lost;
    /* Nothing else can proceed, so the first held message without a cycle of delivery is due. */
    bool forced;
    struct nodes_pair *pairs;
    struct nodes_node *nodes;
    uint64_t *lone; /* for each node: cycles that a probe takes to the previous node */
    uint64_t round; /* cycles of a round of the probe: the sum of `lone` */
    struct nodes_probe probe;
    uint64_t most_bits; /* bits of the longest message so far */
    bool is_quiet;      /* nothing is left to do except to send probes */
    uint64_t quiet;     /* cycle in which is_quiet became true */
    bool told_stop;     /* the event for the stopped node was emitted */
    /* Index in `messages` of the message that arrived twice or is missing, or NODES_NOBODY. */
    uint32_t wrong;
    bool came_twice;
    uint64_t others; /* number of missing messages besides `wrong` */
};

static inline struct nodes_pair *nodes_pair(const struct machine_nodes *n, uint32_t from,
                                            uint32_t to)
{
    return &n->pairs[(size_t)from * n->count + to];
}

static inline uint32_t nodes_of(const struct machine_nodes *n, uint32_t pe)
{
    return pe / n->pes;
}

/* Returns the network's functions for messages of several tokens; NULL if it sends single
 * tokens. */
const struct machine_network_messages *nodes_messages(const struct machine *m);

/* Returns the fault of a message that has arrived. Sets *cycles to the length of a delay, or 0. */
enum machine_fault nodes_fault(const struct machine *m,
                               const struct nodes_message *message, uint64_t *cycles);

/* Records the arrival of message `number`. Returns true if the number had arrived before. */
bool nodes_receive(struct nodes_pair *pair, uint32_t number);

/* Returns the index of the first message in transit or lost (`only_lost`: lost), in the order of
 * sender, receiver and number; NODES_NOBODY if none is. Sets *others to how many more there are. */
uint32_t nodes_missing(const struct machine_nodes *n, bool only_lost, uint64_t *others);

#endif
