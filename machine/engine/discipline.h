/* Queue disciplines: which token leaves a queue next (setting queue.discipline).
 * machine/engine/discipline.c has a row for each choice.
 *
 * Of tokens that events cannot distinguish, the newest leaves first with `lifo`, else the oldest.
 * Readers of events rely on it (sim/session/session.h). */
#ifndef MACHINE_ENGINE_DISCIPLINE_H
#define MACHINE_ENGINE_DISCIPLINE_H

#include "machine/pe/queue.h"

#include <stdbool.h>

struct machine;
struct machine_settings;

struct machine_discipline {
    bool newest; /* tokens leave the queue at its newest end, not at its oldest */

    /* Moves the token that must leave next to the end where tokens leave a queue, which is not
     * empty. NULL: it is always there, as the plain engine requires. */
    void (*bring)(const struct machine *m, struct machine_queue *queue);
};

const struct machine_discipline *
machine_discipline_of(const struct machine_settings *settings);

/* Removes and returns the token that leaves a queue next. */
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
