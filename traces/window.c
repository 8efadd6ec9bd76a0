#include "traces/window.h"

void traces_window_start(struct traces_window *w, uint64_t from, uint64_t to,
                         uint8_t goes_on, struct traces_event_sink sink)
{
    *w = (struct traces_window){
        .from = from, .to = to, .goes_on = goes_on, .sink = sink, .has_begun = from == 0};
    traces_present_start(&w->present, sink.level >= TRACES_LEVEL_QUEUES);
}

void traces_window_free(struct traces_window *w)
{
    traces_present_free(&w->present);
    LIB_VEC_FREE(&w->pending);
}

static void flush_events(struct traces_window *w)
{
    if (w->pending.count)
        w->sink.take(w->sink.context, w->pending.items, w->pending.count);
    w->pending.count = 0;
}

static void begin_window(struct traces_window *w)
{
    w->has_begun = true;
    traces_present_emit(&w->present, w->from, &w->pending);
    traces_present_free(&w->present);
    flush_events(w);
    LIB_VEC_FREE(&w->pending); /* it may be large; later batches are smaller */
}

static void take_one(struct traces_window *w, const struct traces_event *e)
{
    if (!w->has_begun && (e->cycle >= w->from || e->kind == TRACES_EVENT_END))
        begin_window(w);
    if (!w->has_begun) {
        w->is_wrong |= !traces_present_note(&w->present, e);
        w->cycle = e->cycle;
        return;
    }
    if (e->kind == TRACES_EVENT_END || e->cycle >= w->to)
        w->has_ended = true;
    if (e->cycle >= w->to)
        *LIB_VEC_PUSH(&w->pending) = (struct traces_event){.cycle = w->to,
                                                           .kind = TRACES_EVENT_END,
                                                           .how = w->goes_on,
                                                           .a = w->to,
                                                           .instr = TRACES_NONE};
    else if (traces_event_table[e->kind].level <= w->sink.level)
        *LIB_VEC_PUSH(&w->pending) = *e;
    w->cycle = e->cycle;
}

static void window_take(void *context, const struct traces_event *events, size_t count)
{
    struct traces_window *w = context;
    for (size_t i = 0; i < count && !w->has_ended; i++)
        take_one(w, &events[i]);
    flush_events(w);
}

struct traces_event_sink traces_window_sink(struct traces_window *w)
{
    return (struct traces_event_sink){w->sink.level, window_take, w};
}
