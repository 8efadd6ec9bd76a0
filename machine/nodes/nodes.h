/* What happens between the nodes of a machine (doc/model.md, "Faults" and "Termination"):
 * messages that a fault delays, reorders, duplicates or loses; nodes that are stopped; and the
 * counting by which nodes know that all have ended. A network that joins nodes says what is sent
 * (machine_nodes_send), and hands over what comes (machine_nodes_arrive).
 *
 * A machine has this only if its settings ask for it: else m->nodes is NULL, and nothing here is
 * called. */
#ifndef MACHINE_NODES_NODES_H
#define MACHINE_NODES_NODES_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "lib/pack.h"
#include "machine/settings.h"

struct machine;
struct traces_stats;

enum {
    MACHINE_NODES_MAX = 1024, /* as there is a count for each pair */
    MACHINE_NODES_NUMBER_BITS = 32,
    MACHINE_NODES_PROBE_BITS = 64
};

/* In place of a message: a token that stays in its node. */
#define MACHINE_NODES_INSIDE UINT32_MAX

/* What goes on when a message comes: a token, or a message of the network
 * (machine/network/network.h). */
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

/* A fault that was told for one message: fault.list. */
struct machine_fault_entry {
    enum machine_fault kind;
    uint32_t from, to;
    uint32_t number;
    uint64_t cycles; /* of a delay; 0: until nothing else can go on */
};

struct machine_fault_list {
    LIB_VEC(struct machine_fault_entry) entries; /* by node, node, number */
};

/* Whether these settings ask for faults or for counting; and which of them is the first that
 * does, or NULL. */
bool machine_nodes_are_asked(const struct machine_settings *settings);
const char *machine_nodes_asked_by(const struct machine_settings *settings);

/* machine_settings_fit, of these settings. */
bool machine_nodes_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Reads fault.list; false: `why` says what is wrong. `nodes` there are. */
bool machine_fault_list_read(const char *text, uint32_t nodes,
                             struct machine_fault_list *list, struct lib_text *why);
void machine_fault_list_free(struct machine_fault_list *list);

/* --- for networks -------------------------------------------------------------------------------- */

/* A message leaves its node; returns its place among those on their way. `bits` are those of its
 * tokens, of which this is the first of `tokens`. */
uint32_t machine_nodes_send(struct machine *m, uint32_t from, uint32_t to,
                            const struct isa_token *first, uint64_t tokens,
                            uint64_t bits);

/* Bits that every message has more than its tokens. */
uint64_t machine_nodes_bits(const struct machine *m);

/* A message has come; if no fault keeps it, it goes on at once, as machine_nodes_deliver says. */
void machine_nodes_arrive(struct machine *m, uint32_t message,
                          const struct machine_nodes_item *item);

/* So many tokens more, or fewer, are on their way inside a node. */
void machine_nodes_inside(struct machine *m, uint32_t node, int64_t tokens);

/* Places of messages are below this one. */
size_t machine_nodes_messages(const struct machine *m);

/* A token is formed at a PE, as a firing at another one woke it without a message. */
void machine_nodes_wake(struct machine *m, uint32_t by, uint32_t pe);

/* --- for the machine ------------------------------------------------------------------------------ */

/* Tells what faults hold, at the beginning of a stream of events. */
void machine_nodes_tell_queued(struct machine *m);

/* A cycle has ended, and but for probes this is the next one, or MACHINE_NEVER. The next one with
 * them. */
uint64_t machine_nodes_next(struct machine *m, uint64_t next);

/* Nothing can go on any more: whether a message is missing, so that the run ends by that. */
bool machine_nodes_miss(struct machine *m);

/* Whether a PE takes no tokens, as its node is stopped. */
bool machine_nodes_stop(const struct machine *m, uint32_t pe);

/* Between two cycles: whether it need not be among those that have tokens, though it has. */
bool machine_nodes_hides(const struct machine *m, uint32_t pe);

#endif
