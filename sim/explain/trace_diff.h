/* Differences between two runs, found from their events (analysis/diff/diff.h). */
#ifndef SIM_EXPLAIN_TRACE_DIFF_H
#define SIM_EXPLAIN_TRACE_DIFF_H

#include "analysis/diff/diff.h"
#include "sim/replay/replay.h"
#include "sim/replay/source.h"

struct sim_trace_diff {
    struct lib_arena *arena;
    const char *names[2];
    struct sim_source sources[2];
    bool opened[2];
    struct sim_replay_changes reasons; /* differences of program, settings and host */
    struct analysis_diff *found;
    /* First cycle whose recorded digests differ although the events do not differ that early: a
     * recording was made by a hiaton that behaves otherwise. UINT64_MAX if there is none. */
    uint64_t recorded_from;
};

/* Opens both sources and compares them. Returns false on an error, with a diagnostic, or if `stop`
 * became true. Free with sim_trace_diff_free in either case. */
bool sim_trace_diff_find(struct sim_trace_diff *diff, const char *const paths[2],
                         const struct analysis_diff_config *config, bool (*stop)(void),
                         struct lib_diags *diags);
void sim_trace_diff_free(struct sim_trace_diff *diff);

/* Whether the two runs are equal. */
bool sim_trace_diff_is_same(const struct sim_trace_diff *diff);

/* Adds what was found; `diff` is a struct sim_trace_diff. */
void sim_trace_diff_findings(const void *diff, struct lib_findings *findings);

#endif
