/* Draws the reference lines of a chart. Their labels are placed where nothing else is drawn.
 * Lengths are in cm, from the lower left corner of the panel. */
#ifndef ANALYSIS_FIGURE_GUIDES_H
#define ANALYSIS_FIGURE_GUIDES_H

#include "analysis/figure/room.h"

/* Finds a place for the label of a reference line: beside the line, where it hides least. Returns
 * false if there is no label, no room for it, or if the line does not cross the panel. */
bool analysis_guides_label(const struct analysis_chart *chart, size_t line,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y,
                           const struct analysis_room *room, struct analysis_box *box);

/* Adds gnuplot commands that draw the reference lines, except y = x, which analysis/figure/marks.h
 * draws as it is not straight on all axes. */
void analysis_guides_write(const struct analysis_chart *chart,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y, struct lib_text *out);

#endif
