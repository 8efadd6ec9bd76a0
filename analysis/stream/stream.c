#include "analysis/stream/stream.h"

#define ANALYSIS(name, LEVEL, WINDOW, help)                                              \
    extern const struct analysis_stream_kind analysis_##name;
#include "analysis/stream/analyses.def"

const struct analysis_stream_row analysis_stream_table[ANALYSIS_STREAM_COUNT] = {
#define ANALYSIS(name, LEVEL, WINDOW, help)                                              \
    {#name, help, TRACES_LEVEL_##LEVEL, ANALYSIS_STREAM_##WINDOW, &analysis_##name},
#include "analysis/stream/analyses.def"
};

struct stream {
    const struct analysis_stream_row *row;
    void *state;
};

/* A sink, shared by the analyses of a level, as a machine copies events for each sink that does not
 * want all. Analyses with `shares_live` get the greatest level of any of them, so that all see the
 * same activations. */
struct level {
    struct analysis_streams *of;
    enum traces_level level;
    bool shares_live;
};

struct analysis_streams {
    struct analysis_stream_run run;
    struct traces_live_tags live;
    struct level levels[TRACES_LEVEL_COUNT];
    struct traces_event end;
    struct stream streams[ANALYSIS_STREAM_COUNT];
};

struct analysis_streams *analysis_streams_new(const struct analysis_stream_run *run,
                                              const bool wanted[ANALYSIS_STREAM_COUNT])
{
    struct analysis_streams *all = lib_mem_new(sizeof *all);
    all->run = *run;
    all->run.live = &all->live;
    traces_live_tags_start(&all->live, run->graph, false);
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        if (wanted[i]) {
            const struct analysis_stream_row *row = &analysis_stream_table[i];
            all->streams[i] = (struct stream){row, row->kind->make(&all->run)};
        }
    return all;
}

void analysis_streams_free(struct analysis_streams *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        if (all->streams[i].row)
            all->streams[i].row->kind->free(all->streams[i].state);
    traces_live_tags_free(&all->live);
    lib_mem_free(all);
}

static size_t first_at(const struct traces_event *events, size_t count, uint64_t cycle)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (events[middle].cycle < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void give_events(const struct analysis_streams *all, const struct stream *s,
                        const struct traces_event *events, size_t count)
{
    const struct analysis_stream_run *run = &all->run;
    size_t from = 0, to = count;
    if (s->row->window == ANALYSIS_STREAM_COUNTS && !analysis_stream_is_whole(run)) {
        from = first_at(events, to, run->from);
        to = first_at(events, to, run->to);
    }
    if (from < to)
        s->row->kind->take(s->state, events + from, to - from);
}

static bool shares_live(const struct stream *s)
{
    return s->row && s->row->kind->shares_live;
}

/* Whether an event is noted before analyses take it. */
static bool makes(const struct traces_event *e)
{
    return traces_event_table[e->kind].level == TRACES_LEVEL_SUMMARY &&
           e->kind != TRACES_EVENT_GONE;
}

static void foresee(struct analysis_streams *all, const struct traces_event *events,
                    size_t count)
{
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        if (shares_live(&all->streams[i]) && all->streams[i].row->kind->foresee)
            all->streams[i].row->kind->foresee(all->streams[i].state, events, count);
}

/* Passes events to the analyses that share live activations, in blocks that do not change these. */
static void give_with_live(struct analysis_streams *all,
                           const struct traces_event *events, size_t count)
{
    enum { AHEAD = 64 }; /* events to foresee: some microseconds */
    for (size_t from = 0, to, seen = 0; from < count; from = to) {
        if (makes(&events[from]))
            traces_live_tags_note(&all->live, &events[from]);
        for (to = from + 1; to < count && events[to - 1].kind != TRACES_EVENT_GONE &&
                            !makes(&events[to]);)
            to++;
        const size_t soon = to + AHEAD < count ? to + AHEAD : count;
        foresee(all, events + seen, soon - seen);
        seen = soon;
        for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
            if (shares_live(&all->streams[i]))
                all->streams[i].row->kind->take(all->streams[i].state, events + from,
                                                to - from);
        if (events[to - 1].kind == TRACES_EVENT_GONE)
            traces_live_tags_note(&all->live, &events[to - 1]);
    }
}

static void streams_take(void *context, const struct traces_event *events, size_t count)
{
    const struct level *level = context;
    struct analysis_streams *all = level->of;
    const struct traces_event *last = events + count - (count > 0);
    const bool ends = count && last->kind == TRACES_EVENT_END;
    if (level->shares_live)
        give_with_live(all, events, count);
    if (level->shares_live && ends)
        traces_live_tags_free(&all->live); /* frees memory for other analyses */
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        const struct stream *s = &all->streams[i];
        if (!s->row || s->row->level != level->level || shares_live(s))
            continue;
        give_events(all, s, events, count - ends);
        if (ends)
            s->row->kind->take(s->state, last, 1);
    }
    if (ends)
        all->end = *last;
}

size_t analysis_streams_sinks(struct analysis_streams *all,
                              struct traces_event_sink sinks[TRACES_LEVEL_COUNT])
{
    bool wanted[TRACES_LEVEL_COUNT] = {false};
    enum traces_level sharing = TRACES_LEVEL_COUNT;
    size_t count = 0;
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        const struct stream *s = &all->streams[i];
        if (!shares_live(s))
            wanted[s->row ? s->row->level : 0] |= s->row != NULL;
        else if (sharing == TRACES_LEVEL_COUNT || s->row->level > sharing)
            sharing = s->row->level;
    }
    for (enum traces_level level = 0; level < TRACES_LEVEL_COUNT; level++) {
        all->levels[level] = (struct level){all, level, level == sharing};
        if (wanted[level] || level == sharing)
            sinks[count++] = (struct traces_event_sink){level, streams_take,
                                                        &all->levels[level]};
    }
    return count;
}

void analysis_streams_tell(struct analysis_streams *all, size_t which,
                           struct lib_findings *findings)
{
    all->streams[which].row->kind->tell(all->streams[which].state, findings);
}

void analysis_stream_numbers(size_t which, struct lib_findings *findings)
{
    static const struct isa_graph nothing;
    const struct analysis_stream_run run = {.graph = &nothing,
                                            .machine.pe_count = 1,
                                            .machine.others = {.units = 1, .turns = 1},
                                            .to = UINT64_MAX};
    bool wanted[ANALYSIS_STREAM_COUNT] = {false};
    wanted[which] = true;
    struct analysis_streams *streams = analysis_streams_new(&run, wanted);
    lib_findings_start(findings, analysis_stream_table[which].name, false);
    analysis_streams_tell(streams, which, findings);
    analysis_streams_free(streams);
}

const struct traces_event *analysis_streams_end(const struct analysis_streams *all)
{
    return &all->end;
}
