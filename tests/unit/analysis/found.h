/* Findings of the analyses of events in a run, for tests of them. */
#ifndef TESTS_UNIT_ANALYSIS_FOUND_H
#define TESTS_UNIT_ANALYSIS_FOUND_H

#include "analysis/stream/stream.h"
#include "sim/explain/analysed.h"
#include "sim/loading/setup.h"
#include "tests/unit/support.h"

#include <string.h>

/* A run, and the findings of each analysis. */
struct found {
    struct sim_ending ending;
    struct lib_findings findings[ANALYSIS_STREAM_COUNT];
};

static inline void analyse(struct found *found, const struct test_program *p,
                           const struct machine_settings *settings, uint64_t from,
                           uint64_t to)
{
    const struct analysis_stream_run run = sim_analysed_run(p->graph, settings, NULL,
                                                            from, to);
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    bool wanted[ANALYSIS_STREAM_COUNT];
    memset(wanted, true, sizeof wanted);
    struct analysis_streams *streams = analysis_streams_new(&run, wanted);
    const struct sim_simulation_config config = {
        .graph = p->graph,
        .inputs = p->inputs,
        .settings = settings,
        .engine = SIM_ENGINE_MACHINE,
        .profile = true,
        .sinks = sinks,
        .sink_count = analysis_streams_sinks(streams, sinks),
    };
    struct lib_diags diags = {0};
    ck_assert(sim_simulate(&config, &found->ending, &diags));
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        lib_findings_start(&found->findings[i], analysis_stream_table[i].name, false);
        analysis_streams_tell(streams, i, &found->findings[i]);
    }
    analysis_streams_free(streams);
}

static inline struct found run_on(const char *text, uint64_t n,
                                  const struct machine_settings *settings,
                                  struct test_program *p)
{
    struct found found;
    char input[32];
    *p = (struct test_program){.arena = lib_arena_new(),
                               .graph = test_compile(text, ISA_STAGE_IMAGE)};
    p->inputs = LIB_ARENA_ARRAY(p->arena, isa_value, 1);
    snprintf(input, sizeof input, "n=%ju", (uintmax_t)n);
    test_set_inputs(p, input);
    analyse(&found, p, settings, 0, UINT64_MAX);
    ck_assert_int_eq(found.ending.end, ISA_END_COMPLETED);
    return found;
}

static inline struct found ideal(const char *text, uint64_t n, struct test_program *p)
{
    struct machine_settings settings;
    test_set_preset(&settings, "ideal", "suppress");
    return run_on(text, n, &settings, p);
}

static inline void release(struct found *found)
{
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        lib_findings_free(&found->findings[i]);
    sim_ending_free(&found->ending);
}

/* --- findings --------------------------------------------------------------------------- */

static inline const struct lib_value *number_of(const struct found *found, unsigned which,
                                                const char *key)
{
    const struct lib_findings *f = &found->findings[which];
    const struct lib_value *value = lib_findings_value(f, key);
    if (value)
        return value;
    ck_abort_msg("%s has no %s", f->name, key);
}

static inline const struct lib_table *table(const struct found *found, unsigned which,
                                            const char *key)
{
    const struct lib_findings *f = &found->findings[which];
    const struct lib_table *t = lib_findings_find(f, key);
    if (t)
        return t;
    ck_abort_msg("%s has no table %s", f->name, key);
}

static inline uint64_t cell(const struct lib_table *t, size_t row, const char *column)
{
    for (size_t c = 0; c < t->columns.count; c++)
        if (strcmp(t->columns.items[c].key, column) == 0)
            return t->cells.items[row * t->columns.count + c].count;
    ck_abort_msg("%s has no column %s", t->key, column);
}

static inline uint64_t sum_of(const struct lib_table *t, const char *column)
{
    uint64_t all = 0;
    for (size_t r = 0; r < lib_table_rows(t); r++)
        all += cell(t, r, column);
    return all;
}

#define SAME(a, b)                                                                       \
    ck_assert_msg((a) == (b), "%s: %s is %ju, not %ju", what, #a, (uintmax_t)(a),        \
                  (uintmax_t)(b))

#define ALIKE(a, b)                                                                      \
    ck_assert_msg((isnan(a) && isnan(b)) || fabs((a) - (b)) <= 1e-9 * fabs(b),           \
                  "%s: %s is %g, not %g", what, #a, a, b)

#define WHOLE(which, key) (number_of(found, ANALYSIS_STREAM_##which, key)->count)
#define REAL(which, key) (number_of(found, ANALYSIS_STREAM_##which, key)->real)
#define TABLE(which, key) table(found, ANALYSIS_STREAM_##which, key)

/* A known profile: firings at each depth. */
struct widths {
    uint64_t at[4096];
    size_t count;
};

static inline void check_widths(const char *text, uint64_t n, const struct widths *w)
{
    static const char *const both[] = {"ideal", "actual"};
    const char *what = text;
    struct test_program p;
    struct found of = ideal(text, n, &p), *found = &of;
    for (size_t i = 0; i < 2; i++) {
        const struct lib_table *t = TABLE(profile, both[i]);
        SAME(lib_table_rows(t), w->count);
        for (size_t d = 0; d < w->count; d++)
            SAME(cell(t, d, "firings"), w->at[d]);
    }
    release(&of);
    test_program_free(&p);
}

#endif
