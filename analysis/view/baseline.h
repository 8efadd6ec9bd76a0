/* The bases of a view with `relative`: what each value is compared with.
 *
 * A base is made of the runs for which the condition holds, also of those that `where`
 * leaves out. It belongs to all runs that are alike in what the view shows and in the
 * parameters that `where` names, but for the columns that the condition names, and have the
 * same repetition: so that with common random numbers like is compared with like. */
#ifndef ANALYSIS_VIEW_BASELINE_H
#define ANALYSIS_VIEW_BASELINE_H

#include "analysis/view/cube.h"

struct analysis_baselines {
    const struct analysis_view *view;
    analysis_column_list columns; /* owned */
    struct analysis_keys keys;
    LIB_VEC(struct analysis_place) list; /* owned: by key and value */
    LIB_VEC(uint64_t) sources;           /* owned: by key, which runs it is made of */
};

/* Begins, without bases. `bases` must not be moved. Give back with
 * analysis_baselines_free. */
void analysis_baselines_start(struct analysis_baselines *bases,
                              const struct analysis_view *view,
                              const struct traces_reader *frame, struct lib_arena *arena);
void analysis_baselines_free(struct analysis_baselines *bases);

/* Says which columns bases need. */
void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame);

/* Adds a run to its base, if the condition holds. */
void analysis_baselines_add(struct analysis_baselines *bases,
                            const struct traces_reader *frame, size_t run);

/* What stands for the runs that are the base of a run: bases of the same runs have the same.
 * 0: it has none. */
uint64_t analysis_baselines_source(const struct analysis_baselines *bases,
                                   const struct traces_reader *frame, size_t run);

/* A number of a run, relative to its base; NaN: there is none. */
double analysis_baselines_compare(const struct analysis_baselines *bases,
                                  const struct traces_reader *frame, size_t run,
                                  size_t value);

#endif
