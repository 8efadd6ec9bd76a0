/* Chooses how curves look whose series have several keys: the first key decides the colour, the
 * others the dashes and points, or the hatching of bars. */
#ifndef ANALYSIS_FIGURE_CUBE_LOOKS_H
#define ANALYSIS_FIGURE_CUBE_LOOKS_H

#include "analysis/figure/chart.h"
#include "analysis/view/cube.h"

/* Sets the looks of a chart of one value, and its legend if each value of the first key occurs with
 * each value of the others. Does nothing if either has fewer than two values, or more than can be
 * distinguished. */
void analysis_cube_looks(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube);

#endif
