#ifndef ANALYSIS_FIGURE_AXIS_INTERNAL_H
#define ANALYSIS_FIGURE_AXIS_INTERNAL_H

#include "analysis/figure/axis.h"

/* Returns the smallest step, 1, 2 or 5 times a power of ten, that divides `span` into at most
 * `most` parts. */
double analysis_axis_step(double span, double most);

/* Makes an axis of named places. If names do not fit, rotates texts and omits some numbers. */
void analysis_axis_make_places(struct analysis_plot_axis *axis, struct lib_arena *arena,
                               const struct analysis_axis *spec);

#endif
