#include "sim/replay/source.h"

#include "isa/op_columns.h"
#include "machine/describe.h"
#include "machine/machine.h"
#include "traces/window.h"

bool sim_source_is(const char *path)
{
    return traces_chunks_is(path, &sim_recording_kind) ||
           traces_chunks_is(path, &sim_events_kind);
}

bool sim_source_open(struct sim_source *source, const char *path, struct lib_diags *diags)
{
    *source = (struct sim_source){.level = TRACES_LEVEL_QUEUES};
    if (!sim_source_is(path))
        return sim_recording_refuse(&source->recording, path,
                                    "a recording or a file of events", diags);
    if (!traces_chunks_is(path, &sim_events_kind))
        return sim_recording_open(&source->recording, path, diags);
    const bool opened = sim_recording_open_events(&source->recording, path, diags);
    source->level = source->recording.run.events.level;
    return opened;
}

void sim_source_close(struct sim_source *source)
{
    sim_recording_close(&source->recording);
}

/* --- sinks ------------------------------------------------------------------------------------ */

/* The sinks of a reader, as one sink of their most detailed level. */
struct sinks {
    const struct traces_event_sink *sinks;
    size_t count;
    uint64_t to; /* end of the interval */
    traces_event_vec part;
    bool has_ended;
    const struct sim_source *file; /* file whose events are checked, or NULL */
    bool is_wrong;                 /* an event was invalid */
};

/* Returns an event as sent: END of a run that continues has the cycle at which the interval
 * ends. */
static struct traces_event as_sent(const struct sinks *s,
                                   const struct traces_event *event)
{
    struct traces_event e = *event;
    if (e.kind == TRACES_EVENT_END && e.how == ISA_END_INTERRUPTED && s->to != UINT64_MAX)
        e.cycle = e.a = s->to;
    return e;
}

/* Whether all that an event names exists, as sinks assume. Workers have no queues: only events of
 * execution have a valid worker. */
static bool is_sound(const struct isa_graph *g, uint32_t pes, bool has_workers,
                     const struct traces_event *e)
{
    const bool is_at = e->pe < pes, is_of = e->instr < g->node_count;
    const bool is_message = is_of && e->port >= TRACES_PORT_TENSOR &&
                            isa_op_is_on_tensors(g->nodes[e->instr].op);
    const bool is_release = is_of && e->port >= TRACES_PORT_TENSOR &&
                            isa_op_has_site(g->nodes[e->instr].op);
    /* If a call or loop is not entered, a hiaton reaches its EXIT as operand 1. */
    const uint32_t port = e->port - (is_message ? TRACES_PORT_TENSOR : 0);
    const bool has_port = is_of &&
                          (is_release || port < isa_node_ports(&g->nodes[e->instr]) ||
                           port == 0 || /* APPLY may have no operand */
                           (port == 1 && isa_op_brings_out(g->nodes[e->instr].op)));
    switch (e->kind) {
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
    case TRACES_EVENT_BUSY:
    case TRACES_EVENT_DEFERRED:
    case TRACES_EVENT_ANSWERED:
        return is_at && is_of;
    case TRACES_EVENT_LOCK:
        return is_at;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
    case TRACES_EVENT_TRAVELS:
    case TRACES_EVENT_FETCH:
    case TRACES_EVENT_RELEASE:
        return is_at && has_port && e->to < pes;
    case TRACES_EVENT_REQUEST: /* or an APPLY of the start */
        return is_at && is_of && (e->port == TRACES_NONE || has_port) && e->to < pes;
    case TRACES_EVENT_WOKEN:
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_RELEASED:
        return (is_at || has_workers) && is_of && (e->port == TRACES_NONE || has_port);
    case TRACES_EVENT_ENTERED:
    case TRACES_EVENT_LEFT:
        return e->how != TRACES_PLACE_INPUT || e->to < pes;
    default:
        return true;
    }
}

static bool are_sound(const struct sim_source *file, const struct traces_event *events,
                      size_t count)
{
    const struct traces_machine machine = machine_describe(
        &file->recording.session.setup.settings.machine, sim_source_graph(file), NULL);
    bool are = true;
    for (size_t i = 0; i < count && are; i++)
        are = is_sound(sim_source_graph(file), machine.pe_count, machine.has_workers,
                       &events[i]);
    return are;
}

static void report_unsound(const struct sim_source *file, struct lib_diags *diags)
{
    lib_diag_plain(diags, LIB_DIAG_FILE,
                   "%s: an event names an unknown PE, node or operand",
                   file->recording.path);
}

static void sinks_consume(void *context, const struct traces_event *events, size_t count)
{
    struct sinks *s = context;
    s->is_wrong |= s->file && !are_sound(s->file, events, count);
    if (s->is_wrong)
        return;
    s->has_ended |= events[count - 1].kind == TRACES_EVENT_END;
    for (size_t i = 0; i < s->count; i++) {
        s->part.count = 0;
        for (size_t k = 0; k < count; k++)
            if (traces_event_table[events[k].kind].level <= s->sinks[i].level)
                *LIB_VEC_PUSH(&s->part) = as_sent(s, &events[k]);
        if (s->part.count)
            s->sinks[i].take(s->sinks[i].context, s->part.items, s->part.count);
    }
}

static struct traces_event_sink sink_of(struct sinks *s)
{
    struct traces_event_sink sink = {TRACES_LEVEL_SUMMARY, sinks_consume, s};
    for (size_t i = 0; i < s->count; i++)
        if (s->sinks[i].level > sink.level)
            sink.level = s->sinks[i].level;
    return sink;
}

/* --- recordings ----------------------------------------------------------------------- */

/* Advances to `from` without sinks, from the last checkpoint before it. */
static bool go_to(struct sim_source *source, struct sim_simulation *simulation,
                  uint64_t from, struct lib_diags *diags)
{
    struct sim_recording *r = &source->recording;
    const size_t checkpoint = sim_recording_checkpoint(r, from);
    const struct sim_until until = {.cycle = from};
    if (checkpoint != SIZE_MAX &&
        !sim_recording_restore(r, checkpoint, simulation, diags))
        return false;
    return from == 0 ||
           sim_simulation_advance(simulation, &until) != SIM_ADVANCED_TO_STOP;
}

static bool run_again(struct sim_source *source, struct sim_source_window window,
                      const struct traces_event_sink *sinks, size_t sink_count,
                      const struct sim_watch *watch, struct lib_diags *diags)
{
    struct sim_recording *r = &source->recording;
    struct sim_simulation_config config = sim_session_config(&r->session);
    const struct sim_until until = {.cycle = window.to};
    struct sinks all = {.sinks = sinks, .count = sink_count, .to = window.to};
    const struct traces_event_sink sink = sink_of(&all);
    config.series = r->run.series; /* as in checkpoints */
    config.profile = r->run.profile;
    if (watch)
        config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    bool done = go_to(source, simulation, window.from, diags);
    if (done) {
        sim_simulation_listen(simulation, window.from, &sink, 1);
        if (source->has_values)
            sim_simulation_emit_token_values(simulation);
        done = sim_simulation_advance(simulation, &until) != SIM_ADVANCED_TO_STOP;
    }
    sim_simulation_close(simulation, NULL);
    LIB_VEC_FREE(&all.part);
    return done;
}

/* --- files of events ------------------------------------------------------------------ */

static struct traces_event interrupted_end(uint64_t cycle)
{
    return (struct traces_event){.cycle = cycle,
                                 .kind = TRACES_EVENT_END,
                                 .how = ISA_END_INTERRUPTED,
                                 .a = cycle,
                                 .instr = TRACES_NONE};
}

static void send_end(struct sinks *s, uint64_t cycle)
{
    const struct traces_event event = interrupted_end(cycle);
    if (!s->has_ended)
        sinks_consume(s, &event, 1);
}

/* Reading stops at the end of the interval, or when the watch says so. */
struct asked {
    const struct traces_window *window;
    const struct sim_watch *watch;
    bool is_stopped;
};

static bool goes_on(void *context)
{
    struct asked *a = context;
    a->is_stopped = a->watch && a->watch->look &&
                    !a->watch->look(NULL, a->watch->context);
    /* All of a whole stream is read, as the rest may be damaged. */
    return !a->is_stopped && (a->window->to == UINT64_MAX || !a->window->has_ended);
}

static struct traces_event_bounds bounds_of(const struct sim_source *source)
{
    const struct machine_settings *s = &source->recording.session.setup.settings.machine;
    const uint32_t pes = machine_describe(s, sim_source_graph(source), NULL).pe_count;
    const uint32_t links = machine_has_workers(s) ? 0 : machine_link_count(s);
    return (struct traces_event_bounds){
        .pes = pes, .places = links > pes ? links : pes, .ends = ISA_END_INTERRUPTED + 1};
}

static bool read_file(struct sim_source *source, struct sim_source_window wanted,
                      const struct traces_event_sink *sinks, size_t sink_count,
                      const struct sim_watch *watch, struct lib_diags *diags)
{
    struct sinks all = {
        .sinks = sinks, .count = sink_count, .to = wanted.to, .file = source};
    const struct traces_event_sink sink = sink_of(&all);
    struct traces_window window;
    struct asked asked = {&window, watch, false};
    const struct traces_event_read read = {
        .graph = sim_source_graph(source),
        .bounds = bounds_of(source),
        .from = wanted.from,
        .has_queues = sink.level == TRACES_LEVEL_QUEUES && source->level == sink.level,
        .goes_on = goes_on,
        .context = &asked};
    const size_t errors = diags->errors;
    traces_window_start(&window, wanted.from, wanted.to, ISA_END_INTERRUPTED, sink);
    window.present.is_lifo = sim_session_is_lifo(&source->recording.session);
    const bool done = traces_event_file_read(source->recording.chunks, &read,
                                             traces_window_sink(&window), diags) ||
                      (window.has_ended && diags->errors == errors);
    if (done && !all.is_wrong)
        send_end(&all, window.cycle);
    if (all.is_wrong)
        report_unsound(source, diags);
    traces_window_free(&window);
    LIB_VEC_FREE(&all.part);
    return done && !all.is_wrong && !asked.is_stopped;
}

bool sim_source_read(struct sim_source *source, struct sim_source_window window,
                     const struct traces_event_sink *sinks, size_t sink_count,
                     const struct sim_watch *watch, struct lib_diags *diags)
{
    return (source->recording.run.has_events ? read_file : run_again)(
        source, window, sinks, sink_count, watch, diags);
}

/* --- files of events, piecewise ------------------------------------------------------- */

struct sim_source_cursor {
    struct sim_source *source;
    const struct sim_watch *watch;
    struct traces_event_reader *reader;
    uint64_t cycle; /* of the last event */
    bool has_ended;
};

struct sim_source_cursor *sim_source_cursor_new(struct sim_source *source,
                                                const struct sim_watch *watch)
{
    struct sim_source_cursor *c = lib_mem_new(sizeof *c);
    const struct traces_event_bounds bounds = bounds_of(source);
    *c = (struct sim_source_cursor){.source = source, .watch = watch};
    c->reader = traces_event_reader_new(source->recording.chunks,
                                        sim_source_graph(source), &bounds);
    return c;
}

void sim_source_cursor_free(struct sim_source_cursor *c)
{
    if (!c)
        return;
    traces_event_reader_free(c->reader);
    lib_mem_free(c);
}

/* Returns how many events belong to the cycle of event `wanted`, from 1, or before; all if that
 * cycle may continue. */
static size_t up_to_cycle(const struct sim_source_cursor *c,
                          const struct traces_event *events, size_t count,
                          uint64_t wanted)
{
    if (wanted > count)
        return count;
    const uint64_t cycle = wanted ? events[wanted - 1].cycle : c->cycle;
    size_t sent = (size_t)wanted;
    while (sent < count && events[sent].cycle == cycle)
        sent++;
    return sent;
}

/* Sends the next block of events, and subtracts them from *wanted; sets *is_over if no more are to
 * be sent. Returns false like sim_source_cursor_advance. */
static bool send_next(struct sim_source_cursor *c, uint64_t *wanted, bool *is_over,
                      struct traces_event_sink sink, struct lib_diags *diags)
{
    size_t count;
    const struct traces_event *events = traces_event_reader_next(c->reader, &count,
                                                                 diags);
    const struct traces_event last = interrupted_end(c->cycle);
    if (!events ||
        (c->watch && c->watch->look && !c->watch->look(NULL, c->watch->context)))
        return false;
    *is_over = count == 0;
    if (count == 0 && c->has_ended)
        return true;
    const size_t sent = count ? up_to_cycle(c, events, count, *wanted) : 1;
    traces_event_reader_unread(c->reader, count ? count - sent : 0);
    *is_over |= sent < count;
    *wanted -= *wanted < sent ? *wanted : sent;
    events = count ? events : &last;
    if (sent == 0)
        return true;
    if (!are_sound(c->source, events, sent)) {
        report_unsound(c->source, diags);
        return false;
    }
    c->cycle = events[sent - 1].cycle;
    c->has_ended = events[sent - 1].kind == TRACES_EVENT_END;
    sink.take(sink.context, events, sent);
    return true;
}

bool sim_source_cursor_advance(struct sim_source_cursor *c, uint64_t events,
                               struct traces_event_sink sink, struct lib_diags *diags)
{
    for (bool is_over = false; !is_over;)
        if (!send_next(c, &events, &is_over, sink, diags))
            return false;
    return true;
}

struct traces_event_place sim_source_cursor_place(const struct sim_source_cursor *c)
{
    return traces_event_reader_place(c->reader);
}

bool sim_source_cursor_seek(struct sim_source_cursor *c, struct traces_event_place place,
                            struct lib_diags *diags)
{
    c->cycle = 0;
    c->has_ended = false;
    return traces_event_reader_go_to(c->reader, place, diags);
}

uint64_t sim_source_end(const struct sim_source *source)
{
    const struct sim_recording *r = &source->recording;
    uint64_t last = r->run.has_events ? 0 : r->digests.end;
    for (size_t i = 0; r->run.has_events && i < traces_chunks_count(r->chunks); i++) {
        const struct traces_chunk *chunk = traces_chunks_get(r->chunks, i);
        if (chunk->type == TRACES_EVENTS_BLOCK && chunk->to > last)
            last = chunk->to;
    }
    return last;
}
