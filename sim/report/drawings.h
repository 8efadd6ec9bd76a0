/* Drawings of a report: gnuplot draws the figures, dot the graph. If a program is missing, the page
 * says so in place of the drawing. */
#ifndef SIM_REPORT_DRAWINGS_H
#define SIM_REPORT_DRAWINGS_H

#include "sim/report/report.h"

/* Adds a figure of some panels, named with commas between; nothing if the events do not suffice.
 * The title is text; its id is `prefix` and "figure-NAME". */
void sim_drawing_figure(const struct sim_reported *reported, const char *prefix,
                        const char *shown, const char *title, struct lib_text *out,
                        struct lib_diags *diags);

/* Adds the graph with the firings of each instruction. */
void sim_drawing_graph(const struct sim_reported *reported, struct lib_text *out,
                       struct lib_diags *diags);

#endif
