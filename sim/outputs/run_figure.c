#include "sim/outputs/run_figure.h"

#include <string.h>

#include "analysis/figure/gnuplot.h"
#include "analysis/figure/plot.h"

static const char *const forms[] = {"pdf", "svg", "png"};
enum { FORMS = sizeof forms / sizeof *forms };

/* The form of a file by its name's ending; NULL: none. */
static const char *form_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot > name && i < FORMS; i++)
        if (strcmp(dot + 1, forms[i]) == 0)
            return forms[i];
    return NULL;
}

const char *sim_figure_path(const char *text, const char *command)
{
    if (!form_of(text))
        sim_options_wrong(command,
                          "--figure: expected a name that ends with .pdf, .svg or .png, "
                          "found `%s`",
                          text);
    return text;
}

enum sim_status sim_figure_draw(struct analysis_chart *chart, const char *path,
                                const char *caption, const struct sim_voice *voice)
{
    struct lib_text data = {0}, script = {0};
    struct lib_diags diags = {0};
    chart->name = "figure";
    chart->data = "figure.dat";
    chart->caption = caption;
    analysis_chart_write_data(chart, &data);
    analysis_plot_write_script(chart, form_of(path), &script);
    const enum sim_status status = sim_status_of(analysis_gnuplot_draw_file(
        path, form_of(path), chart->name, &script, &data, &diags));
    sim_tell(voice, &diags);
    lib_text_free(&data);
    lib_text_free(&script);
    return status;
}

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
        figure->path = sim_figure_path(text, state->name);
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
    const enum sim_status status = sim_figure_draw(&chart, figure->path, program, voice);
    analysis_chart_free(&chart);
    return status;
}

void sim_run_figure_free(struct sim_run_figure *figure)
{
    analysis_run_panels_free(&figure->panels);
}
