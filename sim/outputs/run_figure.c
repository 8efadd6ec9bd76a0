#include "sim/outputs/run_figure.h"

#include <string.h>

#include "sim/outputs/chart_file.h"

/* --- the command line ------------------------------------------------------------------- */

static void add_panel(const char *names, const char *command,
                      struct sim_run_figure *figure)
{
    struct lib_text why = {0};
    if (!analysis_run_panels_add(&figure->panels, names, &why))
        sim_options_wrong(command, "--show: %s", why.bytes);
    lib_text_free(&why);
}

static unsigned find_thin(const char *text, const char *command)
{
    for (unsigned i = 0; i < ANALYSIS_THIN_COUNT; i++)
        if (strcmp(text, analysis_thin_names[i]) == 0)
            return i;
    sim_options_wrong(command, "--thin: expected mean or max, found `%s`", text);
}

error_t sim_run_figure_parse(int key, const char *text, const struct argp_state *state,
                             struct sim_run_figure *figure)
{
    switch (key) {
    case SIM_KEY_FIGURE:
        figure->path = sim_chart_file(text, state->name);
        return 0;
    case SIM_KEY_SHOW:
        add_panel(text, state->name, figure);
        return 0;
    case SIM_KEY_THIN:
        figure->thin = find_thin(text, state->name);
        figure->is_described = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

enum sim_status sim_run_figure_check(struct sim_run_figure *figure,
                                     const struct sim_voice *voice)
{
    if (!figure->path && (figure->panels.list.count || figure->is_described))
        sim_options_wrong(voice->command,
                          "%s says what a figure shows: --figure FILE is "
                          "missing",
                          figure->panels.list.count ? "--show" : "--thin");
    if (figure->path && !figure->panels.list.count)
        analysis_run_panels_default(&figure->panels);
    return figure->path ? sim_check_writable(voice, figure->path) : SIM_DONE;
}

/* --- the run ---------------------------------------------------------------------------- */

void sim_run_figure_observe(const struct sim_run_figure *figure,
                            struct sim_simulation_config *config)
{
    config->series |= analysis_run_panels_show(&figure->panels, TRACES_DETAIL_SERIES);
    config->profile |= analysis_run_panels_show(&figure->panels, TRACES_DETAIL_PROFILE);
}

enum sim_status sim_run_figure_put(const struct sim_run_figure *figure,
                                   const struct sim_voice *voice, const char *program,
                                   const struct sim_ending *ending)
{
    struct analysis_chart chart;
    if (!figure->path)
        return SIM_DONE;
    analysis_run_chart(&chart, &figure->panels, (enum analysis_thin)figure->thin,
                       ending->series, ending->profile);
    return sim_chart_put(voice, figure->path, program, &chart);
}

void sim_run_figure_free(struct sim_run_figure *figure)
{
    analysis_run_panels_free(&figure->panels);
}
