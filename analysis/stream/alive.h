/* The activations alive at a place in a stream of events, for analyses: as traces/live_tags.h, but in half the memory,
 * as nothing is kept of paths, iterations and PEs. */
#ifndef ANALYSIS_STREAM_ALIVE_H
#define ANALYSIS_STREAM_ALIVE_H

#include "isa/graph.h"
#include "traces/tag_index.h"

struct analysis_alive_tag {
    uint32_t parent; /* TRACES_NONE: it is the root. Of a free place the next free one */
    uint32_t site, function;
    uint32_t depth; /* labels of the tag */
    uint32_t tag;
    uint32_t mark; /* free for who reads the stream; 0 at first */
    uint64_t made; /* in this cycle */
};

/* Start with analysis_alive_start. */
struct analysis_alive {
    const struct isa_graph *graph;          /* borrowed */
    LIB_VEC(struct analysis_alive_tag) all; /* in no order */
    uint32_t free; /* a place in `all`; TRACES_NONE: none is free */
    struct traces_tag_index index;
};

void analysis_alive_start(struct analysis_alive *alive, const struct isa_graph *graph);
void analysis_alive_free(struct analysis_alive *alive); /* one that was freed, too */

/* Returns NULL if none of that number is alive. Valid until the next event is noted. */
struct analysis_alive_tag *analysis_alive_find(const struct analysis_alive *alive,
                                               uint32_t tag);

/* Takes notice of an event: after it was looked at where it ends an activation, before where it
 * makes one. One that is made cannot be alive already, and its parent must be. */
void analysis_alive_note(struct analysis_alive *alive, const struct traces_event *event);

#endif
