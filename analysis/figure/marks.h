/* Draws the points, lines and bars of a chart, and decides how curves look. */
#ifndef ANALYSIS_FIGURE_MARKS_H
#define ANALYSIS_FIGURE_MARKS_H

#include "analysis/figure/axis.h"

enum { ANALYSIS_MARKS_COLOURS = 8 }; /* further curves use the same colours again */

/* Returns the colour and style of a curve. */
struct analysis_look analysis_marks_look(const struct analysis_chart *chart,
                                         size_t curve);

/* Returns how many styles (dashes, points or hatching) can be distinguished. */
size_t analysis_marks_styles(enum analysis_figure_kind kind);

/* Return the colour, the gnuplot point type and the dash of a look. */
const char *analysis_marks_colour(size_t colour);
int analysis_marks_point(size_t style);
const char *analysis_marks_dash(size_t style);

/* Returns the gnuplot pattern that hatches a style, or 0 for none. */
int analysis_marks_hatch(size_t style);

/* Returns the gnuplot pattern over the bars of a curve; 0: none. Stacked parts and styles have
 * patterns, unless there are too many bars to see them. */
int analysis_marks_hatch_of(const struct analysis_chart *chart, size_t curve);

/* Whether each point gets a mark: not in steps, nor in lines with many points. */
bool analysis_marks_have_points(const struct analysis_chart *chart);

/* Return the width of a bar or box, and its offset from the middle of its place, both as parts of
 * the width of a place. */
double analysis_marks_bar_width(size_t curves);
double analysis_marks_bar_offset(size_t curves, size_t curve);

/* Returns the width of stacked bars, as a part of the width of a place. Bars over time, and many
 * bars, overlap a little. */
double analysis_marks_stack_width(const struct analysis_chart *chart);

/* Adds gnuplot commands that set linetype N to that of curve N - 1. */
void analysis_marks_write_types(const struct analysis_chart *chart, struct lib_text *out);

/* Return where to mark failed runs: the number on the x axis, and the height above that axis in cm.
 * Marks at the same place are stacked. */
double analysis_marks_failed_x(const struct analysis_chart *chart,
                               const struct analysis_failed *failed);
double analysis_marks_failed_height(const struct analysis_chart *chart,
                                    const struct analysis_panel *panel, size_t failed);

/* Adds gnuplot commands that mark failed runs. */
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
