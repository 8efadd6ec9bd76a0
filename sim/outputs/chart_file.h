/* A chart as one file that the user names: FILE.pdf, FILE.svg or FILE.png. */
#ifndef SIM_OUTPUTS_CHART_FILE_H
#define SIM_OUTPUTS_CHART_FILE_H

#include "analysis/figure/chart.h"
#include "sim/cli/options.h"

/* The value of --figure, which it returns; ends the process if it has no such ending. */
const char *sim_chart_file(const char *path, const char *command);

/* Draws a chart that has neither name nor caption yet, and gives it back. */
enum sim_status sim_chart_put(const struct sim_voice *voice, const char *path,
                              const char *caption, struct analysis_chart *chart);

#endif
