/* A chart of one run over time: its series and its parallelism profile. Each list of names has a
 * panel with its own axes. */
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

/* A list of panels. Start it with {0}; free it with analysis_run_panels_free. */
struct analysis_run_panels {
    LIB_VEC(struct analysis_run_panel) list; /* owned */
};

/* Adds a panel from names separated by commas, such as "live_tokens,waiting". If a name is unknown,
 * returns false and sets `why` to the reason. */
bool analysis_run_panels_add(struct analysis_run_panels *panels, const char *names,
                             struct lib_text *why);

/* Adds the default panels: both profiles, tokens and activations. */
void analysis_run_panels_default(struct analysis_run_panels *panels);
void analysis_run_panels_free(struct analysis_run_panels *panels);

/* Returns true if a panel shows a column of a detail. */
bool analysis_run_panels_show(const struct analysis_run_panels *panels,
                              enum traces_detail detail);

/* Makes the chart. `series` and `profile` must be complete, or NULL if no panel shows them. Free
 * the chart with analysis_chart_free. */
void analysis_run_chart(struct analysis_chart *chart,
                        const struct analysis_run_panels *panels, enum analysis_thin thin,
                        const struct traces_series *series,
                        const struct traces_profile *profile);

#endif
