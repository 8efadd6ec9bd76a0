/* What the axes of numbers (axis.c) and those of places (axis_places.c) share. */
#ifndef ANALYSIS_FIGURE_AXIS_INTERNAL_H
#define ANALYSIS_FIGURE_AXIS_INTERNAL_H

#include "analysis/figure/axis.h"

/* Returns the step, 1, 2 or 5 times a power of ten, with which a span has at most `most` steps. */
double analysis_axis_step(double span, double most);

/* Makes an axis of places. Names that do not fit are turned, and numbers are thinned out. */
void analysis_axis_make_places(struct analysis_plot_axis *axis, struct lib_arena *arena,
                               const struct analysis_axis *spec);

#endif
