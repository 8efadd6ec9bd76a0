/* Makes a bar chart of how much faster a run would be if a line or function were faster. The
 * greatest gain is first. */
#ifndef ANALYSIS_FIGURE_GAINS_CHART_H
#define ANALYSIS_FIGURE_GAINS_CHART_H

#include "analysis/figure/chart.h"

enum { ANALYSIS_GAINS = 3 }; /* number of variants: 10 %, 50 % and 100 % faster */

struct analysis_gains {
    const char *name;
    /* For each variant, the share of the run's cycles that it saves; NaN if it did not complete. */
    double parts[ANALYSIS_GAINS];
};

/* Makes the chart. Shows only the first of `count` gains if they are too many. `what` is the label
 * of the x axis, which has their names. Borrows all strings. */
void analysis_gains_chart(struct analysis_chart *chart, const char *what,
                          const struct analysis_gains *gains, size_t count);

#endif
