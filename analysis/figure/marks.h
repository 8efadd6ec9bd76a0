/* The marks of a chart: the look of its curves, and the commands that draw them. */
#ifndef ANALYSIS_FIGURE_MARKS_H
#define ANALYSIS_FIGURE_MARKS_H

#include "analysis/figure/axis.h"

enum { ANALYSIS_MARKS_COLOURS = 8 }; /* more curves repeat the colours */

/* Returns the look of a curve. */
struct analysis_look analysis_marks_look(const struct analysis_chart *chart,
                                         size_t curve);

/* Returns how many styles can be distinguished beside colours. */
size_t analysis_marks_styles(enum analysis_figure_kind kind);

/* Return the colour, the kind of point and the dash of a look. */
const char *analysis_marks_colour(size_t colour);
int analysis_marks_point(size_t style);
const char *analysis_marks_dash(size_t style);

/* Returns the pattern of gnuplot with which a style is hatched, or 0 for none. */
int analysis_marks_hatch(size_t style);

/* Returns the pattern over the bars of a curve, or 0 for none: of parts, which lie one on the
 * other, and of styles. Where bars are too many, patterns would not be visible, and the file be
 * large. */
int analysis_marks_hatch_of(const struct analysis_chart *chart, size_t curve);

/* Returns true if each point gets a mark: not in steps, nor in lines with many points. */
bool analysis_marks_have_points(const struct analysis_chart *chart);

/* Return the width of a bar or box, and its offset from the middle of its place, as parts of the
 * place. */
double analysis_marks_bar_width(size_t curves);
double analysis_marks_bar_offset(size_t curves, size_t curve);

/* Returns the width of stacked bars, as a part of a place. Bars over time, and many bars, overlap a
 * little. */
double analysis_marks_stack_width(const struct analysis_chart *chart);

/* Adds the commands that set linetype N to that of curve N - 1. */
void analysis_marks_write_types(const struct analysis_chart *chart, struct lib_text *out);

/* Return the place of the mark of runs that failed: its number on the x axis, and its height above
 * that axis in cm. Marks of one place are stacked. */
double analysis_marks_failed_x(const struct analysis_chart *chart,
                               const struct analysis_failed *failed);
double analysis_marks_failed_height(const struct analysis_chart *chart,
                                    const struct analysis_panel *panel, size_t failed);

/* Adds the commands that draw the marks of runs that failed. */
void analysis_marks_write_failed(const struct analysis_chart *chart, size_t panel,
                                 const struct analysis_plot_axis *x,
                                 const struct analysis_plot_axis *y,
                                 struct lib_text *out);

/* Adds the command that draws a panel with these axes. `z` is for heat maps only. */
void analysis_marks_write_panel(const struct analysis_chart *chart, size_t panel,
                                const struct analysis_plot_axis *x,
                                const struct analysis_plot_axis *y,
                                const struct analysis_plot_axis *z, struct lib_text *out);

#endif
