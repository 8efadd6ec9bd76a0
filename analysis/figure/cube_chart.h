/* A chart of a cube: panels, curves and places on the x axis are its keys. */
#ifndef ANALYSIS_FIGURE_CUBE_CHART_H
#define ANALYSIS_FIGURE_CUBE_CHART_H

#include "analysis/figure/chart.h"
#include "analysis/view/cube.h"

/* Curves are series times values. Numbers on the x axis, or as the y of a heat map, stand by
 * size, all else in the order of the experiment. Give back with analysis_chart_free; borrows
 * texts of the figure and the cube. */
void analysis_cube_chart(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube);

#endif
