/* Room in queues of finite size, and back-pressure: a PE gives a token its turn only when
 * there is room for all that it can make, and a port passes a token on only when there is
 * room behind it. So no token is ever lost; a machine in which everybody waits for room ends
 * with "store full".
 *
 * A queue that is empty takes what one firing makes, however much that is. What answers
 * deferred reads is not held back, nor is a NEXT that waited for an iteration to end. */
#ifndef MACHINE_ROOM_H
#define MACHINE_ROOM_H

#include "machine/state.h"

/* Whether there is room for what a token can make if it gets its turn now; promises it
 * until the end of the cycle. */
bool machine_room_for(struct machine *m, const struct isa_token *t);

/* Accounts for a token that its PE has taken from its input queue, */
static inline void machine_room_taken(struct machine *m, struct machine_pe *pe)
{
    m->moved = true;
    pe->held--;
}

/* for tokens that a PE sends to another (crossbar: `by_port`) or to itself. */
void machine_room_sent(struct machine *m, uint32_t from, uint32_t to, uint32_t count);

/* Whether a token may leave its output port for that of `to`, or its input port for the
 * input queue; they account for it if so. */
bool machine_room_to_leave(struct machine *m, uint32_t from, uint32_t to);
bool machine_room_to_enter(struct machine *m, uint32_t pe);

/* Cycles until a port is free again through which a token waits to go; 0: there is none. */
uint64_t machine_room_next_port(const struct machine *m);

#endif
