/* Causes and effects of a difference between two runs, followed along tokens: the causes of a
 * firing are the firings whose tokens it consumed. Other causes, as the value of an array element
 * or a place in a queue, are not found.
 *
 * The functions read one of two runs, whose graphs are of one strategy, at the level `all`.
 * analysis/diff/shifts.h must have found which of its firings the other run shares. */
#ifndef ANALYSIS_DIFF_CAUSAL_SLICE_H
#define ANALYSIS_DIFF_CAUSAL_SLICE_H

#include "analysis/diff/shifts.h"

/* The run to read. */
struct analysis_causal_slice_of {
    const struct analysis_node_mapping *alike;
    const struct analysis_source *source;
    const struct analysis_shifts_run *run;
    uint32_t side;
};

/* Finds firing number `index` of the run; or, if that is before `cycle`, the first one from there
 * on that differs. Returns false if there is none, or if reading failed. */
bool analysis_locate(const struct analysis_causal_slice_of *of, uint64_t index,
                     uint64_t cycle, struct analysis_fired *found);

/* The causes of a firing that differs: the differing firings reached by going backwards along
 * consumed tokens, until the runs agree. */
struct analysis_causal_slice {
    uint64_t differing; /* number of firings found, with the given one */
    uint64_t since;     /* cycle of the earliest firing found */
    uint64_t agreeing;  /* number of agreeing firings whose tokens they consumed */
    struct analysis_fired last_agreeing; /* latest agreeing firing, if any */
    bool is_cut; /* more than ANALYSIS_CAUSAL_SLICE_MAX firings differ */

    /* The given firing, then repeatedly the latest differing cause. */
    LIB_VEC(struct analysis_fired) chain;
};

enum { ANALYSIS_CAUSAL_SLICE_MAX = 1 << 19 };

/* Finds the causes of `from`. Reads `at_a_time` firings at a time (0: a default number). Memory
 * grows with that number and with the causes found. Returns false if reading failed. */
bool analysis_causal_slice_find(const struct analysis_causal_slice_of *of,
                                const struct analysis_fired *from, uint64_t at_a_time,
                                struct analysis_causal_slice *cone);
void analysis_causal_slice_free(struct analysis_causal_slice *cone);

/* The effects of a firing: all firings that its tokens reach. Memory grows with the live tokens. */
struct analysis_reach {
    uint64_t reached;   /* number of firings found, with the given one */
    uint64_t differing; /* number of firings found that differ */
};

bool analysis_reach_find(const struct analysis_causal_slice_of *of,
                         const struct analysis_fired *from, struct analysis_reach *reach);

#endif
