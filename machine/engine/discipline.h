/* Queue disciplines: which token leaves a queue next (settings: queue.discipline).
 * machine/engine/discipline.c has a row for each choice.
 *
 * If events cannot distinguish tokens, the newest leaves first with `lifo`, else the oldest.
 * Readers of events rely on it (sim/session/session.h). */
#ifndef MACHINE_ENGINE_DISCIPLINE_H
#define MACHINE_ENGINE_DISCIPLINE_H

#include "machine/pe/queue.h"

#include <stdbool.h>

struct machine;
struct machine_settings;

struct machine_discipline {
    bool newest; /* tokens leave at the newest end of the queue, else at the oldest */

    /* Moves the token that leaves next to that end of a queue, which is not empty. NULL: it is
     * always there, as the plain engine requires. */
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
