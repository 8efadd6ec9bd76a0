/* The bases of a view with `relative`: the values with which others are compared.
 *
 * The runs for which the condition of `relative.to` holds are bases, even those that `where` leaves
 * out. The base of a run has the same repetition and the same value of every parameter that varies,
 * shown or not, except the columns that the condition names or determines. So with common random
 * numbers, equal workloads are compared. If there are several such runs, they differ only in the
 * columns of the condition, and the base is their mean.
 *
 * All bases together are a cube: a row per base, with the mean of each value. */
#ifndef ANALYSIS_VIEW_BASELINE_H
#define ANALYSIS_VIEW_BASELINE_H

#include "analysis/view/cube.h"

struct analysis_baselines {
    analysis_column_list columns;     /* columns in which a run equals its base; owned */
    analysis_column_list following;   /* inputs that the condition determines; owned */
    struct analysis_view_spec output; /* specification of the cube, with `view` */
    struct analysis_view view;
    struct analysis_cube cube;
    enum analysis_relative relative;
    uint64_t *sources; /* hash of the runs of each base; in the cube's arena */
    size_t *first;     /* first run of each base, or SIZE_MAX; in the cube's arena */
};

/* Makes the bases of a view: none if the view has no `relative`. `bases` must not be moved. Free
 * them with analysis_baselines_free. */
void analysis_baselines_make(struct analysis_baselines *bases,
                             const struct analysis_view *view,
                             const struct traces_reader *frame);
void analysis_baselines_free(struct analysis_baselines *bases);

/* Requests the columns that bases need. */
void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame);

/* Returns the base of a run, or SIZE_MAX. */
size_t analysis_baselines_find(const struct analysis_baselines *bases,
                               const struct traces_reader *frame, size_t run);

/* Returns a number for the runs of a base: bases of the same runs have the same number. Returns 0
 * if there is no base. */
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

/* Returns a number relative to the number of a base for the same value; NaN without one. */
double analysis_baselines_compare(const struct analysis_baselines *bases, size_t base,
                                  size_t value, double number);

#endif
