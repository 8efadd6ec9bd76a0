/* Lower bounds of memory that hold for any order of firings: the activations and tokens that must
 * exist at once. doc/metrics.md ("Bounds") says which are proved and which are estimates. */
#ifndef ANALYSIS_STREAM_STATE_BOUNDS_H
#define ANALYSIS_STREAM_STATE_BOUNDS_H

#include "analysis/stream/stream.h"
#include "traces/live_tags.h"

struct analysis_state_bounds {
    const struct isa_graph *graph; /* borrowed */
    bool has_turns; /* whether a PE takes a token at least one cycle after it was sent */
    struct analysis_state_of {
        bool is_recursive;
        uint64_t nested, alive, peak, sent;
    } * functions; /* owned; one per function */
    /* maximum number of labels in a tag; maximum number of calls among them */
    uint64_t deepest, calls;
    /* number of tokens that the current firing sent; maximum over all firings */
    uint64_t sent, most_sent;
    uint32_t function; /* function of the current firing; TRACES_NONE for an answer */
    LIB_VEC(uint32_t) made; /* tags made in the current cycle */
    /* the current cycle, and the numbers of activations and live tokens */
    uint64_t cycle, tags, live;
    uint64_t peak_tags, peak_live;
};

void analysis_state_bounds_start(struct analysis_state_bounds *state,
                                 const struct analysis_stream_run *run);
void analysis_state_bounds_free(struct analysis_state_bounds *state);

/* Processes the next event. `live` are the live activations, before an event that ends one and
 * after one that makes one. Changes the marks of activations. */
void analysis_state_bounds_take(struct analysis_state_bounds *state,
                                const struct traces_live_tags *live,
                                const struct traces_event *event);

/* Add the bounds, and the table `functions`, to findings. */
void analysis_state_bounds_tell(const struct analysis_state_bounds *state,
                                struct lib_findings *findings);
void analysis_state_bounds_tell_functions(const struct analysis_state_bounds *state,
                                          struct lib_findings *findings);

#endif
