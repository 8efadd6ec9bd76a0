#include "sim/outputs/make_outputs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/figure/cube_chart.h"
#include "analysis/figure/gnuplot.h"
#include "analysis/figure/plot.h"
#include "analysis/table/sheet.h"
#include "lib/file.h"
#include "lib/guard.h"
#include "sim/outputs/edited.h"
#include "sim/outputs/figure_file.h"
#include "traces/results/seal.h"

/* Reports if a view needs details that the database lacks. */
static void check_detail(const struct sim_printer *printer, struct traces_reader *frame,
                         const struct analysis_view_spec *output)
{
    const char *detail = traces_detail_names[output->detail];
    if (output->is_detailed && !traces_detail_is_kept(&frame->store, output->detail))
        sim_say(printer,
                "`%s`: %s keeps no `%s` of its runs; an experiment asks for it with "
                "`%s: true`",
                output->name, frame->store.path, detail, detail);
}

bool sim_make_cube(const struct sim_printer *printer, struct traces_reader *frame,
                   const struct analysis_view *view, struct analysis_cube *cube)
{
    const char *name = view->output->name;
    LIB_TEXT_OWN why = {0};
    check_detail(printer, frame, view->output);
    bool good = view->output->is_detailed
                    ? analysis_cube_make_of_details(cube, view, frame)
                    : analysis_cube_make(cube, view, frame);
    analysis_cube_write_left_out(cube, frame, &why);
    const char *left_out = lib_text_get(&why);
    if (frame->store.fault != LIB_FAULT_NONE)
        ; /* reported with the errors of the database */
    else if (!good)
        sim_say(printer, "`%s` would have more than %d places", name, ANALYSIS_CUBE_MAX);
    else if (cube->shown == 0)
        sim_say(printer, "`%s`: there are no completed runs to show%s%s", name,
                *left_out ? ": " : "", left_out);
    else if (analysis_cube_hides(cube)) {
        lib_text_clear(&why);
        analysis_cube_write_hidden(cube, &why);
        sim_say(printer, "%s", lib_text_get(&why));
    } else if (*left_out && !printer->quiet)
        sim_say(printer, "`%s`: %s", name, left_out);
    return good && cube->shown > 0 && !analysis_cube_hides(cube);
}

enum sim_status sim_make_table(const struct sim_printer *printer,
                               struct traces_reader *frame,
                               const struct analysis_table_spec *table, enum lib_form as,
                               struct lib_text *out)
{
    const struct analysis_view view = analysis_view_of_table(table);
    struct analysis_cube cube;
    struct lib_findings findings;
    if (!sim_make_cube(printer, frame, &view, &cube)) {
        analysis_cube_free(&cube);
        return SIM_USAGE;
    }
    lib_findings_start(&findings, NULL, as == LIB_FORM_TEXT);
    const bool is_raw = as == LIB_FORM_LATEX && table->latex == ANALYSIS_LATEX_RAW;
    const struct lib_table *sheet = analysis_sheet_add(
        &findings, &cube, table, is_raw ? ANALYSIS_LABELS_MARKED : ANALYSIS_LABELS_PLAIN);
    if (as == LIB_FORM_CSV)
        analysis_cube_write_csv(&cube, table, out);
    else if (as == LIB_FORM_LATEX)
        lib_table_write_latex(sheet, out);
    else {
        lib_text_printf(out, *sheet->help ? "%s\n\n" : "%s", sheet->help);
        lib_table_write_text(sheet, 0, out);
    }
    lib_findings_free(&findings);
    analysis_cube_free(&cube);
    return SIM_DONE;
}

bool sim_make_is_picture(const char *to)
{
    struct stat status;
    return sim_figure_form(to) && !(stat(to, &status) == 0 && S_ISDIR(status.st_mode));
}

/* Draws the files of a chart, or one picture of it. */
static enum sim_status draw(const struct sim_printer *printer,
                            const struct analysis_chart *chart, const char *to)
{
    const bool is_picture = sim_make_is_picture(to);
    const char *forms = is_picture ? sim_figure_form(to) : ANALYSIS_PLOT_FORMS;
    LIB_TEXT_OWN data = {0}, script = {0};
    struct lib_diags diags = {0};
    if (chart->kind != ANALYSIS_FIGURE_HEAT && !chart->looks &&
        chart->curve_count > ANALYSIS_CHART_CURVES) {
        sim_say(printer,
                "`%s` has %zu curves in a panel, and more than %d cannot be told apart",
                chart->name, chart->curve_count, ANALYSIS_CHART_CURVES);
        return SIM_USAGE;
    }
    analysis_chart_write_data(chart, &data);
    analysis_plot_write_script(chart, forms, &script);
    if (chart->hidden && !printer->quiet)
        sim_say(
            printer,
            "`%s`: not drawn: %zu places that are not above 0, on a logarithmic scale",
            chart->name, chart->hidden);
    enum sim_status status = sim_status_of(
        is_picture
            ? analysis_gnuplot_draw_file(to, forms, chart->name, &script, &data, &diags)
            : analysis_gnuplot_draw(to, chart->name, &script, &data, &diags));
    sim_tell(printer, &diags);
    return status;
}

enum sim_status sim_make_figure(const struct sim_printer *printer,
                                struct traces_reader *frame,
                                const struct analysis_figure *figure, const char *to)
{
    const struct analysis_view view = analysis_view_of_figure(figure);
    struct analysis_cube cube;
    enum sim_status status = SIM_USAGE;
    if (sim_make_cube(printer, frame, &view, &cube)) {
        struct analysis_chart chart;
        analysis_cube_chart(&chart, figure, &cube);
        status = draw(printer, &chart, to);
        analysis_chart_free(&chart);
    }
    analysis_cube_free(&cube);
    return status;
}

/* --- loading ---------------------------------------------------------------------------- */

static void want_column(const struct traces_column *column, const char *value,
                        void *context)
{
    (void)value;
    traces_reader_want(context, column);
}

/* Cells of a column, to find values that are near to that of a label. */
struct cells {
    const struct sim_printer *printer;
    const struct traces_reader *frame;
    const struct traces_column *column;
};

static const char *short_cell(size_t run, const void *context)
{
    const struct cells *c = context;
    struct traces_cell cell = traces_reader_cell(c->frame, run, c->column);
    struct lib_text text = {0};
    traces_cell_write_short(c->column, &cell, &text);
    return lib_arena_keep(c->frame->arena, &text);
}

static void check_value(const struct traces_column *column, const char *value,
                        void *context)
{
    struct cells *c = context;
    c->column = column;
    for (size_t run = 0; run < c->frame->run_count; run++) {
        struct traces_cell cell = traces_reader_cell(c->frame, run, column);
        if (analysis_labels_is_value(column, &cell, value))
            return;
    }
    const char *near = lib_text_nearest(value, c->frame->run_count, short_cell, c);
    sim_say(c->printer, "labels: no run has the %s `%s`%s%s%s", column->name, value,
            near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

static void each_text(const struct analysis_view_specs *outputs,
                      void (*found)(const struct traces_column *column, const char *value,
                                    void *context),
                      void *context)
{
    if (outputs->labels)
        analysis_labels_each_text(outputs->labels, found, context);
    for (size_t i = 0; i < outputs->tables.count; i++)
        analysis_labels_each_text(&outputs->tables.items[i].common.labels, found,
                                  context);
    for (size_t i = 0; i < outputs->figures.count; i++)
        analysis_labels_each_text(&outputs->figures.items[i].common.labels, found,
                                  context);
}

bool sim_make_load(const struct sim_printer *printer, struct traces_reader *frame,
                   const struct analysis_view_specs *outputs)
{
    if (!traces_seal_check(&frame->store))
        return false;
    for (size_t i = 0; i < outputs->tables.count; i++) {
        struct analysis_view view = analysis_view_of_table(&outputs->tables.items[i]);
        analysis_view_want(&view, frame);
    }
    for (size_t i = 0; i < outputs->figures.count; i++) {
        struct analysis_view view = analysis_view_of_figure(&outputs->figures.items[i]);
        analysis_view_want(&view, frame);
    }
    each_text(outputs, want_column, frame);
    if (!traces_reader_load(frame))
        return false;
    struct cells cells = {.printer = printer, .frame = frame};
    /* Else missing runs may have the value. */
    if (!printer->quiet && frame->run_count == frame->asked)
        each_text(outputs, check_value, &cells);
    return true;
}

enum sim_status sim_make_folder(const struct sim_printer *printer, const char *folder)
{
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) {
        struct lib_diags diags = {0};
        lib_guard_lock(folder, &diags);
        return sim_tell(printer, &diags);
    }
    const int error = errno;
    sim_say(printer, "cannot make the folder %s: %s", folder, strerror(error));
    return sim_status_of(lib_file_fault(error));
}

enum sim_status sim_make_tell(const struct sim_printer *printer,
                              const struct traces_reader *frame, struct lib_diags *diags,
                              enum sim_status status)
{
    enum sim_status told = sim_tell(printer, diags);
    return frame->store.fault != LIB_FAULT_NONE ? sim_status_of(frame->store.fault)
           : told != SIM_DONE                   ? told
                                                : status;
}

/* --- all of them ------------------------------------------------------------------------ */

/* The first error counts, but the other outputs are made, too. */
static enum sim_status worse(enum sim_status a, enum sim_status b)
{
    return a != SIM_DONE ? a : b;
}

static enum sim_status write_table(const struct sim_printer *printer,
                                   struct traces_reader *frame,
                                   const struct analysis_table_spec *table,
                                   enum lib_form as, const char *folder)
{
    LIB_TEXT_OWN text = {0}, path = {0};
    struct sim_printer silent = *printer;
    silent.quiet |= as != LIB_FORM_CSV; /* reports once */
    enum sim_status status = sim_make_table(&silent, frame, table, as, &text);
    lib_text_printf(&path, "%s/%s.%s", folder, table->common.name,
                    as == LIB_FORM_CSV ? "csv" : "tex");
    if (status == SIM_DONE)
        status = sim_put(printer, path.bytes, &text);
    return status;
}

enum sim_status sim_make_figures(const struct sim_printer *printer,
                                 struct traces_reader *frame,
                                 const struct analysis_view_specs *outputs,
                                 const char *to)
{
    const bool has_names = outputs->figures.count > 1 && sim_make_is_picture(to);
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < outputs->figures.count; i++) {
        const struct analysis_figure *figure = &outputs->figures.items[i];
        LIB_TEXT_OWN path = {0};
        if (has_names)
            lib_text_printf(&path, "%.*s-%s.%s", (int)(strrchr(to, '.') - to), to,
                            figure->common.name, sim_figure_form(to));
        else
            lib_text_puts(&path, to);
        status = worse(status, sim_make_figure(printer, frame, figure, path.bytes));
    }
    return status;
}

static bool may_write(const char *folder, const char *name, const char *const *endings,
                      struct lib_diags *diags)
{
    for (size_t i = 0; endings[i]; i++) {
        LIB_TEXT_OWN path = {0};
        lib_text_printf(&path, "%s/%s%s", folder, name, endings[i]);
        if (!lib_guard_may_write("--outputs", path.bytes, diags))
            return false;
    }
    return true;
}

bool sim_make_may_write(const struct analysis_view_specs *outputs, const char *folder,
                        struct lib_diags *diags)
{
    static const char *const tables[] = {".csv", ".tex", NULL};
    static const char *const figures[] = {".gp", ".dat", ".pdf", ".svg", NULL};
    bool good = true;
    for (size_t i = 0; i < outputs->tables.count && good; i++)
        good = may_write(folder, outputs->tables.items[i].common.name, tables, diags);
    for (size_t i = 0; i < outputs->figures.count && good; i++)
        good = may_write(folder, outputs->figures.items[i].common.name, figures, diags);
    return good;
}

static enum sim_status make_outputs(const struct sim_printer *printer,
                                    struct traces_reader *frame,
                                    const struct analysis_view_specs *outputs,
                                    const char *folder)
{
    enum sim_status status = sim_make_folder(printer, folder);
    if (status != SIM_DONE)
        return status;
    for (size_t i = 0; i < outputs->tables.count; i++) {
        const struct analysis_table_spec *table = &outputs->tables.items[i];
        enum sim_status made = write_table(printer, frame, table, LIB_FORM_CSV, folder);
        if (made == SIM_DONE)
            made = write_table(printer, frame, table, LIB_FORM_LATEX, folder);
        status = worse(status, made);
    }
    return worse(status, sim_make_figures(printer, frame, outputs, folder));
}

static bool read_outputs(const struct sim_printer *printer,
                         const struct sim_made_from *from, struct traces_reader *frame,
                         struct analysis_view_specs *outputs, struct lib_diags *diags)
{
    bool kept = !from->experiment && !from->may_be_edited;
    const char *name = sim_edited_kept(from->experiment);
    return traces_reader_open_of(frame, from->database, name, diags) &&
           (kept ||
            sim_edited_take(frame, name ? NULL : from->experiment, printer, diags)) &&
           sim_views_of_frame(frame, outputs, diags);
}

enum sim_status sim_make_all(const struct sim_printer *printer,
                             const struct sim_made_from *from, const char *folder)
{
    struct lib_diags diags = {0};
    struct analysis_view_specs outputs = {0};
    struct traces_reader frame;
    enum sim_status status = SIM_DONE;
    if (read_outputs(printer, from, &frame, &outputs, &diags) &&
        sim_make_may_write(&outputs, folder, &diags) &&
        sim_make_load(printer, &frame, &outputs))
        status = make_outputs(printer, &frame, &outputs, folder);
    status = sim_make_tell(printer, &frame, &diags, status);
    analysis_view_specs_free(&outputs);
    traces_reader_close(&frame);
    return status;
}
