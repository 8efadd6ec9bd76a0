/* Makes a chart of one run over time: its time series and its parallelism profile. Each panel shows
 * a list of columns on its own axes. */
#ifndef ANALYSIS_FIGURE_RUN_CHART_H
#define ANALYSIS_FIGURE_RUN_CHART_H

#include "analysis/figure/chart.h"
#include "traces/profile.h"
#include "traces/series.h"

/* A curve: a column of TRACES_DETAIL_SERIES or TRACES_DETAIL_PROFILE. */
struct analysis_run_curve {
    enum traces_detail detail;
    size_t column;
};

struct analysis_run_panel {
    LIB_VEC(struct analysis_run_curve) curves; /* owned */
};

/* A list of panels. Start with {0}; free with analysis_run_panels_free. */
struct analysis_run_panels {
    LIB_VEC(struct analysis_run_panel) list; /* owned */
};

/* Adds a panel with the columns in `names`, as "live_tokens,waiting". Returns false and sets `why`
 * if a name is unknown. */
bool analysis_run_panels_add(struct analysis_run_panels *panels, const char *names,
                             struct lib_text *why);

/* Adds the default panels: both profiles, tokens and activations. */
void analysis_run_panels_default(struct analysis_run_panels *panels);
void analysis_run_panels_free(struct analysis_run_panels *panels);

/* Whether a panel shows a column of `detail`. */
bool analysis_run_panels_show(const struct analysis_run_panels *panels,
                              enum traces_detail detail);

/* Makes the chart. `series` and `profile` must be complete, or NULL if no panel shows them. Free it
 * with analysis_chart_free. */
void analysis_run_chart(struct analysis_chart *chart,
                        const struct analysis_run_panels *panels, enum analysis_thin thin,
                        const struct traces_series *series,
                        const struct traces_profile *profile);

#endif
