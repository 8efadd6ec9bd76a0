/* The dependences of a run, as they are kept: for what times them again. */
#ifndef ANALYSIS_WHATIF_DEPENDENCES_H
#define ANALYSIS_WHATIF_DEPENDENCES_H

#include "analysis/stream/flow.h"
#include "analysis/whatif/retime.h"

#define WHATIF_NONE UINT32_MAX

/* A token, which has its turn. */
struct whatif_turn {
    uint32_t
        firing; /* that it is for; WHATIF_NONE: it is absorbed, or the run ended before */
    uint32_t node, from, pe;
    uint32_t way;  /* cycles that the network took for it, where these are measured */
    uint32_t held; /* cycles from its turn to when it went on, of what was held back */
    uint16_t labels;
    bool is_request;
    bool asks; /* a coordinator, which serves one after the other, and sends it on */
};

/* A firing, or a request, which come when all their turns have been; or an answer, which comes
 * when a read and a write have. */
struct whatif_firing {
    uint32_t node;
    uint32_t turns;     /* that it needs */
    uint32_t first_out; /* a turn: what it sends, one after the other, */
    uint32_t outs;
    uint32_t extra;    /* cycles that it took beside its latency */
    uint32_t constant; /* of a loop: the firing of the HOLD; WHATIF_NONE: it has none */
    uint32_t write;    /* of an answer: the write */
    uint64_t
        fed; /* of what a feed or close answered: the cycle of that, and 1 more; else 0 */
    uint32_t
        answer; /* of a read: the answer; of a write the first one; of an answer the next of that write */
};

struct analysis_dependences {
    struct analysis_stream_run run;
    struct traces_live_tags live;
    struct analysis_flow flow;
    LIB_VEC(struct whatif_turn) turns;
    LIB_VEC(uint64_t) taken; /* of each turn, the cycle */
    LIB_VEC(struct whatif_firing) firings;
    LIB_VEC(uint32_t) starts; /* turns that nobody sent */
    struct traces_event end;
    uint64_t fed; /* the cycle of the last feed or close; or 0 */
};

#endif
