/* Follows tokens from and to a firing that differs between two runs. The causes of a firing are the
 * firings whose tokens it consumed; its effects are the firings that its tokens reach. Other
 * causes, such as an array element or the order in a queue, are not found.
 *
 * The functions read one of the two runs, with events of level `all`. The graphs must be of one
 * strategy, and analysis_shifts_find must have found which firings both runs share. */
#ifndef ANALYSIS_DIFF_CAUSAL_SLICE_H
#define ANALYSIS_DIFF_CAUSAL_SLICE_H

#include "analysis/diff/shifts.h"

/* The run to read: the first of two compared runs if `side` is 0, the second if `side` is 1. */
struct analysis_causal_slice_of {
    const struct analysis_node_mapping *alike;
    const struct analysis_source *source;
    const struct analysis_shifts_run *run;
    uint32_t side;
};

/* Finds the first differing firing whose index is at least `index` and whose cycle is at least
 * `cycle`. Returns false if none exists or if reading failed. */
bool analysis_locate(const struct analysis_causal_slice_of *of, uint64_t index,
                     uint64_t cycle, struct analysis_fired *found);

/* The causes of a firing that differs: all differing firings found by following consumed tokens
 * backwards until the runs agree. */
struct analysis_causal_slice {
    uint64_t differing; /* number of firings found, including the given one */
    uint64_t since;     /* cycle of the earliest firing found */
    /* number of firings that agree in both runs and sent tokens to differing ones */
    uint64_t agreeing;
    /* the latest of these agreeing firings; valid if `agreeing` is not 0 */
    struct analysis_fired last_agreeing;
    /* whether the search ended early, at ANALYSIS_CAUSAL_SLICE_MAX firings */
    bool is_cut;

    /* The given firing, its latest differing cause, the latest differing cause of that, and so
     * on. */
    LIB_VEC(struct analysis_fired) chain;
};

enum { ANALYSIS_CAUSAL_SLICE_MAX = 1 << 19 };

/* Finds the causes of the firing `from`. Reads about `at_a_time` firings into memory at a time (0:
 * a default). Memory grows with `at_a_time` and with the number of causes. Returns false if reading
 * failed. */
bool analysis_causal_slice_find(const struct analysis_causal_slice_of *of,
                                const struct analysis_fired *from, uint64_t at_a_time,
                                struct analysis_causal_slice *cone);
void analysis_causal_slice_free(struct analysis_causal_slice *cone);

/* The effects of a firing: all firings that its tokens reach. Memory grows with the live tokens. */
struct analysis_reach {
    uint64_t reached;   /* number of reached firings, including the given one */
    uint64_t differing; /* number of reached firings that differ */
};

bool analysis_reach_find(const struct analysis_causal_slice_of *of,
                         const struct analysis_fired *from, struct analysis_reach *reach);

#endif
