/* The figure of one run over time: `hiaton run --figure'. */
#ifndef SIM_OUTPUTS_RUN_FIGURE_H
#define SIM_OUTPUTS_RUN_FIGURE_H

#include "analysis/figure/run_chart.h"
#include "sim/messages/messages.h"
#include "sim/session/simulation.h"

/* Start with {0}; give back with sim_run_figure_free. */
struct sim_run_figure {
    const char *path; /* NULL: none is asked for */
    struct analysis_run_panels panels;
    unsigned thin; /* enum analysis_thin */
    bool is_described;
};

/* Returns the form of a figure by the ending of its file: "pdf", "svg" or "png"; NULL: none. */
const char *sim_figure_form(const char *path);

/* Draws a chart as the file at `path`. */
enum sim_status sim_figure_draw(struct analysis_chart *chart, const char *path,
                                const char *caption, const struct sim_voice *voice);

void sim_run_figure_observe(const struct sim_run_figure *figure,
                            struct sim_simulation_config *config);
enum sim_status sim_run_figure_put(const struct sim_run_figure *figure,
                                   const struct sim_voice *voice, const char *program,
                                   const struct sim_ending *ending);
void sim_run_figure_free(struct sim_run_figure *figure);

#endif
