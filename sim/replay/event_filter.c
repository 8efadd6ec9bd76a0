#include "sim/replay/event_filter.h"

bool sim_event_filter_start(struct sim_event_filter *s, const struct sim_session *session,
                            const struct sim_recorded_events *events,
                            struct lib_diags *diags)
{
    *s = (struct sim_event_filter){.session = session, .events = *events};
    return traces_filter_start(&s->filter, session->program.graph, &events->filter,
                               (struct traces_event_sink){0}, diags);
}

void sim_event_filter_free(struct sim_event_filter *s)
{
    traces_filter_free(&s->filter);
    if (s->window.sink.take)
        traces_window_free(&s->window);
}

/* The window comes before the filter, which needs a stream that begins with the present state. */
struct traces_event_sink sim_event_filter_sink(struct sim_event_filter *s,
                                               struct traces_event_sink sink)
{
    const struct sim_recorded_events *e = &s->events;
    if (traces_filter_is_any(&e->filter)) {
        s->filter.sink = sink;
        sink = traces_filter_sink(&s->filter);
    }
    if (e->from == 0 && e->to == UINT64_MAX)
        return sink;
    traces_window_start(&s->window, e->from, e->to, ISA_END_INTERRUPTED, sink);
    s->window.present.is_lifo = sim_session_is_lifo(s->session);
    return traces_window_sink(&s->window);
}
