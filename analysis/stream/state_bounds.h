/* The least state that any order of firings needs, as far as it is known: how many activations
 * and tokens must be alive at once. doc/metrics.md ("Bounds") says what is proved, and what is
 * estimated. */
#ifndef ANALYSIS_STREAM_STATE_BOUNDS_H
#define ANALYSIS_STREAM_STATE_BOUNDS_H

#include "analysis/stream/stream.h"
#include "traces/live_tags.h"

struct analysis_state_bounds {
    const struct isa_graph *graph; /* borrowed */
    bool has_turns; /* what is sent stays for a cycle at least: it has its turn later */
    struct analysis_state_of {
        bool is_recursive;
        uint64_t nested, alive, peak, sent;
    } * functions;            /* owned; of each function */
    uint64_t deepest, calls;  /* labels of a tag; calls among them */
    uint64_t sent, most_sent; /* by the firing at hand; by any */
    uint32_t function;        /* in which it is; TRACES_NONE: what is sent is an answer */
    LIB_VEC(uint32_t) made;   /* in this cycle: tags */
    uint64_t cycle, tags, live; /* now */
    uint64_t peak_tags, peak_live;
};

void analysis_state_bounds_start(struct analysis_state_bounds *state,
                                 const struct analysis_stream_run *run);
void analysis_state_bounds_free(struct analysis_state_bounds *state);

/* Events, in order. `live`: the activations alive, as they are before what ends one, and behind
 * what makes one; their marks are used. */
void analysis_state_bounds_take(struct analysis_state_bounds *state,
                                const struct traces_live_tags *live,
                                const struct traces_event *event);

/* Adds the numbers, and the table `functions`. */
void analysis_state_bounds_tell(const struct analysis_state_bounds *state,
                                struct analysis_findings *findings);
void analysis_state_bounds_tell_functions(const struct analysis_state_bounds *state,
                                          struct analysis_findings *findings);

#endif
