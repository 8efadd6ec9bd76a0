/* A source of events as the comparison sees it: any part of a run, told as often as wanted. */
#ifndef ANALYSIS_DIFF_SOURCE_H
#define ANALYSIS_DIFF_SOURCE_H

#include "traces/events.h"

#include <stdatomic.h>

struct analysis_source {
    const struct isa_graph *graph; /* of its events; borrowed */
    enum traces_level level;       /* the greatest one that it has */
    /* Tells the events of the cycles `from` to `to` - 1, behind what is alive at `from`. It may
     * stop early once `stop` is set (NULL: it never is). Two sources are read by two threads at
     * once. false: it could not, or it was stopped. */
    bool (*read)(void *context, uint64_t from, uint64_t to,
                 const struct traces_event_sink *sink, const atomic_bool *stop);
    void *context;
};

#endif
