/* Queue disciplines: the choice of the token that leaves a queue next (settings:
 * queue.discipline). machine/engine/discipline.c has a row for each option.
 *
 * Tokens that an event cannot tell apart leave in the order of the ends of the queue: the newest
 * first with `lifo`, else the oldest first. Readers of events rely on it
 * (sim/session/session.h). */
#ifndef MACHINE_ENGINE_DISCIPLINE_H
#define MACHINE_ENGINE_DISCIPLINE_H

#include "machine/pe/queue.h"

#include <stdbool.h>

struct machine;
struct machine_settings;

struct machine_discipline {
    bool newest; /* a token leaves at the newest end of its queue; else at the oldest */

    /* Moves the token that leaves next to that end of a queue that is not empty. NULL: it is
     * there. The plain engine knows no discipline that moves tokens. */
    void (*bring)(const struct machine *m, struct machine_queue *queue);
};

const struct machine_discipline *
machine_discipline_of(const struct machine_settings *settings);

/* Removes and returns the token that leaves next, as machine_queue_take. */
static inline const struct isa_token *
machine_discipline_take(const struct machine *m,
                        const struct machine_discipline *discipline,
                        struct machine_queue *queue)
{
    if (discipline->bring)
        discipline->bring(m, queue);
    return machine_queue_take(queue, discipline->newest);
}

#endif
