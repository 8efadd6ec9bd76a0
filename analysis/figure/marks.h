/* The marks of a chart: what its curves look like, and the commands that draw them. */
#ifndef ANALYSIS_FIGURE_MARKS_H
#define ANALYSIS_FIGURE_MARKS_H

#include "analysis/figure/axis.h"

enum { ANALYSIS_MARKS_COLOURS = 8 }; /* of more curves they come again */

/* Of a curve, from 0. */
const char *analysis_marks_colour(size_t curve);
int analysis_marks_point(size_t curve);

/* Whether each point of a curve has a mark of its own; many stand on the line alone. */
bool analysis_marks_have_points(const struct analysis_chart *chart);

/* How wide a bar or box is, of a place, and how far it stands beside it. */
double analysis_marks_bar_width(size_t curves);
double analysis_marks_bar_offset(size_t curves, size_t curve);

/* How wide stacked bars are, of a place: those over time overlap a little. */
double analysis_marks_stack_width(const struct analysis_chart *chart);

/* Adds the commands that make linetype N that of curve N - 1. */
void analysis_marks_write_types(struct lib_text *out);

/* The place of the mark of runs that failed: its number on the x axis, and its height over that
 * axis in cm. Marks of one place are stacked. */
double analysis_marks_failed_x(const struct analysis_chart *chart,
                               const struct analysis_failed *failed);
double analysis_marks_failed_height(const struct analysis_chart *chart,
                                    const struct analysis_panel *panel, size_t failed);

/* Adds the commands that draw the marks of runs that failed. */
void analysis_marks_write_failed(const struct analysis_chart *chart, size_t panel,
                                 const struct analysis_plot_axis *x,
                                 const struct analysis_plot_axis *y,
                                 struct lib_text *out);

/* Adds the command that draws a panel between such axes; z: of a heat map only. */
void analysis_marks_write_panel(const struct analysis_chart *chart, size_t panel,
                                const struct analysis_plot_axis *x,
                                const struct analysis_plot_axis *y,
                                const struct analysis_plot_axis *z, struct lib_text *out);

#endif
