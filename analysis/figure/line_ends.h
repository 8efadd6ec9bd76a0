/* Names of curves at the ends of their lines: beside the panel where lines end there, else
 * beside the end of each line. Lengths are in cm, from the lower left corner of the panel. */
#ifndef ANALYSIS_FIGURE_LINE_ENDS_H
#define ANALYSIS_FIGURE_LINE_ENDS_H

#include "analysis/figure/legend.h"

enum { ANALYSIS_LINE_ENDS = 6 }; /* most names */

/* The name of a curve. */
struct analysis_line_end {
    bool is_shown;       /* false for a curve without a point in the panel */
    bool is_beside;      /* to the right of the panel */
    bool is_led_to;      /* a thin line leads from the end of the curve to the name */
    double end_x, end_y; /* end of the curve */
    double left, middle; /* left end and middle height of the name */
};

/* Returns true if all lines of a panel end at one place near its right edge, far enough apart for
 * names. */
bool analysis_line_ends_are_clear(const struct analysis_chart *chart, size_t panel,
                                  const struct analysis_plot_axis *x,
                                  const struct analysis_plot_axis *y);

/* Places the names of a chart with at most ANALYSIS_LINE_ENDS curves. */
void analysis_line_ends_place(const struct analysis_chart *chart, size_t panel,
                              const struct analysis_plot_axis *x,
                              const struct analysis_plot_axis *y,
                              struct analysis_line_end *ends);

/* Returns the width of names beside a panel, with the gap before them. */
double analysis_line_ends_width(const struct analysis_chart *chart);

/* Adds the names inside of a panel to what is drawn there. */
void analysis_line_ends_take(const struct analysis_chart *chart,
                             const struct analysis_line_end *ends,
                             struct analysis_room *room);

/* Adds the commands that draw the names of a panel, whose lower left corner is at (left,
 * bottom). In the first panel the title of the legend is above the highest name beside it. */
void analysis_line_ends_write(const struct analysis_chart *chart, size_t panel,
                              const struct analysis_line_end *ends,
                              const struct analysis_sheet_size *size, double left,
                              double bottom, struct lib_text *out);

#endif
