/* The figure of one run over time: `hiaton run --figure'. */
#ifndef SIM_OUTPUTS_RUN_FIGURE_H
#define SIM_OUTPUTS_RUN_FIGURE_H

#include "analysis/figure/run_chart.h"
#include "sim/cli/options.h"
#include "sim/session/simulation.h"

/* Start with {0}; give back with sim_run_figure_free. */
struct sim_run_figure {
    const char *path; /* NULL: none is asked for */
    struct analysis_run_panels panels;
    unsigned thin; /* enum analysis_thin */
    bool is_described;
};

enum { SIM_KEY_FIGURE = 0x480, SIM_KEY_SHOW, SIM_KEY_THIN };
#define SIM_RUN_FIGURE_OPTIONS                                                           \
    {"figure",                                                                           \
     SIM_KEY_FIGURE,                                                                     \
     "FILE",                                                                             \
     0,                                                                                  \
     "Draw the run over time: FILE.pdf, FILE.svg or FILE.png",                           \
     0},                                                                                 \
        {"show",                                                                         \
         SIM_KEY_SHOW,                                                                   \
         "PANELS",                                                                       \
         0,                                                                              \
         "A panel of the figure: actual, ideal or columns of the series, with commas "   \
         "between; repeatable",                                                          \
         0},                                                                             \
    {                                                                                    \
        "thin", SIM_KEY_THIN, "mean|max", 0,                                             \
            "What a step of the figure shows of several rows; mean", 0                   \
    }

/* The value of --figure; ends the process if its name does not end as a figure's. */
const char *sim_figure_path(const char *text, const char *command);

/* Draws a chart as the file at `path`. */
enum sim_status sim_figure_draw(struct analysis_chart *chart, const char *path,
                                const char *caption, const struct sim_voice *voice);

/* ARGP_ERR_UNKNOWN if the key is none of these; ends the process if a value is wrong. */
error_t sim_run_figure_parse(int key, const char *text, const struct argp_state *state,
                             struct sim_run_figure *figure);

/* Completes it; whether it can be drawn, as far as one can tell, is said if not. */
enum sim_status sim_run_figure_check(struct sim_run_figure *figure,
                                     const struct sim_voice *voice);
void sim_run_figure_observe(const struct sim_run_figure *figure,
                            struct sim_simulation_config *config);
enum sim_status sim_run_figure_put(const struct sim_run_figure *figure,
                                   const struct sim_voice *voice, const char *program,
                                   const struct sim_ending *ending);
void sim_run_figure_free(struct sim_run_figure *figure);

#endif
