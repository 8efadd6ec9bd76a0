/* Bases: the runs with which a table or figure compares others (key `relative`).
 *
 * All runs that satisfy the condition `relative.to` are bases, even those that `where` leaves out.
 * The base of a run has the same repetition and the same value of every parameter that varies,
 * shown or not, except the columns that the condition names or determines. So with common random
 * numbers, equal workloads are compared. If several runs qualify, they differ only in the columns
 * of the condition, and the base is their mean. */
#ifndef ANALYSIS_VIEW_BASELINE_H
#define ANALYSIS_VIEW_BASELINE_H

#include "analysis/view/cube.h"

struct analysis_baselines {
    analysis_column_list columns;     /* owned; columns in which a run equals its base */
    analysis_column_list following;   /* owned; inputs that the condition determines */
    struct analysis_view_spec output; /* specification of `cube`, like `view` */
    struct analysis_view view;
    struct analysis_cube cube; /* a row per base, with the mean of each value */
    enum analysis_relative relative;
    uint64_t *sources; /* per base, a hash of its runs; in the arena of `cube` */
    size_t *first;     /* per base, its first run or SIZE_MAX; in the arena of `cube` */
};

/* Computes the bases of a table or figure; none if it has no `relative`. `bases` must not be moved.
 * Free them with analysis_baselines_free. */
void analysis_baselines_make(struct analysis_baselines *bases,
                             const struct analysis_view *view,
                             const struct traces_reader *frame);
void analysis_baselines_free(struct analysis_baselines *bases);

/* Requests the columns that bases need, before traces_reader_load. */
void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame);

/* Returns the index of a run's base, or SIZE_MAX if it has none. */
size_t analysis_baselines_find(const struct analysis_baselines *bases,
                               const struct traces_reader *frame, size_t run);

/* Returns a hash of the runs of a base, equal for bases of the same runs; 0 if `base` is
 * SIZE_MAX. */
uint64_t analysis_baselines_source(const struct analysis_baselines *bases, size_t base);

/* Adds the columns in which a run without a base differs from the nearest base, as "`inputs.n`".
 * Adds nothing if there are no bases. */
void analysis_baselines_write_apart(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    struct lib_text *text);

/* Adds the inputs in which a run differs from its base to `across`, each once. */
void analysis_baselines_find_across(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    size_t base, analysis_column_list *across);

/* Compares `number` of a run with that of its base for the same value. Returns NaN if the base has
 * none. */
double analysis_baselines_compare(const struct analysis_baselines *bases, size_t base,
                                  size_t value, double number);

#endif
