/* Faults and termination of the nodes of a machine (doc/model.md, "Faults" and "Termination"):
 * messages that a fault delays, reorders, duplicates or loses; nodes that are stopped; and the
 * messages by which nodes detect that all work has ended.
 *
 *     network: machine_nodes_send --> message on its way --> machine_nodes_arrive
 *                  at once, or after a fault: deliver a token, or release a message
 *
 * A node is a computer of a cluster, with several PEs. Unless settings request faults or
 * termination, m->nodes is NULL and none of these functions is called. */
#ifndef MACHINE_NODES_H
#define MACHINE_NODES_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "lib/pack.h"
#include "machine/settings.h"

struct machine;
struct machine_nodes;

enum {
    MACHINE_NODES_MAX = 1024, /* max number of nodes: each pair of nodes has a counter */
    MACHINE_NODES_NUMBER_BITS = 32,
    MACHINE_NODES_PROBE_BITS = 64
};

/* Message index of a token that moves inside a node, and so is not in a message. */
#define MACHINE_NODES_INSIDE UINT32_MAX

/* Content of a message: one token, or the index of a message of several tokens in the network. */
struct machine_nodes_item {
    struct isa_token token;
    uint32_t message;
};

enum machine_fault {
    MACHINE_FAULT_NONE,
    MACHINE_FAULT_LOSS,
    MACHINE_FAULT_DUPLICATE,
    MACHINE_FAULT_DELAY,
    MACHINE_FAULT_REORDER,
};

/* Fault of the message `number` (0, 1, ...) from node `from` to node `to`. */
struct machine_fault_entry {
    enum machine_fault kind;
    uint32_t from, to;
    uint32_t number;
    /* length of a delay in cycles; 0: the message arrives when nothing else can proceed */
    uint64_t cycles;
};

struct machine_fault_list {
    /* sorted by sender, receiver and number of the message */
    LIB_VEC(struct machine_fault_entry) entries;
};

/* Whether settings request faults or the detection of termination. */
bool machine_nodes_are_asked(const struct machine_settings *settings);
/* Returns the key of the first setting that requests faults or the detection of termination; or
 * NULL. */
const char *machine_nodes_asked_by(const struct machine_settings *settings);

/* Returns true if the settings of faults and termination are consistent; else adds a diagnostic. */
bool machine_nodes_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Reads the setting fault.list of a cluster. On failure returns false and sets `why` to the
 * first mistake. */
bool machine_fault_list_read(const char *text, uint32_t nodes,
                             struct machine_fault_list *list, struct lib_text *why);
void machine_fault_list_free(struct machine_fault_list *list);

/* --- for networks ----------------------------------------------------------------------------- */

/* Records that a message of `tokens` tokens, of which `first` is the first, is sent. Returns its
 * index among the messages in transit. */
uint32_t machine_nodes_send(struct machine_nodes *nodes, uint32_t from, uint32_t to,
                            const struct isa_token *first, uint64_t tokens,
                            uint64_t bits);

/* Returns the bits that each message carries for its sequence number; 0 if messages have none, or
 * `nodes` is NULL. */
uint64_t machine_nodes_bits(const struct machine_nodes *nodes);

/* Delivers a message that has arrived in cycle `now`, unless a fault delays or loses it. */
void machine_nodes_arrive(struct machine_nodes *nodes, uint64_t now, uint32_t message,
                          const struct machine_nodes_item *item);

/* Adds to the number of tokens in transit inside a node; `tokens` may be negative. */
void machine_nodes_inside(struct machine_nodes *nodes, uint32_t node, int64_t tokens);

/* Returns an exclusive upper bound of the indices of messages in transit. */
size_t machine_nodes_messages(const struct machine_nodes *nodes);

/* Called when a firing at PE `by` lets a waiting token at PE `pe` proceed. If the PEs are of two
 * nodes, the detection of termination treats this as a message, though none is sent. */
void machine_nodes_wake(struct machine_nodes *nodes, uint32_t by, uint32_t pe);

/* --- for the machine -------------------------------------------------------------------------- */

/* Emits an event for each message that a fault holds back, at the beginning of a stream. */
void machine_nodes_tell_queued(const struct machine_nodes *nodes);

/* Called at the end of a cycle. `next` is the next cycle with work, or MACHINE_NEVER. Returns
 * `next`, or the cycle of an earlier probe (a message that detects termination). */
uint64_t machine_nodes_next(struct machine *m, uint64_t next);

/* Called when nothing can proceed. Returns true and ends the run if a message was lost. */
bool machine_nodes_miss(struct machine_nodes *nodes);

/* Whether PE `pe` issues no tokens because its node is stopped. */
bool machine_nodes_stop(const struct machine *m, uint32_t pe);

/* Whether PE `pe` may have tokens and be missing in m->tokens.with_input, the set of the PEs with
 * tokens, because its node is stopped. */
bool machine_nodes_hides(const struct machine *m, uint32_t pe);

#endif
