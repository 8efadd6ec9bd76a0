/* The legend of a chart: its size and place. Lengths are in cm. */
#ifndef ANALYSIS_FIGURE_LEGEND_H
#define ANALYSIS_FIGURE_LEGEND_H

#include "analysis/figure/room.h"

/* The size of a list of names in columns and lines. The title is in front of the names if they have
 * one line, else above them. */
struct analysis_legend_form {
    size_t columns, lines;
    bool title_in_front;
    double column; /* width of a column, including the gap after it */
    double title;  /* width of the title, including the gap after it; 0: no title */
    double width, height;
};

/* The layout of a legend: one list, or a list of colours and a list of styles, beside or below each
 * other. */
struct analysis_legend_layout {
    struct analysis_legend_form forms[2];
    size_t count; /* number of lists */
    bool is_beside;
    double width, height;
};

/* Returns the layout with `columns` columns, at least 1; fewer if a list has fewer names. */
struct analysis_legend_layout analysis_legend_lay_out(const struct analysis_chart *chart,
                                                      size_t columns);

/* Returns the layout with as many columns as fit into a width. */
struct analysis_legend_layout analysis_legend_fit(const struct analysis_chart *chart,
                                                  double width);

/* Finds a layout and a place for the legend inside a panel. Returns false if it does not fit. */
bool analysis_legend_find(const struct analysis_chart *chart,
                          const struct analysis_room *room,
                          struct analysis_legend_layout *layout,
                          struct analysis_box *box);

double analysis_legend_widest(const struct analysis_chart *chart);

#define ANALYSIS_LEGEND_LINE 0.36 /* height of a line in cm */

/* --- commands ----------------------------------------------------------------------------- */

/* Background of a legend: paper, or the grid lines of a panel. */
enum analysis_legend_ground { ANALYSIS_LEGEND_ON_PAPER, ANALYSIS_LEGEND_ON_GRID };

/* Size of the figure in cm. gnuplot expects positions as shares of this size. */
struct analysis_sheet_size {
    double width, height;
};

/* Adds gnuplot commands that draw the legend. Its upper left corner is (left, top), from the lower
 * left corner of the figure. */
void analysis_legend_write(const struct analysis_chart *chart,
                           const struct analysis_legend_layout *layout,
                           const struct analysis_sheet_size *size, double left,
                           double top, enum analysis_legend_ground ground,
                           struct lib_text *out);

/* Adds the gnuplot command that writes words with their left end at (x, y). `colour` NULL:
 * black. */
void analysis_legend_write_words(const char *words,
                                 const struct analysis_sheet_size *size, double x,
                                 double y, const char *colour, struct lib_text *out);

#endif
