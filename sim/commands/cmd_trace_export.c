/* hiaton trace export: the events of a run as a file that others read. */
#include "sim/commands/cmd_trace.h"

#include <inttypes.h>
#include <string.h>

#include "sim/cli/options.h"
#include "sim/cli/progress.h"
#include "sim/cli/stop.h"
#include "sim/replay/source.h"
#include "traces/exports/exporter.h"

/* With more of them viewers are slow, and nothing can be seen. */
enum { ARROWS = 20000 };

enum { KEY_TO = 0x200, KEY_LEVEL, KEY_CYCLES, KEY_ARROWS };

struct request {
    const struct traces_exporter_format *format;
    enum traces_level level;
    struct sim_source_window window;
    uint64_t arrows; /* at most */
};

static const struct argp_option own_options[] = {
    {"to", KEY_TO, "perfetto|konata|paje|otf2|vcd|chakra|sqlite|csv", 0,
     "Write that format; see below", 0},
    {"level", KEY_LEVEL, "summary|firings|all|queues", 0,
     "Which events: up to that level; default: all", 0},
    {"cycles", KEY_CYCLES, "FROM..TO", 0, "Only those of the cycles FROM to TO", 0},
    {"arrows", KEY_ARROWS, "N", 0,
     "Draw at most N tokens as arrows, evenly chosen; default: 20000", 0},
    {0},
};

/* "FROM..TO", both in it; without one of them: from the first cycle, or to the last one. */
static struct sim_source_window parse_cycles(const char *text, const char *command)
{
    struct lib_text first = {0};
    const char *dots = strstr(text, "..");
    uint64_t from = 0, to = UINT64_MAX - 1;
    if (dots)
        lib_text_add(&first, text, (size_t)(dots - text));
    if (!dots || (first.length && !lib_text_to_whole(lib_text_get(&first), &from)) ||
        (dots[2] && !lib_text_to_whole(dots + 2, &to)) || from > to || to == UINT64_MAX)
        sim_options_wrong(command, "--cycles: expected two cycles, FROM..TO, found `%s`",
                          text);
    lib_text_free(&first);
    return (struct sim_source_window){from, to + 1};
}

static error_t parse(int key, char *text, struct argp_state *state, void *own)
{
    struct request *request = own;
    switch (key) {
    case KEY_TO:
        request->format = traces_exporter_find(text);
        if (!request->format)
            sim_options_no_choice("--to", text, own_options[0].arg, state->name);
        return 0;
    case KEY_LEVEL:
        request->level = traces_level_find(text);
        if (request->level == TRACES_LEVEL_COUNT)
            sim_options_no_choice("--level", text, own_options[1].arg, state->name);
        return 0;
    case KEY_CYCLES:
        request->window = parse_cycles(text, state->name);
        return 0;
    case KEY_ARROWS:
        request->arrows = sim_options_whole("--arrows", text, 0, UINT64_MAX, state->name);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT,
    .arguments = "FILE --to FORMAT -o OUT",
    .help =
        "Write the events of a run for other programs."
        "\vFILE is a recording (`hiaton run --record FILE'): what happened is made "
        "again. OUT appears whole or not at all.\n\n"
        "  perfetto  a trace for ui.perfetto.dev: PEs, activations, counters, arrows\n"
        "  konata    a log of a pipeline, for Konata\n"
        "  paje      for ViTE and pj_dump\n"
        "  otf2      a folder, for Vampir and otf2-print\n"
        "  vcd       signals over time, for GTKWave\n"
        "  chakra    an execution trace of MLCommons: firings and what they wait for\n"
        "  sqlite    a database: events, activations, instructions\n"
        "  csv       a row for each event",
    .least = 1,
    .most = 1,
    .missing = "FILE",
    .options = own_options,
    .parse = parse,
};

/* --- reading -------------------------------------------------------------------------------- */

struct reading {
    const struct sim_options *options;
    const struct request *request;
    struct sim_source *source;
    struct lib_diags *diags;
};

static bool read_events(const struct reading *r, const struct traces_event_sink *sink)
{
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    sim_progress_start(&progress, &r->options->voice);
    const bool done = sim_source_read(r->source, r->request->window, sink, 1, &watch,
                                      r->diags);
    sim_progress_end(&progress);
    return done && !sim_stop;
}

static void count_tokens(void *context, const struct traces_event *events, size_t count)
{
    uint64_t *tokens = context;
    for (size_t i = 0; i < count; i++)
        *tokens += events[i].kind == TRACES_EVENT_SENT ||
                   events[i].kind == TRACES_EVENT_SENT_DEAD;
}

/* An arrow for one of how many tokens: read once more, if it cannot be known otherwise. */
static bool thin(const struct reading *r, uint64_t *every)
{
    uint64_t tokens = 0;
    const struct traces_event_sink sink = {TRACES_LEVEL_ALL, count_tokens, &tokens};
    *every = 0;
    if (!r->request->format->draws_arrows || r->request->level < TRACES_LEVEL_ALL ||
        r->request->arrows == 0)
        return true;
    if (!read_events(r, &sink))
        return false;
    *every = tokens / r->request->arrows + (tokens % r->request->arrows > 0);
    *every += *every == 0;
    return true;
}

/* --- writing -------------------------------------------------------------------------------- */

static const char *end_name(unsigned how)
{
    return sim_end_name((enum isa_end)how);
}

static void tell(const struct reading *r, const struct traces_exporter_counts *counts,
                 uint64_t every)
{
    const struct sim_voice *voice = &r->options->voice;
    if (every > 1 && !voice->quiet)
        sim_say(voice,
                "one of %" PRIu64 " tokens is an arrow: %" PRIu64 " of %" PRIu64
                "; --arrows N draws up to N",
                every, counts->arrows, counts->tokens);
    if (voice->verbose)
        sim_say(voice, "%" PRIu64 " events, %" PRIu64 " firings", counts->events,
                counts->firings);
}

static bool export(const struct reading *r)
{
    const struct machine_settings *settings =
        &r->source->recording.session.setup.settings;
    struct traces_exporter_request request = {
        .format = r->request->format,
        .path = r->options->output,
        .graph = sim_source_graph(r->source),
        .level = r->request->level,
        .from = r->request->window.from,
        .has_workers = settings->executor_workers > 0,
        .end_name = end_name,
    };
    struct traces_exporter_counts counts;
    request.place_count = (uint32_t)(request.has_workers ? settings->executor_workers
                                                         : settings->pe_count);
    if (!thin(r, &request.every))
        return false;
    struct traces_exporter *exporter = traces_exporter_open(&request, r->diags);
    if (!exporter)
        return false;
    const struct traces_event_sink sink = traces_exporter_sink(exporter);
    if (!read_events(r, &sink)) {
        traces_exporter_abandon(exporter);
        return false;
    }
    if (!traces_exporter_finish(exporter, &counts))
        return false;
    tell(r, &counts, request.every);
    return true;
}

static bool has_level(const struct reading *r)
{
    if (r->request->level <= r->source->level)
        return true;
    lib_diag_error(r->diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                   "%s: it has no events of the level `%s`, only up to `%s`",
                   r->options->arguments[0], traces_level_table[r->request->level].text,
                   traces_level_table[r->source->level].text);
    return false;
}

static enum sim_status open_and_export(const struct sim_options *options,
                                       const struct request *request)
{
    struct lib_diags diags = {0};
    struct sim_source source;
    const struct reading r = {options, request, &source, &diags};
    const bool opened = sim_source_open(&source, options->arguments[0], &diags);
    sim_stop_catch();
    const bool done = opened && has_level(&r) && export(&r);
    enum sim_status status = sim_tell(&options->voice, &diags);
    if (!done && status == SIM_DONE)
        status = SIM_INTERRUPTED;
    sim_source_close(&source);
    return status;
}

int sim_trace_export(int argc, char **argv)
{
    struct sim_options options = {0};
    struct request request = {
        .level = TRACES_LEVEL_ALL, .window = {0, UINT64_MAX}, .arrows = ARROWS};
    sim_options_parse(&options, &usage, &request, argc, argv);
    if (!request.format)
        sim_options_wrong(argv[0], "say with --to which format: %s", own_options[0].arg);
    if (!options.output)
        sim_options_wrong(argv[0], "say with -o where to write");
    const enum sim_status status = open_and_export(&options, &request);
    sim_options_free(&options);
    return status;
}
