#include "sim/commands/cmd_trace.h"

#include <inttypes.h>
#include <string.h>

#include "machine/describe.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"
#include "sim/replay/event_filter.h"
#include "traces/exports/exporter.h"

/* More arrows would make viewers slow and hide all else. */
enum { ARROWS = 20000 };

struct request {
    const struct traces_exporter_format *format;
    uint64_t arrows; /* maximum */
    bool values;
};

#define FIRST(name, help) #name
#define EXPORT(name, help) "|" #name
static const char formats[] = TRACES_EXPORTS(FIRST, EXPORT);
#undef FIRST
#undef EXPORT

static bool take_format(void *place, const char *text, struct lib_text *why)
{
    static const struct lib_field choice = {.kind = LIB_FIELD_CHOICE, .value = formats};
    unsigned which;
    if (!lib_field_set(&choice, &which, text, why))
        return false;
    ((struct request *)place)->format = traces_exporter_find(text);
    return true;
}

static const struct lib_field own_options[] = {
    SIM_TAKEN_BY("to", formats, 0, take_format, "Write that format; see below"),
    SIM_NUMBER("arrows", 0, U64, offsetof(struct request, arrows), 0, UINT64_MAX,
               "Draw at most N tokens as arrows, evenly chosen; default: 20000"),
    SIM_FLAG("values", offsetof(struct request, values),
             "Add a column with the values of tokens that are sent, of a recording; csv "
             "alone has it"),
    {0},
};

#define EXPORT(name, help) "\n  " #name "  " help
static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_EVENTS,
    .arguments = "FILE --to FORMAT -o OUT",
    .help = "Write the events of a run for other programs."
            "\vFILE is a recording (`hiaton run --record FILE'), of which the events are "
            "made again, or a file of events (`--trace FILE'). OUT appears whole or not "
            "at all.\n" TRACES_EXPORTS(EXPORT, EXPORT),
    .least = 1,
    .most = 1,
    .missing = "FILE",
    .options = own_options,
};
#undef EXPORT

struct reading {
    const struct sim_options *options;
    const struct request *request;
    struct sim_source *source;
    struct lib_diags *diags;
    enum traces_level level;
};

struct passing {
    struct traces_event_sink sink;
    struct sim_progress_line line;
    uint64_t events, cycle, last;
    const struct traces_exporter *exporter; /* or NULL */
};

static void pass(void *context, const struct traces_event *events, size_t count)
{
    struct passing *p = context;
    p->events += count;
    p->cycle = events[count - 1].cycle;
    p->sink.take(p->sink.context, events, count);
}

static bool look(const struct sim_simulation *simulation, void *context)
{
    struct passing *p = context;
    (void)simulation;
    sim_progress_line_show_events(&p->line, p->events, p->cycle, p->last);
    return !sim_stop && !(p->exporter && traces_exporter_has_failed(p->exporter));
}

/* Reads the events. Ends early if `exporter` (or NULL) has failed. */
static bool read_events(const struct reading *r, struct traces_event_sink sink,
                        const struct traces_exporter *exporter)
{
    const struct sim_recorded_events *events = &r->options->events;
    struct passing p = {
        .sink = sink, .last = sim_source_end(r->source), .exporter = exporter};
    const struct sim_watch watch = {.look = look, .context = &p};
    const struct traces_event_sink passing = {sink.level, pass, &p};
    if (events->to < p.last)
        p.last = events->to;
    sim_progress_line_start(&p.line, &r->options->printer);
    const bool done = sim_source_read(
        r->source, (struct sim_source_window){events->from, events->to}, &passing, 1,
        &watch, r->diags);
    sim_progress_line_end(&p.line);
    return done && !sim_stop;
}

static void count_tokens(void *context, const struct traces_event *events, size_t count)
{
    uint64_t *tokens = context;
    for (size_t i = 0; i < count; i++)
        *tokens += events[i].kind == TRACES_EVENT_SENT ||
                   events[i].kind == TRACES_EVENT_SENT_DEAD;
}

/* Counts the tokens that pass the filter and may become arrows, perhaps some more. */
static bool count_arrows(const struct reading *r, uint64_t *tokens)
{
    struct sim_recorded_events filtered = r->options->events;
    struct sim_event_filter sieve;
    filtered.from = 0; /* the source has applied it */
    filtered.to = UINT64_MAX;
    *tokens = 0;
    bool done = sim_event_filter_start(&sieve, &r->source->recording.session, &filtered,
                                       r->diags);
    if (done) {
        const struct traces_event_sink sink = {TRACES_LEVEL_ALL, count_tokens, tokens};
        done = read_events(r, sim_event_filter_sink(&sieve, sink), NULL);
    }
    sim_event_filter_free(&sieve);
    return done;
}

/* Chooses to draw an arrow for every n-th token. Reads the events once more if necessary. */
static bool thin(const struct reading *r, uint64_t *every)
{
    const uint64_t most = r->request->arrows;
    uint64_t tokens;
    *every = 0;
    if (!r->request->format->draws_arrows || r->level < TRACES_LEVEL_ALL || most == 0)
        return true;
    if (!count_arrows(r, &tokens))
        return false;
    *every = tokens / most + (tokens % most > 0);
    *every += *every == 0;
    return true;
}

static const char *end_name(unsigned how)
{
    return sim_end_name((enum isa_end)how);
}

static void tell(const struct reading *r, const struct traces_exporter_request *request,
                 const struct traces_exporter_counts *counts)
{
    const struct sim_printer *printer = &r->options->printer;
    if (request->has_gaps && r->level >= TRACES_LEVEL_ALL && !printer->quiet)
        sim_say(printer,
                "%s has only a part of the firings: who sent a token is not known, and "
                "so there are no arrows and dependences",
                r->options->arguments[0]);
    else if (request->every > 1 && !printer->quiet)
        sim_say(printer,
                "one of %" PRIu64 " tokens is an arrow: %" PRIu64 " of %" PRIu64
                "; --arrows N draws up to N",
                request->every, counts->arrows, counts->tokens);
    if (printer->verbose)
        sim_say(printer, "%" PRIu64 " events, %" PRIu64 " firings", counts->events,
                counts->firings);
}

static bool export(const struct reading *r)
{
    const struct sim_recording *recording = &r->source->recording;
    const struct traces_machine machine = machine_describe(
        &recording->session.setup.settings.machine, sim_source_graph(r->source), NULL);
    struct traces_exporter_request request = {
        .format = r->request->format,
        .path = r->options->output,
        .graph = sim_source_graph(r->source),
        .level = r->level,
        .from = r->options->events.from,
        .filter = r->options->events.filter,
        .has_values = r->request->values,
        .has_gaps = recording->run.has_events &&
                    traces_filter_is_any(&recording->run.events.filter),
        .has_workers = machine.has_workers,
        .place_count = machine.pe_count,
        .end_name = end_name,
    };
    struct traces_exporter_counts counts;
    if (!thin(r, &request.every))
        return false;
    struct traces_exporter *exporter = traces_exporter_open(&request, r->diags);
    if (!exporter)
        return false;
    const bool read = read_events(r, traces_exporter_sink(exporter), exporter);
    if (!read && !traces_exporter_has_failed(exporter)) {
        traces_exporter_abandon(exporter);
        return false;
    }
    if (!traces_exporter_finish(exporter, &counts))
        return false;
    tell(r, &request, &counts);
    return true;
}

static enum sim_status open_and_export(const struct sim_options *options,
                                       const struct request *request)
{
    struct lib_diags diags = {0};
    struct sim_source source;
    struct reading r = {options, request, &source, &diags, TRACES_LEVEL_COUNT};
    const bool opened = sim_source_open(&source, options->arguments[0], &diags);
    sim_stop_catch();
    const bool done = opened && sim_trace_level(options, &source, &r.level, &diags) &&
                      (!request->values ||
                       sim_trace_show_values(options, &source, &diags)) &&
                      export(&r);
    enum sim_status status = sim_tell(&options->printer, &diags);
    if (!done && status == SIM_DONE)
        status = sim_interrupted(&options->printer);
    sim_source_close(&source);
    return status;
}

int sim_trace_export(int argc, char **argv)
{
    struct sim_options options = {0};
    struct request request = {.arrows = ARROWS};
    sim_options_parse(&options, &usage, &request, argc, argv);
    if (!request.format)
        sim_options_wrong(argv[0], "say with --to which format: %s", formats);
    if (!options.output)
        sim_options_wrong(argv[0], "say with -o where to write");
    if (request.values && strcmp(request.format->name, "csv") != 0)
        sim_options_wrong(argv[0], "--values: only csv has a column for them, not %s",
                          request.format->name);
    const enum sim_status status = open_and_export(&options, &request);
    sim_options_free(&options);
    return status;
}
