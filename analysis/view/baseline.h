/* Bases: the runs with which a table or figure compares other runs (key `relative`).
 *
 * All runs that satisfy the condition `relative.to` are bases, even if the condition `where` hides
 * them. A run and its base have the same repetition and the same value of every parameter that
 * varies, shown or not, except the columns that the condition `relative.to` names or determines.
 * With common random numbers, equal workloads are thus compared. If several runs qualify as base of
 * one run, they differ only in the columns of the condition, and their mean is the base. */
#ifndef ANALYSIS_VIEW_BASELINE_H
#define ANALYSIS_VIEW_BASELINE_H

#include "analysis/view/cube.h"

struct analysis_baselines {
    /* owned; columns in which a run must equal its base (the run that it is compared with) */
    analysis_column_list columns;
    /* owned; inputs that have one value for each value of the columns in the condition */
    analysis_column_list following;
    struct analysis_view_spec output; /* `output` and `view` specify `cube` */
    struct analysis_view view;
    /* a row per base (run to compare with), with the mean of each value */
    struct analysis_cube cube;
    enum analysis_relative relative;
    uint64_t *sources; /* for each base, a hash of its runs; in the arena of `cube` */
    /* for each base, its first run; SIZE_MAX: none; in the arena of `cube` */
    size_t *first;
};

/* Computes the bases (runs to compare with) of a table or figure; none if it has no `relative`.
 * `bases` must not be moved in memory. Free it with analysis_baselines_free. */
void analysis_baselines_make(struct analysis_baselines *bases,
                             const struct analysis_view *view,
                             const struct traces_reader *frame);
void analysis_baselines_free(struct analysis_baselines *bases);

/* Requests the columns that comparisons need. Call this before traces_reader_load. */
void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame);

/* Returns the index of the base of a run, which the run is compared with; SIZE_MAX if none. */
size_t analysis_baselines_find(const struct analysis_baselines *bases,
                               const struct traces_reader *frame, size_t run);

/* Returns a hash of the runs that form a base; 0 if `base` is SIZE_MAX. */
uint64_t analysis_baselines_source(const struct analysis_baselines *bases, size_t base);

/* For a run without a base to compare it with, adds the columns in which it differs from the most
 * similar base, such as "`inputs.n`". Adds nothing if there are no bases. */
void analysis_baselines_write_apart(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    struct lib_text *text);

/* Adds to `across` the inputs in which a run differs from its base, the run that it is compared
 * with, unless they are in `across` already. */
void analysis_baselines_find_across(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    size_t base, analysis_column_list *across);

/* Returns `number`, a value of a run, relative to the same value of its base. Returns NaN if the
 * base lacks that value. */
double analysis_baselines_compare(const struct analysis_baselines *bases, size_t base,
                                  size_t value, double number);

#endif
