/* The bases of a view with `relative`: what each value is compared with.
 *
 * A base is made of the runs for which the condition holds, also of those that `where`
 * leaves out. It belongs to all runs that are alike in every parameter that varies, shown or not,
 * except the columns that the condition names or determines, and have the same repetition: so with
 * common random numbers like is compared with like. If the condition holds for several such runs,
 * they differ only in what it names, and the base is their mean.
 *
 * All of them together are a cube: a row for each base, and in it the mean of each value. */
#ifndef ANALYSIS_VIEW_BASELINE_H
#define ANALYSIS_VIEW_BASELINE_H

#include "analysis/view/cube.h"

struct analysis_baselines {
    analysis_column_list columns;     /* owned: in which runs and their base are alike */
    analysis_column_list following;   /* owned: inputs that the condition determines */
    struct analysis_view_spec output; /* with the view: what the cube is made of */
    struct analysis_view view;
    struct analysis_cube cube;
    enum analysis_relative relative;
    uint64_t *sources; /* which runs each base is made of; in the cube's arena */
    size_t *first;     /* of them; SIZE_MAX: none yet; in the same */
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

/* Adds the columns in which a run without a base differs from the nearest base: "`inputs.n`". Adds
 * nothing if there are no bases. */
void analysis_baselines_write_apart(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    struct lib_text *text);

/* Adds the inputs in which a run differs from its base, each once. */
void analysis_baselines_find_across(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    size_t base, analysis_column_list *across);

/* A number relative to that of a base, of the same value; NaN: there is none. */
double analysis_baselines_compare(const struct analysis_baselines *bases, size_t base,
                                  size_t value, double number);

#endif
