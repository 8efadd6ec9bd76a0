/* Causes and effects of a difference, through tokens: a firing is caused by those whose tokens it
 * consumed. What comes by other ways, as the value of an element or a place in a queue, is not
 * seen.
 *
 * All of it reads one of two runs of images of one strategy, at the level `all`, where it is
 * known of each of its firings whether the other run has the same (analysis/diff/shifts.h). */
#ifndef ANALYSIS_DIFF_CAUSAL_SLICE_H
#define ANALYSIS_DIFF_CAUSAL_SLICE_H

#include "analysis/diff/shifts.h"

/* What is read. */
struct analysis_causal_slice_of {
    const struct analysis_node_mapping *alike;
    const struct analysis_source *source;
    const struct analysis_shifts_run *run;
    uint32_t side;
};

/* A firing by its number in the stream, or, if that is in a cycle before `cycle`, the first from
 * there on that is not the same. false: there is none, or it could not be read. */
bool analysis_locate(const struct analysis_causal_slice_of *of, uint64_t index,
                     uint64_t cycle, struct analysis_fired *found);

/* Backwards: the firings that differ, from one of them on through the tokens that they consumed,
 * until both runs agree. */
struct analysis_causal_slice {
    uint64_t differing; /* firings, that one among them */
    uint64_t since;     /* the cycle of the earliest */
    uint64_t agreeing;  /* firings whose tokens they consumed, and that are the same */
    struct analysis_fired last_agreeing; /* the last one of these, if there is any */
    bool is_cut;                         /* there are more: ANALYSIS_CAUSAL_SLICE_MAX */
    /* From that firing, each time the last of its causes that differs. */
    LIB_VEC(struct analysis_fired) chain;
};

enum { ANALYSIS_CAUSAL_SLICE_MAX = 1 << 19 };

/* Reads so many firings at a time; 0: the usual number. Memory grows with it, and with the cone.
 * false: it could not be read. */
bool analysis_causal_slice_find(const struct analysis_causal_slice_of *of,
                                const struct analysis_fired *from, uint64_t at_a_time,
                                struct analysis_causal_slice *cone);
void analysis_causal_slice_free(struct analysis_causal_slice *cone);

/* Forwards: what the tokens of a firing reach. Memory grows with the tokens alive. */
struct analysis_reach {
    uint64_t reached;   /* firings, that one among them */
    uint64_t differing; /* of these */
};

bool analysis_reach_find(const struct analysis_causal_slice_of *of,
                         const struct analysis_fired *from, struct analysis_reach *reach);

#endif
