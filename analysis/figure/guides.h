/* Draws the reference lines of a chart and their labels, which are placed where nothing else is
 * drawn. Lengths are in cm, from the lower left corner of the panel. */
#ifndef ANALYSIS_FIGURE_GUIDES_H
#define ANALYSIS_FIGURE_GUIDES_H

#include "analysis/figure/room.h"

/* Finds a place for the label of a line: beside it, in the panel, where it hides least. Returns
 * false if the line has no label, does not cross the panel, or has no room for the label. */
bool analysis_guides_label(const struct analysis_chart *chart, size_t line,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y,
                           const struct analysis_room *room, struct analysis_box *box);

/* Adds gnuplot commands that draw the lines, except y = x, which is not straight on all axes and
 * belongs to the marks (analysis/figure/marks.h). */
void analysis_guides_write(const struct analysis_chart *chart,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y, struct lib_text *out);

#endif
