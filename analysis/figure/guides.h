/* The reference lines of a chart, and where their labels stand: beside the line, where nothing
 * else is drawn. Lengths are in cm, from the lower left corner of the panel. */
#ifndef ANALYSIS_FIGURE_GUIDES_H
#define ANALYSIS_FIGURE_GUIDES_H

#include "analysis/figure/room.h"

/* The place of the label of a line. false: it has none, or does not cross the panel. */
bool analysis_guides_label(const struct analysis_chart *chart, size_t line,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y,
                           const struct analysis_room *room, struct analysis_box *box);

/* Adds the commands that draw those lines that are straight on any axes: not y = x, which is a
 * mark (analysis/figure/marks.h). */
void analysis_guides_write(const struct analysis_chart *chart,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y, struct lib_text *out);

#endif
