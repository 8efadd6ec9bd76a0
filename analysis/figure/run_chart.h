/* A chart of one run over time: of its series and its parallelism profile, a panel for each list
 * of names, each with axes of its own. */
#ifndef ANALYSIS_FIGURE_RUN_CHART_H
#define ANALYSIS_FIGURE_RUN_CHART_H

#include "analysis/figure/chart.h"
#include "traces/profile.h"
#include "traces/series.h"

/* A column of a detail, TRACES_DETAIL_SERIES or TRACES_DETAIL_PROFILE. */
struct analysis_run_curve {
    enum traces_detail detail;
    size_t column;
};

struct analysis_run_panel {
    LIB_VEC(struct analysis_run_curve) curves; /* owned */
};

/* Start with {0}; give back with analysis_run_panels_free. */
struct analysis_run_panels {
    LIB_VEC(struct analysis_run_panel) list; /* owned */
};

/* Adds a panel: names with commas between, "live_tokens,waiting". false: a name is none, and
 * `why` says so. */
bool analysis_run_panels_add(struct analysis_run_panels *panels, const char *names,
                             struct lib_text *why);
/* What is shown where nothing is said: both profiles, tokens and activations. */
void analysis_run_panels_default(struct analysis_run_panels *panels);
void analysis_run_panels_free(struct analysis_run_panels *panels);

/* Whether some panel shows something of it. */
bool analysis_run_panels_show(const struct analysis_run_panels *panels,
                              enum traces_detail detail);

/* `series` and `profile` are complete; NULL where no panel shows them. Give back with
 * analysis_chart_free. */
void analysis_run_chart(struct analysis_chart *chart,
                        const struct analysis_run_panels *panels, enum analysis_thin thin,
                        const struct traces_series *series,
                        const struct traces_profile *profile);

#endif
