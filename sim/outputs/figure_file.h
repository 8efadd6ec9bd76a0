/* Figures as files, of the form that their names end with. */
#ifndef SIM_OUTPUTS_FIGURE_FILE_H
#define SIM_OUTPUTS_FIGURE_FILE_H

#include "analysis/figure/chart.h"
#include "sim/messages/messages.h"

/* Returns the form of a figure by the ending of its file: "pdf", "svg" or "png"; NULL: none. */
const char *sim_figure_form(const char *path);

/* Draws a chart as the file at `path`. */
enum sim_status sim_figure_draw(struct analysis_chart *chart, const char *path,
                                const char *caption, const struct sim_voice *voice);

#endif
