#include "sim/replay/event_replay.h"

#include <inttypes.h>

#include "lib/json.h"
#include "sim/replay/event_text.h"
#include "sim/replay/event_filter.h"

enum { AHEAD = 20000 }; /* tokens per advance of the run while the file has more events */

/* State of a comparison: the file is read, and the run advances as far as that needs. */
struct replay {
    struct sim_event_replay_report *report;
    struct sim_simulation *simulation; /* NULL: it has ended and emitted all */
    traces_event_vec emitted;          /* events of the run since its last advance */
    size_t at;                         /* index of the first one that is not compared */
    struct sim_event_text text;
    bool differs, is_stopped;
};

static void replay_consume(void *context, const struct traces_event *events, size_t count)
{
    struct replay *r = context;
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&r->emitted) = events[i];
}

/* Returns the next event of the run, or NULL at its end. */
static const struct traces_event *next_event(struct replay *r)
{
    const struct sim_until until = {.tokens = AHEAD};
    while (r->at == r->emitted.count && r->simulation && !r->is_stopped) {
        r->at = r->emitted.count = 0;
        const enum sim_advanced advanced = sim_simulation_advance(r->simulation, &until);
        r->is_stopped = advanced == SIM_ADVANCED_TO_STOP;
        if (advanced == SIM_ADVANCED_TO_END) {
            sim_simulation_close(r->simulation, NULL);
            r->simulation = NULL;
        }
    }
    return r->at < r->emitted.count ? &r->emitted.items[r->at] : NULL;
}

/* Compares the fields that events of this kind have. */
static bool is_same(const struct traces_event *a, const struct traces_event *b)
{
    if (a->kind != b->kind || a->cycle != b->cycle)
        return false;
    for (const struct traces_event_field *f = traces_event_table[a->kind].fields; f->text;
         f++)
        if (traces_event_get(a, f) != traces_event_get(b, f))
            return false;
    return true;
}

/* Reports the first difference; an event is NULL if its side has ended. */
static void report_difference(struct replay *r, const struct traces_event *expected,
                              const struct traces_event *found)
{
    struct sim_event_replay_report *report = r->report;
    r->differs = true;
    if (expected) {
        report->has_expected = true;
        report->expected = *expected;
        sim_event_text_peek(&r->text, expected, &report->expected_text);
    }
    if (found) {
        report->has_found = true;
        report->found = *found;
        sim_event_text_peek(&r->text, found, &report->found_text);
    }
}

static void compare_events(void *context, const struct traces_event *events, size_t count)
{
    struct replay *r = context;
    for (size_t i = 0; i < count && !r->differs && !r->is_stopped; i++) {
        const struct traces_event *found = next_event(r);
        if (r->is_stopped)
            return;
        if (r->report->is_part && events[i].kind == TRACES_EVENT_END)
            return; /* made by sim_source_read: the file has no END */
        if (!found || !is_same(&events[i], found)) {
            report_difference(r, &events[i], found);
            return;
        }
        sim_event_text_add(&r->text, &events[i], NULL);
        r->report->events++;
        r->at++;
    }
}

static bool must_read_on(const struct sim_simulation *simulation, void *context)
{
    const struct replay *r = context;
    (void)simulation;
    return !r->differs && !r->is_stopped;
}

static bool run_and_compare(struct replay *r, struct sim_source *source,
                            struct lib_diags *diags)
{
    const struct sim_source_window whole = {0, UINT64_MAX};
    const struct traces_event_sink sink = {source->level, compare_events, r};
    const struct sim_watch watch = {.look = must_read_on, .context = r};
    const bool read = sim_source_read(source, whole, &sink, 1, &watch, diags);
    if (!r->differs && !r->is_stopped && read && !r->report->is_part && next_event(r))
        report_difference(r, NULL, next_event(r));
    r->report->is_same = read && !r->differs;
    return !r->is_stopped && (read || r->differs);
}

bool sim_event_replay_run(struct sim_source *source, const struct sim_session *session,
                          const struct sim_watch *watch,
                          struct sim_event_replay_report *report, struct lib_diags *diags)
{
    struct sim_simulation_config config = sim_session_config(session);
    struct replay r = {.report = report};
    struct sim_event_filter selection;
    *report = (struct sim_event_replay_report){
        .is_part = traces_chunks_damage(source->recording.chunks)};
    bool done = sim_event_filter_start(&selection, session, &source->recording.run.events,
                                       diags);
    const struct traces_event_sink all = {source->level, replay_consume, &r};
    const struct traces_event_sink sink = done ? sim_event_filter_sink(&selection, all)
                                               : (struct traces_event_sink){0};
    config.sinks = &sink;
    config.sink_count = 1;
    config.watch = *watch;
    r.simulation = done ? sim_simulation_open(&config, diags) : NULL;
    sim_event_text_start(&r.text, sim_source_graph(source), false);
    done = r.simulation && run_and_compare(&r, source, diags);
    if (r.simulation)
        sim_simulation_close(r.simulation, NULL);
    sim_event_text_free(&r.text);
    sim_event_filter_free(&selection);
    LIB_VEC_FREE(&r.emitted);
    return done;
}

void sim_event_replay_free(struct sim_event_replay_report *report)
{
    lib_text_free(&report->expected_text);
    lib_text_free(&report->found_text);
}

/* --- writing -------------------------------------------------------------------------- */

static const char *line_of(bool is_there, const struct lib_text *text)
{
    return is_there ? lib_text_get(text) : "         -    -  no event any more\n";
}

void sim_event_replay_write(const struct sim_event_replay_report *report,
                            const struct sim_source *source, struct lib_text *out)
{
    const char *name = sim_program_title(&source->recording.session.program);
    const char *part = report->is_part ? ", as far as the file goes" : "";
    if (report->is_same) {
        lib_text_printf(out, "%s: the same run: %" PRIu64 " events of level %s%s\n", name,
                        report->events, traces_level_table[source->level].text, part);
        return;
    }
    lib_text_printf(out,
                    "%s: not the same run\nfirst difference: after %" PRIu64
                    " events that are the same\n            ",
                    name, report->events);
    sim_event_text_heading(out);
    lib_text_printf(out, "expected    %s",
                    line_of(report->has_expected, &report->expected_text));
    lib_text_printf(out, "came        %s",
                    line_of(report->has_found, &report->found_text));
}

static void write_event(struct lib_json *json, const char *key, bool is_there,
                        const struct traces_event *event, const struct sim_source *source)
{
    const struct isa_graph *graph = sim_source_graph(source);
    if (!is_there) {
        lib_json_null(json, key);
        return;
    }
    lib_json_open(json, key, '{');
    lib_json_uint(json, "cycle", event->cycle);
    lib_json_string(json, "event", traces_event_table[event->kind].text);
    for (const struct traces_event_field *f = traces_event_table[event->kind].fields;
         f->text; f++) {
        const uint64_t value = traces_event_get(event, f);
        if (f->meaning == TRACES_MEANS_VALUE)
            traces_event_value_json(graph, event, f->text, json);
        else if (f->size == sizeof event->tag && value == TRACES_NONE)
            lib_json_null(json, f->text);
        else
            lib_json_uint(json, f->text, value);
        if (f->meaning == TRACES_MEANS_INSTR && value < graph->node_count)
            lib_json_uint(json, "line", graph->nodes[value].pos.line);
    }
    lib_json_close(json);
}

void sim_event_replay_write_json(const struct sim_event_replay_report *report,
                                 const struct sim_source *source, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_bool(&json, "same", report->is_same);
    lib_json_bool(&json, "whole", !report->is_part);
    lib_json_uint(&json, "events", report->events);
    if (!report->is_same) {
        write_event(&json, "expected", report->has_expected, &report->expected, source);
        write_event(&json, "came", report->has_found, &report->found, source);
    }
    lib_json_close(&json);
}
