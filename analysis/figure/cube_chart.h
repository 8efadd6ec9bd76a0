/* Makes a chart of grouped results (analysis/view/cube.h). Their keys become panels, curves and
 * places on the x axis. */
#ifndef ANALYSIS_FIGURE_CUBE_CHART_H
#define ANALYSIS_FIGURE_CUBE_CHART_H

#include "analysis/figure/chart.h"
#include "analysis/view/cube.h"

/* Makes the chart, with a curve per series and value. Numbers on the x axis, or on the y axis of a
 * heat map, are sorted; everything else has the order of the experiment. Borrows strings of the
 * figure and the cube. Free the chart with analysis_chart_free. */
void analysis_cube_chart(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube);

#endif
