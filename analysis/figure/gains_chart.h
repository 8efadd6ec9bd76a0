/* Chart of the gains of a run if a line or a function were faster: bars, the greatest first. */
#ifndef ANALYSIS_FIGURE_GAINS_CHART_H
#define ANALYSIS_FIGURE_GAINS_CHART_H

#include "analysis/figure/chart.h"

enum { ANALYSIS_GAINS = 3 }; /* 10 %, 50 % and 100 % faster */

struct analysis_gains {
    const char *name;
    /* Share of the cycles; NaN if the run did not complete. */
    double parts[ANALYSIS_GAINS];
};

/* Makes the chart, with the first gains if there are many. `what` describes the names. Texts are
 * borrowed. */
void analysis_gains_chart(struct analysis_chart *chart, const char *what,
                          const struct analysis_gains *gains, size_t count);

#endif
