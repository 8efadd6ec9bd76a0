/* Lower bounds of memory that hold for any order of firings: the activations and tokens that must
 * exist at once. doc/metrics.md ("Bounds") says which are proved and which are estimates. */
#ifndef ANALYSIS_STREAM_STATE_BOUNDS_H
#define ANALYSIS_STREAM_STATE_BOUNDS_H

#include "analysis/stream/stream.h"
#include "traces/live_tags.h"

struct analysis_state_bounds {
    const struct isa_graph *graph; /* borrowed */
    /* whether tokens sent in one turn are alive together: a PE takes each at least a cycle later */
    bool has_turns;
    struct analysis_state_of {
        bool is_recursive;
        uint64_t nested, alive, peak, sent;
    } * functions; /* owned; one per function */
    /* maximum number of labels (calls and iterations) in a tag */
    uint64_t deepest;
    /* number of tokens that the current firing sent; maximum over all firings */
    uint64_t sent, most_sent;
    /* function of the current firing; TRACES_NONE if tokens are sent without a firing */
    uint32_t function;
    LIB_VEC(uint32_t) made; /* tags made in the current cycle */
    /* the current cycle; number of live activations; number of live tokens */
    uint64_t cycle, tags, live;
    uint64_t peak_tags, peak_live;
};

void analysis_state_bounds_start(struct analysis_state_bounds *state,
                                 const struct analysis_stream_run *run);
void analysis_state_bounds_free(struct analysis_state_bounds *state);

/* Processes the next event. `live` are the live activations; the caller must update them before the
 * call, but after it if the event ends an activation. Stores numbers in their members `mark`. */
void analysis_state_bounds_take(struct analysis_state_bounds *state,
                                const struct traces_live_tags *live,
                                const struct traces_event *event);

/* Add the bounds of the run, or the bounds of each function as a table, to findings. */
void analysis_state_bounds_tell(const struct analysis_state_bounds *state,
                                struct lib_findings *findings);
void analysis_state_bounds_tell_functions(const struct analysis_state_bounds *state,
                                          struct lib_findings *findings);

#endif
