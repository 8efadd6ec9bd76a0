/* The bases of a view with `relative`: what each value is compared with.
 *
 * A base is made of the runs for which the condition holds, also of those that `where`
 * leaves out. It belongs to all runs that are alike in what the view shows and in the
 * parameters that `where` names, but for the columns that the condition names, and have the
 * same repetition: so that with common random numbers like is compared with like.
 *
 * All of them together are a cube: a row for each base, and in it the mean of each value. */
#ifndef ANALYSIS_VIEW_BASELINE_H
#define ANALYSIS_VIEW_BASELINE_H

#include "analysis/view/cube.h"

struct analysis_baselines {
    analysis_column_list columns;     /* owned: in which runs and their base are alike */
    struct analysis_view_spec output; /* with the view: what the cube is made of */
    struct analysis_view view;
    struct analysis_cube cube;
    enum analysis_relative relative;
    uint64_t *sources; /* which runs each base is made of; in the cube's arena */
    size_t *first;     /* of them; SIZE_MAX: none yet; in the same */
    /* A parameter in which the runs of some base differ, though nothing was said of it; or NULL:
     * then values of different problems are compared. */
    const struct traces_column *mixed;
};

/* Makes the bases of a view; there are none where it shows values as they are. `bases` must
 * not be moved. Give back with analysis_baselines_free. */
void analysis_baselines_make(struct analysis_baselines *bases,
                             const struct analysis_view *view,
                             const struct traces_reader *frame);
void analysis_baselines_free(struct analysis_baselines *bases);

/* Says which columns bases need. */
void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame);

/* The base of a run; SIZE_MAX: it has none. */
size_t analysis_baselines_find(const struct analysis_baselines *bases,
                               const struct traces_reader *frame, size_t run);

/* What stands for the runs that a base is made of: bases of the same runs have the same. 0:
 * there is none. */
uint64_t analysis_baselines_source(const struct analysis_baselines *bases, size_t base);

/* A number relative to that of a base, of the same value; NaN: there is none. */
double analysis_baselines_compare(const struct analysis_baselines *bases, size_t base,
                                  size_t value, double number);

#endif
