/* What is different in two runs, from their events.
 *
 * Of images of one strategy: the first event that differs, the first firing that does and what
 * its tokens reach, and the causes of a firing that differs, back to where both runs agree. Of
 * any two: firings one by one (analysis/diff/node_mapping.h says which are the same), what came
 * later or earlier, elsewhere, in another order at its PE, and in one run only. */
#ifndef ANALYSIS_DIFF_DIFF_H
#define ANALYSIS_DIFF_DIFF_H

#include "analysis/diff/causal_slice.h"
#include "analysis/diff/details.h"
#include "analysis/diff/first.h"
#include "lib/json.h"

struct analysis_diff_config {
    bool has_at;
    uint64_t
        at; /* causes of the first firing that differs in this cycle or later; else of
                            the last one that does */
    size_t most_waiting; /* 0: the usual number (analysis/diff/shifts.h) */
    uint64_t
        at_a_time; /* firings that are read; 0: the usual number (analysis/diff/causal_slice.h) */
};

enum { ANALYSIS_DIFF_CHAIN = 16 }; /* so much of a chain of causes is told */

/* Places among the details. */
struct analysis_diff_places {
    uint32_t origin, cause_of, agreeing, order, chain, end;
};

struct analysis_diff {
    struct lib_arena *arena;
    struct analysis_node_mapping *alike;
    enum traces_level level; /* that both sources have, `all` at most */
    bool is_whole;           /* both sources could be read */
    bool is_same;            /* what follows is not there then, but `first` */
    struct analysis_first first;
    struct analysis_shifts *shifts; /* NULL: the runs are the same */
    bool has_origin; /* of images of one strategy, events of the level `all` */
    uint32_t origin_side, cone_side;
    struct analysis_reach reach;
    bool has_cone;
    struct analysis_causal_slice cone;
    LIB_VEC(struct analysis_detail) details;
    struct analysis_diff_places
        at; /* of the origin, of what the cone is of, of the last that
                                       agrees, of the order at a PE (two), of the chain */
};

/* Both sources have the level `firings` at least. Give back with analysis_diff_free. */
struct analysis_diff *analysis_diff_find(const struct analysis_source sources[2],
                                         const struct analysis_diff_config *config);
void analysis_diff_free(struct analysis_diff *diff); /* NULL is allowed */

/* Adds what was found, as text, or as keys of an object. */
void analysis_diff_write(const struct analysis_diff *diff, struct lib_text *out);
void analysis_diff_write_json(const struct analysis_diff *diff, struct lib_json *json);

#endif
