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
    const char *name, *unit, *place; /* place: "cycle" or "depth" */
    enum traces_detail detail;
    size_t column;
};

/* Complete series and profile of a run, and what a step of several values shows. */
struct analysis_run_source {
    const struct traces_series *series;
    const struct traces_profile *profile;
    enum analysis_thin thin;
};

/* Returns the number of curves, and sets the i-th one. */
size_t analysis_run_curve_count(void);
struct analysis_run_curve analysis_run_curve(size_t i);

/* Adds a table for each of `count` curves, with its name as key and the columns cycle, width and
 * mean. All have steps of the same width. Returns the distance between values in the finest. */
uint64_t analysis_run_tell(const struct analysis_run_source *source, const size_t *curves,
                           size_t count, struct lib_findings *findings);

#endif
