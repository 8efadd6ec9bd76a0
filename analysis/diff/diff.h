/* Differences between two runs, from their events.
 *
 *     images of one strategy   the first event that differs; the first firing that differs and what
 *                              its tokens reach; the causes of a firing that differs, back to where
 *                              both runs agree
 *     any two images           firings one by one (analysis/diff/node_mapping.h maps them): which
 *                              came later or earlier, at another PE, in another order at their PE,
 *                              or in one run only */
#ifndef ANALYSIS_DIFF_DIFF_H
#define ANALYSIS_DIFF_DIFF_H

#include "analysis/diff/causal_slice.h"
#include "analysis/diff/details.h"
#include "analysis/diff/first.h"
#include "lib/findings.h"

struct analysis_diff_config {
    /* If `has_at`, causes are those of the first firing that differs in cycle `at` or later; else
     * those of the last firing that differs. */
    uint64_t at;
    bool has_at;

    /* 0 for the default: */
    size_t most_waiting; /* see analysis/diff/shifts.h */
    uint64_t at_a_time;  /* firings read at a time; see analysis/diff/causal_slice.h */
};

enum { ANALYSIS_DIFF_CHAIN = 16 }; /* most firings shown of a chain of causes */

/* Indices into the details. */
struct analysis_diff_places {
    uint32_t origin, cause_of, agreeing, order, chain, end;
};

struct analysis_diff {
    struct lib_arena *arena;
    struct analysis_node_mapping *alike;
    enum traces_level level; /* level that both sources have, at most `all` */
    bool is_whole;           /* both sources could be read */
    bool is_same;            /* the runs are the same; then only `first` below is set */
    struct analysis_first first;
    struct analysis_shifts *shifts; /* NULL if the runs are the same */
    bool has_origin; /* images of one strategy, events of the level `all` */
    uint32_t origin_side, cone_side;
    struct analysis_reach reach;
    bool has_cone;
    struct analysis_causal_slice cone;
    LIB_VEC(struct analysis_detail) details;
    struct analysis_diff_places at;
};

/* Compares two runs. Both sources must have at least the level `firings`. Free the result with
 * analysis_diff_free. */
struct analysis_diff *analysis_diff_find(const struct analysis_source sources[2],
                                         const struct analysis_diff_config *config);
void analysis_diff_free(struct analysis_diff *diff); /* NULL is allowed */

/* Adds the differences. */
void analysis_diff_findings(const struct analysis_diff *diff,
                            struct lib_findings *findings);

#endif
