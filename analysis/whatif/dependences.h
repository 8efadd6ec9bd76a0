/* The representation of the dependences of a run, for the files of analysis/whatif. */
#ifndef ANALYSIS_WHATIF_DEPENDENCES_H
#define ANALYSIS_WHATIF_DEPENDENCES_H

#include "analysis/stream/flow.h"
#include "analysis/whatif/retime.h"

#define WHATIF_NONE UINT32_MAX

/* A turn of a token. */
struct whatif_turn {
    uint32_t firing; /* its firing; WHATIF_NONE if it is absorbed, or never fires */
    uint32_t node, from, pe;
    uint32_t way;  /* measured cycles in the network */
    uint32_t held; /* cycles for which the token was held back after its turn */
    uint16_t labels;
    bool is_request;
    bool asks; /* it goes through a coordinator, which serves one after the other */
};

/* A firing or a request, which happens after all its turns; or an answer, which happens after a
 * read and a write. */
struct whatif_firing {
    uint32_t node;
    uint32_t turns;     /* number of turns that it needs */
    uint32_t first_out; /* first turn of its tokens, which are adjacent */
    uint32_t outs;      /* number of its tokens */
    uint32_t extra;     /* cycles in addition to its latency */
    uint32_t constant;  /* firing of the HOLD of a constant of a loop, or WHATIF_NONE */
    uint32_t write;     /* write of an answer */
    uint64_t fed;       /* 1 + cycle of the feed or close that answered it; else 0 */

    /* The answer of a read, the first answer of a write, or the next answer of the same write. */
    uint32_t answer;
};

struct analysis_dependences {
    struct analysis_stream_run run;
    struct traces_live_tags live;
    struct analysis_flow flow;
    LIB_VEC(struct whatif_turn) turns;
    LIB_VEC(uint64_t) taken; /* cycle of each turn */
    LIB_VEC(struct whatif_firing) firings;
    LIB_VEC(uint32_t) starts; /* turns of tokens without a sender */
    struct traces_event end;
    uint64_t fed; /* cycle of the last feed or close, or 0 */
};

#endif
