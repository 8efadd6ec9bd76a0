/* Dependences of a run in memory, for the files of analysis/whatif. */
#ifndef ANALYSIS_WHATIF_DEPENDENCES_H
#define ANALYSIS_WHATIF_DEPENDENCES_H

#include "analysis/stream/flow.h"
#include "analysis/whatif/retime.h"

#define WHATIF_NONE UINT32_MAX

/* A token that a PE takes from its input queue. */
struct whatif_turn {
    uint32_t firing; /* its firing; WHATIF_NONE if it never fires */
    uint32_t node, from, pe;
    uint32_t way;  /* measured cycles in the network */
    uint32_t held; /* cycles for which the token was held back afterwards */
    uint16_t labels;
    bool is_request;
    bool asks; /* the request goes to a coordinator, which serves one at a time */
};

/* A firing, a request, or an answer to a deferred read. A firing or request happens after all of
 * its turns. An answer happens after its read and the write of the element. */
struct whatif_firing {
    uint32_t node;
    uint32_t turns; /* number of turns that it needs */
    uint32_t
        first_out;  /* index of the turn of the first token it sends; the others follow */
    uint32_t outs;  /* number of tokens that it sends */
    uint32_t extra; /* cycles beyond its latency */
    uint32_t constant; /* firing of the HOLD whose constant it uses, or WHATIF_NONE */
    uint32_t write;    /* firing of the write, for an answer */
    uint64_t fed;      /* 1 + cycle of the feed or close that answered it; 0: none */

    /* The answer of a read; the first answer of a write; or the next answer of the same write. */
    uint32_t answer;
};

struct analysis_dependences {
    struct analysis_stream_run run;
    struct traces_live_tags live;
    struct analysis_flow flow;
    LIB_VEC(struct whatif_turn) turns;
    LIB_VEC(uint64_t) taken; /* cycle of each turn in the run */
    LIB_VEC(struct whatif_firing) firings;
    LIB_VEC(uint32_t) starts; /* turns of tokens without a sender */
    struct traces_event end;
    uint64_t fed; /* cycle of the last feed or close of a port, or 0 */
};

#endif
