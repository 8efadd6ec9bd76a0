/* Drawings of a report that other programs make: gnuplot the figures, dot the graph. Where one is
 * not there, the page says so in their place. */
#ifndef SIM_REPORT_DRAWINGS_H
#define SIM_REPORT_DRAWINGS_H

#include "sim/report/report.h"

/* A figure of some of analysis/figure/found.def, with commas between; nothing if the events are not
 * enough. Its title is a text. */
void sim_drawing_figure(const struct sim_reported *reported, const char *shown,
                        const char *title, struct lib_text *out, struct lib_diags *diags);

/* The graph with the firings of each instruction. */
void sim_drawing_graph(const struct sim_reported *reported, struct lib_text *out,
                       struct lib_diags *diags);

#endif
