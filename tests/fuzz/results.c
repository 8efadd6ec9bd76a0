/* Fuzz target: what `hiaton results` reads of a command line: its options, one a line, as
 * NAME=TEXT; a first line `figure` asks for a figure, any other for a table. What is accepted is
 * made of the results of a small sweep, in all forms but pictures. */
#include "tests/fuzz/fuzz.h"

#include "analysis/figure/cube_chart.h"
#include "analysis/figure/plot.h"
#include "sim/experiment/expand.h"
#include "sim/outputs/make_outputs.h"
#include "sim/outputs/views.h"
#include "sim/sweep/result_layout.h"
#include "sim/sweep/result_writer.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct sim_printer printer = {.command = "fuzz", .quiet = true};

/* --- the results ------------------------------------------------------------------------ */

static const char experiment[] = "program: [fib.df, half.df]\n"
                                 "strategy: [static, expanding]\n"
                                 "grid: {inputs.n: [0, 3], pe.count: [1, 4]}\n"
                                 "settings: {queue.discipline: lifo}\n"
                                 "repeat: 2\n"
                                 "limits: {cycles: 30}\n"
                                 "series: true\nprofile: true\npe: true\n";

/* Some of the runs complete, others reach the limit. */
static void fill(const char *folder, const char *path)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_experiment x;
    struct sim_runs runs = {0};
    struct traces_database store;
    struct sim_result_writer keep = {0};
    const char *name = lib_arena_printf(arena, "%s/x.yaml", folder);
    bool good = sim_experiment_read(
                    &x, fuzz_source(arena, name, experiment, strlen(experiment)), NULL,
                    &diags) &&
                sim_expand(&x, &runs, &diags) &&
                traces_database_open(&store, path, TRACES_DATABASE_WRITE, &diags) &&
                sim_result_layout_begin(&store, &x, &runs, (struct sim_shard){0}) &&
                sim_result_writer_begin(&keep, &store, &x);
    for (size_t i = 0; good && i < runs.list.count; i++) {
        struct sim_outcome outcome;
        sim_outcome_make(&outcome, &x, &runs.list.items[i], NULL);
        good = sim_result_writer_add(&keep, &runs.list.items[i], &outcome);
        sim_outcome_free(&outcome);
    }
    if (!good || !sim_result_writer_commit(&keep))
        fuzz_fail("no results: %s", diags.count ? diags.items[0].text : "");
    sim_result_writer_end(&keep);
    traces_database_close(&store);
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}

/* A database, made once: aside, as others may be at it too. */
static const char *database(void)
{
    static char path[128], aside[160];
    if (*path)
        return path;
    const char *folder = fuzz_folder("results");
    fuzz_put(folder, "fib.df",
             "input n = 5\nresult = fib(n)\n"
             "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n");
    fuzz_put(folder, "half.df", "input n = 5\ninput x = 0.5\nresult = x * real(n)\n");
    snprintf(path, sizeof path, "%s/x.db", folder);
    snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
    fill(folder, aside);
    if (rename(aside, path) != 0)
        fuzz_fail("cannot make %s", path);
    return path;
}

/* --- what is made of them ----------------------------------------------------------------- */

static void make_table(struct traces_reader *frame,
                       const struct analysis_table_spec *table)
{
    struct lib_text text = {0};
    for (int as = LIB_FORM_TEXT; as <= LIB_FORM_LATEX; as++)
        sim_make_table(&printer, frame, table, (enum lib_form)as, &text);
    if (strlen(lib_text_get(&text)) != text.length)
        fuzz_fail("a NUL in a table");
    lib_text_free(&text);
}

static void make_figure(struct traces_reader *frame, const struct analysis_figure *figure)
{
    const struct analysis_view view = analysis_view_of_figure(figure);
    struct analysis_table_spec table = sim_view_figure_as_table(figure, frame->arena);
    struct analysis_cube cube;
    struct lib_text text = {0};
    if (sim_make_cube(&printer, frame, &view, &cube)) {
        struct analysis_chart chart;
        analysis_cube_chart(&chart, figure, &cube);
        if (figure->kind == ANALYSIS_FIGURE_HEAT ||
            chart.curve_count <= ANALYSIS_CHART_CURVES) {
            analysis_chart_write_data(&chart, &text);
            analysis_plot_write_script(&chart, ANALYSIS_PLOT_FORMS, &text);
        }
        analysis_chart_free(&chart);
    }
    analysis_cube_free(&cube);
    lib_text_free(&text);
    make_table(frame, &table);
}

static void make_view(const struct sim_view_choice *choice, enum sim_view_kind kind)
{
    struct lib_diags diags = {0};
    struct analysis_view_specs outputs = {0};
    struct traces_reader frame;
    if (!traces_reader_open(&frame, database(), &diags))
        fuzz_fail("the results cannot be read");
    bool good = sim_views_of_choice(&frame, choice, kind, &outputs, &diags);
    fuzz_diags(&diags, !good);
    if (good && !sim_make_load(&printer, &frame, &outputs))
        fuzz_fail("the runs cannot be read");
    for (size_t i = 0; good && i < outputs.tables.count; i++)
        make_table(&frame, &outputs.tables.items[i]);
    for (size_t i = 0; good && i < outputs.figures.count; i++)
        make_figure(&frame, &outputs.figures.items[i]);
    analysis_view_specs_free(&outputs);
    traces_reader_close(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    char *rest = lib_arena_copy(arena, (const char *)data, size);
    struct sim_view_choice choice = {0};
    bool is_figure = strcmp(fuzz_line(&rest), "figure") == 0;
    for (char *line; (line = fuzz_line(&rest));) {
        char *text = strchr(line, '=');
        if (!text)
            continue;
        *text++ = '\0';
        struct lib_text why = {0};
        for (const struct lib_field *o = sim_view_options; o->name; o++)
            if (strcmp(o->name, line) == 0)
                lib_field_set(o, &choice, text, &why);
        lib_text_free(&why);
    }
    if (sim_view_is_given(&choice))
        make_view(&choice, is_figure ? SIM_VIEW_FIGURE : SIM_VIEW_TABLE);
    lib_arena_free(arena);
    return 0;
}
