/* Drawings of a report: figures made by gnuplot, and the graph drawn by dot. If such a program is
 * missing, the page says so in place of the drawing. */
#ifndef SIM_REPORT_DRAWINGS_H
#define SIM_REPORT_DRAWINGS_H

#include "sim/report/report.h"

/* Adds a figure with the panels named in `shown`, separated by commas. Adds nothing if the run
 * lacks the events for it. */
void sim_drawing_figure(const struct sim_reported *reported, const char *shown,
                        const char *title, struct lib_text *out, struct lib_diags *diags);

/* Adds the graph of the program with the count of firings of each instruction. */
void sim_drawing_graph(const struct sim_reported *reported, struct lib_text *out,
                       struct lib_diags *diags);

#endif
