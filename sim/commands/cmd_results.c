#include "sim/commands/cmd_results.h"
#include "sim/commands/commands.h"

#include <string.h>

#include "sim/cli/complete.h"
#include "sim/cli/dispatch.h"
#include "sim/cli/options.h"
#include "sim/outputs/database_file.h"
#include "sim/outputs/edited.h"
#include "sim/outputs/make_outputs.h"
#include "sim/outputs/overview.h"
#include "sim/outputs/publish.h"
#include "sim/outputs/results_schema.h"

/* --- the command line ------------------------------------------------------------------- */

/* RERUN has its own options (cmd_results_rerun.c). */
enum verb { SHOW, CSV, LATEX, PLOT, ALL, SCHEMA, RERUN, VERB_COUNT };

static const char *const verb_names[VERB_COUNT] = {"show", "csv",    "latex", "plot",
                                                   "all",  "schema", "rerun"};

struct request {
    enum verb verb;
    const char *database, *name; /* name: NULL if not given */
    struct sim_view_choice choice;
    const struct sim_options *options;
};

/* Completes columns by those of the database, if it can be read. */
static bool complete_column(const struct sim_complete_value *value)
{
    struct lib_diags diags = {0};
    struct traces_reader frame;
    const bool is_read = value->argument_count > 1 &&
                         traces_reader_open(&frame, value->arguments[1], &diags);
    if (is_read) {
        sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
        for (size_t i = 0; i < frame.columns.list.count; i++)
            sim_complete_column(value, &frame.columns.list.items[i]);
        traces_reader_close(&frame);
    }
    lib_diags_free(&diags);
    return is_read;
}

/* Completes columns, and names of tables and figures in a database. All can be shown, figures
 * drawn. */
static bool complete(const struct sim_complete_value *value)
{
    if (strcmp(value->name, "COLUMN") == 0 || strcmp(value->name, "COLUMNS") == 0 ||
        strcmp(value->name, "CONDITION") == 0)
        return complete_column(value);
    if (strcmp(value->name, "NAME") != 0 || !value->is_argument)
        return false;
    struct lib_diags diags = {0};
    struct analysis_view_specs outputs = {0};
    struct traces_reader frame;
    bool is_plot = strcmp(value->arguments[0], verb_names[PLOT]) == 0;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    if (traces_reader_open(&frame, value->arguments[1], &diags) &&
        sim_views_of_frame(&frame, &outputs, &diags)) {
        for (size_t i = 0; i < outputs.tables.count && !is_plot; i++)
            sim_complete_offer(value, 0, outputs.tables.items[i].common.name, "",
                               outputs.tables.items[i].common.caption);
        for (size_t i = 0; i < outputs.figures.count; i++)
            sim_complete_offer(value, 0, outputs.figures.items[i].common.name, "",
                               outputs.figures.items[i].common.caption);
    }
    analysis_view_specs_free(&outputs);
    traces_reader_close(&frame);
    lib_diags_free(&diags);
    return true;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT,
    .arguments =
        "show|csv|latex|plot FILE.db [NAME]\nall FILE.db\nrerun FILE.db ROW...\nschema",
    .help =
        "Make tables and figures of the results of a sweep."
        "\vNAME is a table or figure that the experiment names; without it, options "
        "describe one. `show' prints a table (without anything to show: what there is), "
        "`csv' and `latex' write it, `plot' makes a figure: NAME.gp, NAME.dat, NAME.pdf "
        "and NAME.svg. Without a name or options `latex' and `plot' make every table, "
        "and every figure. `all' makes everything that the experiment names; `schema' "
        "prints the JSON Schema of `hiaton sweep run --json'. `rerun' runs rows again "
        "and checks them; see `hiaton results rerun --help'.\n\n"
        "`csv' without anything to show writes all results; with --detail what is kept "
        "beside them, a line per run and PE, sample or range.\n\n"
        "Tables and figures are those of --experiment; else those of the experiment "
        "beside the database, where they were edited; else those that the database "
        "keeps.\n\n"
        "-o names a file, and for `plot' and `all' a folder (without it: the current "
        "one). With -o PIC.png, PIC.pdf or PIC.svg `plot' makes this picture alone, or "
        "of several figures PIC-NAME.png; `plot FILE.db all' makes all.\n\n"
        "COLUMNS are names with commas between, of parameters and statistics.",
    .least = 1,
    .most = 3,
    .missing = "show, csv, latex, plot, all, rerun or schema",
    .options = sim_view_options,
    .complete = complete,
};

static const char *verb_name(size_t i, const void *context)
{
    (void)context;
    return verb_names[i];
}

static enum verb find_verb(const char *command, const char *word)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verb_names[i], word) == 0)
            return (enum verb)i;
    const char *nearest = lib_text_nearest(word, VERB_COUNT, verb_name, NULL);
    const char *ending = strrchr(word, '.');
    if (ending && strcmp(ending, ".db") == 0)
        sim_options_wrong(command,
                          "expected show, csv, latex, plot, all or schema, found a file; "
                          "did you mean `show %s`?",
                          word);
    sim_options_wrong(
        command,
        "expected show, csv, latex, plot, all, rerun or schema, found `%s`%s%s%s", word,
        nearest ? "; did you mean `" : "", nearest ? nearest : "", nearest ? "`?" : "");
}

static void check_request(struct request *request, const struct sim_options *options)
{
    const char *command = options->printer.command;
    request->options = options;
    request->verb = find_verb(command, options->arguments[0]);
    if (request->verb == RERUN)
        sim_options_wrong(command, "`rerun` comes first, its options behind it");
    if (request->verb != SCHEMA && options->argument_count < 2)
        sim_options_wrong(command, "FILE.db is missing");
    if (request->verb == SCHEMA && options->argument_count > 1)
        sim_options_wrong(command, "unexpected argument `%s`", options->arguments[1]);
    request->database = options->argument_count > 1 ? options->arguments[1] : NULL;
    request->name = options->argument_count > 2 ? options->arguments[2] : NULL;
    bool described = sim_view_is_given(&request->choice);
    if (request->verb == ALL && (request->name || described))
        sim_options_wrong(command,
                          "`all` makes what the experiment names, and nothing else");
    if (request->verb == ALL && options->output && sim_make_is_picture(options->output))
        sim_options_wrong(
            command,
            "`all` makes tables too, in a folder; `plot %s -o %s` makes pictures",
            request->database, options->output);
    if (request->choice.experiment && request->verb == SCHEMA)
        sim_options_wrong(command, "--experiment is nothing to `schema`");
    if (request->choice.experiment && described &&
        !sim_edited_kept(request->choice.experiment))
        sim_options_wrong(command, "--experiment: an option that describes a table or "
                                   "figure cannot be given with it");
    if (request->choice.is_detailed && (request->verb != CSV || request->name ||
                                        described || request->choice.experiment))
        sim_options_wrong(command, "--detail stands alone, with `csv`");
    if (request->name && described)
        sim_options_wrong(command,
                          "`%s` is described in the experiment: an option that describes "
                          "a table or figure cannot be given with it",
                          request->name);
}

/* --- what is asked for ------------------------------------------------------------------ */

/* Reports an unknown name, with those that exist. */
static enum sim_status say_names(const struct request *request,
                                 const struct analysis_view_specs *outputs)
{
    LIB_TEXT_OWN names = {0};
    bool figures = request->verb == PLOT;
    const char *what = figures ? "figure" : "table or figure";
    for (size_t i = 0; i < outputs->tables.count && !figures; i++)
        lib_text_printf(&names, " %s", outputs->tables.items[i].common.name);
    for (size_t i = 0; i < outputs->figures.count; i++)
        lib_text_printf(&names, " %s", outputs->figures.items[i].common.name);
    const struct sim_printer *printer = &request->options->printer;
    if (request->name)
        sim_say(printer, "the experiment names no %s `%s`; it names%s", what,
                request->name, names.length ? lib_text_get(&names) : " none");
    else
        sim_say(printer, "name a %s (there are%s), or describe one with options", what,
                names.length ? lib_text_get(&names) : " none");
    sim_point_to_help(printer);
    return SIM_USAGE;
}

static const struct analysis_figure *
find_figure(const struct request *request, const struct analysis_view_specs *outputs)
{
    for (size_t i = 0; i < outputs->figures.count; i++)
        if (!request->name ||
            strcmp(outputs->figures.items[i].common.name, request->name) == 0)
            return &outputs->figures.items[i];
    return NULL;
}

/* A figure can be shown as the table of its numbers. */
static const struct analysis_table_spec *
find_table(const struct request *request, const struct analysis_view_specs *outputs,
           struct lib_arena *arena)
{
    for (size_t i = 0; i < outputs->tables.count; i++)
        if (!request->name ||
            strcmp(outputs->tables.items[i].common.name, request->name) == 0)
            return &outputs->tables.items[i];
    const struct analysis_figure *figure = find_figure(request, outputs);
    if (!figure)
        return NULL;
    struct analysis_table_spec *table = LIB_ARENA_NEW(arena, struct analysis_table_spec);
    *table = sim_view_figure_as_table(figure, arena);
    return table;
}

/* Adds a table, after an empty line if it is not the first. */
static enum sim_status add_table(const struct request *request,
                                 const struct analysis_table_spec *table,
                                 struct traces_reader *frame, struct lib_text *text)
{
    static const enum lib_form as[] = {LIB_FORM_TEXT, LIB_FORM_CSV, LIB_FORM_LATEX};
    lib_text_puts(text, text->length ? "\n" : "");
    return sim_make_table(&request->options->printer, frame, table, as[request->verb],
                          text);
}

static enum sim_status put_table(const struct request *request,
                                 const struct analysis_view_specs *outputs,
                                 struct traces_reader *frame)
{
    const struct sim_printer *printer = &request->options->printer;
    const struct analysis_table_spec *table = find_table(request, outputs, frame->arena);
    LIB_TEXT_OWN text = {0};
    if (!table)
        return say_names(request, outputs);
    enum sim_status status = add_table(request, table, frame, &text);
    /* Without a name: all others. */
    for (size_t i = 1; !request->name && i < outputs->tables.count; i++)
        if (status == SIM_DONE)
            status = add_table(request, &outputs->tables.items[i], frame, &text);
    if (status == SIM_DONE)
        status = sim_put(printer, request->options->output, &text);
    return status;
}

/* Without a name, or with the name `all`: all figures. */
static enum sim_status put_figures(const struct request *request,
                                   const struct analysis_view_specs *outputs,
                                   struct traces_reader *frame)
{
    const struct sim_printer *printer = &request->options->printer;
    const struct analysis_figure *figure = find_figure(request, outputs);
    const char *to = request->options->output ? request->options->output : ".";
    const bool is_all = !request->name ||
                        (!figure && strcmp(request->name, verb_names[ALL]) == 0);
    if (is_all ? outputs->figures.count == 0 : !figure)
        return say_names(request, outputs);
    enum sim_status status = sim_make_is_picture(to) ? SIM_DONE
                                                     : sim_make_folder(printer, to);
    if (status != SIM_DONE)
        return status;
    return is_all ? sim_make_figures(printer, frame, outputs, to)
                  : sim_make_figure(printer, frame, figure, to);
}

/* --- the command ------------------------------------------------------------------------ */

/* Reads tables and figures of the experiment, or described by options. */
static bool read_outputs(const struct request *request, struct traces_reader *frame,
                         struct analysis_view_specs *outputs, struct lib_diags *diags)
{
    if (sim_view_is_given(&request->choice))
        return sim_views_of_choice(
            frame, &request->choice,
            request->verb == PLOT ? SIM_VIEW_FIGURE : SIM_VIEW_TABLE, outputs, diags);
    if (request->verb == CSV && !request->name)
        return true; /* all results, whatever tables are described */
    const char *file = sim_edited_kept(request->choice.experiment)
                           ? NULL
                           : request->choice.experiment;
    return sim_edited_take(frame, file, &request->options->printer, diags) &&
           sim_views_of_frame(frame, outputs, diags);
}

/* Writes all results, as `hiaton sweep run --csv' does; or a detail. */
static enum sim_status put_results(const struct request *request,
                                   struct traces_reader *frame)
{
    const char *to = request->options->output ? request->options->output : "-";
    struct sim_publish publish = {0};
    *(request->choice.is_detailed ? &publish.details[request->choice.detail]
                                  : &publish.csv) = to;
    return sim_publish_write(&publish, &frame->store, &request->options->printer);
}

/* An empty detail was not requested by the experiment. */
static bool has_detail(const struct request *request, struct traces_reader *frame)
{
    bool kept = !request->choice.is_detailed ||
                traces_detail_is_kept(&frame->store, request->choice.detail);
    if (!kept && frame->store.fault == LIB_FAULT_NONE)
        sim_say(&request->options->printer,
                "%s keeps no `%s` of its runs; an experiment asks for it with `%s: true`",
                request->database, traces_detail_names[request->choice.detail],
                traces_detail_names[request->choice.detail]);
    return kept;
}

/* Whether a table or figure is asked for. */
static bool is_described(const struct request *request)
{
    return request->name || sim_view_is_given(&request->choice);
}

static enum sim_status put(const struct request *request,
                           const struct analysis_view_specs *outputs,
                           struct traces_reader *frame)
{
    const bool described = is_described(request);
    if (request->verb == PLOT)
        return put_figures(request, outputs, frame);
    if (!described && request->verb == SHOW)
        return sim_overview_put(&request->options->printer, request->options->output,
                                frame, outputs);
    if (!described && request->verb == CSV)
        return put_results(request, frame);
    return put_table(request, outputs, frame);
}

static enum sim_status run(const struct request *request)
{
    struct lib_diags diags = {0};
    struct analysis_view_specs outputs = {0};
    struct traces_reader frame;
    enum sim_status status = SIM_DONE;
    bool good = traces_reader_open_of(&frame, request->database,
                                      sim_edited_kept(request->choice.experiment),
                                      &diags) &&
                read_outputs(request, &frame, &outputs, &diags);
    if (good && request->verb == SHOW && !is_described(request))
        sim_overview_want(&frame);
    if (good && !has_detail(request, &frame))
        status = SIM_USAGE;
    else if (good && sim_make_load(&request->options->printer, &frame, &outputs))
        status = put(request, &outputs, &frame);
    status = sim_make_tell(&request->options->printer, &frame, &diags, status);
    analysis_view_specs_free(&outputs);
    traces_reader_close(&frame);
    return status;
}

/* Whether the file may be a database. Reports what it is if not. */
static bool may_be_read(const struct request *request)
{
    struct lib_diags diags = {0};
    bool may = request->verb == SCHEMA ||
               sim_database_file_check(request->database, &diags);
    sim_tell(&request->options->printer, &diags);
    return may;
}

static enum sim_status put_all(const struct request *request)
{
    const struct sim_options *options = request->options;
    const struct sim_made_from from = {.database = request->database,
                                       .experiment = request->choice.experiment,
                                       .may_be_edited = true};
    return sim_make_all(&options->printer, &from,
                        options->output ? options->output : ".");
}

static enum sim_status put_schema(const struct sim_options *options)
{
    LIB_TEXT_OWN text = {0};
    sim_results_write_schema(&text);
    return sim_put(&options->printer, options->output, &text);
}

/* Recognises `hiaton results rerun WORD...`, also after --complete. */
static bool is_rerun(int argc, char **argv)
{
    const int at = argc > 3 && strcmp(argv[1], SIM_COMPLETE) == 0 ? 2 : 1;
    return argc > at && strcmp(argv[at], verb_names[RERUN]) == 0;
}

/* Moves `rerun` to the name of the command. */
static int rerun(int argc, char **argv)
{
    static char name[] = "hiaton results rerun";
    if (strcmp(argv[1], SIM_COMPLETE) == 0)
        argv[2] = argv[1];
    argv[1] = name;
    return sim_results_rerun(argc - 1, argv + 1);
}

int sim_results(int argc, char **argv)
{
    if (is_rerun(argc, argv))
        return rerun(argc, argv);
    struct sim_options options = {0};
    struct request request = {0};
    sim_options_parse(&options, &usage, &request.choice, argc, argv);
    check_request(&request, &options);
    enum sim_status status = !may_be_read(&request)   ? SIM_USAGE
                             : request.verb == SCHEMA ? put_schema(&options)
                             : request.verb == ALL    ? put_all(&request)
                                                      : run(&request);
    sim_options_free(&options);
    return status;
}
