/* Axes of a chart: their ranges and ticks. */
#ifndef ANALYSIS_FIGURE_AXIS_H
#define ANALYSIS_FIGURE_AXIS_H

#include "analysis/figure/chart.h"

struct analysis_tick {
    double at;
    /* text of the tick: gnuplot markup, or a name on an axis of names */
    const char *text;
    const char *letters; /* plain text as wide as `text` */
};

struct analysis_plot_axis {
    const char *letter; /* gnuplot's name of the axis: "x", "y", "cb" */
    const char *label, *note;
    enum analysis_scale scale;
    double length; /* in cm */
    double least, greatest;
    /* power of 1000 by which numbers are divided before they are shown */
    double factor;
    /* whether the axis has places with names, not a scale of numbers */
    bool has_places;
    /* whether ticks are drawn between places, not in their middle */
    bool has_marks;
    bool is_turned;              /* whether texts of ticks are rotated to fit */
    struct analysis_tick *ticks; /* belong to the arena of the chart */
    size_t tick_count;
};

/* Return the axes of a panel. `length` is in cm. Values are on the y axis; in a heat map on the z
 * axis (colours). */
struct analysis_plot_axis analysis_axis_x(const struct analysis_chart *chart,
                                          size_t panel, double length);
struct analysis_plot_axis analysis_axis_y(const struct analysis_chart *chart,
                                          size_t panel, double length);
struct analysis_plot_axis analysis_axis_z(const struct analysis_chart *chart,
                                          size_t panel, double length);

/* Returns the position of a number on the axis, between 0 (lower end) and 1 (upper end). */
double analysis_axis_share(const struct analysis_plot_axis *axis, double number);

/* Returns the number at a position on the axis, between 0 (lower end) and 1 (upper end). */
double analysis_axis_at(const struct analysis_plot_axis *axis, double share);

double analysis_axis_widest(const struct analysis_plot_axis *axis);

/* Returns the label of an axis with factor and unit, such as "network bits [10^6 bits]". The text
 * belongs to the arena. */
const char *analysis_axis_label(const struct analysis_plot_axis *axis,
                                struct lib_arena *arena);

/* Adds gnuplot commands that set range and ticks of the axis. */
void analysis_axis_write(const struct analysis_plot_axis *axis, struct lib_text *out);

#endif
