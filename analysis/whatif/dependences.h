/* Dependences of a run, recorded so that analysis_retime can time the run again. */
#ifndef ANALYSIS_WHATIF_DEPENDENCES_H
#define ANALYSIS_WHATIF_DEPENDENCES_H

#include "analysis/stream/flow.h"
#include "analysis/whatif/retime.h"

#define WHATIF_NONE UINT32_MAX

/* A turn: a token that a PE takes from its input queue. */
struct whatif_turn {
    /* index into `firings` of the firing it takes part in; WHATIF_NONE if none */
    uint32_t firing;
    uint32_t node, from, pe;
    uint32_t way; /* cycles that the token was in the network, in the recorded run */
    /* cycles for which a part of the machine held the token after it was taken */
    uint32_t held;
    uint16_t labels;
    bool is_request;
    /* whether the token is a request to the coordinator of copies, which serves one at a time */
    bool asks;
};

/* A firing, a request, or an answer to a deferred read. A firing or request happens after all of
 * its turns (tokens taken). An answer happens after the read, and after the write of the
 * element. */
struct whatif_firing {
    uint32_t node;
    uint32_t turns; /* number of turns (tokens taken) that must happen first */
    /* index into `turns` of the first token that the firing sends; the others follow */
    uint32_t first_out;
    uint32_t outs; /* number of tokens that the firing sends */
    /* cycles that the firing took beyond the latency of its instruction */
    uint32_t extra;
    /* index into `firings` of the HOLD whose constant it uses; or WHATIF_NONE */
    uint32_t constant;
    uint32_t write; /* for an answer: index into `firings` of the write of the element */
    /* 1 + cycle in which the host answered by feeding or closing a port; 0: it did not */
    uint64_t fed;

    /* Index into `firings`. For a read, its answer; for a write, the first answer to it; for an
     * answer, the next answer to the same write. */
    uint32_t answer;
};

struct analysis_dependences {
    struct analysis_stream_run run;
    struct traces_live_tags live;
    struct analysis_flow flow;
    LIB_VEC(struct whatif_turn) turns;
    /* for each turn (token taken), the cycle in the recorded run */
    LIB_VEC(uint64_t) taken;
    LIB_VEC(struct whatif_firing) firings;
    LIB_VEC(uint32_t) starts; /* indices into `turns` of tokens that no firing sent */
    struct traces_event end;
    uint64_t fed; /* cycle in which the host last fed or closed a port; 0: never */
};

#endif
