/* Draws the points, lines and bars of a chart, and decides how curves look. */
#ifndef ANALYSIS_FIGURE_MARKS_H
#define ANALYSIS_FIGURE_MARKS_H

#include "analysis/figure/axis.h"

enum { ANALYSIS_MARKS_COLOURS = 8 }; /* number of colours; further curves repeat them */

/* Returns the colour and style of a curve. */
struct analysis_look analysis_marks_look(const struct analysis_chart *chart,
                                         size_t curve);

/* Returns how many styles (dashes, points or hatchings) can be distinguished. */
size_t analysis_marks_styles(enum analysis_figure_kind kind);

/* Return the colour, the gnuplot point type and the dash of a look. */
const char *analysis_marks_colour(size_t colour);
int analysis_marks_point(size_t style);
const char *analysis_marks_dash(size_t style);

/* Returns the gnuplot pattern that hatches bars of a style; 0: none. */
int analysis_marks_hatch(size_t style);

/* Returns the gnuplot pattern that hatches the bars of a curve; 0: none. Bars have patterns if they
 * are stacked or if styles differ, unless they are too many and thus too thin. */
int analysis_marks_hatch_of(const struct analysis_chart *chart, size_t curve);

/* Whether a symbol is drawn at each point of a curve. Returns false for steps, and for lines of
 * many points. */
bool analysis_marks_have_points(const struct analysis_chart *chart);

/* Return the width of one of `curves` bars or boxes at a place of the x axis, and its offset from
 * the middle of this place. The unit is the width of a place. */
double analysis_marks_bar_width(size_t curves);
double analysis_marks_bar_offset(size_t curves, size_t curve);

/* Returns the width of stacked bars, in widths of a place on the x axis. Bars over time, or many
 * bars, overlap slightly. */
double analysis_marks_stack_width(const struct analysis_chart *chart);

/* Adds gnuplot commands that define linetype i + 1 as the colour and style of the curve with index
 * i. */
void analysis_marks_write_types(const struct analysis_chart *chart, struct lib_text *out);

/* Return the position of the cross that marks failed runs: its number on the x axis, and its height
 * above this axis in cm. Crosses at the same number are above each other. */
double analysis_marks_failed_x(const struct analysis_chart *chart,
                               const struct analysis_failed *failed);
double analysis_marks_failed_height(const struct analysis_chart *chart,
                                    const struct analysis_panel *panel, size_t failed);

/* Adds gnuplot commands that draw a cross where runs failed. */
void analysis_marks_write_failed(const struct analysis_chart *chart, size_t panel,
                                 const struct analysis_plot_axis *x,
                                 const struct analysis_plot_axis *y,
                                 struct lib_text *out);

/* Adds the gnuplot command that draws a panel with these axes. `z` is for heat maps only. */
void analysis_marks_write_panel(const struct analysis_chart *chart, size_t panel,
                                const struct analysis_plot_axis *x,
                                const struct analysis_plot_axis *y,
                                const struct analysis_plot_axis *z, struct lib_text *out);

#endif
