/* The axes of a figure: what they are called, how far they go, where their ticks are. */
#ifndef ANALYSIS_FIGURE_PLOT_AXIS_H
#define ANALYSIS_FIGURE_PLOT_AXIS_H

#include "analysis/figure/plot.h"

struct analysis_plot_axis {
    const char *letter; /* "x", "y" */
    const char *label;
    enum analysis_scale scale;
    double least, greatest; /* of what is drawn; NaN if nothing is */
    double top;             /* the greatest in any panel */
    double factor;          /* numbers are drawn divided by it: a power of 1000 */
    bool from_zero;         /* a linear axis that begins at 0 */
    bool is_whole;          /* all numbers */
    size_t place_count;     /* of an axis of places */
    const char *const *places;
    bool has_numbers; /* as names of places */
    double length;    /* in cm */
    double label_x,
        label_y; /* where the middle of the label is, as shares of the figure */
    double line; /* between its lines, as well */
};

struct analysis_plot_axis analysis_plot_x_axis(const struct analysis_plot *plot);
/* Of a panel. Of a heat map its places. */
struct analysis_plot_axis analysis_plot_y_axis(const struct analysis_plot *plot,
                                               size_t panel);
/* Of the colours of a heat map, in all panels. */
struct analysis_plot_axis analysis_plot_z_axis(const struct analysis_plot *plot);

/* What a column is called: "peak waiting [tokens]"; "cycles", whose unit is its name. */
const char *analysis_plot_name(const struct analysis_plot *plot,
                               const struct traces_column *column);

/* Adds the commands that set range, ticks and label. */
void analysis_plot_write_axis(const struct analysis_plot_axis *axis,
                              struct lib_text *out);

/* Whether the names of places are turned, for want of room. */
bool analysis_plot_rotates(const struct analysis_plot_axis *axis);

/* Whether the label is longer than the axis, and so stands in two lines. */
bool analysis_plot_breaks(const struct analysis_plot_axis *axis);

/* The width of a text in cm: an estimate, for letters of 8 points. */
double analysis_plot_width(const char *text);
double
analysis_plot_widest(const struct analysis_plot_axis *axis); /* of names of places */

/* Adds a string of gnuplot that is shown as it is. */
void analysis_plot_write_string(struct lib_text *out, const char *text);

#endif
