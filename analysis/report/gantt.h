/* Draws a run over time: what each PE does, and tokens between PEs. For a short run each firing and
 * token is drawn; for a long one the busy share of PEs per span of time, and the greatest flows.
 * Memory and output are bounded. */
#ifndef ANALYSIS_REPORT_GANTT_H
#define ANALYSIS_REPORT_GANTT_H

#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"

struct analysis_gantt_firing {
    uint64_t cycle, length;
    uint32_t pe, slot; /* `slot`: number of earlier firings at its PE in this cycle */
    uint32_t instr;
};

/* A token from one PE to another. `taken` is the cycle in which it is taken; UINT64_MAX: not
 * yet. */
struct analysis_gantt_flight {
    uint64_t formed, taken;
    uint32_t from, to, instr, port, tag;
};

struct analysis_gantt {
    const struct analysis_stream_run *run; /* borrowed */
    LIB_VEC(struct analysis_gantt_firing) firings;
    LIB_VEC(struct analysis_gantt_flight) flights;
    /* indices of flights whose token is not taken yet, in order */
    LIB_VEC(uint32_t) flying;
    uint64_t firing_count, token_count;
    uint32_t groups; /* number of groups of PEs, between which tokens are counted */
    struct analysis_timeline flows; /* tokens over time, a channel per pair of groups */
    uint64_t *last;                 /* per PE: 1 + cycle of its last firing */
    uint32_t *slots; /* per PE: number of firings that began in that cycle */
    uint32_t most_slots;
    uint64_t cycles;
};

void analysis_gantt_start(struct analysis_gantt *gantt,
                          const struct analysis_stream_run *run);
void analysis_gantt_free(struct analysis_gantt *gantt); /* {0} is allowed */

/* Returns the sink that receives the events of a run: of level `firings` or more; of level `all` to
 * draw tokens. */
struct traces_event_sink analysis_gantt_sink(struct analysis_gantt *gantt);

/* Adds the drawing, and its data as JSON in a script element, for zooming. `busy` are results of
 * the analysis `utilisation`, with a table `over_time`; `chain` is the table `chain` of the causes,
 * or NULL. */
void analysis_gantt_draw(const struct analysis_gantt *gantt,
                         const struct lib_findings *busy, const struct lib_table *chain,
                         struct lib_text *out);

/* --- for the files of this module ----------------------------------------------------------- */

enum {
    ANALYSIS_GANTT_KEPT = 20000, /* firings, and flights, kept at most */
    /* firings, and flights, drawn singly at most; else as spans */
    ANALYSIS_GANTT_DRAWN = 2500,
    ANALYSIS_GANTT_GROUPS = 64,
    ANALYSIS_GANTT_WINDOWS = 32,
    ANALYSIS_GANTT_ROWS = 128,
};

static inline bool analysis_gantt_has_all(const struct analysis_gantt *g)
{
    return g->firing_count <= ANALYSIS_GANTT_KEPT &&
           g->token_count <= ANALYSIS_GANTT_KEPT;
}

static inline uint32_t analysis_gantt_per_group(const struct analysis_gantt *g)
{
    return (g->run->pe_count + g->groups - 1) / g->groups;
}

#endif
