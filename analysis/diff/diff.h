/* Finds differences between two runs from their events:
 *
 *     graphs of one strategy   the first event that differs; the first firing that differs and what
 *                              its tokens reach; the causes of a firing that differs, back to where
 *                              both runs agree
 *     any two graphs           firings one by one (analysis/diff/node_mapping.h maps them): which
 *                              came later or earlier, at another PE, in another order at their PE,
 *                              or in one run only */
#ifndef ANALYSIS_DIFF_DIFF_H
#define ANALYSIS_DIFF_DIFF_H

#include "analysis/diff/causal_slice.h"
#include "analysis/diff/details.h"
#include "analysis/diff/first.h"
#include "lib/findings.h"

struct analysis_diff_config {
    /* Selects the firing whose causes are found: the first differing firing in cycle `at` or later
     * if `has_at` is set, else the last differing firing. */
    uint64_t at;
    bool has_at;

    /* If one of the next two members is 0, it has a default value. */
    /* maximum number of firings kept until they are matched with the other run */
    size_t most_waiting;
    uint64_t at_a_time; /* number of firings read at a time to find causes */
};

/* maximum number of firings shown of a chain of causes */
enum { ANALYSIS_DIFF_CHAIN = 16 };

/* Indices into `details` of struct analysis_diff, for each role that a firing can have. */
struct analysis_diff_places {
    uint32_t origin, cause_of, agreeing, order, chain, end;
};

struct analysis_diff {
    struct lib_arena *arena;
    struct analysis_node_mapping *alike;
    /* level of the compared events: `all`, or less if a run has less */
    enum traces_level level;
    bool is_whole; /* whether both runs could be read completely */
    bool is_same;  /* whether the runs are equal */
    struct analysis_first first;
    /* NULL if all events are equal, or if events could not be read */
    struct analysis_shifts *shifts;
    /* Whether the first differing firing was found: details[at.origin]. It is searched only if both
     * graphs have the same strategy, and both runs have events of level `all`. */
    bool has_origin;
    uint32_t origin_side, cone_side;
    struct analysis_reach reach;
    bool has_cone;
    struct analysis_causal_slice cone;
    LIB_VEC(struct analysis_detail) details;
    struct analysis_diff_places at;
};

/* Compares two runs, whose events must be at least of level `firings`. Free the result with
 * analysis_diff_free. */
struct analysis_diff *analysis_diff_find(const struct analysis_source sources[2],
                                         const struct analysis_diff_config *config);
void analysis_diff_free(struct analysis_diff *diff); /* NULL is allowed */

void analysis_diff_findings(const struct analysis_diff *diff,
                            struct lib_findings *findings);

#endif
