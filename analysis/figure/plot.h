/* A chart on its way to gnuplot: the script that draws it from its file of data, at the width of
 * a column of a paper. It depends on the chart alone. */
#ifndef ANALYSIS_FIGURE_PLOT_H
#define ANALYSIS_FIGURE_PLOT_H

#include "analysis/figure/chart.h"

/* Draws NAME.pdf and NAME.svg from NAME.dat in its folder; or what `forms` says: of pdf, svg and
 * png, with blanks between. */
#define ANALYSIS_PLOT_FORMS "pdf svg"
void analysis_plot_write_script(const struct analysis_chart *chart, const char *forms,
                                struct lib_text *out);

#endif
