/* Drawings of a report: figures by gnuplot, the graph by dot. If a program is missing, the page
 * says so in place of the drawing. */
#ifndef SIM_REPORT_DRAWINGS_H
#define SIM_REPORT_DRAWINGS_H

#include "sim/report/report.h"

/* Adds a figure with the panels `shown`, separated by commas; nothing if the run lacks events for
 * it. */
void sim_drawing_figure(const struct sim_reported *reported, const char *shown,
                        const char *title, struct lib_text *out, struct lib_diags *diags);

/* Adds the graph of the program with the count of firings of each instruction. */
void sim_drawing_graph(const struct sim_reported *reported, struct lib_text *out,
                       struct lib_diags *diags);

#endif
