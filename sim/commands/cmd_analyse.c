#include "sim/commands/cmd_analyse.h"
#include "sim/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "sim/cli/ports.h"
#include "sim/cli/analyses.h"
#include "sim/cli/output_options.h"
#include "sim/loading/setup_words.h"
#include "sim/messages/progress.h"
#include "sim/messages/stop.h"
#include "sim/replay/source.h"
#include "sim/session/session.h"
#include "traces/results/detail.h"

struct own {
    const char *only; /* NULL: not given */
    struct sim_options_cycles cycles;
    bool csv, bounds;
    struct sim_analyse_figure figure;
    struct sim_analyse_causes causes;
    struct sim_analyse_whatif whatif;
};

#define OF(member) offsetof(struct own, member)
/* For options that are only about causes. */
#define ASKS_CAUSES .given = LIB_GIVEN(OF(causes.is_asked))

static const struct lib_field own_options[] = {
    SIM_OPTION("only", 0, TEXT, "ANALYSES", OF(only),
               "Which analyses, or NAME.TABLE of them, with commas between, or `causes'; "
               "default: all"),
    SIM_FLAG("bounds", OF(bounds),
             "Only how far the run is from what no order can do better: --only=bounds"),
    SIM_TAKEN_BY(
        "cycles", "FROM..TO", OF(cycles), sim_options_take_cycles,
        "Of a part of the run: the cycles from FROM up to TO (either may be left out)"),
    SIM_OPTION(
        "what-if", 0, TEXTS, "CHANGE", OF(whatif.changes),
        "What the run would take with SETTING=VALUE, unit(NAME)=CYCLES, line(N)=free, "
        "function(NAME)/2 or opcode(NAME)*0.5: predicted, and simulated; repeatable"),
    {"what-if-all", .kind = LIB_FIELD_CHOICE, .value = "line|function",
     .at = OF(whatif.by_function), .given = LIB_GIVEN(OF(whatif.is_profile)),
     .help =
         "What the run would gain if each line, or function, were faster: by real runs"},
    SIM_JOBS(OF(whatif.jobs), "Simulate N runs at once; default: one for each processor"),
    SIM_OUTPUT_TAKEN_BY(
        "figure", "FILE", OF(figure.path), sim_figure_take,
        "Draw what was found: FILE.pdf, FILE.svg or FILE.png; without --only "
        "nothing is printed"),
    SIM_OPTION("show", 0, TEXTS, "FIGURES", OF(figure.shown),
               "What the figure shows: a panel, with commas between its curves, of what "
               "is listed below or of columns of the series; repeatable"),
    {"thin", .kind = LIB_FIELD_CHOICE, .value = "mean|max", .at = OF(figure.thin),
     .given = LIB_GIVEN(OF(figure.has_thin)),
     .help = "What a step of a figure of the series shows of several rows; mean"},
    SIM_FLAG("csv", OF(csv), "Print comma-separated values"),
    SIM_FLAG("causes", OF(causes.is_asked),
             "Only the causes of cycles; the following options say so too"),
    {"by", .kind = LIB_FIELD_CHOICE, .value = "function|line|opcode|cause",
     .at = OF(causes.by), ASKS_CAUSES,
     .help =
         "Causes for each function, line of the source or opcode to which cycles belong"},
    {"end", .kind = LIB_FIELD_CHOICE, .value = "run|result", .at = OF(causes.from),
     ASKS_CAUSES,
     .help = "Causes up to the end of the run (the default), or to when its result was "
             "written"},
    {"why-stopped", .kind = LIB_FIELD_FLAG, .at = OF(causes.why_stopped), ASKS_CAUSES,
     .help = "Of a run that was full, exhausted or deadlocked: what waits for what, and "
             "the settings that would have let it go on"},
    {"why", .take = sim_analyse_take_why, .value = "TARGET", .at = OF(causes),
     ASKS_CAUSES,
     .help = "What a firing waited for, backwards: the last one of `line:N', up to "
             "`cycle:N', under a tag such as `[1,0.2]', or of the `result'"},
    {"chain", .kind = LIB_FIELD_FLAG, .at = OF(causes.chain), ASKS_CAUSES,
     .help = "The critical path itself, from start to end"},
    {0},
};

/* Offers the results of analyses and the columns of the series. */
static void complete_figures(const struct sim_complete_value *value)
{
    const char *comma = strrchr(value->typed, ',');
    const size_t skip = comma ? (size_t)(comma + 1 - value->typed) : 0;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < ANALYSIS_FOUND_COUNT; i++)
        sim_complete_offer(value, skip, analysis_found_names[i], "",
                           analysis_found_helps[i]);
    const struct traces_columns *series = traces_detail_values(TRACES_DETAIL_SERIES);
    for (size_t i = 0; i < series->list.count; i++) {
        const struct traces_column *c = &series->list.items[i];
        bool is_found = false;
        for (size_t k = 0; k < ANALYSIS_FOUND_COUNT; k++)
            is_found |= strcmp(analysis_found_names[k], c->name) == 0;
        if (!is_found)
            sim_complete_offer(value, skip, c->name, "", c->meaning);
    }
}

static bool complete(const struct sim_complete_value *value)
{
    if (sim_analyse_causes_complete(value) || sim_analyse_what_if_complete(value))
        return true;
    if (strcmp(value->name, "FIGURES") == 0)
        complete_figures(value);
    else if (strcmp(value->name, "ANALYSES") == 0)
        sim_analyses_complete(value);
    else
        return false;
    return true;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_OPTIMISE | SIM_TAKES_OUTPUT | SIM_TAKES_PORT,
    .arguments = "FILE|PROGRAM [NAME=VALUE]...",
    .help = "Analyse a run: its parallelism, state, traffic, tags, costs and use of the "
            "machine."
            "\vFILE is a recording (`hiaton run --record FILE'), which is made again, or "
            "a file of events (`hiaton run --trace FILE'); PROGRAM runs for it, with the "
            "inputs that NAME=VALUE gives. Of one run all give the same.\n\n"
            "Analyses, and the least level of events (`hiaton run --trace FILE --level') "
            "that each needs of a file:\n"
#define LEVEL_SUMMARY "summary"
#define LEVEL_FIRINGS "firings"
#define LEVEL_ALL "all"
#define LEVEL_QUEUES "queues"
#define ANALYSIS(name, LEVEL, WINDOW, help) "  " #name " [" LEVEL_##LEVEL "]: " help "\n"
#include "analysis/stream/analyses.def"
            "\nThe causes of cycles (--causes) need `queues'.\n"
            "\nFigures:\n"
#define STEPS(name, analysis, table, x, y, x_label, y_label, help)                       \
    "  " #name ": " help "\n"
#define CLASSES STEPS
#define LINE STEPS
#define MATRIX(name, analysis, table, x, y, z, x_label, y_label, z_label, help)          \
    "  " #name ": " help "\n"
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
#undef LEVEL_QUEUES
#undef LEVEL_ALL
#undef LEVEL_FIRINGS
#undef LEVEL_SUMMARY
    ,
    .least = 1,
    .most = SIZE_MAX,
    .missing = "FILE or PROGRAM",
    .options = own_options,
    .complete = complete,
};

/* --- what is wanted --------------------------------------------------------------------- */

struct command {
    const struct sim_options *options;
    struct own *own;
    struct sim_analyses analyses;
    struct traces_event end;
    struct sim_window window;
    bool is_file;
    struct sim_source source;   /* the FILE, if `is_file` */
    struct sim_session session; /* the PROGRAM, if not */
    struct sim_ports ports;     /* files that feed the ports of the PROGRAM */
};

/* Rejects or drops what needs the whole run if --cycles is given. */
static void check_window(struct command *c)
{
    struct sim_analyse_causes *causes = &c->own->causes;
    if (causes->why_stopped)
        sim_options_wrong(
            c->options->printer.command,
            "--cycles: --why-stopped is of whole runs; leave one of them out");
    causes->cycles_from = c->window.from;
    causes->cycles_to = c->window.to;
    causes->is_told = causes->is_wanted = causes->is_asked;
    sim_analyses_leave_whole(&c->analyses, c->own->only != NULL);
}

static void read_command_line(struct command *c)
{
    const char *command = c->options->printer.command;
    if (c->own->csv && c->options->json)
        sim_options_wrong(command, "only one of --csv and --json can be printed");
    c->analyses.command = command;
    c->analyses.causes = &c->own->causes.is_asked;
    const bool has_figure = c->own->figure.path != NULL;
    if (c->own->bounds)
        c->own->only = "bounds";
    sim_analyse_figure_read(&c->own->figure, c->own->cycles.text, command);
    analysis_found_panels_need(&c->own->figure.found, c->analyses.shown);
    if (c->own->only)
        sim_analyses_choose(&c->analyses, c->own->only);
    else if (!has_figure && !c->own->causes.is_asked)
        sim_analyses_choose_all(&c->analyses);
    struct sim_analyse_causes *causes = &c->own->causes;
    causes->is_drawn = analysis_found_panels_need_causes(&c->own->figure.found);
    causes->is_told = causes->is_asked || (!c->own->only && !has_figure);
    causes->is_wanted = causes->is_told || causes->is_drawn;
    c->window = (struct sim_window){.to = UINT64_MAX};
    if (!c->own->cycles.text)
        return;
    c->window.from = c->own->cycles.from;
    c->window.to = c->own->cycles.to;
    check_window(c);
}

/* --- opening ------------------------------------------------------------------------------ */

static bool open_file(struct command *c, struct lib_diags *diags)
{
    const struct sim_options *o = c->options;
    c->is_file = true;
    if (o->argument_count > 1)
        sim_options_wrong(o->printer.command,
                          "a recording says what runs; unexpected argument `%s`",
                          o->arguments[1]);
    if (o->machine || o->sets.count || o->seed || o->strategy != ISA_STAGE_COUNT)
        sim_options_wrong(o->printer.command,
                          "a recording says on which machine; -m, -s, --seed and "
                          "--strategy cannot change it");
    if (o->ports.count)
        sim_options_wrong(o->printer.command,
                          "a recording says what ports are fed; --port cannot change it");
    return sim_source_open(&c->source, o->arguments[0], diags);
}

static bool open_program(struct command *c, struct lib_diags *diags)
{
    const struct sim_session_request request = sim_options_request(c->options);
    if (!sim_session_open(&c->session, &request, diags))
        return false;
    c->session.feeds = &c->ports.feeds;
    return sim_ports_open(&c->ports, c->options, c->session.program.graph,
                          SIM_PORTS_FILES, diags);
}

static const struct sim_session *session_of(const struct command *c)
{
    return c->is_file ? &c->source.recording.session : &c->session;
}

/* Drops causes that are missing, unless the user chose them. */
static void leave_causes(struct command *c)
{
    struct sim_analyse_causes *causes = &c->own->causes;
    causes->is_told &= causes->is_asked;
    causes->is_wanted = causes->is_told || causes->is_drawn;
}

/* Without --only, drops analyses for which a file has too few events, if others remain. */
static void leave_what_is_too_fine(struct command *c)
{
    struct sim_analyses *a = &c->analyses;
    LIB_TEXT_OWN left = {0};
    size_t kept = 0;
    if (c->source.level < TRACES_LEVEL_QUEUES)
        leave_causes(c);
    for (size_t i = 0; i < a->choices.count; i++) {
        const struct sim_analyses_choice choice = a->choices.items[i];
        const struct analysis_stream_row *row = &analysis_stream_table[choice.which];
        if (row->level <= c->source.level)
            a->choices.items[kept++] = choice;
        else
            lib_text_printf(&left, "%s`%s` needs `%s`", left.length ? ", " : "",
                            row->name, traces_level_table[row->level].text);
    }
    if (kept > 0 && kept < a->choices.count) {
        a->choices.count = kept;
        if (!c->options->printer.quiet)
            sim_say(&c->options->printer, "%s has events of the level `%s`; left out: %s",
                    c->options->arguments[0], traces_level_table[c->source.level].text,
                    lib_text_get(&left));
    }
}

static bool check_level(const struct command *c, struct lib_diags *diags)
{
    bool wanted[ANALYSIS_STREAM_COUNT];
    sim_analyses_wanted(&c->analyses, wanted);
    if (c->own->causes.is_wanted && c->is_file && c->source.level < TRACES_LEVEL_QUEUES) {
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "%s has events of the level `%s`; `causes` needs `%s`",
                       c->options->arguments[0], traces_level_table[c->source.level].text,
                       traces_level_table[TRACES_LEVEL_QUEUES].text);
        return false;
    }
    for (size_t i = 0; c->is_file && i < ANALYSIS_STREAM_COUNT; i++) {
        const struct analysis_stream_row *row = &analysis_stream_table[i];
        if (!wanted[i] || row->level <= c->source.level)
            continue;
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "%s has events of the level `%s`; `%s` needs `%s`",
                       c->options->arguments[0], traces_level_table[c->source.level].text,
                       row->name, traces_level_table[row->level].text);
        return false;
    }
    return true;
}

/* Returns the text of the program, or NULL if it is missing. */
static const struct lib_source *text_of(struct command *c)
{
    return c->is_file ? c->source.recording.run.source
                      : sim_program_source(&c->session.program);
}

static void start_analyses(struct command *c)
{
    const struct sim_session *session = session_of(c);
    const struct lib_source *text = text_of(c);
    const struct analysis_stream_run run = sim_analysed_run(
        session->program.graph, &session->setup.settings.machine, text, c->window.from,
        c->window.to);
    sim_analyses_open(&c->analyses, &run);
    sim_analyses_warn(&c->analyses, &c->options->printer, text,
                      sim_program_title(&session->program));
}

/* --- running ------------------------------------------------------------------------------- */

/* Returns the window to read. It may begin later if no analysis needs what was before. */
static struct sim_source_window window_of(const struct command *c)
{
    struct sim_source_window window = {c->window.from, c->window.to};
    bool wanted[ANALYSIS_STREAM_COUNT];
    sim_analyses_wanted(&c->analyses, wanted);
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        if (wanted[i] && analysis_stream_table[i].window != ANALYSIS_STREAM_COUNTS)
            window.from = 0;
    return window;
}

static bool run_causes(struct command *c, const struct sim_watch *watch,
                       struct lib_diags *diags)
{
    struct sim_analyse_causes *causes = &c->own->causes;
    const bool has_events = c->is_file && c->source.recording.run.has_events;
    causes->is_brief = !c->options->json && !c->own->csv;
    causes->source = text_of(c);
    const bool done = sim_analyse_causes_run(
        causes, session_of(c), has_events ? &c->source : NULL, watch, diags);
    c->end = causes->found.run.end;
    return done;
}

/* Checks that the machine has what the figure shows. */
static bool figure_fits(const struct command *c, struct lib_diags *diags)
{
    const char *lacks = c->own->figure.path
                            ? analysis_found_panels_lack(&c->own->figure.found,
                                                         &c->analyses.run.machine)
                            : NULL;
    if (lacks)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "--show: `%s` needs %s, which the machine does not have",
                       c->own->figure.shown.items[0], lacks);
    return !lacks;
}

static enum sim_status run_analyses(struct command *c)
{
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    const size_t count = sim_analyses_sinks(&c->analyses, sinks);
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    struct lib_diags diags = {0};
    bool done = true;
    if (!figure_fits(c, &diags))
        return sim_tell(&c->options->printer, &diags);
    sim_stop_catch();
    sim_progress_start(&progress, &c->options->printer);
    if (count) {
        done = c->is_file ? sim_source_read(&c->source, window_of(c), sinks, count,
                                            &watch, &diags)
                          : sim_session_read(&c->session, c->window.to, sinks, count,
                                             &watch, &diags);
        c->end = *analysis_streams_end(c->analyses.streams);
    }
    if (done && c->own->causes.is_wanted)
        done = run_causes(c, &watch, &diags);
    sim_progress_end(&progress);
    const enum sim_status status = sim_tell(&c->options->printer, &diags);
    return done || status != SIM_DONE ? status : sim_interrupted(&c->options->printer);
}

/* --- what was found -------------------------------------------------------------------------- */

/* Whether the window ends before the run. */
static bool is_cut(const struct command *c)
{
    return c->window.to != UINT64_MAX && c->end.how == ISA_END_INTERRUPTED;
}

static void write_head(const struct command *c, struct lib_text *out)
{
    const struct sim_session *session = session_of(c);
    const struct traces_event *end = &c->end;
    lib_text_printf(out, "%s on ", sim_program_title(&session->program));
    sim_setup_write_name(&session->setup, out);
    if (c->own->cycles.text)
        lib_text_printf(out, ", cycles %s", c->own->cycles.text);
    if (!is_cut(c))
        lib_text_printf(out, ": %s after %" PRIu64 " cycle%s", sim_end_name(end->how),
                        end->a, end->a == 1 ? "" : "s");
    lib_text_puts(out, "\n");
}

static void put_head(const struct command *c, struct lib_json *json)
{
    const struct sim_session *session = session_of(c);
    const struct traces_event *end = &c->end;
    lib_json_string(json, "program", sim_program_title(&session->program));
    lib_json_string(json, "machine", session->setup.machine);
    lib_json_uint(json, "seed", session->seed);
    if (c->own->cycles.text)
        lib_json_string(json, "window", c->own->cycles.text);
    else
        lib_json_null(json, "window");
    if (is_cut(c)) {
        lib_json_null(json, "status");
        lib_json_null(json, "cycles");
    } else {
        lib_json_string(json, "status", sim_end_name(end->how));
        lib_json_uint(json, "cycles", end->a);
    }
}

static void tell_causes(void *context, struct lib_findings *f)
{
    sim_analyse_causes_tell(context, f);
}

static enum sim_status draw(struct command *c)
{
    const struct analysis_found_source found = {.streams = c->analyses.streams,
                                                .tell_causes = tell_causes,
                                                .context = &c->own->causes};
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    sim_progress_start(&progress, &c->options->printer);
    const enum sim_status status = sim_analyse_figure_put(&c->own->figure, session_of(c),
                                                          &c->analyses.run, &found,
                                                          &watch, &c->options->printer);
    sim_progress_end(&progress);
    return status;
}

static void print(struct command *c, struct sim_pieces *pieces)
{
    struct sim_analyse_causes *causes = &c->own->causes;
    LIB_TEXT_OWN out = {0};
    struct lib_json json = {.out = &out};
    causes->pieces = pieces;
    if (c->options->json) {
        lib_json_open(&json, NULL, '{');
        put_head(c, &json);
        if (causes->is_told)
            sim_analyse_causes_write_json(causes, &json);
        sim_analyses_write_json(&c->analyses, &json);
        lib_json_close(&json);
    } else if (c->own->csv) {
        sim_analyses_write_csv(&c->analyses, &out);
    } else {
        write_head(c, &out);
        sim_analyses_write_text(&c->analyses, &out);
    }
    if (causes->is_told && !c->options->json)
        sim_analyse_causes_write(causes, c->own->csv, &out);
    sim_pieces_put(pieces, &out);
}

static enum sim_status deliver(struct command *c)
{
    struct sim_pieces pieces;
    enum sim_status status = draw(c);
    if (status != SIM_DONE || (c->analyses.choices.count == 0 && !c->own->causes.is_told))
        return status;
    status = sim_pieces_open(&pieces, &c->options->printer, c->options->output);
    if (status != SIM_DONE)
        return status;
    print(c, &pieces);
    return sim_pieces_close(&pieces);
}

/* --- the command ----------------------------------------------------------------------------- */

/* Answers --why-stopped and --what-if. */
static enum sim_status answer(struct command *c)
{
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    struct sim_analyse_whatif *whatif = &c->own->whatif;
    whatif->source = text_of(c);
    whatif->command = c->analyses.command;
    whatif->figure = c->own->figure.path;
    sim_stop_catch();
    sim_progress_start(&progress, &c->options->printer);
    const enum sim_status status = c->own->causes.why_stopped
                                       ? sim_analyse_stopped(c->options, session_of(c),
                                                             &watch, c->own->csv)
                                       : sim_analyse_what_if(c->options, session_of(c),
                                                             whatif, &watch, c->own->csv);
    sim_progress_end(&progress);
    return status;
}

static enum sim_status open_and_analyse(struct command *c)
{
    const struct sim_options *o = c->options;
    struct lib_diags diags = {0};
    bool opened = sim_source_is(o->arguments[0]) ? open_file(c, &diags)
                                                 : open_program(c, &diags);
    if (opened && c->is_file && !c->own->only)
        leave_what_is_too_fine(c);
    opened = opened && check_level(c, &diags);
    enum sim_status status = sim_tell(&o->printer, &diags);
    if (!opened)
        return status;
    if (c->own->causes.why_stopped || c->own->whatif.changes.count ||
        c->own->whatif.is_profile)
        return answer(c);
    start_analyses(c);
    status = run_analyses(c);
    return status == SIM_DONE ? deliver(c) : status;
}

int sim_analyse(int argc, char **argv)
{
    struct own own = {0};
    struct sim_options options = {0};
    struct command c = {.options = &options, .own = &own};
    struct lib_diags diags = {0};
    sim_analyse_causes_start(&own.causes);
    sim_options_parse(&options, &usage, &own, argc, argv);
    enum sim_status status = SIM_DONE;
    read_command_line(&c);
    if (options.output)
        status = sim_check_writable(&options.printer, options.output);
    if (status == SIM_DONE && own.figure.path)
        status = sim_check_writable(&options.printer, own.figure.path);
    if (status == SIM_DONE)
        status = open_and_analyse(&c);
    sim_ports_close(&c.ports, &diags);
    lib_diags_free(&diags);
    if (c.is_file)
        sim_source_close(&c.source);
    else
        sim_session_close(&c.session);
    sim_analyse_causes_free(&own.causes);
    LIB_VEC_FREE(&own.whatif.changes);
    sim_analyses_free(&c.analyses);
    sim_analyse_figure_free(&own.figure);
    sim_options_free(&options);
    return status;
}
