/* State over time: waiting tokens, live tokens and live activations at the end of each cycle. */
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"
#include "traces/event_counts.h"

enum { BINS = 4096 };

#define CHANNELS(CHANNEL)                                                                \
    CHANNEL(waiting, "operands in matching stores")                                      \
    CHANNEL(live_tokens, "tokens made and not consumed")                                 \
    CHANNEL(tags, "activations alive")

enum {
#define CHANNEL(key, help) CHANNEL_##key,
    CHANNELS(CHANNEL)
#undef CHANNEL
        CHANNEL_COUNT,
};

struct state {
    const struct analysis_stream_run *run;
    struct analysis_timeline over_time;
    uint64_t cycle;
    uint64_t now[CHANNEL_COUNT], peak[CHANNEL_COUNT], sum[CHANNEL_COUNT];
};

static void *state_make(const struct analysis_stream_run *run)
{
    struct state *s = lib_mem_new(sizeof *s);
    s->run = run;
    analysis_timeline_start(&s->over_time, CHANNEL_COUNT, BINS, true);
    return s;
}

static void release(void *state)
{
    struct state *s = state;
    analysis_timeline_free(&s->over_time);
    lib_mem_free(s);
}

/* Accounts the current numbers until `cycle`. In a run of 0 cycles those at the end are peaks,
 * too. */
static void pass_cycles(struct state *s, uint64_t cycle)
{
    const struct analysis_stream_run *run = s->run;
    const uint64_t from = s->cycle > run->from ? s->cycle : run->from;
    const uint64_t to = cycle < run->to ? cycle : run->to;
    const bool is_seen = s->cycle < run->to && cycle >= run->from;
    for (uint32_t c = 0; c < CHANNEL_COUNT && is_seen; c++) {
        s->peak[c] = s->now[c] > s->peak[c] ? s->now[c] : s->peak[c];
        if (from >= to)
            continue;
        analysis_timeline_hold(&s->over_time, from - run->from, to - run->from, c,
                               s->now[c]);
        s->sum[c] += s->now[c] * (to - from);
    }
    s->cycle = cycle > s->cycle ? cycle : s->cycle;
}

static void state_take(void *state, const struct traces_event *events, size_t count)
{
    struct state *s = state;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        if (e->kind == TRACES_EVENT_END)
            pass_cycles(s, e->a);
        else if (e->cycle != s->cycle)
            pass_cycles(s, e->cycle);
        s->now[CHANNEL_waiting] += traces_event_waiting(e);
        s->now[CHANNEL_live_tokens] += traces_event_live(e);
        s->now[CHANNEL_tags] += traces_event_tags(e);
    }
}

static void report_over_time(const struct state *s, struct lib_findings *f)
{
    const struct analysis_timeline *over_time = &s->over_time;
    struct lib_table *t = lib_findings_table(f, "over_time",
                                             "mean, and peak, from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width");
#define CHANNEL(key, help)                                                               \
    lib_table_column(t, #key);                                                           \
    lib_table_column(t, "peak_" #key);
    CHANNELS(CHANNEL)
#undef CHANNEL
    t->bar = 2 + 2 * CHANNEL_live_tokens;
    for (size_t i = 0; i < analysis_timeline_spans(over_time, f->most); i++) {
        const struct analysis_span span = analysis_timeline_span(over_time, f->most, i);
        lib_table_count(t, s->run->from + span.from);
        lib_table_count(t, span.width);
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
            const uint64_t sum = analysis_timeline_sum(over_time, &span, c);
            lib_table_real(t, (double)sum / (double)span.width);
            lib_table_count(t, analysis_timeline_peak(over_time, &span, c));
        }
    }
}

static void state_report(void *state, struct lib_findings *f)
{
    const struct state *s = state;
    const double cycles = (double)s->over_time.length;
#define CHANNEL(key, help)                                                               \
    lib_findings_count(f, "peak_" #key, s->peak[CHANNEL_##key],                          \
                       "most " help " at the end of a cycle");                           \
    lib_findings_real(f, "mean_" #key, lib_ratio((double)s->sum[CHANNEL_##key], cycles), \
                      "the same, averaged over cycles");
    CHANNELS(CHANNEL)
#undef CHANNEL
    report_over_time(s, f);
}

extern const struct analysis_stream_kind analysis_state;
const struct analysis_stream_kind analysis_state = {state_make, state_take, state_report,
                                                    release,    false,      NULL};
