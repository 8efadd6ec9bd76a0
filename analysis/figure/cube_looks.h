/* The looks of the curves of a cube whose series have several keys: the first key is the colour,
 * the others are dashes and points, or hatching of bars. */
#ifndef ANALYSIS_FIGURE_CUBE_LOOKS_H
#define ANALYSIS_FIGURE_CUBE_LOOKS_H

#include "analysis/figure/chart.h"
#include "analysis/view/cube.h"

/* Sets the looks of a chart of one value, and its legend if each value of the first key has a
 * series with each of the others. Leaves them if there are fewer than two values of the first
 * key or of the others, or more than can be distinguished. */
void analysis_cube_looks(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube);

#endif
