/* The series and the parallelism profile of one run as findings, in as many steps as a figure can
 * show (traces/steps.h). */
#ifndef ANALYSIS_FIGURE_RUN_FINDINGS_H
#define ANALYSIS_FIGURE_RUN_FINDINGS_H

#include "analysis/view/view_spec.h"
#include "lib/findings.h"
#include "traces/profile.h"
#include "traces/series.h"

/* A curve over time: a column of TRACES_DETAIL_SERIES or TRACES_DETAIL_PROFILE. */
struct analysis_run_curve {
    /* `place` is the label of the x axis: "cycle" or "depth" */
    const char *name, *unit, *place;
    enum traces_detail detail;
    size_t column;
};

/* The complete series and profile of a run; `thin`: whether steps show means or maxima. */
struct analysis_run_source {
    const struct traces_series *series;
    const struct traces_profile *profile;
    enum analysis_thin thin;
};

/* Returns the number of curves. */
size_t analysis_run_curve_count(void);

/* Returns the curve with index `i`. */
struct analysis_run_curve analysis_run_curve(size_t i);

/* Adds a table for each of `count` curves, with the columns cycle, width and mean; the name of the
 * curve is the key. All tables have steps of equal width. Returns the distance between values in
 * the finest curve. */
uint64_t analysis_run_tell(const struct analysis_run_source *source, const size_t *curves,
                           size_t count, struct lib_findings *findings);

#endif
