#ifndef ANALYSIS_FIGURE_AXIS_INTERNAL_H
#define ANALYSIS_FIGURE_AXIS_INTERNAL_H

#include "analysis/figure/axis.h"

/* Returns the smallest step, 1, 2 or 5 times a power of ten, that divides `span` into at most
 * `most` parts. */
double analysis_axis_step(double span, double most);

/* Sets `axis` to an axis of places with names, such as the values of a setting. If names do not fit
 * beside each other, rotates them or omits some. */
void analysis_axis_make_places(struct analysis_plot_axis *axis, struct lib_arena *arena,
                               const struct analysis_axis *spec);

#endif
