#include "sim/cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "sim/cli/complete.h"
#include "sim/cli/dispatch.h"
#include "sim/cli/scan.h"
#include "sim/experiment/site.h"
#include "sim/session/host.h"

enum {
    KEY_SEED = 0x100,
    KEY_STRATEGY,
    KEY_JSON,
    KEY_STATS,
    KEY_SERIES,
    KEY_PROFILE,
    KEY_WINDOW,
    KEY_ENERGY,
    KEY_USAGE,
    KEY_BY,
    KEY_RECORD,
    KEY_INTERVAL,
    KEY_CHECKPOINT,
    KEY_FROM,
    KEY_TRACE,
    KEY_LEVEL,
    KEY_CYCLES,
    KEY_PE,
    KEY_FUNCTION,
    KEY_LINE,
    KEY_BELOW,
    KEY_PORT,
    KEY_PARAMS,
};

/* --- the common options ------------------------------------------------------------- */

static const struct argp_option machine_options[] = {
    {"machine", 'm', "NAME|FILE", 0,
     "Preset, or YAML file of settings; default: the preset `default'", 0},
    {0},
};

static const struct argp_option set_options[] = {
    {"set", 's', "KEY=VALUE", 0, "Change one setting; repeatable, the last wins", 0},
    {0},
};

static const struct argp_option seed_options[] = {
    {"seed", KEY_SEED, "N", 0, "Seed of all random choices; default: 0", 0},
    {0},
};

static const struct argp_option strategy_options[] = {
    {"strategy", KEY_STRATEGY, "static|expanding", 0,
     "How functions become one graph: once for all calls, or by a copy for each; "
     "default: "
     "static, or that of an image",
     0},
    {0},
};

static const struct argp_option json_options[] = {
    {"json", KEY_JSON, NULL, 0, "Print one JSON object, and nothing else", 0},
    {0},
};

static const struct argp_option stats_options[] = {
    {"stats", KEY_STATS, "FILE", 0, "Write the JSON object to FILE as well", 0},
    {0},
};

static const struct argp_option observe_options[] = {
    {"series", KEY_SERIES, "FILE", 0,
     "Write firings, tokens and tags over time to FILE, as comma-separated values", 0},
    {"profile", KEY_PROFILE, NULL, 0, "Print the parallelism profile as well", 0},
    {"window", KEY_WINDOW, "FROM..TO|FUNCTION", 0,
     "Statistics of a part of the run: the cycles from FROM up to TO (either may be left "
     "out), or the first call of FUNCTION",
     0},
    {"energy", KEY_ENERGY, "TABLE|FILE", 0,
     "Measure energy too, by a table of the program or a YAML file", 0},
    {"by", KEY_BY, "function|line|opcode", 0,
     "Print as well what each function, line or opcode costs", 0},
    {0},
};

static const struct argp_option record_options[] = {
    {"record", KEY_RECORD, "FILE", 0,
     "Write a recording to FILE, from which the run can be made again and checked", 0},
    {0},
};

static const struct argp_option interval_options[] = {
    {"interval", KEY_INTERVAL, "N", 0,
     "Keep a digest of every N cycles; default: of so many that there are up to 1024", 0},
    {"checkpoint", KEY_CHECKPOINT, "N", 0,
     "Keep the state of the machine every N cycles; default: never", 0},
    {0},
};

static const struct argp_option from_options[] = {
    {"from", KEY_FROM, "FILE@CYCLE", 0,
     "Go on with the run of a recording from its last checkpoint up to CYCLE", 0},
    {0},
};

static const struct argp_option trace_options[] = {
    {"trace", KEY_TRACE, "FILE", 0,
     "Write the events of the run to FILE; --level, --cycles, --pe, --function, --line "
     "and "
     "--below select them",
     0},
    {0},
};

static const struct argp_option events_options[] = {
    {"level", KEY_LEVEL, "summary|firings|all|queues", 0,
     "Select the events up to a level; default: all", 0},
    {"cycles", KEY_CYCLES, "FROM..TO", 0, "Select the events of the cycles FROM to TO",
     0},
    {"pe", KEY_PE, "NUMBERS", 0, "Select the events at these PEs, such as 0-3,7", 0},
    {"function", KEY_FUNCTION, "FUNCTIONS", 0,
     "Select the events in these functions, such as f,g", 0},
    {"line", KEY_LINE, "NUMBERS", 0,
     "Select the events of these lines of the source, such as 3-5,9", 0},
    {"below", KEY_BELOW, "TAG", 0,
     "Select the events of the activation of TAG and of those that it calls", 0},
    {0},
};

static const struct argp_option port_options[] = {
    {"port", KEY_PORT, "NAME=FILE", 0,
     "Feed a port of the program with the lines of FILE, or write what it gives to FILE; "
     "`-': standard input or output; repeatable",
     0},
    {0},
};

static const struct argp_option params_options[] = {
    {"params", KEY_PARAMS, "DIR", 0,
     "Take each param from DIR/NAME.npy, as `hiaton train -o DIR' writes it", 0},
    {0},
};

static const struct argp_option output_options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const struct argp_option voice_options[] = {
    {"quiet", 'q', NULL, 0, "Say less: no progress, no warnings, no statistics", 1},
    {"verbose", 'v', NULL, 0, "Say more, on standard error", 1},
    {0},
};

/* What argp would add to every command, but for -h. */
static const struct argp_option help_options[] = {
    {"help", 'h', NULL, 0, "Print this and exit", -1},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, -1},
    {"usage", KEY_USAGE, NULL, 0, "Print the options in short and exit", -1},
    {"version", 'V', NULL, 0, "Print the version and exit", -1},
    {0},
};

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
    const struct sim_voice voice = {.command = command};
    struct lib_text text = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&text, format, ap);
    va_end(ap);
    sim_say(&voice, "%s", text.bytes);
    sim_point_to_help(&voice);
    lib_text_free(&text);
    exit(SIM_USAGE);
}

uint64_t sim_options_whole(const char *option, const char *text, uint64_t least,
                           uint64_t most, const char *command)
{
    uint64_t value;
    if (lib_text_to_whole(text, &value) && value >= least && value <= most)
        return value;
    struct lib_text hint = {0};
    lib_text_hint_whole(&hint, text, least, most);
    sim_options_wrong(
        command, "%s: expected a number from %" PRIu64 " to %" PRIu64 ", found `%s`%s",
        option, least, most, text, lib_text_get(&hint));
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

static uint64_t parse_cycles(const char *option, const char *text,
                             const struct argp_state *state)
{
    return sim_options_whole(option, text, 1, UINT64_MAX, state->name);
}

static void parse_from(char *text, const struct argp_state *state,
                       struct sim_options *options)
{
    char *at = strrchr(text, '@');
    if (!at || at == text || !lib_text_to_whole(at + 1, &options->from_cycle))
        sim_options_wrong(state->name,
                          "--from: expected a recording and a cycle, FILE@CYCLE, found "
                          "`%s`",
                          text);
    *at = '\0';
    options->from = text;
}

/* "FROM..TO", both in it; without one of them: from the first cycle, or to the last one. */
static void parse_window(char *text, const struct argp_state *state,
                         struct sim_recorded_events *events)
{
    char *dots = strstr(text, "..");
    uint64_t from = 0, to = UINT64_MAX - 1;
    if (dots)
        *dots = '\0';
    if (!dots || (*text && !lib_text_to_whole(text, &from)) ||
        (dots[2] && !lib_text_to_whole(dots + 2, &to)) || from > to || to == UINT64_MAX) {
        if (dots)
            *dots = '.';
        sim_options_wrong(state->name,
                          "--cycles: expected two cycles, FROM..TO, found `%s`", text);
    }
    events->from = from;
    events->to = to + 1;
}

static void parse_level(const char *text, struct argp_state *state,
                        struct sim_options *options)
{
    options->events.level = traces_level_find(text);
    if (options->events.level == TRACES_LEVEL_COUNT)
        sim_options_no_choice("--level", text, "summary|firings|all|queues", state->name);
}

static void parse_strategy(const char *text, struct argp_state *state,
                           struct sim_options *options)
{
    options->strategy = isa_strategy_find(text);
    if (options->strategy == ISA_STAGE_COUNT)
        sim_options_no_choice("--strategy", text, "static|expanding", state->name);
}

static void parse_by(const char *text, struct argp_state *state,
                     struct sim_options *options)
{
    options->by = analysis_cost_by_find(text);
    if (options->by == ANALYSIS_COST_BY_NOTHING)
        sim_options_no_choice("--by", text, "function|line|opcode", state->name);
}

static error_t parse_common(int key, char *text, struct argp_state *state)
{
    struct sim_options *options = state->input;
    if (text && !*text &&
        (key == 'm' || key == 'o' || key == KEY_STATS || key == KEY_SERIES ||
         key == KEY_ENERGY || key == KEY_RECORD || key == KEY_TRACE))
        sim_options_wrong(state->name, "the name of a file is empty");
    switch (key) {
    case 'm':
        options->machine = text;
        return 0;
    case 's':
        options->sets[options->set_count++] = text;
        return 0;
    case KEY_PARAMS:
        options->params = text;
        return 0;
    case KEY_PORT:
        options->ports[options->port_count++] = text;
        return 0;
    case KEY_SEED:
        options->seed = sim_options_whole("--seed", text, 0, UINT64_MAX, state->name);
        options->has_seed = true;
        return 0;
    case KEY_STRATEGY:
        parse_strategy(text, state, options);
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_STATS:
        if (strcmp(text, "-") == 0)
            sim_options_wrong(state->name,
                              "--stats writes a file; --json prints the same object");
        options->stats = text;
        return 0;
    case KEY_SERIES:
        if (strcmp(text, "-") == 0)
            sim_options_wrong(state->name, "--series writes a file, and so needs a name");
        options->series = text;
        return 0;
    case KEY_PROFILE:
        options->profile = true;
        return 0;
    case KEY_WINDOW:
        options->window = text;
        return 0;
    case KEY_ENERGY:
        options->energy = text;
        return 0;
    case KEY_BY:
        parse_by(text, state, options);
        return 0;
    case KEY_RECORD:
        if (strcmp(text, "-") == 0)
            sim_options_wrong(state->name, "--record writes a file, and so needs a name");
        options->record = text;
        return 0;
    case KEY_INTERVAL:
        options->interval = parse_cycles("--interval", text, state);
        return 0;
    case KEY_CHECKPOINT:
        options->checkpoint = parse_cycles("--checkpoint", text, state);
        return 0;
    case KEY_FROM:
        parse_from(text, state, options);
        return 0;
    case KEY_TRACE:
        if (strcmp(text, "-") == 0)
            sim_options_wrong(state->name, "--trace writes a file, and so needs a name");
        options->trace = text;
        return 0;
    case KEY_LEVEL:
        parse_level(text, state, options);
        return 0;
    case KEY_CYCLES:
        parse_window(text, state, &options->events);
        return 0;
    case KEY_PE:
        options->events.filter.pe = text;
        return 0;
    case KEY_FUNCTION:
        options->events.filter.function = text;
        return 0;
    case KEY_LINE:
        options->events.filter.line = text;
        return 0;
    case KEY_BELOW:
        options->events.filter.below = text;
        return 0;
    case 'o':
        options->output = text;
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
    case 'q':
        options->voice.quiet = true;
        return 0;
    case 'v':
        options->voice.verbose = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* In the order in which --help shows them; a command takes those whose bit it names, or
 * that name none. */
static const struct group {
    unsigned bit;
    struct argp argp;
} groups[] = {
    {SIM_TAKES_OUTPUT, {.options = output_options, .parser = parse_common}},
    {SIM_TAKES_MACHINE, {.options = machine_options, .parser = parse_common}},
    {SIM_TAKES_MACHINE | SIM_TAKES_SET, {.options = set_options, .parser = parse_common}},
    {SIM_TAKES_STRATEGY, {.options = strategy_options, .parser = parse_common}},
    {SIM_TAKES_SEED, {.options = seed_options, .parser = parse_common}},
    {SIM_TAKES_JSON, {.options = json_options, .parser = parse_common}},
    {SIM_TAKES_STATS, {.options = stats_options, .parser = parse_common}},
    {SIM_TAKES_OBSERVE, {.options = observe_options, .parser = parse_common}},
    {SIM_TAKES_PORT, {.options = port_options, .parser = parse_common}},
    {SIM_TAKES_PARAMS, {.options = params_options, .parser = parse_common}},
    {SIM_TAKES_RECORD, {.options = record_options, .parser = parse_common}},
    {SIM_TAKES_TRACE, {.options = trace_options, .parser = parse_common}},
    {SIM_TAKES_EVENTS, {.options = events_options, .parser = parse_common}},
    {SIM_TAKES_RECORD | SIM_TAKES_INTERVAL,
     {.options = interval_options, .parser = parse_common}},
    {SIM_TAKES_FROM, {.options = from_options, .parser = parse_common}},
    {0, {.options = voice_options, .parser = parse_common}},
    {0, {.options = help_options, .parser = parse_common}},
};

enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

/* --- one command -------------------------------------------------------------------- */

struct parse {
    struct sim_options *options;
    const struct sim_usage *usage;
    unsigned child_count;
};

/* The recording says what runs. */
static void check_from(const struct argp_state *state, const struct sim_options *o)
{
    if (!o->from)
        return;
    if (o->argument_count)
        sim_options_wrong(
            state->name, "--from: the recording says what runs; unexpected argument `%s`",
            o->arguments[0]);
    if (o->machine || o->set_count || o->seed || o->params ||
        o->strategy != ISA_STAGE_COUNT)
        sim_options_wrong(
            state->name, "--from: the recording says what runs on which machine; -m, -s, "
                         "--seed, --strategy and --params cannot change it");
    if (o->record)
        sim_options_wrong(state->name,
                          "--from and --record exclude each other: a recording begins at "
                          "cycle 0");
}

/* What a recording keeps, of a run that makes none. */
static void check_record(const struct argp_state *state, const struct sim_options *o,
                         const struct sim_usage *usage)
{
    if (usage->takes & SIM_TAKES_RECORD && !o->record && (o->interval || o->checkpoint))
        sim_options_wrong(state->name,
                          "--%s says what a recording keeps: --record FILE is missing",
                          o->interval ? "interval" : "checkpoint");
}

/* What says which events needs a file for them. */
static void check_trace(const struct argp_state *state, const struct sim_usage *usage,
                        struct sim_options *o)
{
    if (usage->takes & SIM_TAKES_TRACE && sim_options_says_events(o) && !o->trace)
        sim_options_wrong(state->name, "--level, --cycles, --pe, --function, --line and "
                                       "--below say which events --trace writes; --trace "
                                       "is missing");
    if (o->trace && o->from && o->events.from < o->from_cycle)
        o->events.from = o->from_cycle; /* the run goes on from there */
    if (o->trace && o->events.from >= o->events.to)
        sim_options_wrong(state->name,
                          "--cycles ends before the cycle of --from: there is no event");
    if (o->trace && o->record && strcmp(o->trace, o->record) == 0)
        sim_options_wrong(state->name, "--trace and --record name the same file");
}

static error_t parse_command(int key, char *text, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct sim_options *options = parse->options;
    const struct sim_usage *usage = parse->usage;
    switch (key) {
    case ARGP_KEY_INIT:
        for (unsigned i = 0; i < parse->child_count; i++)
            state->child_inputs[i] = options;
        return 0;
    case ARGP_KEY_ARG:
        if (!*text && options->argument_count == 0)
            sim_options_wrong(state->name, "the %s is empty",
                              usage->missing ? usage->missing : "argument");
        if (options->argument_count == usage->most)
            sim_options_wrong(state->name, "unexpected argument `%s`", text);
        options->arguments[options->argument_count++] = text;
        return 0;
    case ARGP_KEY_END:
        check_from(state, options);
        check_record(state, options, usage);
        check_trace(state, usage, options);
        if (options->argument_count < usage->least && !options->from)
            sim_options_wrong(state->name, "%s is missing", usage->missing);
        if (options->stats && options->series &&
            strcmp(options->stats, options->series) == 0)
            sim_options_wrong(state->name, "--stats and --series name the same file");
        if (options->window && options->profile)
            sim_options_wrong(state->name, "--profile is of a whole run: leave it or "
                                           "--window out");
        return 0;
    default:
        return usage->parse ? usage->parse(key, text, state, options->own)
                            : ARGP_ERR_UNKNOWN;
    }
}

/* The tables of options of a command, for sim_scan; returns how many. */
static size_t tables_of(const struct sim_usage *usage,
                        const struct argp_option *tables[GROUP_COUNT + 1])
{
    size_t count = 0;
    if (usage->options)
        tables[count++] = usage->options;
    for (size_t i = 0; i < GROUP_COUNT; i++)
        if (!groups[i].bit || usage->takes & groups[i].bit)
            tables[count++] = groups[i].argp.options;
    return count;
}

/* Ends the process if an option is wrong, or if the words are to be completed. */
static void check_options(const struct sim_usage *usage, int argc, char **argv)
{
    const struct argp_option *tables[GROUP_COUNT + 1];
    size_t count = tables_of(usage, tables);
    struct lib_text why = {0};
    const bool has_inputs = usage->arguments && strstr(usage->arguments, "NAME=VALUE");
    if (argc > 1 && strcmp(argv[1], SIM_COMPLETE) == 0) {
        sim_complete(usage, tables, count, argc - 2, argv + 2);
        exit(SIM_DONE);
    }
    if (!sim_scan(tables, count, has_inputs, argc, argv, &why))
        sim_options_wrong(argv[0], "%s", why.bytes);
}

void sim_options_parse(struct sim_options *options, const struct sim_usage *usage,
                       void *own, int argc, char **argv)
{
    struct argp_child children[GROUP_COUNT + 1] = {{0}};
    struct parse parse = {options, usage, 0};
    for (size_t i = 0; i < GROUP_COUNT; i++)
        if (!groups[i].bit || usage->takes & groups[i].bit)
            children[parse.child_count++] = (struct argp_child){.argp = &groups[i].argp};
    const struct argp argp = {
        .options = usage->options,
        .parser = parse_command,
        .args_doc = usage->arguments,
        .doc = usage->help,
        .children = children,
    };
    /* No more of either than there are words. */
    *options = (struct sim_options){
        .voice.command = argv[0],
        .strategy = ISA_STAGE_COUNT,
        .by = ANALYSIS_COST_BY_NOTHING,
        .events = {.level = TRACES_LEVEL_COUNT, .to = UINT64_MAX},
        .sets = lib_mem_new((size_t)argc * sizeof(char *)),
        .ports = lib_mem_new((size_t)argc * sizeof(char *)),
        .arguments = lib_mem_new((size_t)argc * sizeof(char *)),
        .own = own,
    };
    check_options(usage, argc, argv);
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &parse) == ENOMEM)
        lib_mem_exhausted(0);
}

unsigned sim_options_jobs(const char *text, const char *command)
{
    return (unsigned)sim_options_whole("--jobs", text, 1, SIM_MAX_JOBS, command);
}

unsigned sim_options_all_jobs(unsigned jobs)
{
    const unsigned all = sim_host_processors();
    return jobs ? jobs : all < SIM_MAX_JOBS ? all : SIM_MAX_JOBS;
}

void sim_options_free(struct sim_options *options)
{
    lib_mem_free(options->sets);
    lib_mem_free(options->ports);
    lib_mem_free(options->arguments);
}
