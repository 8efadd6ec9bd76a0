#include "sim/replay/event_replay.h"

#include <inttypes.h>
#include <string.h>

#include "sim/replay/event_text.h"
#include "sim/replay/event_filter.h"

enum { AHEAD = 20000 }; /* tokens per advance while the file has more events */

/* The run advances as far as the events of the file need. */
struct replay {
    struct sim_event_replay_report *report;
    struct sim_simulation *simulation; /* NULL: it has ended and emitted all events */
    traces_event_vec emitted;          /* events since the last advance */
    size_t at;                         /* index of the first that is not compared */
    struct sim_event_text text;
    bool differs, is_stopped;
};

static void replay_consume(void *context, const struct traces_event *events, size_t count)
{
    struct replay *r = context;
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&r->emitted) = events[i];
}

/* Returns the next event of the run; NULL at its end. */
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

/* Reports the first difference. NULL: the file or the run has ended. */
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
            return; /* END made by sim_source_read, as the file has none */
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
        .source = source, .is_part = traces_chunks_damage(source->recording.chunks)};
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
    LIB_TEXT_FREE(&report->expected_text, &report->found_text);
}

/* --- findings ------------------------------------------------------------------------- */

/* Adds an event; NULL: the side has ended. */
static void add_event(struct lib_findings *f, const char *key,
                      const struct traces_event *event, const struct isa_graph *graph)
{
    if (!event) {
        lib_findings_word(f, key, NULL, NULL);
        return;
    }
    lib_findings_open(f, key, NULL);
    lib_findings_count(f, "cycle", event->cycle, NULL);
    lib_findings_word(f, "event", traces_event_table[event->kind].text, NULL);
    for (const struct traces_event_field *field = traces_event_table[event->kind].fields;
         field->text; field++) {
        const uint64_t value = traces_event_get(event, field);
        const bool is_value = field->meaning == TRACES_MEANS_VALUE;
        const bool is_none = field->size == sizeof event->tag && value == TRACES_NONE;
        lib_findings_add(f, field->text,
                         is_value  ? traces_event_value(graph, event)
                         : is_none ? lib_none()
                                   : lib_count(value),
                         NULL);
        if (field->meaning == TRACES_MEANS_INSTR && value < graph->node_count)
            lib_findings_count(f, "line", graph->nodes[value].pos.line, NULL);
    }
    lib_findings_close(f);
}

static void add_line(struct lib_findings *f, const char *what, bool is_there,
                     const struct lib_text *text)
{
    const char *line = is_there ? lib_text_get(text)
                                : "         -    -  no event any more\n";
    lib_findings_note(f, "%-12s%.*s", what, (int)strcspn(line, "\n"), line);
}

static void add_lines(const struct sim_event_replay_report *report, const char *name,
                      struct lib_findings *f)
{
    LIB_TEXT_OWN heading = {0};
    if (report->is_same) {
        lib_findings_note(f, "%s: the same run: %" PRIu64 " events of level %s%s", name,
                          report->events, traces_level_table[report->source->level].text,
                          report->is_part ? ", as far as the file goes" : "");
        return;
    }
    lib_findings_note(f, "%s: not the same run", name);
    lib_findings_note(f, "first difference: after %" PRIu64 " events that are the same",
                      report->events);
    sim_event_text_heading(&heading);
    add_line(f, "", true, &heading);
    add_line(f, "expected", report->has_expected, &report->expected_text);
    add_line(f, "came", report->has_found, &report->found_text);
}

void sim_event_replay_findings(const void *found, struct lib_findings *f)
{
    const struct sim_event_replay_report *report = found;
    const struct sim_source *source = report->source;
    const struct isa_graph *graph = sim_source_graph(source);
    if (f->for_people) {
        add_lines(report, sim_program_title(&source->recording.session.program), f);
        return;
    }
    lib_findings_flag(f, "same", report->is_same, NULL);
    lib_findings_flag(f, "whole", !report->is_part, NULL);
    lib_findings_count(f, "events", report->events, NULL);
    if (report->is_same)
        return;
    add_event(f, "expected", report->has_expected ? &report->expected : NULL, graph);
    add_event(f, "came", report->has_found ? &report->found : NULL, graph);
}
