/* The series and the parallelism profile of one run as findings, in as many steps as a figure can
 * show (traces/steps.h). */
#ifndef ANALYSIS_FIGURE_RUN_FINDINGS_H
#define ANALYSIS_FIGURE_RUN_FINDINGS_H

#include "analysis/view/view_spec.h"
#include "lib/findings.h"
#include "traces/profile.h"
#include "traces/series.h"

/* A curve over time: a column of the series (TRACES_DETAIL_SERIES) or of the parallelism profile
 * (TRACES_DETAIL_PROFILE) of a run. */
struct analysis_run_curve {
    /* `place` is the label of the x axis: "cycle" or "depth" */
    const char *name, *unit, *place;
    enum traces_detail detail;
    size_t column;
};

/* The complete series and profile of a run. `thin` selects what a step of a curve shows: the mean
 * or the maximum of its cycles. */
struct analysis_run_source {
    const struct traces_series *series;
    const struct traces_profile *profile;
    enum analysis_thin thin;
};

/* Returns the number of curves that a run has: columns of its profile and of its series. */
size_t analysis_run_curve_count(void);

/* Returns the curve with index `i`. */
struct analysis_run_curve analysis_run_curve(size_t i);

/* Adds a table for each of `count` curves. Its key is the name of the curve; its columns are cycle,
 * width and mean; all tables have steps of equal width. Returns the number of cycles between two
 * measured values of the curve that has most of them. */
uint64_t analysis_run_tell(const struct analysis_run_source *source, const size_t *curves,
                           size_t count, struct lib_findings *findings);

#endif
