/* Bounds of the least state for any order of firings: activations and tokens that must be alive at
 * once. doc/metrics.md ("Bounds") explains which parts are proved and which are estimates. */
#ifndef ANALYSIS_STREAM_STATE_BOUNDS_H
#define ANALYSIS_STREAM_STATE_BOUNDS_H

#include "analysis/stream/stream.h"
#include "traces/live_tags.h"

struct analysis_state_bounds {
    const struct isa_graph *graph; /* borrowed */
    bool has_turns; /* a token has its turn at least a cycle after it is sent */
    struct analysis_state_of {
        bool is_recursive;
        uint64_t nested, alive, peak, sent;
    } * functions;              /* per function; owned */
    uint64_t deepest, calls;    /* most labels of a tag; most calls among them */
    uint64_t sent, most_sent;   /* tokens of the current firing; maximum of any firing */
    uint32_t function;          /* function of the firing; TRACES_NONE for an answer */
    LIB_VEC(uint32_t) made;     /* tags made in this cycle */
    uint64_t cycle, tags, live; /* current values */
    uint64_t peak_tags, peak_live;
};

void analysis_state_bounds_start(struct analysis_state_bounds *state,
                                 const struct analysis_stream_run *run);
void analysis_state_bounds_free(struct analysis_state_bounds *state);

/* Takes an event. Events must come in order. `live` are the activations alive, before an event that
 * ends one and after an event that makes one. Uses their marks. */
void analysis_state_bounds_take(struct analysis_state_bounds *state,
                                const struct traces_live_tags *live,
                                const struct traces_event *event);

/* Add the numbers, and the table `functions`. */
void analysis_state_bounds_tell(const struct analysis_state_bounds *state,
                                struct lib_findings *findings);
void analysis_state_bounds_tell_functions(const struct analysis_state_bounds *state,
                                          struct lib_findings *findings);

#endif
