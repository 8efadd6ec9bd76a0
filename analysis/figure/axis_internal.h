/* Shared by axes of numbers (axis.c) and axes of named places (axis_places.c). */
#ifndef ANALYSIS_FIGURE_AXIS_INTERNAL_H
#define ANALYSIS_FIGURE_AXIS_INTERNAL_H

#include "analysis/figure/axis.h"

/* Returns the smallest step, 1, 2 or 5 times a power of ten, that divides a span into at most
 * `most` parts. */
double analysis_axis_step(double span, double most);

/* Makes an axis of named places. Names that do not fit are rotated; numbers are thinned out. */
void analysis_axis_make_places(struct analysis_plot_axis *axis, struct lib_arena *arena,
                               const struct analysis_axis *spec);

#endif
