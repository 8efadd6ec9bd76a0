#include "sim/cli/options.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/guard.h"
#include "lib/memory.h"
#include "sim/cli/complete.h"
#include "sim/cli/dispatch.h"
#include "sim/cli/scan.h"
#include "sim/experiment/site.h"
#include "sim/session/host.h"
#include "sim/session/window.h"

/* --- the common options ------------------------------------------------------------- */

#define OF(member) offsetof(struct sim_options, member)

/* Takes "FILE@CYCLE". */
static bool take_from(void *place, const char *text, struct lib_text *why)
{
    struct sim_options *options = place;
    const char *at = strrchr(text, '@');
    if (at && at != text && lib_text_to_whole(at + 1, &options->from_cycle)) {
        lib_text_clear(&options->from_name);
        lib_text_add(&options->from_name, text, (size_t)(at - text));
        options->from = options->from_name.bytes;
        return true;
    }
    lib_text_printf(why, "expected a recording and a cycle, FILE@CYCLE, found `%s`",
                    text);
    return false;
}

bool sim_options_take_cycles(void *place, const char *text, struct lib_text *why)
{
    struct sim_window window;
    if (!sim_window_read_cycles(&window, text, why))
        return false;
    *(struct sim_options_cycles *)place = (struct sim_options_cycles){text, window.from,
                                                                      window.to};
    return true;
}

static const struct lib_field machine_options[] = {
    SIM_OPTION("machine", 'm', PATH, "NAME|FILE", OF(machine),
               "Preset, or YAML file of settings; default: the preset `default'"),
    {0},
};

static const struct lib_field set_options[] = {
    SIM_OPTION("set", 's', TEXTS, "KEY=VALUE", OF(sets),
               "Change one setting; repeatable, the last wins"),
    {0},
};

static bool take_optimise(void *place, const char *text, struct lib_text *why)
{
    struct sim_options *options = place;
    return sim_optimise_take(&options->sets, &options->optimise, text, why);
}

static const struct lib_field optimise_options[] = {
    SIM_OPTIMISE(0, take_optimise),
    {0},
};

static const struct lib_field seed_options[] = {
    {"seed", .kind = LIB_FIELD_U64, .at = OF(seed), .given = LIB_GIVEN(OF(has_seed)),
     .most = UINT64_MAX, .value = "N", .help = "Seed of all random choices; default: 0"},
    {0},
};

static const struct lib_field strategy_options[] = {
    {"strategy", .kind = LIB_FIELD_CHOICE, .at = OF(strategy), .least = ISA_STAGE_IMAGE,
     .value = "static|expanding",
     .help = "How functions become one graph: once for all calls, or by a copy for each; "
             "default: static, or that of an image"},
    {0},
};

static const struct lib_field json_options[] = {
    SIM_FLAG("json", OF(json), "Print one JSON object, and nothing else"),
    {0},
};

static const struct lib_field stats_options[] = {
    SIM_OUTPUT("stats", 0, FILE, "FILE", OF(stats),
               "Write the JSON object to FILE as well"),
    {0},
};

static const struct lib_field observe_options[] = {
    SIM_OUTPUT(
        "series", 0, FILE, "FILE", OF(series),
        "Write firings, tokens and tags over time to FILE, as comma-separated values"),
    SIM_FLAG("profile", OF(profile), "Print the parallelism profile as well"),
    SIM_OPTION("window", 0, TEXT, "FROM..TO|FUNCTION", OF(window),
               "Statistics of a part of the run: the cycles from FROM up to TO (either "
               "may be left out), or the first call of FUNCTION"),
    SIM_OPTION("energy", 0, PATH, "TABLE|FILE", OF(energy),
               "Measure energy too, by a table of the program or a YAML file"),
    SIM_OPTION("by", 0, CHOICE, "function|line|opcode", OF(by),
               "Print as well what each function, line or opcode costs"),
    {0},
};

static const struct lib_field record_options[] = {
    SIM_OUTPUT(
        "record", 0, FILE, "FILE", OF(record),
        "Write a recording to FILE, from which the run can be made again and checked"),
    {0},
};

static const struct lib_field interval_options[] = {
    SIM_NUMBER(
        "interval", 0, U64, OF(interval), 1, UINT64_MAX,
        "Keep a digest of every N cycles; default: of so many that there are up to 1024"),
    SIM_NUMBER("checkpoint", 0, U64, OF(checkpoint), 1, UINT64_MAX,
               "Keep the state of the machine every N cycles; default: never"),
    {0},
};

static const struct lib_field from_options[] = {
    SIM_TAKEN_BY(
        "from", "FILE@CYCLE", 0, take_from,
        "Go on with the run of a recording from its last checkpoint up to CYCLE"),
    {0},
};

static const struct lib_field trace_options[] = {
    SIM_OUTPUT("trace", 0, FILE, "FILE", OF(trace),
               "Write the events of the run to FILE; --level, --cycles, --pe, "
               "--function, --line and --below select them"),
    {0},
};

static const struct lib_field events_options[] = {
    SIM_OPTION("level", 0, CHOICE, "summary|firings|all|queues", OF(events.level),
               "Select the events up to a level; default: all"),
    SIM_TAKEN_BY(
        "cycles", "FROM..TO", OF(cycles), sim_options_take_cycles,
        "Select the events of the cycles from FROM up to TO (either may be left out)"),
    SIM_OPTION("pe", 0, TEXT, "NUMBERS", OF(events.filter.pe),
               "Select the events at these PEs, such as 0-3,7"),
    SIM_OPTION("function", 0, TEXT, "FUNCTIONS", OF(events.filter.function),
               "Select the events in these functions, such as f,g"),
    SIM_OPTION("line", 0, TEXT, "NUMBERS", OF(events.filter.line),
               "Select the events of these lines of the source, such as 3-5,9"),
    SIM_OPTION("below", 0, TEXT, "TAG", OF(events.filter.below),
               "Select the events of the activation of TAG and of those that it calls"),
    {0},
};

static const struct lib_field port_options[] = {
    SIM_OPTION("port", 0, TEXTS, "NAME=FILE", OF(ports),
               "Feed a port of the program with the lines of FILE, or write what it "
               "gives to FILE; `-': standard input or output; repeatable"),
    {0},
};

static const struct lib_field params_options[] = {
    SIM_OPTION("params", 0, PATH, "DIR", OF(params),
               "Take each param from DIR/NAME.npy, as `hiaton train -o DIR' writes it"),
    {0},
};

static const struct lib_field output_options[] = {
    SIM_OUTPUT("output", 'o', PATH, "FILE", OF(output), "Write to FILE"),
    {0},
};

static const struct lib_field voice_options[] = {
    {"quiet", 'q', LIB_FIELD_FLAG, .at = OF(printer.quiet),
     .help = "Say less: no progress, no warnings, no statistics"},
    {"verbose", 'v', LIB_FIELD_FLAG, .at = OF(printer.verbose),
     .help = "Say more, on standard error"},
    {0},
};

/* In the order of the manual. A command takes the rows without a bit and those of its bits. */
static const struct {
    unsigned bit;
    const struct lib_field *fields;
} tables[] = {
    {SIM_TAKES_OUTPUT, output_options},
    {SIM_TAKES_MACHINE, machine_options},
    {SIM_TAKES_MACHINE | SIM_TAKES_SET, set_options},
    {SIM_TAKES_STRATEGY, strategy_options},
    {SIM_TAKES_OPTIMISE, optimise_options},
    {SIM_TAKES_SEED, seed_options},
    {SIM_TAKES_JSON, json_options},
    {SIM_TAKES_STATS, stats_options},
    {SIM_TAKES_OBSERVE, observe_options},
    {SIM_TAKES_PORT, port_options},
    {SIM_TAKES_PARAMS, params_options},
    {SIM_TAKES_RECORD, record_options},
    {SIM_TAKES_TRACE, trace_options},
    {SIM_TAKES_EVENTS, events_options},
    {SIM_TAKES_RECORD | SIM_TAKES_INTERVAL, interval_options},
    {SIM_TAKES_FROM, from_options},
    {0, voice_options},
};

enum { TABLES = sizeof tables / sizeof *tables };

struct sim_recorded_events sim_options_events(const struct sim_options *options)
{
    struct sim_recorded_events events = options->events;
    if (events.level == TRACES_LEVEL_COUNT)
        events.level = TRACES_LEVEL_ALL;
    return events;
}

bool sim_options_says_events(const struct sim_options *options)
{
    return options->events.level != TRACES_LEVEL_COUNT ||
           !sim_recorded_events_are_all(&options->events);
}

_Noreturn void sim_options_wrong(const char *command, const char *format, ...)
{
    const struct sim_printer printer = {.command = command};
    struct lib_text text = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&text, format, ap);
    va_end(ap);
    sim_say(&printer, "%s", text.bytes);
    sim_point_to_help(&printer);
    lib_text_free(&text);
    exit(SIM_USAGE);
}

_Noreturn void sim_options_no_choice(const char *option, const char *text,
                                     const char *choices, const char *command)
{
    struct lib_text list = {0}, hint = {0};
    for (const char *p = choices; *p; p++) {
        if (*p == '|')
            lib_text_puts(&list, strchr(p + 1, '|') ? ", " : " or ");
        else
            lib_text_add(&list, p, 1);
    }
    lib_text_hint_choice(&hint, text, choices);
    sim_options_wrong(command, "%s: expected %s, found `%s`%s", option, list.bytes, text,
                      lib_text_get(&hint));
}

/* --- one command -------------------------------------------------------------------- */

enum { KEY_USAGE = 0x80 }; /* has no letter */

/* Options of every command. */
static const struct argp_option help_options[] = {
    {"help", 'h', NULL, 0, "Print this and exit", -1},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, -1},
    {"usage", KEY_USAGE, NULL, 0, "Print the options in short and exit", -1},
    {"version", 'V', NULL, 0, "Print the version and exit", -1},
};

enum {
    MAX_OPTIONS = 72,
    KEY = 0x100,
    HELPS = sizeof help_options / sizeof *help_options
};

/* Options of a command as argp takes them, and for each its field and structure. */
struct parse {
    struct sim_options *options;
    const struct sim_usage *usage;
    struct argp_option rows[MAX_OPTIONS + 1];
    const struct lib_field *fields[MAX_OPTIONS];
    void *into[MAX_OPTIONS];
    const char *written[MAX_OPTIONS]; /* values of the options that are outputs */
    size_t count;
};

static bool has_option(const struct parse *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->fields[i]->name, name) == 0)
            return true;
    return false;
}

static void add_fields(struct parse *p, const struct lib_field *fields, void *into)
{
    for (const struct lib_field *f = fields; f && f->name; f++) {
        if (has_option(p, f->name))
            continue; /* replaced by the command's own option */
        assert(p->count + HELPS < MAX_OPTIONS);
        p->fields[p->count] = f;
        p->into[p->count] = into;
        p->rows[p->count] = (struct argp_option){
            .name = f->name,
            .key = f->letter ? f->letter : KEY + (int)p->count,
            .arg = f->value,
            .doc = f->help,
            .group = fields == voice_options,
        };
        p->count++;
    }
}

static void add_options(struct parse *p, void *own)
{
    add_fields(p, p->usage->options, own);
    for (size_t i = 0; i < TABLES; i++)
        if (!tables[i].bit || p->usage->takes & tables[i].bit)
            add_fields(p, tables[i].fields, p->options);
    memcpy(p->rows + p->count, help_options, sizeof help_options);
}

static void check_from(const struct argp_state *state, const struct sim_options *o)
{
    if (!o->from)
        return;
    if (o->argument_count)
        sim_options_wrong(
            state->name, "--from: the recording says what runs; unexpected argument `%s`",
            o->arguments[0]);
    if (o->machine || o->sets.count || o->seed || o->params ||
        o->strategy != ISA_STAGE_COUNT)
        sim_options_wrong(state->name,
                          "--from: the recording says what runs on which machine; -m, "
                          "-s, --seed, --strategy and --params cannot change it");
    if (o->record)
        sim_options_wrong(
            state->name,
            "--from and --record exclude each other: a recording begins at cycle 0");
}

/* Rejects options about recordings for a run that makes none. */
static void check_record(const struct argp_state *state, const struct sim_options *o,
                         const struct sim_usage *usage)
{
    if (usage->takes & SIM_TAKES_RECORD && !o->record && (o->interval || o->checkpoint))
        sim_options_wrong(state->name,
                          "--%s says what a recording keeps: --record FILE is missing",
                          o->interval ? "interval" : "checkpoint");
}

/* Reports options that select events without --trace. --pe may be meant as the number of PEs. */
static _Noreturn void report_no_trace(const struct argp_state *state,
                                      const struct sim_options *o)
{
    uint64_t count;
    const bool is_count = o->events.filter.pe &&
                          lib_text_to_whole(o->events.filter.pe, &count);
    sim_options_wrong(state->name,
                      "--level, --cycles, --pe, --function, --line and --below say which "
                      "events --trace writes; --trace is missing%s%s%s",
                      is_count ? " (a machine of so many PEs is `-s pe.count=" : "",
                      is_count ? o->events.filter.pe : "", is_count ? "`)" : "");
}

static void check_trace(const struct argp_state *state, const struct sim_usage *usage,
                        struct sim_options *o)
{
    if (usage->takes & SIM_TAKES_TRACE && sim_options_says_events(o) && !o->trace)
        report_no_trace(state, o);
    if (o->trace && o->from && o->events.from < o->from_cycle)
        o->events.from = o->from_cycle; /* the run continues there */
    if (o->trace && o->events.from >= o->events.to)
        sim_options_wrong(state->name,
                          "--cycles ends before the cycle of --from: there is no event");
    if (o->trace && o->record && strcmp(o->trace, o->record) == 0)
        sim_options_wrong(state->name, "--trace and --record name the same file");
}

static void check_all(const struct argp_state *state, struct parse *p)
{
    struct sim_options *o = p->options;
    o->events.from = o->cycles.from;
    o->events.to = o->cycles.to;
    check_from(state, o);
    check_record(state, o, p->usage);
    check_trace(state, p->usage, o);
    if (o->argument_count < p->usage->least && !o->from)
        sim_options_wrong(state->name, "%s is missing", p->usage->missing);
    if (o->stats && o->series && strcmp(o->stats, o->series) == 0)
        sim_options_wrong(state->name, "--stats and --series name the same file");
    if (o->window && o->profile)
        sim_options_wrong(state->name,
                          "--profile is of a whole run: leave it or --window out");
}

static void take_argument(const struct argp_state *state, struct parse *p, char *text)
{
    struct sim_options *o = p->options;
    if (!*text && o->argument_count == 0)
        sim_options_wrong(state->name, "the %s is empty",
                          p->usage->missing ? p->usage->missing : "argument");
    if (o->argument_count == p->usage->most)
        sim_options_wrong(state->name, "unexpected argument `%s`", text);
    o->arguments[o->argument_count++] = text;
}

/* Declares a file that an option names as an output. Ends the process if another option names
 * it. */
static void declare_output(const struct parse *p, const struct lib_field *field,
                           const char *path)
{
    LIB_TEXT_OWN why = {0}, name = {0};
    if (field->letter)
        lib_text_printf(&name, "-%c", field->letter);
    else
        lib_text_printf(&name, "--%s", field->name);
    if (!lib_guard_declare(name.bytes, path, &why))
        sim_options_wrong(p->options->printer.command, "%s", why.bytes);
}

static void take_option(const struct argp_state *state, struct parse *p, size_t i,
                        const char *text)
{
    LIB_TEXT_OWN why = {0};
    if (!lib_field_set(p->fields[i], p->into[i], text, &why))
        sim_options_wrong(state->name, "--%s: %s", p->fields[i]->name, why.bytes);
    if (!p->fields[i]->is_output)
        return;
    const char *equals = strstr(p->fields[i]->value, "=") ? strchr(text, '=') : NULL;
    if (equals)
        declare_output(p, p->fields[i], equals + 1); /* may be repeated */
    else
        p->written[i] = text;
}

static error_t parse_command(int key, char *text, struct argp_state *state)
{
    struct parse *p = state->input;
    size_t i = 0;
    switch (key) {
    case ARGP_KEY_ARG:
        take_argument(state, p, text);
        return 0;
    case ARGP_KEY_END:
        check_all(state, p);
        return 0;
    case 'h':
    case '?':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V':
        puts(argp_program_version);
        exit(SIM_DONE);
    default:
        while (i < p->count && p->rows[i].key != key)
            i++;
        if (i == p->count)
            return ARGP_ERR_UNKNOWN;
        take_option(state, p, i, text);
        return 0;
    }
}

/* Prints the options as part of a manual page for scdoc. */
static void print_manual(const struct parse *p)
{
    LIB_TEXT_OWN out = {0}, value = {0};
    for (size_t i = 0; i < p->count; i++) {
        const struct lib_field *f = p->fields[i];
        if (f->letter)
            lib_text_printf(&out, "*-%c*, ", f->letter);
        lib_text_clear(&value);
        if (f->value) {
            lib_text_puts(&value, "=_");
            lib_scdoc_text(&value, f->value);
            lib_text_puts(&value, "_");
        }
        lib_text_printf(&out, "*--%s*%s\n\t", f->name, lib_text_get(&value));
        lib_scdoc_text(&out, f->help);
        lib_text_puts(&out, "\n\n");
    }
    fputs(lib_text_get(&out), stdout);
}

/* Ends the process if an option is wrong, or completions or the manual are requested. */
static void check_options(const struct parse *p, int argc, char **argv)
{
    struct lib_text why = {0};
    const char *arguments = p->usage->arguments;
    const bool has_inputs = arguments && strstr(arguments, "NAME=VALUE");
    if (argc > 1 && strcmp(argv[1], SIM_COMPLETE) == 0) {
        sim_complete(p->usage, p->rows, argc - 2, argv + 2);
        exit(SIM_DONE);
    }
    if (argc > 1 && strcmp(argv[1], SIM_MANUAL) == 0) {
        print_manual(p);
        exit(SIM_DONE);
    }
    if (!sim_scan(p->rows, has_inputs, argc, argv, &why))
        sim_options_wrong(argv[0], "%s", why.bytes);
}

/* Replaces choices that do not fit in a line of help by a word. */
static void shorten_values(struct parse *p)
{
    enum { ROOM = 68 };
    for (size_t i = 0; i < p->count; i++) {
        struct argp_option *row = &p->rows[i];
        if (row->arg && strlen(row->name) + strlen(row->arg) > ROOM)
            row->arg = "FORMAT";
    }
}

void sim_options_parse(struct sim_options *options, const struct sim_usage *usage,
                       void *own, int argc, char **argv)
{
    struct parse parse = {.options = options, .usage = usage};
    const struct argp argp = {
        .options = parse.rows,
        .parser = parse_command,
        .args_doc = usage->arguments,
        .doc = usage->help,
    };
    *options = (struct sim_options){
        .printer.command = argv[0],
        .strategy = ISA_STAGE_COUNT,
        .by = ANALYSIS_COST_BY_NOTHING,
        .events.level = TRACES_LEVEL_COUNT,
        .cycles.to = UINT64_MAX,
        /* there are no more arguments than words */
        .arguments = lib_mem_new((size_t)argc * sizeof(char *)),
    };
    add_options(&parse, own);
    check_options(&parse, argc, argv);
    shorten_values(&parse);
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &parse) == ENOMEM)
        lib_mem_exhausted(0);
    for (size_t i = 0; i < parse.count; i++)
        if (parse.written[i])
            declare_output(&parse, parse.fields[i], parse.written[i]);
}

/* A comma separates values of settings in sweeps; words of one value have `+` between. */
bool sim_optimise_take(struct lib_texts *sets, struct lib_text *own, const char *list,
                       struct lib_text *why)
{
    struct sim_settings settings;
    sim_settings_default(&settings);
    if (!lib_setting_set(&settings, sim_setting_find("optimise.passes"), list, why))
        return false;
    const char *before = own->bytes;
    lib_text_clear(own);
    lib_text_puts(own, "optimise.passes=");
    for (; *list; list++)
        lib_text_add(own, *list == ',' ? "+" : list, 1);
    const char *set = lib_text_get(own);
    for (size_t i = 0; before && i < sets->count; i++)
        if (sets->items[i] == before)
            sets->items[i] = set;
    if (!before)
        *LIB_VEC_PUSH(sets) = set;
    return true;
}

unsigned sim_options_all_jobs(unsigned jobs)
{
    const unsigned all = sim_host_processors();
    return jobs ? jobs : all < SIM_MAX_JOBS ? all : SIM_MAX_JOBS;
}

void sim_options_free(struct sim_options *options)
{
    LIB_VEC_FREE(&options->sets, &options->ports);
    lib_text_free(&options->from_name);
    lib_text_free(&options->optimise);
    lib_mem_free(options->arguments);
}
