/* Drawings of a report: figures by gnuplot, the graph by dot. If one of these programs is missing,
 * the page says so instead. */
#ifndef SIM_REPORT_DRAWINGS_H
#define SIM_REPORT_DRAWINGS_H

#include "sim/report/report.h"

/* A figure of reports, with the names of its panels, separated by commas. A report of two runs has
 * the figure only if `is_compared`. */
struct sim_report_figure {
    const char *shown, *title;
    bool is_compared;
};

enum { SIM_REPORT_FIGURES = 11 };
extern const struct sim_report_figure sim_report_figures[SIM_REPORT_FIGURES];

/* Appends a figure with the panels `shown` (names separated by commas); nothing if the run lacks
 * the events for it. The HTML id is `prefix`, "figure-" and the name of the first panel. */
void sim_drawing_figure(const struct sim_reported *reported, const char *prefix,
                        const char *shown, const char *title, struct lib_text *out,
                        struct lib_diags *diags);

/* Appends a drawing of the program's graph, with the number of firings of each instruction. */
void sim_drawing_graph(const struct sim_reported *reported, struct lib_text *out,
                       struct lib_diags *diags);

#endif
