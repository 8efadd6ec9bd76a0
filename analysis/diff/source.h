/* A source of the events of a run, any part of which can be read repeatedly. */
#ifndef ANALYSIS_DIFF_SOURCE_H
#define ANALYSIS_DIFF_SOURCE_H

#include "traces/events.h"

#include <stdatomic.h>

struct analysis_source {
    const struct isa_graph *graph; /* graph that the run executed; borrowed */
    enum traces_level level;       /* most detailed level of events in the source */

    /* Sends to the sink events that describe the tokens and activations that are alive at cycle
     * `from`, then the events of cycles `from` to `to` - 1. May stop early once `*stop` is true;
     * `stop` may be NULL. Two threads may read two sources at once. Returns false if reading failed
     * or was stopped. */
    bool (*read)(void *context, uint64_t from, uint64_t to,
                 const struct traces_event_sink *sink, const atomic_bool *stop);
    void *context;
};

#endif
