/* State of the nodes of a machine: messages, faults and termination. The nodes know no machine:
 * nodes_part.c connects them to one, by struct nodes_outside. */
#ifndef MACHINE_NODES_INTERNAL_H
#define MACHINE_NODES_INTERNAL_H

#include "machine/nodes.h"
#include "machine/part.h"
#include "machine/state_table.h"
#include "traces/machine.h"
#include "traces/part_counts.h"

#define NODES_NOBODY UINT32_MAX

/* A message between nodes that is in transit or lost. */
#define NODES_MESSAGE_FIELDS(F)                                                          \
    F(NUMBER, uint64_t, key) /* instruction and tag of the message's first token */      \
    F(NUMBER, uint64_t, tokens)                                                          \
    F(NUMBER, uint32_t, from)                                                            \
    F(NUMBER, uint32_t, to)                                                              \
    F(NUMBER, uint32_t, number)                                                          \
    F(NUMBER, uint32_t,                                                                  \
      next) /* if this entry is unused: index of the next unused one */                  \
    F(NUMBER, uint8_t, is_used)                                                          \
    F(NUMBER, uint8_t, is_lost)                                                          \
    F(NUMBER, uint8_t, is_release)                                                       \
    F(CHECK, s->from < m->nodes->count && s->to < m->nodes->count)
struct nodes_message {
    NODES_MESSAGE_FIELDS(LIB_STATE_MEMBER)
};

/* A message that a fault holds back. */
#define NODES_HELD_FIELDS(F)                                                             \
    F(STRUCT, machine_nodes_item, item)                                                  \
    /* cycle of delivery; MACHINE_NEVER: when nothing else can proceed */                \
    F(NUMBER, uint64_t, until)                                                           \
    F(NUMBER, uint32_t, message)                                                         \
    /* whether it is delivered after the next one from its sender to its receiver */     \
    F(NUMBER, uint32_t, is_overtaken)                                                    \
    F(CHECK, s->message < m->nodes->messages.count)
struct nodes_held {
    NODES_HELD_FIELDS(LIB_STATE_MEMBER)
};

/* Messages from one node to another, numbered from 0 in the order of sending. */
#define NODES_PAIR_FIELDS(F)                                                             \
    F(NUMBER, uint32_t, sent)                                                            \
    F(NUMBER, uint32_t, base) /* all messages with numbers below `base` have arrived */  \
    F(VEC, uint64_t, came)    /* bit i: message `base` + i has arrived */
struct nodes_pair {
    NODES_PAIR_FIELDS(LIB_STATE_MEMBER)
};

/* The probe, a message that goes round all nodes to detect termination (Safra, EWD 998); and the
 * results of its last round, which node 0 keeps. */
#define NODES_PROBE_FIELDS(F)                                                             \
    F(NUMBER, uint32_t, at)      /* node that has the probe, or to which it travels */    \
    F(NUMBER, uint64_t, arrives) /* cycle of the arrival of the probe at node `at` */     \
    /* messages sent minus received, of the nodes visited in this round */                \
    F(NUMBER, int64_t, sum)                                                               \
    F(BOOL, is_black) /* a node visited in this round received since the last visit */    \
    F(BOOL, is_round) /* it has left node 0: arriving there completes a round */          \
    F(BOOL, waits) /* no node received in the last round, but messages were missing */    \
    /* messages sent, but not received, as the last round found; and since which cycle */ \
    F(NUMBER, int64_t, missing)                                                           \
    F(NUMBER, uint64_t, since)                                                            \
    F(CHECK, s->at < m->nodes->count)
struct nodes_probe {
    NODES_PROBE_FIELDS(LIB_STATE_MEMBER)
};

#define NODES_NODE_FIELDS(F)                                                             \
    F(NUMBER, int64_t, surplus) /* messages that it sent minus those it received */      \
    F(NUMBER, uint64_t, inside) /* tokens in transit between PEs of the node */          \
    F(BOOL, is_black)           /* it has received a message since the probe left it */
struct nodes_node {
    NODES_NODE_FIELDS(LIB_STATE_MEMBER)
};

/* What the nodes read and touch of the machine around them. */
struct nodes_outside {
    uint64_t now; /* the current cycle */
    const struct machine_settings *settings;
    const struct traces_machine *about;
    struct traces_part_counts *counts;
    const bool *running; /* the run has not ended */
    bool has_tokens;     /* items are tokens, not messages of several tokens */

    void *context; /* first argument of all functions */
    void (*deliver)(void *context, const struct machine_nodes_item *item);
    void (*lose)(void *context, const struct isa_token *t); /* it never comes to its PE */
    /* Whether all tokens at the PEs of a node wait for others. */
    bool (*is_passive)(const void *context, uint32_t node);
    /* End the run: a message is wrong; the probe has found that all work has ended. */
    void (*stop_faulted)(void *context);
    void (*stop_quiet)(void *context);
    /* Emit events: a message enters (ENTERED) or leaves (LEFT) what faults hold for node `to`; it
     * gets a fault, which lasts until a cycle, or 0; a node passes the probe on. */
    void (*tell_held)(void *context, const struct machine_nodes_item *item, uint32_t to,
                      enum traces_event_kind kind);
    void (*tell_fault)(void *context, const struct nodes_message *message,
                       enum machine_fault kind, uint64_t until);
    void (*tell_probe)(void *context, uint32_t from, uint32_t to, uint64_t arrives);
};

#define MACHINE_NODES_FIELDS(F)                                                                \
    F(KEPT, uint32_t, count)                                                                   \
    F(KEPT, uint32_t, pes)                                                                     \
    F(KEPT, bool, counts)                                                                      \
    F(KEPT, uint64_t, seed)                                                                    \
    F(KEPT, uint64_t, latest) /* longest delay that a fault causes, in cycles */               \
    F(KEPT, struct machine_fault_list, list)                                                   \
    F(EACH, nodes_message, messages)                                                           \
    F(NUMBER, uint32_t, unused)                                                                \
    F(CHECK, nodes_are_listed(s))                                                              \
    F(EACH, nodes_held, held) /* messages that faults hold back, in order of arrival */        \
    F(EACH, machine_nodes_item, lost)                                                          \
    /* nothing else can proceed: the first held message without a cycle is due */              \
    F(BOOL, forced)                                                                            \
    F(STRUCTS, nodes_pair, pairs, (size_t)s->count * s->count)                                 \
    F(STRUCTS, nodes_node, nodes, s->count)                                                    \
    F(OWNED, uint64_t, lone) /* for each node: cycles of a probe to the previous node */       \
    F(KEPT, uint64_t, round) /* cycles of a round of the probe: the sum of `lone` */           \
    F(STRUCT, nodes_probe, probe)                                                              \
    F(NUMBER, uint64_t, most_bits) /* bits of the longest message so far */                    \
    F(BOOL, is_quiet)              /* nothing is left to do except to send probes */           \
    F(NUMBER, uint64_t, quiet)     /* cycle in which is_quiet became true */                   \
    F(BOOL, told_stop)             /* the event for the stopped node was emitted */            \
    /* index in `messages` of the message that arrived twice or is missing; or NODES_NOBODY */ \
    F(SCRATCH, uint32_t, wrong)                                                                \
    F(SCRATCH, bool, came_twice)                                                               \
    F(SCRATCH, uint64_t, others) /* missing messages besides `wrong` */
struct machine_nodes {
    struct nodes_outside outside; /* set by nodes_part.c */
    MACHINE_NODES_FIELDS(LIB_STATE_MEMBER)
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

/* --- machine/nodes/nodes.c -------------------------------------------------------------------- */

/* Records the arrival of message `number`. Returns true if the number had arrived before. */
bool nodes_receive(struct nodes_pair *pair, uint32_t number);

/* Lets messages arrive whose delay by a fault is over. */
void nodes_serve(struct machine_nodes *n);

/* --- machine/nodes/faults.c ------------------------------------------------------------------- */

/* Returns the fault of a message that has arrived. Sets *cycles to the length of a delay, or 0. */
enum machine_fault nodes_fault(const struct machine_nodes *n,
                               const struct nodes_message *message, uint64_t *cycles);

/* --- machine/nodes/probe.c -------------------------------------------------------------------- */

/* Passes the probe on if it can leave its node. */
void nodes_pass_probe(struct machine_nodes *n);

/* Like machine_nodes_next. `stopped_until`: cycle in which the node of the probe goes on; 0: it is
 * not stopped. */
uint64_t nodes_next(struct machine_nodes *n, uint64_t next, uint64_t stopped_until);

#endif
