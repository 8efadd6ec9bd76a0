/* Two runs compared, from the sources of their events (analysis/diff/diff.h). */
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
    struct sim_replay_changes reasons; /* what ran, and where, is not the same */
    struct analysis_diff *found;
    /* The recorded digests differ from this cycle on, though the events, which are made again, do
     * not so early: a recording is that of a hiaton that does something else. UINT64_MAX: not
     * so. */
    uint64_t recorded_from;
};

/* Opens both and compares them. false: it could not, which is in `diags`, or `stop` became true.
 * Give back with sim_trace_diff_free in either case. */
bool sim_trace_diff_find(struct sim_trace_diff *diff, const char *const paths[2],
                         const struct analysis_diff_config *config, bool (*stop)(void),
                         struct lib_diags *diags);
void sim_trace_diff_free(struct sim_trace_diff *diff);

/* Whether all is the same. */
bool sim_trace_diff_is_same(const struct sim_trace_diff *diff);

/* Adds what was found; `diff` is a struct sim_trace_diff. */
void sim_trace_diff_tell(const void *diff, struct lib_findings *findings);

#endif
