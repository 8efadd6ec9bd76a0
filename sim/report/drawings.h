/* Drawings of a report: figures by gnuplot, the graph by dot. If a program is missing, the page
 * says so in place of the drawing. */
#ifndef SIM_REPORT_DRAWINGS_H
#define SIM_REPORT_DRAWINGS_H

#include "sim/report/report.h"

/* A figure of reports: its panels, separated by commas. A page of two runs has it only if
 * `is_compared`. */
struct sim_report_figure {
    const char *shown, *title;
    bool is_compared;
};

enum { SIM_REPORT_FIGURES = 8 };
extern const struct sim_report_figure sim_report_figures[SIM_REPORT_FIGURES];

/* Adds a figure with the panels `shown`, separated by commas; nothing if the run lacks events for
 * it. Its id is `prefix` and "figure-NAME". */
void sim_drawing_figure(const struct sim_reported *reported, const char *prefix,
                        const char *shown, const char *title, struct lib_text *out,
                        struct lib_diags *diags);

/* Adds the graph of the program with the count of firings of each instruction. */
void sim_drawing_graph(const struct sim_reported *reported, struct lib_text *out,
                       struct lib_diags *diags);

#endif
