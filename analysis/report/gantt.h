/* A run over time, PE by PE: what each executes, and the tokens that fly from one to another. Of
 * a short run each firing and each token is drawn; of a long one how busy each PE is in each of
 * some spans of time, and the flows of most tokens. What is kept, and what is written, has a
 * bound whatever the run. */
#ifndef ANALYSIS_REPORT_GANTT_H
#define ANALYSIS_REPORT_GANTT_H

#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"

struct analysis_gantt_firing {
    uint64_t cycle, length;
    uint32_t pe, slot; /* so many began before it at its PE in this cycle */
    uint32_t instr;
};

/* A token from one PE to another: formed, and taken; UINT64_MAX: not yet. */
struct analysis_gantt_flight {
    uint64_t formed, taken;
    uint32_t from, to, instr, port, tag;
};

/* Start with analysis_gantt_start. */
struct analysis_gantt {
    const struct analysis_stream_run *run; /* borrowed */
    LIB_VEC(struct analysis_gantt_firing) firings;
    LIB_VEC(struct analysis_gantt_flight) flights;
    LIB_VEC(uint32_t) flying; /* flights that are not taken yet, in order */
    uint64_t firing_count, token_count;
    uint32_t groups;                /* of PEs, among which tokens are counted */
    struct analysis_timeline flows; /* a channel for each pair of groups */
    uint64_t *last;                 /* per PE: the cycle of its last firing, + 1; */
    uint32_t *slots;                /* and how many began in it */
    uint32_t most_slots;
    uint64_t cycles;
};

void analysis_gantt_start(struct analysis_gantt *gantt,
                          const struct analysis_stream_run *run);
void analysis_gantt_free(struct analysis_gantt *gantt); /* one that is all zero, too */

/* Takes all events of a run, of the level `firings` at least; tokens are of the level `all`. */
struct traces_event_sink analysis_gantt_sink(struct analysis_gantt *gantt);

/* Adds the drawing, and its data for who zooms, a script of JSON. `busy` are the findings of
 * `utilisation`, with a table `over_time`; `chain` is that table of the findings of causes, or
 * NULL. */
void analysis_gantt_draw(const struct analysis_gantt *gantt,
                         const struct analysis_findings *busy,
                         const struct analysis_findings_table *chain,
                         struct lib_text *out);

/* --- for the files of this module ----------------------------------------------------------- */

enum {
    ANALYSIS_GANTT_KEPT = 20000, /* firings, and flights */
    ANALYSIS_GANTT_DRAWN = 2500, /* each; with more, spans are drawn */
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
