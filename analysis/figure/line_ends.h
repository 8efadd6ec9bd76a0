/* Places the names of curves at the ends of their lines: right of the panel if lines end there,
 * else beside the end of each line. Lengths are in cm, from the lower left corner of the panel. */
#ifndef ANALYSIS_FIGURE_LINE_ENDS_H
#define ANALYSIS_FIGURE_LINE_ENDS_H

#include "analysis/figure/legend.h"

enum { ANALYSIS_LINE_ENDS = 6 }; /* maximum number of curves */

/* The place of the name of a curve. */
struct analysis_line_end {
    bool is_shown;  /* false if the curve has no point in the panel */
    bool is_beside; /* whether the name is right of the panel */
    /* whether a thin line is drawn from the end of the curve to its name */
    bool is_led_to;
    double end_x, end_y;
    double left, middle; /* left end and vertical middle of the name */
};

/* Whether all lines of a panel end at the same x near the right edge, at heights that leave room
 * for a name each. */
bool analysis_line_ends_are_clear(const struct analysis_chart *chart, size_t panel,
                                  const struct analysis_plot_axis *x,
                                  const struct analysis_plot_axis *y);

/* Places the names of the curves in a panel, at most ANALYSIS_LINE_ENDS. */
void analysis_line_ends_place(const struct analysis_chart *chart, size_t panel,
                              const struct analysis_plot_axis *x,
                              const struct analysis_plot_axis *y,
                              struct analysis_line_end *ends);

/* Returns the width of the names right of a panel, including the gap before them. */
double analysis_line_ends_width(const struct analysis_chart *chart);

/* Marks the room of names inside the panel as occupied. */
void analysis_line_ends_take(const struct analysis_chart *chart,
                             const struct analysis_line_end *ends,
                             struct analysis_room *room);

/* Adds gnuplot commands that write the names of a panel, whose lower left corner is (left, bottom).
 * In the first panel, the title of the legend is above the highest name. */
void analysis_line_ends_write(const struct analysis_chart *chart, size_t panel,
                              const struct analysis_line_end *ends,
                              const struct analysis_sheet_size *size, double left,
                              double bottom, struct lib_text *out);

#endif
