/* Chooses colours and styles of curves whose series have several keys: the first key determines the
 * colour; the other keys determine dashes and points, or the hatching of bars. */
#ifndef ANALYSIS_FIGURE_CUBE_LOOKS_H
#define ANALYSIS_FIGURE_CUBE_LOOKS_H

#include "analysis/figure/chart.h"
#include "analysis/view/cube.h"

/* Sets the looks in a chart of one value; also the legend, if all combinations of the first key and
 * the others occur. Does nothing if either has fewer than two values, or more than can be
 * distinguished. */
void analysis_cube_looks(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube);

#endif
