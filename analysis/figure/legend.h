/* The legend of a chart: its size and its place. Lengths are in cm. */
#ifndef ANALYSIS_FIGURE_LEGEND_H
#define ANALYSIS_FIGURE_LEGEND_H

#include "analysis/figure/room.h"

/* A layout: names in columns, with the title before the only line, or in its own line. */
struct analysis_legend_form {
    size_t columns, lines;
    bool title_in_front;
    double column; /* width of a column, with the gap after it */
    double title;  /* width of the title, with the gap after it; 0 without one */
    double width, height;
};

/* Returns the layout with `columns` columns, at least 1. */
struct analysis_legend_form analysis_legend_form(const struct analysis_chart *chart,
                                                 size_t columns);

/* Returns the layout with as many columns as fit into a width. */
struct analysis_legend_form analysis_legend_fit(const struct analysis_chart *chart,
                                                double width);

/* Finds the layout and the place of a legend inside a panel. Returns false if it does not fit. */
bool analysis_legend_find(const struct analysis_chart *chart,
                          const struct analysis_room *room,
                          struct analysis_legend_form *form, struct analysis_box *box);

/* --- names at the ends of lines ----------------------------------------------------------- */

enum { ANALYSIS_LEGEND_ENDS = 6 }; /* most names */

/* Sets the height of the name of each curve, from the bottom of the panel. Names are moved apart a
 * little. Returns false if the lines do not end at one place, or end too close together. */
bool analysis_legend_ends(const struct analysis_chart *chart, size_t panel,
                          const struct analysis_plot_axis *y, double *heights);

/* Returns the width of the widest name, or of the title if that is wider. */
double analysis_legend_ends_width(const struct analysis_chart *chart);

/* --- commands ----------------------------------------------------------------------------- */

/* The size of the figure; gnuplot wants places as shares of it. */
struct analysis_sheet_size {
    double width, height;
};

/* Adds the commands that draw the legend. Its upper left corner is at (left, top), from the lower
 * left corner of the figure. */
void analysis_legend_write(const struct analysis_chart *chart,
                           const struct analysis_legend_form *form,
                           const struct analysis_sheet_size *size, double left,
                           double top, struct lib_text *out);

/* Adds the commands that draw the names beside a panel, whose lower right corner is at (left,
 * bottom). In the first panel the title is above the highest name. */
void analysis_legend_write_ends(const struct analysis_chart *chart, size_t panel,
                                const double *heights,
                                const struct analysis_sheet_size *size, double left,
                                double bottom, struct lib_text *out);

#endif
