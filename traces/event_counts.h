/* How an event changes counts of a run: waiting tokens, live tokens, live activations. A change is
 * an unsigned integer modulo 2^64, so that a decrease can be added, too. The sum of the changes of
 * all events up to the end of a cycle is the count at that time. */
#ifndef TRACES_EVENT_COUNTS_H
#define TRACES_EVENT_COUNTS_H

#include "traces/outcome.h"

/* Returns how an event changes the number of operands that wait: in matching stores, for a constant
 * of their loop, or for a tensor. */
static inline uint64_t traces_event_waiting(const struct traces_event *event)
{
    if (event->kind == TRACES_EVENT_WOKEN)
        return UINT64_MAX;
    if (!traces_event_is_step(event))
        return 0;
    return traces_outcome_has(event->how, TRACES_FATE_STORED | TRACES_FATE_PARKED) -
           event->b;
}

/* Returns how an event changes the number of live tokens. */
static inline uint64_t traces_event_live(const struct traces_event *event)
{
    if (event->kind == TRACES_EVENT_SENT || event->kind == TRACES_EVENT_SENT_DEAD ||
        traces_event_is_message(event))
        return 1;
    if (!traces_event_is_step(event))
        return 0;
    if (traces_outcome_has(event->how, TRACES_FATE_CONSUMED | TRACES_FATE_ANSWERED))
        return UINT64_MAX;
    if (traces_outcome_has(event->how, TRACES_FATE_FIRED))
        return UINT64_C(0) - (event->port != TRACES_NONE) - event->b;
    return 0;
}

/* Returns how an event changes the number of live activations, including the root. */
static inline uint64_t traces_event_tags(const struct traces_event *event)
{
    switch (event->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        return 1;
    case TRACES_EVENT_GONE:
        return UINT64_MAX;
    default:
        return 0;
    }
}

/* Whether an event makes an activation of a call, counted in the statistic `calls`. */
static inline bool traces_event_is_call(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_CALL || event->kind == TRACES_EVENT_COPY;
}

/* Whether an event counts in the statistic `loop_iterations`. */
static inline bool traces_event_is_iteration(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_ITERATION && event->a > 0;
}

#endif
