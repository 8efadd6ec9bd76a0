/* Makes a chart of how much faster a run would be if a line or a function were faster: bars, the
 * greatest first. */
#ifndef ANALYSIS_FIGURE_GAINS_CHART_H
#define ANALYSIS_FIGURE_GAINS_CHART_H

#include "analysis/figure/chart.h"

enum { ANALYSIS_GAINS = 3 }; /* for 10 %, 50 % and 100 % faster */

struct analysis_gains {
    const char *name;
    /* Shares of the run's cycles that would be saved; NaN if that run did not complete. */
    double parts[ANALYSIS_GAINS];
};

/* Makes the chart; of many gains it shows the first. `what` describes the names. Strings are
 * borrowed. */
void analysis_gains_chart(struct analysis_chart *chart, const char *what,
                          const struct analysis_gains *gains, size_t count);

#endif
