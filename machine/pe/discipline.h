/* Queue disciplines: which token leaves a queue next (setting queue.discipline).
 * machine/pe/discipline.c has a row for each choice.
 *
 * Events cannot distinguish two tokens in one queue for the same operand under the same tag. Of
 * these the newest must leave first with `lifo`, the oldest with each other discipline: readers of
 * events assume it (sim_session_is_lifo). */
#ifndef MACHINE_PE_DISCIPLINE_H
#define MACHINE_PE_DISCIPLINE_H

#include "machine/tokens/queue.h"

#include <stdbool.h>

struct machine;
struct machine_settings;

struct machine_discipline {
    bool newest; /* tokens leave the queue at its newest end, not at its oldest */

    /* Moves the token that must leave next to the end of the queue from which tokens are taken (see
     * `newest`). The queue is not empty. NULL: this token is always at that end; the plain engine
     * needs NULL. */
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
