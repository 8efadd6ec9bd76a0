/* Draws figures as files, in the format of their name's extension. */
#ifndef SIM_OUTPUTS_FIGURE_FILE_H
#define SIM_OUTPUTS_FIGURE_FILE_H

#include "analysis/figure/chart.h"
#include "sim/messages/messages.h"

/* Returns the format of a file name's extension: "pdf", "svg" or "png"; NULL for others. */
const char *sim_figure_form(const char *path);

/* Draws a chart with a caption into the file `path`, whose extension must be one of the above.
 * Reports errors. */
enum sim_status sim_figure_draw(struct analysis_chart *chart, const char *path,
                                const char *caption, const struct sim_printer *printer);

#endif
