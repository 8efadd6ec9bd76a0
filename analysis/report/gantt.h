/* Draws a run over time: what each PE does, and tokens between PEs. If the run is short, draws each
 * firing and token; if it is long, the busy share of PEs per span of time and the greatest flows of
 * tokens. Memory and output are bounded. */
#ifndef ANALYSIS_REPORT_GANTT_H
#define ANALYSIS_REPORT_GANTT_H

#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"

struct analysis_gantt_firing {
    uint64_t cycle, length;
    /* `slot`: number of firings before this one at the same PE in the same cycle */
    uint32_t pe, slot;
    uint32_t instr;
};

/* A token from PE `from` to PE `to`. `taken` is the cycle in which PE `to` takes it; UINT64_MAX:
 * not taken yet. */
struct analysis_gantt_flight {
    uint64_t formed, taken;
    uint32_t from, to, instr, port, tag;
};

struct analysis_gantt {
    const struct analysis_stream_run *run; /* borrowed */
    LIB_VEC(struct analysis_gantt_firing) firings;
    LIB_VEC(struct analysis_gantt_flight) flights;
    /* Indices into `flights` of tokens that are not taken yet, in the order of sending. */
    LIB_VEC(uint32_t) flying;
    uint64_t firing_count, token_count;
    uint32_t groups; /* number of groups of PEs, between which tokens are counted */
    struct analysis_timeline flows; /* tokens over time; a channel per pair of groups */
    uint64_t *last;                 /* per PE: 1 + cycle of its last firing */
    uint32_t *slots; /* per PE: number of its firings in the cycle of its last firing */
    uint32_t most_slots;
    uint64_t cycles;
};

void analysis_gantt_start(struct analysis_gantt *gantt,
                          const struct analysis_stream_run *run);
void analysis_gantt_free(struct analysis_gantt *gantt); /* a zeroed struct is allowed */

/* Returns the sink for the events of the run. To draw tokens it needs level `all`, else level
 * `firings`. */
struct traces_event_sink analysis_gantt_sink(struct analysis_gantt *gantt);

/* Properties in which several drawings on one page differ. A single drawing has prefix "", and the
 * other members are 0. */
struct analysis_gantt_look {
    const char *prefix; /* prefix of the ids in the drawing */
    uint64_t cycles;    /* end of the time axis, if later than the end of the run */
    /* whether the page cannot zoom the drawing; its data are then omitted */
    bool is_still;
};

/* Adds the drawing, and its data as JSON in a script element, for zooming. `busy` are the results
 * of the analysis `utilisation`, including the table `over_time`. `chain` is the table `chain` of
 * analysis/causes/causes_summary.h, or NULL. */
void analysis_gantt_draw(const struct analysis_gantt *gantt,
                         const struct lib_findings *busy, const struct lib_table *chain,
                         const struct analysis_gantt_look *look, struct lib_text *out);

/* --- for gantt*.c --------------------------------------------------------------------------- */

enum {
    /* maximum number of firings, and of tokens, that are kept */
    ANALYSIS_GANTT_KEPT = 20000,
    /* maximum number of firings, and of tokens, that are drawn one by one */
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
    return (g->run->machine.pe_count + g->groups - 1) / g->groups;
}

#endif
