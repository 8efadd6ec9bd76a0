/* Chooses colours and styles of curves whose series have several keys: the first key determines the
 * colour; the other keys determine dashes and points, or the hatching of bars. */
#ifndef ANALYSIS_FIGURE_CUBE_LOOKS_H
#define ANALYSIS_FIGURE_CUBE_LOOKS_H

#include "analysis/figure/chart.h"
#include "analysis/view/cube.h"

/* Sets the colour and style of each curve of a chart. Sets also the two parts of the legend if each
 * combination of the first key and the other keys occurs. Does nothing if a curve has one key, if
 * `cube` has several values, or if there are fewer than two colours or styles, or more than can be
 * distinguished. */
void analysis_cube_looks(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube);

#endif
