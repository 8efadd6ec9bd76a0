#include "sim/explain/trace_diff.h"

#include <inttypes.h>

struct reader {
    struct sim_source *source;
    struct lib_diags diags; /* one each, as two threads read two sources */
    bool (*stop)(void);
};

struct stop_conditions {
    const struct reader *reader;
    const atomic_bool *stop;
};

static bool must_read_on(const struct sim_simulation *simulation, void *context)
{
    const struct stop_conditions *wish = context;
    (void)simulation;
    return !(wish->stop && *wish->stop) && !wish->reader->stop();
}

static bool read_events(void *context, uint64_t from, uint64_t to,
                        const struct traces_event_sink *sink, const atomic_bool *stop)
{
    struct reader *r = context;
    struct stop_conditions wish = {r, stop};
    const struct sim_watch watch = {.look = must_read_on, .context = &wish};
    return sim_source_read(r->source, (struct sim_source_window){from, to}, sink, 1,
                           &watch, &r->diags);
}

static bool is_comparable(const struct sim_trace_diff *d, struct lib_diags *diags)
{
    for (size_t side = 0; side < 2; side++) {
        const struct sim_recording *r = &d->sources[side].recording;
        if (r->run.has_events && !sim_recorded_events_are_all(&r->run.events)) {
            lib_diag_plain(diags, LIB_DIAG_FILE,
                           "%s: expected all events of a run, found those of a filter or "
                           "of some cycles",
                           d->names[side]);
            return false;
        }
    }
    for (size_t side = 0; side < 2; side++)
        if (d->sources[side].level < TRACES_LEVEL_FIRINGS) {
            lib_diag_plain(diags, LIB_DIAG_FILE,
                           "%s: expected events of the level `%s` at least, found `%s`",
                           d->names[side], traces_level_table[TRACES_LEVEL_FIRINGS].text,
                           traces_level_table[d->sources[side].level].text);
            return false;
        }
    return true;
}

/* Returns the cycle until which the recorded digests are equal; UINT64_MAX if all are, or if they
 * cannot be compared. */
static uint64_t compare_recorded(const struct sim_trace_diff *d)
{
    const struct sim_recording *a = &d->sources[0].recording,
                               *b = &d->sources[1].recording;
    const struct traces_digests *x = &a->digests, *y = &b->digests;
    if (!a->is_complete || !b->is_complete || x->interval != y->interval ||
        x->parts != y->parts || d->found->alike->strategies_differ)
        return UINT64_MAX;
    const size_t row = traces_digests_differ(x, y);
    if (row >= x->totals.count || row >= y->totals.count)
        return UINT64_MAX;
    /* The difference is before the time of the row. */
    const uint64_t time = traces_digests_time(x, row);
    const struct analysis_first *first = &d->found->first;
    for (size_t side = 0; side < 2; side++)
        if (first->is_found && first->events[side].is_there &&
            first->events[side].event.cycle < time)
            return UINT64_MAX;
    return row ? traces_digests_time(x, row - 1) : 0;
}

static bool compare_events(struct sim_trace_diff *d,
                           const struct analysis_diff_config *config, bool (*stop)(void),
                           struct lib_diags *diags)
{
    struct reader readers[2];
    struct analysis_source sources[2];
    for (size_t side = 0; side < 2; side++) {
        readers[side] = (struct reader){.source = &d->sources[side], .stop = stop};
        sources[side] = (struct analysis_source){
            .graph = sim_source_graph(&d->sources[side]),
            .level = d->sources[side].level,
            .read = read_events,
            .context = &readers[side],
        };
    }
    d->found = analysis_diff_find(sources, config);
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < readers[side].diags.count; i++)
            lib_diag_error(diags, readers[side].diags.items[i].code, NULL,
                           (struct lib_pos){0}, "%s", readers[side].diags.items[i].text);
        lib_diags_free(&readers[side].diags);
    }
    return d->found->is_whole && !stop();
}

bool sim_trace_diff_find(struct sim_trace_diff *d, const char *const paths[2],
                         const struct analysis_diff_config *config, bool (*stop)(void),
                         struct lib_diags *diags)
{
    *d = (struct sim_trace_diff){.arena = lib_arena_new(), .recorded_from = UINT64_MAX};
    for (size_t side = 0; side < 2; side++) {
        d->names[side] = paths[side];
        d->opened[side] = true;
        if (!sim_source_open(&d->sources[side], paths[side], diags))
            return false;
    }
    const struct sim_recording *a = &d->sources[0].recording,
                               *b = &d->sources[1].recording;
    if (!is_comparable(d, diags))
        return false;
    sim_replay_reasons(&a->run.by, &a->session, &b->run.by, &b->session, d->arena,
                       &d->reasons);
    if (!compare_events(d, config, stop, diags))
        return false;
    d->recorded_from = compare_recorded(d);
    return true;
}

void sim_trace_diff_free(struct sim_trace_diff *d)
{
    analysis_diff_free(d->found);
    LIB_VEC_FREE(&d->reasons);
    for (size_t side = 0; side < 2; side++)
        if (d->opened[side])
            sim_source_close(&d->sources[side]);
    lib_arena_free(d->arena);
}

bool sim_trace_diff_is_same(const struct sim_trace_diff *d)
{
    return d->found->is_same && d->recorded_from == UINT64_MAX;
}

static struct lib_value side_text(const struct sim_trace_diff *d, size_t side,
                                  struct lib_findings *f)
{
    const struct sim_recording *r = &d->sources[side].recording;
    return lib_word(lib_arena_printf(f->arena, "%s: %s, %s, machine %s", d->names[side],
                                     sim_program_title(&r->session.program),
                                     isa_strategy_name(r->session.program.graph->stage),
                                     r->run.machine));
}

static void add_reasons(const struct sim_trace_diff *d, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "reasons", NULL);
    for (size_t i = 0; i < d->reasons.count; i++) {
        lib_row(t, "key", lib_word(d->reasons.items[i].key))->label = "what differs";
        lib_row(t, "a", lib_word(d->reasons.items[i].recorded))->label = "A";
        lib_row(t, "b", lib_word(d->reasons.items[i].now))->label = "B";
    }
}

void sim_trace_diff_findings(const void *diff, struct lib_findings *f)
{
    const struct sim_trace_diff *d = diff;
    for (size_t side = 0; side < 2; side++)
        lib_findings_add(f,
                         f->for_people ? side ? "B" : "A"
                         : side        ? "b"
                                       : "a",
                         f->for_people ? side_text(d, side, f) : lib_word(d->names[side]),
                         NULL);
    if (!f->for_people || d->reasons.count)
        add_reasons(d, f);
    if (d->recorded_from != UINT64_MAX)
        lib_findings_count(
            f, "recorded_digests_differ_behind", d->recorded_from,
            "though the events that are made again do not: see hiaton replay");
    else if (!f->for_people)
        lib_findings_word(f, "recorded_digests_differ_behind", NULL, NULL);
    analysis_diff_findings(d->found, f);
}
