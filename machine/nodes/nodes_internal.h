/* The state of nodes, for machine/nodes/. */
#ifndef MACHINE_NODES_INTERNAL_H
#define MACHINE_NODES_INTERNAL_H

#include "machine/nodes/nodes.h"
#include "machine/state.h"

#define NODES_NOBODY UINT32_MAX

/* A message on its way, or one that is lost. */
struct nodes_message {
    uint64_t key; /* key of its first token: instruction and tag */
    uint64_t tokens;
    uint32_t from, to, number;
    uint32_t next; /* next unused one */
    uint8_t is_used, is_lost, is_release;
};

/* A message held by a fault. */
struct nodes_held {
    struct machine_nodes_item item;
    uint64_t until; /* cycle when it arrives; MACHINE_NEVER if nothing else can proceed */
    uint32_t message;
    uint32_t is_overtaken; /* it arrives after the next message of its pair */
};

/* The messages from one node to another. */
struct nodes_pair {
    uint32_t sent;          /* messages sent */
    uint32_t base;          /* all messages before this number have arrived */
    LIB_VEC(uint64_t) came; /* bit per later message: it has arrived */
};

/* The probe of Safra (EWD 998), and the knowledge of node 0 about it. */
struct nodes_probe {
    uint32_t at;      /* node where it is, or to which it goes */
    uint64_t arrives; /* cycle when it arrives there */
    int64_t sum;      /* messages sent less received, of the nodes visited so far */
    bool is_black, is_round; /* is_round: it has completed a round */
    bool waits;              /* clean rounds miss messages */
    int64_t missing;         /* number of missing messages */
    uint64_t since;          /* cycle since when they are missing */
};

struct nodes_node {
    int64_t surplus; /* messages sent less messages received */
    uint64_t inside; /* tokens between its PEs, and before its interface */
    bool is_black;   /* it has received a message since the probe left it */
};

struct machine_nodes {
    uint32_t count, pes;
    bool counts;
    uint64_t seed, latest; /* latest: the most cycles that a message can be delayed */
    struct machine_fault_list list;
    LIB_VEC(struct nodes_message) messages;
    uint32_t unused;
    LIB_VEC(struct nodes_held) held; /* in the order of arrival */
    LIB_VEC(struct machine_nodes_item) lost;
    bool forced; /* the first held message without a cycle is delivered */
    struct nodes_pair *pairs;
    struct nodes_node *nodes;
    uint64_t *lone; /* cycles of a probe from each node to the one before it */
    uint64_t round; /* sum of `lone` */
    struct nodes_probe probe;
    uint64_t most_bits; /* most bits of a message so far */
    bool is_quiet;      /* only probes are under way */
    uint64_t quiet;     /* cycle since when */
    bool told_stop;     /* the event of the stopped node was emitted */
    uint32_t wrong;     /* message that came twice, or the first missing one */
    bool came_twice;
    uint64_t others; /* other missing messages */
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

/* Returns the functions of messages of the network, or NULL if items are tokens. */
const struct machine_network_messages *nodes_messages(const struct machine *m);

/* Returns the fault of a message that has arrived; sets `cycles` for a delay. */
enum machine_fault nodes_fault(const struct machine *m,
                               const struct nodes_message *message, uint64_t *cycles);

/* Notes that a message arrived. Returns true if one with this number has arrived before. */
bool nodes_receive(struct nodes_pair *pair, uint32_t number);

/* Returns the first message that is missing, or lost, by nodes and number. Sets `others` to the
 * number of others. */
uint32_t nodes_missing(const struct machine_nodes *n, bool only_lost, uint64_t *others);

#endif
