#include "sim/replay/replay.h"

#include <string.h>

#include "lib/yaml.h"
#include "sim/replay/recorder.h"

struct replay {
    const struct sim_recording *recording;
    const struct sim_session *session;
    struct lib_arena *arena;
    struct sim_replay_report *report;
};

/* --- statistics ----------------------------------------------------------------------------- */

/* A top-level line of a record: ` "key": value,`. */
struct line {
    const char *key, *value;
    size_t key_length, value_length;
};

static bool next_line(const char **at, struct line *line)
{
    while (**at) {
        const size_t indent = strspn(*at, " ");
        const char *start = *at + indent, *end = strchr(start, '\n');
        const size_t length = end ? (size_t)(end - start) : strlen(start);
        const char *colon = memmem(start, length, "\": ", 3);
        *at = end ? end + 1 : start + length;
        if (indent != 2 || *start != '"' || !colon)
            continue;
        line->key = start + 1;
        line->key_length = (size_t)(colon - start - 1);
        line->value = colon + 3;
        line->value_length = (size_t)(start + length - line->value);
        line->value_length -= line->value_length &&
                              line->value[line->value_length - 1] == ',';
        return true;
    }
    return false;
}

static bool is_same_text(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

static bool is_same_key(const struct line *a, const struct line *b)
{
    return is_same_text(a->key, a->key_length, b->key, b->key_length);
}

static bool find_line(const char *at, const struct line *like, struct line *found)
{
    while (next_line(&at, found))
        if (is_same_key(found, like))
            return true;
    return false;
}

/* Returns a value for people: strings without quotes. */
static const char *read_value(struct lib_arena *arena, const char *value, size_t length)
{
    const char *text = lib_arena_copy(arena, value, length);
    if (*text != '"')
        return text;
    const char *mapping = lib_arena_printf(arena, "{\"value\": %s}", text);
    const struct lib_source source = {"value", mapping, strlen(mapping)};
    struct lib_diags diags = {0};
    struct lib_yaml yaml;
    if (lib_yaml_read(&yaml, arena, &source, &diags) && yaml.count &&
        yaml.items[yaml.count - 1].value)
        text = yaml.items[yaml.count - 1].value;
    lib_yaml_free(&yaml);
    lib_diags_free(&diags);
    return text;
}

static size_t line_length(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? (size_t)(end + 1 - at) : strlen(at);
}

/* Whether the recording lacks the key of a line: it is a newer statistic. */
static bool is_new(const char *at, size_t length, const char *recorded)
{
    struct line own, found;
    const char *next = at;
    return next_line(&next, &own) && next == at + length &&
           !find_line(recorded, &own, &found);
}

/* Whether two records are equal except for newer statistics. */
static bool is_same_record(const char *recorded, const char *now)
{
    const char *const whole = recorded;
    while (*now) {
        const size_t length = line_length(now), recorded_length = line_length(recorded);
        if (is_same_text(now, length, recorded, recorded_length))
            recorded += recorded_length;
        else if (!is_new(now, length, whole))
            return false;
        now += length;
    }
    return *recorded == '\0';
}

static void compare_records(struct replay *r, const char *recorded, const char *now,
                            struct sim_replay_changes *found)
{
    const char *const whole = recorded;
    struct line a, b;
    while (next_line(&recorded, &a)) {
        if (!find_line(now, &a, &b)) {
            b.value = "nothing";
            b.value_length = strlen(b.value);
        }
        if (!is_same_text(a.value, a.value_length, b.value, b.value_length))
            *LIB_VEC_PUSH(found) = (struct sim_replay_change){
                lib_arena_copy(r->arena, a.key, a.key_length),
                read_value(r->arena, a.value, a.value_length),
                read_value(r->arena, b.value, b.value_length)};
    }
    if (found->count == 0 && !is_same_record(whole, now))
        *LIB_VEC_PUSH(found) = (struct sim_replay_change){"pe or profile", "one",
                                                          "another"};
}

/* --- reasons -------------------------------------------------------------------------------- */

struct two_runs {
    const struct sim_described_host *a, *b;
    const struct sim_session *x, *y;
    struct lib_arena *arena;
    struct sim_replay_changes *found;
};

static void compare_text(const struct two_runs *r, const char *key, const char *recorded,
                         const char *now)
{
    if (strcmp(recorded, now) != 0)
        *LIB_VEC_PUSH(r->found) = (struct sim_replay_change){
            lib_arena_copy(r->arena, key, strlen(key)),
            lib_arena_copy(r->arena, recorded, strlen(recorded)),
            lib_arena_copy(r->arena, now, strlen(now))};
}

static void compare_setting(const struct two_runs *r, const struct lib_setting *s)
{
    const struct sim_settings *a = &r->x->setup.settings;
    const struct sim_settings *b = &r->y->setup.settings;
    LIB_TEXT_OWN recorded = {0}, now = {0};
    if (lib_setting_is_equal(a, b, s))
        return;
    lib_setting_write(a, s, &recorded);
    lib_setting_write(b, s, &now);
    compare_text(r, s->key, lib_text_get(&recorded), lib_text_get(&now));
}

static void compare_settings(const struct two_runs *r)
{
    const struct sim_settings *a = &r->x->setup.settings;
    const struct sim_settings *b = &r->y->setup.settings;
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(a, i, &made)); i++)
        compare_setting(r, s);
    for (size_t i = sim_setting_count; (s = sim_setting_of(b, i, &made)); i++)
        if (!lib_setting_is_set(a, s))
            compare_setting(r, s);
}

static void compare_inputs(const struct two_runs *r)
{
    const struct isa_graph *a = r->x->program.graph, *b = r->y->program.graph;
    LIB_TEXT_OWN recorded = {0}, now = {0};
    for (uint32_t i = 0; i < a->input_count; i++) {
        const uint32_t other = isa_graph_find_input(b, a->inputs[i].name);
        if (other == UINT32_MAX)
            continue;
        lib_text_clear(&recorded);
        lib_text_clear(&now);
        sim_input_identify(&recorded, &a->inputs[i], r->x->inputs.values[i]);
        sim_input_identify(&now, &b->inputs[other], r->y->inputs.values[other]);
        compare_text(r, a->inputs[i].name, lib_text_get(&recorded), lib_text_get(&now));
    }
}

static const char *seed_text(const struct two_runs *r, uint64_t seed)
{
    return lib_arena_printf(r->arena, "%llu", (unsigned long long)seed);
}

void sim_replay_reasons(const struct sim_described_host *a, const struct sim_session *x,
                        const struct sim_described_host *b, const struct sim_session *y,
                        struct lib_arena *arena, struct sim_replay_changes *found)
{
    const struct sim_description p = {.by = *a}, q = {.by = *b};
    const struct two_runs r = {a, b, x, y, arena, found};
    compare_text(&r, "model", a->model, b->model);
    compare_text(&r, "image_digest", isa_digest_keep(arena, x->image_digest),
                 isa_digest_keep(arena, y->image_digest));
    compare_text(&r, "strategy", isa_strategy_name(x->program.graph->stage),
                 isa_strategy_name(y->program.graph->stage));
    compare_inputs(&r);
    compare_settings(&r);
    compare_text(&r, "seed", seed_text(&r, x->seed), seed_text(&r, y->seed));
    for (size_t i = 0; i < sim_described_field_count; i++) {
        const struct sim_described_field *f = &sim_described_fields[i];
        if (f->cause && strcmp(f->cause, "model") != 0)
            compare_text(&r, f->cause, sim_described_text(&p, f),
                         sim_described_text(&q, f));
    }
}

/* --- digests -------------------------------------------------------------------------------- */

static void name_parts(struct replay *r, const struct traces_digests *now, size_t row)
{
    const struct traces_digests *then = &r->recording->digests;
    const struct isa_graph *graph = r->session->program.graph;
    struct sim_replay_report *report = r->report;
    const uint32_t functions = graph->function_count, pes = then->parts - functions;
    uint32_t *pe = LIB_ARENA_ARRAY(r->arena, uint32_t, pes);
    const char **function = LIB_ARENA_ARRAY(r->arena, const char *, functions);
    for (uint32_t p = 0; p < pes; p++)
        if (traces_digests_part_differs(then, now, row, p))
            pe[report->pe_count++] = p;
    for (uint32_t f = 0; f < functions; f++)
        if (traces_digests_part_differs(then, now, row, pes + f))
            function[report->function_count++] = graph->functions[f].name;
    report->pes = pe;
    report->functions = function;
}

static bool compare_digests(struct replay *r, const struct traces_digests *now)
{
    const struct traces_digests *then = &r->recording->digests;
    struct sim_replay_report *report = r->report;
    report->rows = then->totals.count;
    report->interval = then->interval;
    report->cycles = then->end;
    if (then->parts != now->parts || then->interval != now->interval)
        return true; /* another machine or program, or far more cycles */
    const size_t row = traces_digests_differ(then, now);
    if (row == then->totals.count && row == now->totals.count)
        return false;
    report->from = row ? traces_digests_time(then, row - 1) : 0;
    report->has_place = row < then->totals.count && row < now->totals.count;
    if (!report->has_place)
        return true;
    report->to = traces_digests_time(then, row);
    name_parts(r, now, row);
    return true;
}

/* --- whole runs ----------------------------------------------------------------------------- */

static void compare_runs(struct replay *r, const struct traces_digests *digests,
                         const char *record)
{
    struct sim_replay_changes measured = {0}, reasons = {0};
    const bool differ = compare_digests(r, digests);
    compare_records(r, r->recording->ending, record, &measured);
    const struct sim_described_host here = sim_described_here(r->arena);
    sim_replay_reasons(&r->recording->run.by, &r->recording->session, &here, r->session,
                       r->arena, &reasons);
    struct sim_replay_report *report = r->report;
    report->is_same = !differ && measured.count == 0;
    report->change_count = measured.count;
    report->reason_count = reasons.count;
    struct sim_replay_change *kept = LIB_ARENA_ARRAY(r->arena, struct sim_replay_change,
                                                     measured.count + reasons.count);
    if (measured.count)
        memcpy(kept, measured.items, measured.count * sizeof *kept);
    if (reasons.count)
        memcpy(kept + measured.count, reasons.items, reasons.count * sizeof *kept);
    report->changes = kept;
    report->reasons = kept + measured.count;
    LIB_VEC_FREE(&measured, &reasons);
}

bool sim_replay_run(const struct sim_recording *recording,
                    const struct sim_session *session, const struct sim_watch *watch,
                    struct lib_arena *arena, struct sim_replay_report *report,
                    struct lib_diags *diags)
{
    struct replay r = {recording, session, arena, report};
    struct sim_simulation_config config = sim_session_config(session);
    const struct sim_recorder_config digests = {.interval = recording->digests.interval};
    struct sim_ending ending;
    config.profile = recording->run.profile;
    config.series = recording->run.series;
    report->recording = recording;
    if (watch)
        config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    struct sim_recorder *recorder = sim_recorder_new(&digests, session, simulation,
                                                     diags);
    const bool ended = sim_recorder_advance(recorder) == SIM_ADVANCED_TO_END;
    sim_simulation_close(simulation, &ending);
    if (ended) {
        const struct sim_record record = sim_session_record(session, &ending);
        LIB_TEXT_OWN text = {0};
        sim_record_write_measured(&record, &text);
        compare_runs(&r, sim_recorder_digests(recorder), lib_text_get(&text));
    }
    sim_ending_free(&ending);
    sim_recorder_abandon(recorder);
    return ended;
}

/* --- unfinished runs -------------------------------------------------------------------------- */

static bool is_same_mark(const struct sim_recorded_mark *a,
                         const struct sim_recorded_mark *b)
{
    return a->cycle == b->cycle && a->tokens == b->tokens &&
           a->value_digest == b->value_digest && a->timing_digest == b->timing_digest;
}

/* Advances from state to state while they are equal. Returns false if the watch stops it. */
static bool compare_marks(struct replay *r, struct sim_simulation *simulation)
{
    const struct sim_recording *recording = r->recording;
    struct sim_replay_report *report = r->report;
    report->is_same = true;
    for (size_t i = 0; i < recording->marks.count && report->is_same; i++) {
        const struct sim_recorded_mark *mark = &recording->marks.items[i];
        const struct sim_until until = {.cycle = mark->cycle, .lapse = mark->cycle};
        if (mark->cycle &&
            sim_simulation_advance(simulation, &until) == SIM_ADVANCED_TO_STOP)
            return false;
        struct sim_recorded_mark now = {0};
        if (sim_simulation_end(simulation) == ISA_END_INTERRUPTED)
            now = sim_recorded_mark_of(simulation, mark->feeds);
        report->is_same = is_same_mark(mark, &now);
        report->marks++;
        if (report->is_same)
            report->from = report->cycles = mark->cycle;
    }
    return true;
}

bool sim_replay_unfinished(const struct sim_recording *recording,
                           const struct sim_session *session,
                           const struct sim_watch *watch, struct lib_arena *arena,
                           struct sim_replay_report *report, struct lib_diags *diags)
{
    struct replay r = {recording, session, arena, report};
    struct sim_replay_changes reasons = {0};
    struct sim_simulation_config config = sim_session_config(session);
    report->recording = recording;
    if (watch)
        config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    report->is_unfinished = true;
    report->feeds = recording->run.feeds.all.count;
    const bool ended = compare_marks(&r, simulation);
    sim_simulation_close(simulation, NULL);
    const struct sim_described_host here = sim_described_here(arena);
    sim_replay_reasons(&recording->run.by, &recording->session, &here, session, arena,
                       &reasons);
    report->reason_count = reasons.count;
    struct sim_replay_change *kept = LIB_ARENA_ARRAY(arena, struct sim_replay_change,
                                                     reasons.count + 1);
    if (reasons.count)
        memcpy(kept, reasons.items, reasons.count * sizeof *kept);
    report->reasons = kept;
    LIB_VEC_FREE(&reasons);
    return ended;
}
