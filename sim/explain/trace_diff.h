/* Finds differences between two runs from their event files or recordings
 * (analysis/diff/diff.h). */
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
    /* how the runs differ in program, settings and host */
    struct sim_replay_changes reasons;
    struct analysis_diff *found;
    /* First cycle in which the digests in the two recordings differ, if no event differs before: a
     * version of hiaton that simulates differently made one of them. UINT64_MAX: none. */
    uint64_t recorded_from;
};

/* Opens and compares two files. Returns false if `stop` returned true; on errors also adds a
 * diagnostic. Call sim_trace_diff_free in either case. */
bool sim_trace_diff_find(struct sim_trace_diff *diff, const char *const paths[2],
                         const struct analysis_diff_config *config, bool (*stop)(void),
                         struct lib_diags *diags);
void sim_trace_diff_free(struct sim_trace_diff *diff);

bool sim_trace_diff_is_same(const struct sim_trace_diff *diff);

/* Adds the differences to findings. `diff` is a struct sim_trace_diff. */
void sim_trace_diff_findings(const void *diff, struct lib_findings *findings);

#endif
