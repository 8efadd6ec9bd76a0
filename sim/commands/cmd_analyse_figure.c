#include "sim/commands/cmd_analyse.h"

#include <string.h>

#include "sim/outputs/figure_file.h"
#include "sim/session/window.h"

/* Reads all --show as panels. Returns false if they are not. */
static bool read_shown(struct sim_analyse_figure *f, bool is_over_time,
                       struct lib_text *why)
{
    bool good = true;
    analysis_found_panels_free(&f->found);
    f->found = (struct analysis_found_panels){.is_over_time = is_over_time};
    for (size_t i = 0; good && i < f->shown.count; i++)
        good = analysis_found_panels_add(&f->found, f->shown.items[i], why);
    return good;
}

static void read_panels(struct sim_analyse_figure *f, const char *command)
{
    static const char hint[] = "; did you mean";
    LIB_TEXT_OWN why = {0}, other = {0};
    if ((f->has_thin || !read_shown(f, false, &why)) && !read_shown(f, true, &other)) {
        const bool is_other = f->has_thin || (strstr(lib_text_get(&other), hint) &&
                                              !strstr(lib_text_get(&why), hint));
        sim_options_wrong(command, "--show: %s", lib_text_get(is_other ? &other : &why));
    }
}

void sim_analyse_figure_read(struct sim_analyse_figure *f, bool is_part,
                             const char *command)
{
    if (!f->path && (f->shown.count || f->has_thin))
        sim_options_wrong(command,
                          "%s says what a figure shows: --figure FILE is missing",
                          f->shown.count ? "--show" : "--thin");
    if (!f->path)
        return;
    read_panels(f, command);
    if (!f->shown.count)
        analysis_found_panels_default(&f->found, !is_part);
    if (is_part && !analysis_found_panels_are_of_parts(&f->found))
        sim_options_wrong(command, "--cycles: the figure shows what is of whole runs; "
                                   "leave it or --cycles out");
}

static enum sim_status draw(const struct sim_analyse_figure *f,
                            struct analysis_chart *chart,
                            const struct sim_session *session,
                            const struct sim_printer *printer)
{
    struct lib_diags diags = {0};
    enum sim_status status;
    if (chart->curve_count == 0) {
        lib_diag_plain(&diags, LIB_DIAG_MEANING,
                       "%s is not written: nothing of what it shows was at work",
                       f->path);
        status = sim_tell(printer, &diags);
    } else
        status = sim_figure_draw(chart, f->path, sim_program_title(&session->program),
                                 printer);
    analysis_chart_free(chart);
    return status;
}

/* Simulates the run for its series and profiles, and draws them. */
static enum sim_status draw_over_time(const struct sim_analyse_figure *f,
                                      const struct sim_session *session,
                                      const struct analysis_stream_run *run,
                                      const struct sim_watch *watch,
                                      const struct sim_printer *printer)
{
    struct sim_simulation_config config = sim_session_config(session);
    struct sim_ending ending;
    struct lib_diags diags = {0};
    config.energy = NULL;
    config.window = NULL;
    config.watch = *watch;
    config.series = config.profile = true;
    const bool done = sim_simulate(&config, &ending, &diags);
    enum sim_status status = sim_tell(printer, &diags);
    if (done && status == SIM_DONE && ending.end == ISA_END_INTERRUPTED)
        status = sim_interrupted(printer);
    if (done && status == SIM_DONE) {
        struct analysis_chart chart;
        const struct analysis_found_source source = {
            .over_time = {ending.series, ending.profile, f->thin}};
        analysis_found_chart(&chart, &f->found, run, &source);
        status = draw(f, &chart, session, printer);
    }
    sim_ending_free(&ending);
    return status;
}

enum sim_status sim_analyse_figure_put(const struct sim_analyse_figure *f,
                                       const struct sim_session *session,
                                       const struct analysis_stream_run *run,
                                       const struct analysis_found_source *source,
                                       const struct sim_watch *watch,
                                       const struct sim_printer *printer)
{
    struct analysis_chart chart = {0};
    if (!f->path)
        return SIM_DONE;
    if (f->found.is_over_time)
        return draw_over_time(f, session, run, watch, printer);
    analysis_found_chart(&chart, &f->found, run, source);
    return draw(f, &chart, session, printer);
}

void sim_analyse_figure_free(struct sim_analyse_figure *f)
{
    LIB_VEC_FREE(&f->shown);
    analysis_found_panels_free(&f->found);
}
