/* Causes and effects of a difference, through tokens: the causes of a firing are those whose tokens
 * it consumed. Other causes, such as the value of an element or a place in a queue, are not found.
 *
 * The functions read one of two runs of images of one strategy, at the level `all`. For each of its
 * firings it must be known whether the other run has the same (analysis/diff/shifts.h). */
#ifndef ANALYSIS_DIFF_CAUSAL_SLICE_H
#define ANALYSIS_DIFF_CAUSAL_SLICE_H

#include "analysis/diff/shifts.h"

/* The run to be read. */
struct analysis_causal_slice_of {
    const struct analysis_node_mapping *alike;
    const struct analysis_source *source;
    const struct analysis_shifts_run *run;
    uint32_t side;
};

/* Finds a firing by its number in the stream; or, if that is in a cycle before `cycle`, the first
 * one from there on that differs. Returns false if there is none, or if reading failed. */
bool analysis_locate(const struct analysis_causal_slice_of *of, uint64_t index,
                     uint64_t cycle, struct analysis_fired *found);

/* Backwards: the firings that differ, from one of them through the tokens that they consumed, back
 * to where both runs agree. */
struct analysis_causal_slice {
    uint64_t differing; /* firings that differ, including the first */
    uint64_t since;     /* cycle of the earliest of them */
    uint64_t agreeing;  /* firings that agree and whose tokens they consumed */
    struct analysis_fired last_agreeing; /* the last of these, if any */
    bool is_cut; /* more than ANALYSIS_CAUSAL_SLICE_MAX firings differ */

    /* The firing, then each time the last cause that differs. */
    LIB_VEC(struct analysis_fired) chain;
};

enum { ANALYSIS_CAUSAL_SLICE_MAX = 1 << 19 };

/* Finds the causes of `from`. Reads `at_a_time` firings at a time, or a default number for 0.
 * Memory grows with that number and with the slice. Returns false if reading failed. */
bool analysis_causal_slice_find(const struct analysis_causal_slice_of *of,
                                const struct analysis_fired *from, uint64_t at_a_time,
                                struct analysis_causal_slice *cone);
void analysis_causal_slice_free(struct analysis_causal_slice *cone);

/* Forwards: the firings that the tokens of a firing reach. Memory grows with the tokens alive. */
struct analysis_reach {
    uint64_t reached;   /* firings, including the first */
    uint64_t differing; /* firings among them that differ */
};

bool analysis_reach_find(const struct analysis_causal_slice_of *of,
                         const struct analysis_fired *from, struct analysis_reach *reach);

#endif
