/* Lower bounds of memory for any order of firings: the activations and tokens that must exist at
 * once. doc/metrics.md ("Bounds") explains which parts are proved and which are estimates. */
#ifndef ANALYSIS_STREAM_STATE_BOUNDS_H
#define ANALYSIS_STREAM_STATE_BOUNDS_H

#include "analysis/stream/stream.h"
#include "traces/live_tags.h"

struct analysis_state_bounds {
    const struct isa_graph *graph; /* borrowed */
    bool has_turns; /* a PE takes a token at least one cycle after it was sent */
    struct analysis_state_of {
        bool is_recursive;
        uint64_t nested, alive, peak, sent;
    } * functions;           /* owned; one per function */
    uint64_t deepest, calls; /* most labels of a tag; most calls among these labels */
    uint64_t sent,
        most_sent;     /* tokens that the current firing sent; maximum of all firings */
    uint32_t function; /* function of the current firing; TRACES_NONE for an answer */
    LIB_VEC(uint32_t) made;     /* tags made in this cycle */
    uint64_t cycle, tags, live; /* current cycle, activations and live tokens */
    uint64_t peak_tags, peak_live;
};

void analysis_state_bounds_start(struct analysis_state_bounds *state,
                                 const struct analysis_stream_run *run);
void analysis_state_bounds_free(struct analysis_state_bounds *state);

/* Processes the next event. `live` are the live activations, before an event that ends one and
 * after one that makes one. Uses their marks. */
void analysis_state_bounds_take(struct analysis_state_bounds *state,
                                const struct traces_live_tags *live,
                                const struct traces_event *event);

/* Add the bounds, and the table `functions`, to a report. */
void analysis_state_bounds_tell(const struct analysis_state_bounds *state,
                                struct lib_findings *findings);
void analysis_state_bounds_tell_functions(const struct analysis_state_bounds *state,
                                          struct lib_findings *findings);

#endif
