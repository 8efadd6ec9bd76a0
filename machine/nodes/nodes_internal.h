/* What machine/nodes/ has of a machine. */
#ifndef MACHINE_NODES_INTERNAL_H
#define MACHINE_NODES_INTERNAL_H

#include "machine/nodes/nodes.h"
#include "machine/state.h"

#define NODES_NOBODY UINT32_MAX

/* A message on its way, or one that is lost. */
struct nodes_message {
    uint64_t key; /* of its first token: to which instruction, under which tag */
    uint64_t tokens;
    uint32_t from, to, number;
    uint32_t next; /* of those that are not in use */
    uint8_t is_used, is_lost, is_release;
};

/* Held by a fault. */
struct nodes_held {
    struct machine_nodes_item item;
    uint64_t
        until; /* it comes in this cycle; MACHINE_NEVER: when nothing else can go on, */
    uint32_t message;
    uint32_t is_overtaken; /* or behind the next message of its pair */
};

/* From one node to another. */
struct nodes_pair {
    uint32_t sent;          /* so many */
    uint32_t base;          /* all before this number have come, */
    LIB_VEC(uint64_t) came; /* and of 64 from there on per word those whose bit is set */
};

/* The probe of Safra (EWD 998), and what node 0 knows of it. */
struct nodes_probe {
    uint32_t at;      /* it is at this node, or on its way there */
    uint64_t arrives; /* in this cycle */
    int64_t sum; /* messages sent less those that came, of the nodes it has visited */
    bool is_black, is_round; /* is_round: it has been round */
    bool waits;              /* clean rounds miss messages, */
    int64_t missing;         /* so many, */
    uint64_t since;          /* from this cycle on */
};

struct nodes_node {
    int64_t surplus; /* messages that it sent less those that it received */
    uint64_t inside; /* tokens between its PEs, and before its interface */
    bool is_black;   /* it received some since the probe left it */
};

struct machine_nodes {
    uint32_t count, pes;
    bool counts;
    uint64_t seed, latest; /* latest: the most cycles that a message can be delayed */
    struct machine_fault_list list;
    LIB_VEC(struct nodes_message) messages;
    uint32_t unused;
    LIB_VEC(struct nodes_held) held; /* in the order in which they came */
    LIB_VEC(struct machine_nodes_item) lost;
    bool forced; /* the first one that has no cycle goes on */
    struct nodes_pair *pairs;
    struct nodes_node *nodes;
    uint64_t *lone; /* of a probe from a node to the one before it */
    uint64_t round; /* their sum */
    struct nodes_probe probe;
    uint64_t most_bits; /* of a message so far */
    bool is_quiet;      /* nothing but probes goes on, */
    uint64_t quiet;     /* since this cycle */
    uint64_t detected;  /* cycles from then until it was known */
    uint64_t faults, probes;
    bool told_stop; /* the node that is stopped is */
    uint32_t wrong; /* a message that came twice, or is the first that is missing */
    bool came_twice;
    uint64_t others; /* that are missing too */
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

/* Those of the network, if items name some; else NULL: items are tokens. */
const struct machine_network_messages *nodes_messages(const struct machine *m);

/* What a fault does to a message, which has come; `cycles` of a delay. */
enum machine_fault nodes_fault(const struct machine *m,
                               const struct nodes_message *message, uint64_t *cycles);

/* Whether a message with this number has come before; it has now. */
bool nodes_receive(struct nodes_pair *pair, uint32_t number);

/* The first message that is missing, or that is lost, by node, node and number; and how many more
 * there are. */
uint32_t nodes_missing(const struct machine_nodes *n, bool only_lost, uint64_t *others);

#endif
