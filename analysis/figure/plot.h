/* Writes the gnuplot script that draws a chart from its data file, as wide as a column of a paper.
 * The script depends only on the chart. */
#ifndef ANALYSIS_FIGURE_PLOT_H
#define ANALYSIS_FIGURE_PLOT_H

#include "analysis/figure/chart.h"

/* formats that are drawn by default */
#define ANALYSIS_PLOT_FORMS "pdf svg"

/* Writes the script. It draws NAME.FORM from NAME.dat in its folder, for each format FORM in
 * `forms`: pdf, svg or png, separated by blanks. */
void analysis_plot_write_script(const struct analysis_chart *chart, const char *forms,
                                struct lib_text *out);

#endif
