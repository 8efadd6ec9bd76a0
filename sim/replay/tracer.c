#include "sim/replay/tracer.h"

#include "sim/replay/event_filter.h"
#include "traces/files/event_file.h"

struct sim_tracer {
    struct traces_chunks_writer *file;
    struct traces_event_writer *events;
    struct sim_event_filter selection;
    const struct isa_graph *graph;
    struct sim_recorded_feeds fed; /* fed while events are written */
    uint64_t feeds;                /* feeds known before the run */
};

/* Checks the filter before it creates the file. */
struct sim_tracer *sim_tracer_new(const char *path,
                                  const struct sim_recorded_events *events,
                                  const struct sim_session *session,
                                  struct lib_diags *diags)
{
    const struct isa_graph *graph = session->program.graph;
    struct sim_tracer *t = lib_mem_new(sizeof *t);
    const bool good = sim_event_filter_start(&t->selection, session, events, diags);
    t->file = good ? traces_chunks_create(path, &sim_events_kind, diags) : NULL;
    if (!t->file) {
        sim_event_filter_free(&t->selection);
        lib_mem_free(t);
        return NULL;
    }
    sim_recording_write_run(t->file, session, false, false, events);
    t->events = traces_event_writer_new(t->file, graph);
    t->graph = graph;
    t->feeds = session->feeds ? session->feeds->all.count : 0;
    return t;
}

void sim_tracer_feed(struct sim_tracer *t, const struct machine_feed *feed)
{
    sim_recorded_feeds_add(&t->fed, t->graph, feed);
}

struct traces_event_sink sim_tracer_sink(struct sim_tracer *t)
{
    return sim_event_filter_sink(
        &t->selection, traces_event_writer_sink(t->events, t->selection.events.level));
}

static void end_events(struct sim_tracer *t, bool is_whole)
{
    traces_event_writer_end(t->events, is_whole);
    if (t->fed.count)
        sim_recorded_feeds_write(&t->fed, t->file,
                                 (struct sim_recorded_mark){.feeds = t->feeds});
    sim_recorded_feeds_free(&t->fed);
    sim_event_filter_free(&t->selection);
}

bool sim_tracer_finish(struct sim_tracer *t, struct lib_diags *diags)
{
    end_events(t, true);
    const bool written = traces_chunks_finish(t->file, diags);
    lib_mem_free(t);
    return written;
}

void sim_tracer_leave(struct sim_tracer *t)
{
    end_events(t, false);
    traces_chunks_leave(t->file);
    lib_mem_free(t);
}

void sim_tracer_abandon(struct sim_tracer *t)
{
    end_events(t, false);
    traces_chunks_abandon(t->file);
    lib_mem_free(t);
}
