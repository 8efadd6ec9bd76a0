/* Axes of a chart: their ranges and ticks. */
#ifndef ANALYSIS_FIGURE_AXIS_H
#define ANALYSIS_FIGURE_AXIS_H

#include "analysis/figure/chart.h"

struct analysis_tick {
    double at;
    const char *text;    /* gnuplot markup; a plain name for a place */
    const char *letters; /* plain text of the same width */
};

struct analysis_plot_axis {
    const char *letter; /* "x", "y", "cb" */
    const char *label, *note;
    enum analysis_scale scale;
    double length; /* cm */
    double least, greatest;
    double factor;               /* divisor of the shown numbers: a power of 1000 */
    bool has_places;             /* the axis has named places, not numbers */
    bool has_marks;              /* ticks are marked, at the edges of places */
    bool is_turned;              /* texts of ticks are rotated, to fit */
    struct analysis_tick *ticks; /* in the chart's arena */
    size_t tick_count;
};

/* Make the axes of a panel; `length` is in cm. Values are on the y axis, in a heat map on the z
 * axis (colours). */
struct analysis_plot_axis analysis_axis_x(const struct analysis_chart *chart,
                                          size_t panel, double length);
struct analysis_plot_axis analysis_axis_y(const struct analysis_chart *chart,
                                          size_t panel, double length);
struct analysis_plot_axis analysis_axis_z(const struct analysis_chart *chart,
                                          size_t panel, double length);

/* Returns the position of a number on the axis, from 0 at the lower end to 1 at the upper end. */
double analysis_axis_share(const struct analysis_plot_axis *axis, double number);

/* Returns the number at a position, 0 to 1: the inverse of analysis_axis_share. */
double analysis_axis_at(const struct analysis_plot_axis *axis, double share);

double analysis_axis_widest(const struct analysis_plot_axis *axis);

/* Returns the label with factor and unit: "cycles [10^3]", "network bits [10^6 bits]". Lives in the
 * arena. */
const char *analysis_axis_label(const struct analysis_plot_axis *axis,
                                struct lib_arena *arena);

/* Adds gnuplot commands that set range and ticks. */
void analysis_axis_write(const struct analysis_plot_axis *axis, struct lib_text *out);

#endif
