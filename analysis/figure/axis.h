/* The axes of a chart as they are drawn: how far they go, and where their ticks are. */
#ifndef ANALYSIS_FIGURE_AXIS_H
#define ANALYSIS_FIGURE_AXIS_H

#include "analysis/figure/chart.h"

struct analysis_tick {
    double at;
    const char *text; /* as gnuplot shows it, with its marks, unless it names a place */
    const char *letters; /* what is as wide */
};

struct analysis_plot_axis {
    const char *letter; /* "x", "y", "cb" */
    const char *label, *note;
    enum analysis_scale scale;
    double length;               /* in cm */
    double least, greatest;      /* its ends */
    double factor;               /* numbers are drawn divided by it: a power of 1000 */
    bool has_places;             /* texts of ticks are names, to be shown as they are */
    bool has_marks;              /* they stand at the edges of places, and have marks */
    bool is_turned;              /* texts of ticks are, for want of room */
    struct analysis_tick *ticks; /* the chart's arena's */
    size_t tick_count;
};

/* Of a length in cm. Of values: y of a panel, or of a heat map the colours. */
struct analysis_plot_axis analysis_axis_x(const struct analysis_chart *chart,
                                          size_t panel, double length);
struct analysis_plot_axis analysis_axis_y(const struct analysis_chart *chart,
                                          size_t panel, double length);
struct analysis_plot_axis analysis_axis_z(const struct analysis_chart *chart,
                                          size_t panel, double length);

/* Where a number is: 0 at the least end, 1 at the greatest. */
double analysis_axis_share(const struct analysis_plot_axis *axis, double number);

/* The number at a share of the axis. */
double analysis_axis_at(const struct analysis_plot_axis *axis, double share);

/* The widest text of its ticks, in cm. */
double analysis_axis_widest(const struct analysis_plot_axis *axis);

/* The label as it is written: "cycles [10^3]", "network bits [10^6 bits]". The chart's
 * arena's. */
const char *analysis_axis_label(const struct analysis_plot_axis *axis,
                                struct lib_arena *arena);

/* Adds the commands that set range and ticks. */
void analysis_axis_write(const struct analysis_plot_axis *axis, struct lib_text *out);

#endif
