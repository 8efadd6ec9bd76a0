/* State of the nodes of a machine: messages, faults and termination. */
#ifndef MACHINE_NODES_INTERNAL_H
#define MACHINE_NODES_INTERNAL_H

#include "machine/nodes/nodes.h"
#include "machine/state.h"

#define NODES_NOBODY UINT32_MAX

/* A message between nodes that is in transit or lost. */
struct nodes_message {
    uint64_t key; /* digest key of its first token: instruction and tag */
    uint64_t tokens;
    uint32_t from, to, number;
    uint32_t next; /* next unused message */
    uint8_t is_used, is_lost, is_release;
};

/* A message that a fault holds back. */
struct nodes_held {
    struct machine_nodes_item item;
    /* Cycle of its arrival; MACHINE_NEVER: when nothing else can proceed. */
    uint64_t until;
    uint32_t message;
    uint32_t is_overtaken; /* it must arrive after the next message of its pair */
};

/* Messages from one node to another, numbered in order. */
struct nodes_pair {
    uint32_t sent; /* number of messages sent */
    uint32_t base; /* all messages with lower numbers have arrived */
    /* For the others, from `base` on: a bit, set if the message has arrived. */
    LIB_VEC(uint64_t) came;
};

/* The probe: a message that goes round all nodes to detect termination (Safra, EWD 998). And what
 * node 0 knows. */
struct nodes_probe {
    uint32_t at;      /* node where the probe is or to which it goes */
    uint64_t arrives; /* cycle of its arrival there */
    int64_t sum;      /* messages sent minus received, of the nodes visited so far */
    bool is_black, is_round; /* `is_round`: the probe has completed a round */
    bool waits;              /* rounds are complete, but messages are missing */
    int64_t missing;         /* number of missing messages */
    uint64_t since;          /* cycle in which they were found missing */
};

struct nodes_node {
    int64_t surplus; /* messages sent minus messages received */
    uint64_t inside; /* tokens on their way inside the node */
    bool is_black;   /* the node has received a message since the probe left it */
};

struct machine_nodes {
    uint32_t count, pes;
    bool counts;
    uint64_t seed, latest; /* `latest`: the longest delay of a message in cycles */
    struct machine_fault_list list;
    LIB_VEC(struct nodes_message) messages;
    uint32_t unused;
    LIB_VEC(struct nodes_held) held; /* in the order of original arrival */
    LIB_VEC(struct machine_nodes_item) lost;
    bool forced; /* the first held message without a cycle arrives now */
    struct nodes_pair *pairs;
    struct nodes_node *nodes;
    uint64_t *lone; /* cycles that a probe takes from each node to the previous one */
    uint64_t round; /* sum of all cycles in `lone` */
    struct nodes_probe probe;
    uint64_t most_bits; /* size in bits of the longest message so far */
    bool is_quiet;      /* nothing happens except probes */
    uint64_t quiet;     /* cycle since which that is so */
    bool told_stop;     /* an event for the stopped node was emitted */
    /* Number of a message that arrived twice, or of the first missing one. */
    uint32_t wrong;
    bool came_twice;
    uint64_t others; /* number of other missing messages */
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

/* Returns how the network handles messages, or NULL if it sends single tokens. */
const struct machine_network_messages *nodes_messages(const struct machine *m);

/* Returns the fault that affects a message that has arrived; sets *cycles for a delay. */
enum machine_fault nodes_fault(const struct machine *m,
                               const struct nodes_message *message, uint64_t *cycles);

/* Records the arrival of message `number`. Returns true if it has arrived before. */
bool nodes_receive(struct nodes_pair *pair, uint32_t number);

/* Returns the first message that is missing, or lost, in the order of nodes and numbers. Sets
 * *others to the number of others. */
uint32_t nodes_missing(const struct machine_nodes *n, bool only_lost, uint64_t *others);

#endif
