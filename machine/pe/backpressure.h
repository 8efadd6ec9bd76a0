/* Room in queues of finite size, and back-pressure. A PE issues a token only if there is room for
 * all that it can make. A port passes a token on only if there is room behind it. So no token is
 * ever lost. A machine in which everybody waits for room ends with "store full".
 *
 * A queue that is empty takes what one firing makes, however much that is. doc/model.md, "Room",
 * lists what else is not held back. */
#ifndef MACHINE_PE_BACKPRESSURE_H
#define MACHINE_PE_BACKPRESSURE_H

#include "machine/state.h"

/* Whether there is room for what a token can make if it is issued now; promises it
 * until the end of the cycle. `queued`: it is in the input queue of its PE, and leaves it. */
bool machine_backpressure_for(struct machine *m, const struct isa_token *t, bool queued);

/* Where the activation that a live CALL, APPLY, ENTER or NEXT goes to is, or would be. */
uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t);

/* Whether there is room for the copy of the i-th APPLY that waits
 * (machine/pe/graph_copy.h). One for which there is none holds back those after it that
 * wait at the same PE, for the rest of a walk over all, which has a number of its own. */
bool machine_backpressure_for_copy(struct machine *m, size_t i, uint64_t walk);

/* All have been chosen that are issued in this cycle. */
void machine_backpressure_chosen(struct machine *m);

/* Whether `more` fit where so many are; what is empty takes any number. */
static inline bool machine_backpressure_fits(uint64_t there, uint32_t more,
                                             uint64_t capacity)
{
    return capacity == 0 || there == 0 || more == 0 || there + more <= capacity;
}

/* The setting that bounds queues. */
static inline const char *machine_backpressure_setting(const struct machine *m)
{
    return m->settings.queue_capacity ? "queue.capacity" : "network.capacity";
}

/* Accounts for a token that its PE has taken from its input queue, */
static inline void machine_backpressure_taken(struct machine *m, struct machine_pe *pe)
{
    m->moved = true;
    pe->held--;
}

/* for tokens that a PE sends to another or to itself. */
void machine_backpressure_sent(struct machine *m, uint32_t from, uint32_t to,
                               uint32_t count);

/* Whether an input queue has room for a token that comes out of the network. */
bool machine_backpressure_has_entry(const struct machine *m, uint32_t pe);

/* Whether a token may come out of the network into an input queue; accounts for it if so. */
bool machine_backpressure_to_enter(struct machine *m, uint32_t pe);

#endif
