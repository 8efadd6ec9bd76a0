/* Classes of the outcomes of a token that events report, such as "delivered and consumed": column
 * FATE of traces/events.def. */
#ifndef TRACES_OUTCOME_H
#define TRACES_OUTCOME_H

#include "traces/events.h"

/* Classes of outcomes, called fates, as bits; traces/events.def says what each fate means. */
enum traces_fate {
    TRACES_FATE_FIRED = 1,
    TRACES_FATE_STORED = 2,
    TRACES_FATE_CONSUMED = 4,
    TRACES_FATE_FAILED = 8,
    TRACES_FATE_PARKED = 16,
    TRACES_FATE_HELD = 32,
    TRACES_FATE_ANSWERED = 64,
    TRACES_FATE_OTHER = 128,
};

/* Whether the fate of an outcome is in `fates`, a sum of enum traces_fate. `fates` must be a
 * constant, so that the compiler makes the test a shift. */
static inline bool traces_outcome_has(enum traces_outcome step, unsigned fates)
{
    const uint64_t steps = 0
#define OUTCOME(NAME, FATE, text, help)                                                  \
    | (uint64_t)((TRACES_FATE_##FATE & fates) != 0) << TRACES_OUTCOME_##NAME
#include "traces/events.def"
        ;
    return steps >> step & 1;
}

/* Whether the outcome means that a token was delivered. It then counts in the statistic `tokens`,
 * if the event has an operand (`port`); tokens that start the run have none. */
static inline bool traces_outcome_delivers(enum traces_outcome step)
{
    return traces_outcome_has(step, TRACES_FATE_FIRED | TRACES_FATE_STORED |
                                        TRACES_FATE_CONSUMED | TRACES_FATE_FAILED);
}

/* Whether the outcome means that a token is stalled. An event RELEASED follows later. */
static inline bool traces_outcome_holds(enum traces_outcome step)
{
    return traces_outcome_has(step, TRACES_FATE_HELD);
}

#endif
