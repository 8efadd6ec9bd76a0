/* hiaton analyse: what the events of a run tell, of a program that runs for it or of a recording. */
#include "sim/commands/cmd_analyse.h"
#include "sim/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/stream/stream.h"
#include "sim/cli/complete.h"
#include "sim/cli/options.h"
#include "sim/cli/progress.h"
#include "sim/cli/stop.h"
#include "sim/replay/source.h"
#include "sim/session/session.h"

enum { KEY_ONLY = 0x200, KEY_CYCLES, KEY_CSV };

#define CAUSES "causes"
#define CAUSES_HELP "every cycle of the run by its one cause: the critical path"

struct own {
    const char *only, *cycles; /* NULL: not given */
    bool csv;
    struct sim_analyse_causes causes;
};

static const struct argp_option own_options[] = {
    {"only", KEY_ONLY, "ANALYSES", 0,
     "Which analyses, or NAME.TABLE of them, with commas between; default: all", 0},
    {"cycles", KEY_CYCLES, "FROM..TO", 0,
     "Of a part of the run: the cycles from FROM up to TO (either may be left out)", 0},
    {"csv", KEY_CSV, NULL, 0, "Print comma-separated values", 0},
    SIM_ANALYSE_CAUSES_OPTIONS,
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state, void *context)
{
    struct own *own = context;
    switch (key) {
    case KEY_ONLY:
        own->only = text;
        return 0;
    case KEY_CYCLES:
        own->cycles = text;
        return 0;
    case KEY_CSV:
        own->csv = true;
        return 0;
    default:
        return sim_analyse_causes_parse(&own->causes, key, text, state);
    }
}

static bool complete(const struct sim_complete_value *value)
{
    const char *comma = strrchr(value->typed, ',');
    const size_t skip = comma ? (size_t)(comma + 1 - value->typed) : 0;
    const bool is_target = strcmp(value->name, "TARGET") == 0;
    if (!is_target && strcmp(value->name, "ANALYSES") != 0)
        return false;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    if (is_target) {
        sim_complete_offer(value, 0, "result", "", "the last part of the result");
        sim_complete_offer(value, 0, "line:", "", "the last firing of a line");
        sim_complete_offer(value, 0, "cycle:", "", "the last firing up to a cycle");
        return true;
    }
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        sim_complete_offer(value, skip, analysis_stream_table[i].name, "",
                           analysis_stream_table[i].help);
    sim_complete_offer(value, skip, CAUSES, "", CAUSES_HELP);
    return true;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_OUTPUT,
    .arguments = "FILE|PROGRAM [NAME=VALUE]...",
    .help =
        "Analyse a run: its parallelism, state, traffic, tags, costs and use of the "
        "machine."
        "\vFILE is a recording (`hiaton run --record FILE'), which is made again; "
        "PROGRAM "
        "runs for it, with the inputs that NAME=VALUE gives. Of one run both give the "
        "same.\n\n"
        "Analyses:\n"
#define ANALYSIS(name, LEVEL, WINDOW, help) "  " #name ": " help "\n"
#include "analysis/stream/analyses.def"
        "  " CAUSES ": " CAUSES_HELP,
    .least = 1,
    .most = SIZE_MAX,
    .missing = "FILE or PROGRAM",
    .options = own_options,
    .parse = parse,
    .complete = complete,
};

/* --- what is wanted --------------------------------------------------------------------- */

/* An analysis, or one of its tables. */
struct choice {
    size_t which;
    const char *table; /* NULL: all that it finds */
};

struct command {
    const struct sim_options *options;
    struct own *own;
    struct lib_arena *arena;
    LIB_VEC(struct choice) choices;
    struct sim_window window;
    bool is_file;
    struct sim_source source;   /* a FILE, */
    struct sim_session session; /* or a PROGRAM */
    struct analysis_streams *streams;
    struct traces_event end;
};

/* The analysis of a name; ends the process if there is none. */
static size_t find_analysis(const char *name, const char *command)
{
    struct lib_text known = {0};
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        if (strcmp(name, analysis_stream_table[i].name) == 0) {
            lib_text_free(&known);
            return i;
        }
        lib_text_printf(&known, "%s%s", i ? "|" : "", analysis_stream_table[i].name);
    }
    lib_text_puts(&known, "|" CAUSES);
    sim_options_no_choice("--only", name, known.bytes, command);
}

/* In the order of the table, so that those of one analysis stand together; each once. */
static void choose(struct command *c, size_t which, const char *table)
{
    size_t at = 0;
    for (; at < c->choices.count && c->choices.items[at].which <= which; at++) {
        struct choice *choice = &c->choices.items[at];
        if (choice->which != which)
            continue;
        if (choice->table == table ||
            (choice->table && table && strcmp(choice->table, table) == 0))
            return;
    }
    LIB_VEC_PUSH(&c->choices);
    for (size_t i = c->choices.count - 1; i > at; i--)
        c->choices.items[i] = c->choices.items[i - 1];
    c->choices.items[at] = (struct choice){which, table};
}

/* A choice of all of an analysis stands alone: those of its tables before and behind it go. */
static void drop_covered(struct command *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->choices.count; i++) {
        const struct choice *choice = &c->choices.items[i];
        bool is_covered = false;
        for (size_t k = 0; k < c->choices.count; k++)
            is_covered |= c->choices.items[k].which == choice->which &&
                          !c->choices.items[k].table && choice->table;
        if (!is_covered)
            c->choices.items[kept++] = *choice;
    }
    c->choices.count = kept;
}

static void read_only(struct command *c)
{
    const char *command = c->options->voice.command;
    const char *only = c->own->only;
    char *word, *rest = lib_arena_copy(c->arena, only, strlen(only));
    while ((word = strsep(&rest, ","))) {
        char *table = strchr(word, '.');
        if (table)
            *table++ = '\0';
        if (strcmp(word, CAUSES) == 0 && !table)
            c->own->causes.is_asked = c->own->causes.is_wanted = true;
        else
            choose(c, find_analysis(word, command), table);
    }
    drop_covered(c);
}

/* Of a part of a run some analyses say nothing. */
static void check_window(struct command *c)
{
    size_t kept = 0;
    if (c->own->causes.is_asked)
        sim_options_wrong(
            c->options->voice.command,
            "--cycles: causes are of whole runs; leave them or --cycles out");
    c->own->causes.is_wanted = false;
    for (size_t i = 0; i < c->choices.count; i++) {
        const struct choice choice = c->choices.items[i];
        const struct analysis_stream_row *row = &analysis_stream_table[choice.which];
        if (row->window != ANALYSIS_STREAM_WHOLE)
            c->choices.items[kept++] = choice;
        else if (c->own->only)
            sim_options_wrong(c->options->voice.command,
                              "--cycles: `%s` is of whole runs; leave it or --cycles out",
                              row->name);
    }
    c->choices.count = kept;
}

static void read_command_line(struct command *c)
{
    const char *command = c->options->voice.command;
    struct lib_text why = {0};
    if (c->own->csv && c->options->json)
        sim_options_wrong(command, "only one of --csv and --json can be printed");
    if (c->own->only)
        read_only(c);
    else if (!c->own->causes.is_asked)
        for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
            choose(c, i, NULL);
    c->own->causes.is_wanted |= !c->own->only;
    c->window = (struct sim_window){.to = UINT64_MAX};
    if (!c->own->cycles)
        return;
    if (!strstr(c->own->cycles, "..") ||
        !sim_window_read(&c->window, c->own->cycles, &why))
        sim_options_wrong(command,
                          "--cycles: expected FROM..TO, FROM.. or ..TO, found `%s`",
                          c->own->cycles);
    check_window(c);
}

/* --- opening ------------------------------------------------------------------------------ */

static bool open_file(struct command *c, struct lib_diags *diags)
{
    const struct sim_options *o = c->options;
    c->is_file = true;
    if (o->argument_count > 1)
        sim_options_wrong(o->voice.command,
                          "a recording says what runs; unexpected argument `%s`",
                          o->arguments[1]);
    if (o->machine || o->set_count || o->seed || o->strategy != ISA_STAGE_COUNT)
        sim_options_wrong(o->voice.command,
                          "a recording says on which machine; -m, -s, --seed and "
                          "--strategy cannot change it");
    return sim_source_open(&c->source, o->arguments[0], diags);
}

static bool open_program(struct command *c, struct lib_diags *diags)
{
    const struct sim_session_request request = sim_options_request(c->options);
    return sim_session_open(&c->session, &request, diags);
}

static const struct sim_session *session_of(const struct command *c)
{
    return c->is_file ? &c->source.recording.session : &c->session;
}

/* Whether a file has the events that are asked for. */
static bool check_level(const struct command *c, struct lib_diags *diags)
{
    struct sim_analyse_causes *causes = &c->own->causes;
    if (causes->is_wanted && c->is_file && c->source.level < TRACES_LEVEL_QUEUES) {
        if (causes->is_asked) {
            lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                           "%s has events of the level `%s`; `%s` needs `%s`",
                           c->options->arguments[0],
                           traces_level_table[c->source.level].text, CAUSES,
                           traces_level_table[TRACES_LEVEL_QUEUES].text);
            return false;
        }
        causes->is_wanted = false;
    }
    for (size_t i = 0; c->is_file && i < c->choices.count; i++) {
        const struct analysis_stream_row *row =
            &analysis_stream_table[c->choices.items[i].which];
        if (row->level <= c->source.level)
            continue;
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                       "%s has events of the level `%s`; `%s` needs `%s`",
                       c->options->arguments[0], traces_level_table[c->source.level].text,
                       row->name, traces_level_table[row->level].text);
        return false;
    }
    return true;
}

static void start_analyses(struct command *c)
{
    const struct sim_session *session = session_of(c);
    const struct machine_settings *settings = &session->setup.settings;
    const bool has_workers = settings->executor_workers > 0;
    const struct analysis_stream_run run = {
        .graph = session->program.graph,
        .pe_count = has_workers ? settings->executor_workers : settings->pe_count,
        .units = has_workers ? 1 : settings->pe_units,
        .has_workers = has_workers,
        .from = c->window.from,
        .to = c->window.to,
    };
    bool wanted[ANALYSIS_STREAM_COUNT] = {false};
    for (size_t i = 0; i < c->choices.count; i++)
        wanted[c->choices.items[i].which] = true;
    c->streams = analysis_streams_new(&run, wanted);
}

static const char *table_name(size_t i, const void *context)
{
    return ((const struct analysis_findings *)context)->tables.items[i].key;
}

/* Ends the process if an analysis has no such table. */
static void check_table(const struct command *c, const struct analysis_findings *f,
                        const char *table)
{
    for (size_t i = 0; i < f->tables.count; i++)
        if (strcmp(table_name(i, f), table) == 0)
            return;
    const char *near = lib_text_nearest(table, f->tables.count, table_name, f);
    sim_options_wrong(c->options->voice.command, "--only: `%s` has no table `%s`%s%s%s",
                      f->name, table, near ? "; did you mean `" : "", near ? near : "",
                      near ? "`?" : "");
}

/* Before the run: what is found in no events has the same tables. */
static void check_tables(const struct command *c)
{
    for (size_t i = 0; i < c->choices.count; i++) {
        const struct choice *choice = &c->choices.items[i];
        struct analysis_findings f;
        if (!choice->table)
            continue;
        analysis_findings_start(&f, analysis_stream_table[choice->which].name, false);
        analysis_streams_tell(c->streams, choice->which, &f);
        check_table(c, &f, choice->table);
        analysis_findings_free(&f);
    }
}

/* --- running ------------------------------------------------------------------------------- */

/* A recording can begin behind its start, if no analysis needs what was before. */
static struct sim_source_window window_of(const struct command *c)
{
    struct sim_source_window window = {c->window.from, c->window.to};
    for (size_t i = 0; i < c->choices.count; i++)
        if (analysis_stream_table[c->choices.items[i].which].window !=
            ANALYSIS_STREAM_COUNTS)
            window.from = 0;
    return window;
}

static bool run_program(const struct command *c, const struct traces_event_sink *sinks,
                        size_t count, const struct sim_watch *watch,
                        struct lib_diags *diags)
{
    struct sim_simulation_config config = sim_session_config(&c->session);
    const struct sim_until until = {.cycle = c->window.to};
    config.energy = NULL;
    config.sinks = sinks;
    config.sink_count = count;
    config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    const bool done = sim_simulation_advance(simulation, &until) != SIM_ADVANCED_TO_STOP;
    sim_simulation_close(simulation, NULL);
    return done;
}

static bool run_causes(struct command *c, const struct sim_watch *watch,
                       struct lib_diags *diags)
{
    struct sim_analyse_causes *causes = &c->own->causes;
    const bool has_events = c->is_file && c->source.recording.has_events;
    causes->is_brief = !c->options->json && !c->own->csv;
    const bool done = sim_analyse_causes_run(
        causes, session_of(c), has_events ? &c->source : NULL, watch, diags);
    c->end = causes->run.end;
    return done;
}

static enum sim_status run_analyses(struct command *c)
{
    struct traces_event_sink sinks[ANALYSIS_STREAM_COUNT];
    const size_t count = analysis_streams_sinks(c->streams, sinks);
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    struct lib_diags diags = {0};
    bool done = true;
    sim_stop_catch();
    sim_progress_start(&progress, &c->options->voice);
    if (count)
        done = c->is_file ? sim_source_read(&c->source, window_of(c), sinks, count,
                                            &watch, &diags)
                          : run_program(c, sinks, count, &watch, &diags);
    if (count)
        c->end = *analysis_streams_end(c->streams);
    if (done && c->own->causes.is_wanted)
        done = run_causes(c, &watch, &diags);
    sim_progress_end(&progress);
    const enum sim_status status = sim_tell(&c->options->voice, &diags);
    return done || status != SIM_DONE ? status : SIM_INTERRUPTED;
}

/* --- what was found -------------------------------------------------------------------------- */

/* Of a window that the run goes on behind, the end is not that of the run. */
static bool is_cut(const struct command *c)
{
    return c->window.to != UINT64_MAX && c->end.how == ISA_END_INTERRUPTED;
}

static void write_head(const struct command *c, struct lib_text *out)
{
    const struct sim_session *session = session_of(c);
    const struct traces_event *end = &c->end;
    lib_text_printf(out, "%s on %s", sim_program_title(&session->program),
                    session->setup.machine);
    if (c->own->cycles)
        lib_text_printf(out, ", cycles %s", c->own->cycles);
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
    if (c->own->cycles)
        lib_json_string(json, "window", c->own->cycles);
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

/* One choice. */
static void write_choice(const struct command *c, const struct choice *choice,
                         struct lib_json *json, struct lib_text *out)
{
    const struct choice *first = c->choices.items;
    const struct choice *last = first + c->choices.count - 1;
    const struct sim_options *o = c->options;
    const char *name = analysis_stream_table[choice->which].name;
    const bool for_people = !o->json && !c->own->csv;
    struct analysis_findings f;
    analysis_findings_start(&f, name, for_people);
    analysis_streams_tell(c->streams, choice->which, &f);
    if (o->json) {
        if (choice == first || choice[-1].which != choice->which)
            lib_json_open(json, name, '{');
        analysis_findings_write_json(&f, choice->table, json);
        if (choice == last || choice[1].which != choice->which)
            lib_json_close(json);
    } else if (c->own->csv) {
        const size_t parts = f.tables.count + (f.numbers.count > 0);
        analysis_findings_write_csv(&f, choice->table,
                                    c->choices.count > 1 || (!choice->table && parts > 1),
                                    out);
    } else {
        analysis_findings_write_text(&f, choice->table, out);
    }
    analysis_findings_free(&f);
}

static void write_causes(const struct command *c, struct lib_text *out)
{
    struct analysis_findings f;
    analysis_findings_start(&f, CAUSES, !c->own->csv);
    sim_analyse_causes_tell(&c->own->causes, &f);
    if (c->own->csv)
        analysis_findings_write_csv(&f, NULL, true, out);
    else
        analysis_findings_write_text(&f, NULL, out);
    analysis_findings_free(&f);
}

static enum sim_status deliver(const struct command *c)
{
    struct lib_text out = {0};
    struct lib_json json = {.out = &out};
    if (c->options->json) {
        lib_json_open(&json, NULL, '{');
        put_head(c, &json);
        if (c->own->causes.is_found)
            sim_analyse_causes_write_json(&c->own->causes, &json);
        lib_json_open(&json, "analyses", '{');
    } else if (!c->own->csv) {
        write_head(c, &out);
    }
    for (size_t i = 0; i < c->choices.count; i++)
        write_choice(c, &c->choices.items[i], &json, &out);
    if (c->options->json) {
        lib_json_close(&json);
        lib_json_close(&json);
    } else if (c->own->causes.is_found) {
        write_causes(c, &out);
    }
    const enum sim_status status = sim_put(&c->options->voice, c->options->output, &out);
    lib_text_free(&out);
    return status;
}

/* --- the command ----------------------------------------------------------------------------- */

static enum sim_status find_stopped(const struct command *c)
{
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    sim_stop_catch();
    sim_progress_start(&progress, &c->options->voice);
    const enum sim_status status = sim_analyse_stopped(c->options, session_of(c), &watch,
                                                       c->own->csv);
    sim_progress_end(&progress);
    return status;
}

static enum sim_status open_and_analyse(struct command *c)
{
    const struct sim_options *o = c->options;
    struct lib_diags diags = {0};
    const bool opened = (sim_source_is(o->arguments[0]) ? open_file(c, &diags)
                                                        : open_program(c, &diags)) &&
                        check_level(c, &diags);
    enum sim_status status = sim_tell(&o->voice, &diags);
    if (!opened)
        return status;
    if (c->own->causes.why_stopped)
        return find_stopped(c);
    start_analyses(c);
    check_tables(c);
    status = run_analyses(c);
    if (status == SIM_DONE)
        status = deliver(c);
    analysis_streams_free(c->streams);
    return status;
}

int sim_analyse(int argc, char **argv)
{
    struct own own = {0};
    struct sim_options options = {0};
    struct command c = {.options = &options, .own = &own, .arena = lib_arena_new()};
    sim_analyse_causes_start(&own.causes);
    sim_options_parse(&options, &usage, &own, argc, argv);
    enum sim_status status = SIM_DONE;
    read_command_line(&c);
    if (options.output)
        status = sim_check_writable(&options.voice, options.output);
    if (status == SIM_DONE)
        status = open_and_analyse(&c);
    if (c.is_file)
        sim_source_close(&c.source);
    else
        sim_session_close(&c.session);
    sim_analyse_causes_free(&own.causes);
    LIB_VEC_FREE(&c.choices);
    lib_arena_free(c.arena);
    sim_options_free(&options);
    return status;
}
