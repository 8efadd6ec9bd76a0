/* Faults and termination of the nodes of a machine (doc/model.md, "Faults" and "Termination"):
 * messages that a fault delays, reorders, duplicates or loses; nodes that are stopped; and the
 * counting with which nodes detect that all have ended.
 *
 *     network: machine_nodes_send --> message on its way --> machine_nodes_arrive
 *                  at once, or after a fault: deliver a token, or release a message
 *
 * A machine has this only if its settings ask for it; else m->nodes is NULL, and none of these
 * functions is called. */
#ifndef MACHINE_NODES_NODES_H
#define MACHINE_NODES_NODES_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "lib/pack.h"
#include "machine/settings.h"

struct machine;
struct traces_stats;

enum {
    MACHINE_NODES_MAX = 1024, /* each pair has a count */
    MACHINE_NODES_NUMBER_BITS = 32,
    MACHINE_NODES_PROBE_BITS = 64
};

/* The message of a token that stays in its node. */
#define MACHINE_NODES_INSIDE UINT32_MAX

/* The content of a message: a token, or a message of the network (machine/network/network.h). */
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

/* A fault of one message, from fault.list. */
struct machine_fault_entry {
    enum machine_fault kind;
    uint32_t from, to;
    uint32_t number;
    uint64_t cycles; /* length of a delay; 0 if it lasts until nothing else can proceed */
};

struct machine_fault_list {
    LIB_VEC(struct machine_fault_entry) entries; /* by node, node, number */
};

/* Return true if settings ask for faults or for counting; and the first such setting, or NULL. */
bool machine_nodes_are_asked(const struct machine_settings *settings);
const char *machine_nodes_asked_by(const struct machine_settings *settings);

/* Returns true if these settings fit; else adds a diagnostic. Part of machine_settings_fit. */
bool machine_nodes_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Reads fault.list, for a machine of `nodes` nodes. If it has mistakes, returns false and sets
 * `why` to the first. */
bool machine_fault_list_read(const char *text, uint32_t nodes,
                             struct machine_fault_list *list, struct lib_text *why);
void machine_fault_list_free(struct machine_fault_list *list);

/* --- for networks ----------------------------------------------------------------------------- */

/* Sends a message of `tokens` tokens with `bits` bits from a node. Returns its number among those
 * on their way. */
uint32_t machine_nodes_send(struct machine *m, uint32_t from, uint32_t to,
                            const struct isa_token *first, uint64_t tokens,
                            uint64_t bits);

/* Returns the bits of every message in addition to its tokens. */
uint64_t machine_nodes_bits(const struct machine *m);

/* Takes a message that has arrived. Unless a fault holds it, it is delivered at once. */
void machine_nodes_arrive(struct machine *m, uint32_t message,
                          const struct machine_nodes_item *item);

/* Notes that `tokens` more tokens, or fewer, are on their way inside a node. */
void machine_nodes_inside(struct machine *m, uint32_t node, int64_t tokens);

/* Returns a number above those of all messages on their way. */
size_t machine_nodes_messages(const struct machine *m);

/* Notes that a token is formed at a PE, woken without a message by a firing at another PE. */
void machine_nodes_wake(struct machine *m, uint32_t by, uint32_t pe);

/* --- for the machine -------------------------------------------------------------------------- */

/* Emits the messages that faults hold, at the beginning of a stream of events. */
void machine_nodes_tell_queued(struct machine *m);

/* Returns the next cycle with probes, at the end of a cycle. `next` is the next cycle without them,
 * or MACHINE_NEVER. */
uint64_t machine_nodes_next(struct machine *m, uint64_t next);

/* Returns true if a message is missing when nothing can proceed: then the run ends because of
 * it. */
bool machine_nodes_miss(struct machine *m);

/* Returns true if a PE takes no tokens because its node is stopped. */
bool machine_nodes_stop(const struct machine *m, uint32_t pe);

/* Returns true if a PE with tokens need not be in the set of those PEs, between two cycles. */
bool machine_nodes_hides(const struct machine *m, uint32_t pe);

#endif
