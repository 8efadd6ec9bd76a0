/* What a run would gain if each line, or function, were faster: bars, the greatest first. */
#ifndef ANALYSIS_FIGURE_GAINS_CHART_H
#define ANALYSIS_FIGURE_GAINS_CHART_H

#include "analysis/figure/chart.h"

enum { ANALYSIS_GAINS = 3 }; /* 10 %, 50 % and 100 % faster */

struct analysis_gains {
    const char *name;
    double parts[ANALYSIS_GAINS]; /* of the cycles of the run; NaN: it did not complete */
};

/* `what`: of what the names are. Of many the first are shown. Texts are borrowed. */
void analysis_gains_chart(struct analysis_chart *chart, const char *what,
                          const struct analysis_gains *gains, size_t count);

#endif
