/* Events of runs: every example, by both strategies, on random machines and executors. The stream
 * agrees with the statistics and changes nothing; both engines emit the same; and any change of a
 * stream is noticed. */
#include "machine/engine/engine.h"
#include "tests/unit/drawn.h"
#include "tests/unit/recount.h"

#include <inttypes.h>

enum { SEED = 20261122, MAX_CALLS = 3000 };

/* --- runs ---------------------------------------------------------------------------------- */

struct run {
    struct traces_stats stats;
    char result[512];
    enum isa_end end;
};

static struct lib_text what; /* for messages */

static void describe(const char *program, const struct machine_settings *s, uint64_t seed)
{
    struct lib_text settings = {0};
    lib_text_clear(&what);
    draw_write(s, &settings);
    lib_text_printf(&what, "%s, seed %" PRIu64 ", %s", program, seed,
                    lib_text_get(&settings));
    lib_text_free(&settings);
}

static struct run run_with(const struct isa_code *code, const struct machine_settings *s,
                           uint64_t seed, const struct traces_event_sink *sinks,
                           size_t count, bool plain)
{
    struct run run = {0};
    struct machine *m = machine_new(code, s, seed);
    if (!plain)
        machine_never_plain(m);
    machine_listen(m, sinks, count);
    while (machine_advance(m, 1 + seed % 5000))
        ;
    machine_measure(m, &run.stats);
    run.end = machine_end(m);
    machine_observe_end(m);
    machine_free(m);
    return run;
}

static void check_same(const struct traces_stats *a, const struct traces_stats *b)
{
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *row = &traces_stat_table[i];
        ck_assert_msg(traces_stat_integer(a, row) == traces_stat_integer(b, row),
                      "%s: events change %s", lib_text_get(&what), row->key);
    }
    ck_assert_msg(memcmp(a->pe, b->pe, a->pe_count * sizeof *a->pe) == 0,
                  "%s: events change a PE", lib_text_get(&what));
}

/* --- one sink of each level ------------------------------------------------------------------- */

/* Compares the stream of a level with that of the highest one, of which it is a part. */
struct levels {
    uint64_t digest
        [TRACES_LEVEL_COUNT]; /* of the events up to a level, in the highest stream */
};

static uint64_t digest_of(uint64_t digest, const struct traces_event *event)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "%" PRIu64 " ", event->cycle);
    traces_event_write(event, &text);
    for (size_t i = 0; i < text.length; i++)
        digest = lib_hash_mix(digest + (unsigned char)text.bytes[i]);
    lib_text_free(&text);
    return digest;
}

static void take_all(void *context, const struct traces_event *events, size_t count)
{
    struct levels *l = context;
    for (size_t i = 0; i < count; i++)
        for (int level = traces_event_table[events[i].kind].level;
             level < TRACES_LEVEL_COUNT; level++)
            l->digest[level] = digest_of(l->digest[level], &events[i]);
}

static void take_part(void *context, const struct traces_event *events, size_t count)
{
    uint64_t *digest = context;
    for (size_t i = 0; i < count; i++)
        *digest = digest_of(*digest, &events[i]);
}

START_TEST(a_lower_level_is_a_part_of_a_higher_one)
{
    struct test_program p = test_example("histogram");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    struct machine_settings s;
    machine_settings_default(&s);
    for (int plain = 0; plain < 2; plain++) {
        struct levels l = {0};
        uint64_t digest[TRACES_LEVEL_COUNT] = {0};
        struct traces_event_sink sinks[TRACES_LEVEL_COUNT + 1];
        for (int level = 0; level < TRACES_LEVEL_COUNT; level++) {
            sinks[level] = (struct traces_event_sink){level, take_part, &digest[level]};
            struct run alone = run_with(code, &s, 0, &sinks[level], 1, plain);
            traces_stats_free(&alone.stats);
        }
        sinks[TRACES_LEVEL_COUNT] = (struct traces_event_sink){TRACES_LEVEL_QUEUES,
                                                               take_all, &l};
        uint64_t alone[TRACES_LEVEL_COUNT];
        memcpy(alone, digest, sizeof alone);
        memset(digest, 0, sizeof digest);
        struct run run = run_with(code, &s, 0, sinks, TRACES_LEVEL_COUNT + 1, plain);
        for (int level = 0; level < TRACES_LEVEL_COUNT; level++) {
            ck_assert_uint_ne(digest[level], 0);
            ck_assert_uint_eq(digest[level], alone[level]);
            ck_assert_uint_eq(digest[level], l.digest[level]);
        }
        ck_assert_uint_ne(digest[TRACES_LEVEL_SUMMARY], digest[TRACES_LEVEL_FIRINGS]);
        ck_assert_uint_ne(digest[TRACES_LEVEL_ALL], digest[TRACES_LEVEL_FIRINGS]);
        traces_stats_free(&run.stats);
    }
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

/* --- what the stream says --------------------------------------------------------------------- */

static uint64_t check_run(const struct isa_code *code, const struct machine_settings *s,
                          uint64_t seed, bool plain)
{
    struct recount r;
    recount_start(&r, code->graph, s);
    const struct traces_event_sink sink = {
        seed % 2 ? TRACES_LEVEL_ALL : TRACES_LEVEL_QUEUES, recount_take, &r};
    if (sink.level == TRACES_LEVEL_QUEUES)
        recount_queues(&r);
    struct run told = run_with(code, s, seed, &sink, 1, plain);
    struct run untold = run_with(code, s, seed, NULL, 0, plain);
    check_same(&told.stats, &untold.stats);
    recount_compare(&r, &told.stats);
    ck_assert_msg(!*r.wrong, "%s: %s", lib_text_get(&what), r.wrong);
    ck_assert_int_eq(r.end, (int)told.end);
    const uint64_t digest = r.digest;
    recount_free(&r);
    traces_stats_free(&told.stats);
    traces_stats_free(&untold.stats);
    return digest;
}

static void check_told(const struct isa_code *code, const struct machine_settings *s,
                       uint64_t seed, const char *program)
{
    describe(program, s, seed);
    check_run(code, s, seed, true);
}

static uint64_t next_seed;

static void draw_and_check(const struct test_row *row, struct test_program *p)
{
    if (row->calls <= MAX_CALLS)
        test_each_drawn(row, p, &next_seed, check_told);
}

START_TEST(the_stream_says_what_the_statistics_say)
{
    next_seed = SEED;
    test_each_example_at(ISA_STAGE_IMAGE, draw_and_check);
    test_each_example_at(ISA_STAGE_EXPANDING, draw_and_check);
}
END_TEST

static void compare_engines(const struct test_row *row, struct test_program *p)
{
    if (row->calls > MAX_CALLS)
        return;
    struct isa_code *code = isa_code_make(p->graph, p->inputs, false);
    for (uint64_t i = 0; i < (test_is_quick() ? 2 : 8); i++) {
        struct draw draw = {.seed = next_seed++};
        struct machine_settings s;
        draw_settings(&draw, &s);
        draw_limits(&draw, &s);
        draw_unlimited(&s);
        s.deadness = MACHINE_SUPPRESS;
        s.loop_bound = 0;
        s.pe_count = i == 0 ? 1 : s.pe_count;
        s.cluster_nodes = i == 0 ? 0 : s.cluster_nodes;
        s.pe_units = i == 0 ? 1 : s.pe_units;
        draw_classes(draw, &s);
        draw_capable(&s, p->graph);
        describe(row->program, &s, draw.seed);
        ck_assert_msg(check_run(code, &s, draw.seed, true) ==
                          check_run(code, &s, draw.seed, false),
                      "%s: the engines tell different streams", lib_text_get(&what));
    }
    isa_code_free(code);
}

START_TEST(both_engines_tell_the_same)
{
    next_seed = SEED;
    test_each_example_at(ISA_STAGE_IMAGE, compare_engines);
}
END_TEST

/* --- a stream that begins in the middle ----------------------------------------------- */

START_TEST(a_stream_may_begin_in_the_middle)
{
    struct test_program p = test_example("fib");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    struct machine_settings s;
    machine_settings_default(&s);
    struct recount r;
    recount_start(&r, code->graph, &s);
    const struct traces_event_sink sink = {TRACES_LEVEL_FIRINGS, recount_take, &r};
    struct machine *m = machine_new(code, &s, 0);
    machine_advance(m, 500);
    struct traces_stats before, after;
    machine_measure(m, &before);
    machine_listen(m, &sink, 1);
    while (machine_advance(m, 100))
        ;
    machine_measure(m, &after);
    machine_observe_end(m);
    ck_assert_msg(!*r.wrong, "%s", r.wrong);
    ck_assert_uint_gt(before.firings, 100);
    ck_assert_uint_eq(r.stats.firings, after.firings - before.firings);
    ck_assert_uint_eq(r.stats.calls, after.calls - before.calls);
    ck_assert_uint_eq(r.stats.timing_digest, after.timing_digest - before.timing_digest);
    ck_assert_uint_eq(r.tags.count, 1);
    machine_free(m);
    traces_stats_free(&before);
    traces_stats_free(&after);
    recount_free(&r);
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

/* --- lies ----------------------------------------------------------------------------- */

/* A stream that is kept. */
struct kept {
    LIB_VEC(struct traces_event) events;
};

static void keep_events(void *context, const struct traces_event *events, size_t count)
{
    struct kept *kept = context;
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&kept->events) = events[i];
}

/* What is done to one event of a stream; false: nothing can be done to it. */
static bool lie(struct kept *kept, size_t i, unsigned how)
{
    struct traces_event *event = &kept->events.items[i];
    switch (how) {
    case 0: /* it is left out */
        memmove(event, event + 1, (kept->events.count - i - 1) * sizeof *event);
        kept->events.count--;
        return true;
    case 1: /* it comes twice */
        (void)LIB_VEC_PUSH(&kept->events);
        event = &kept->events.items[i];
        memmove(event + 1, event, (kept->events.count - i - 1) * sizeof *event);
        return true;
    case 2: /* it happens to another activation */
        event->tag += 3;
        return event->kind != TRACES_EVENT_END;
    default: /* it is told as another one */
        if (event->kind == TRACES_EVENT_FIRED)
            event->kind = TRACES_EVENT_DEAD;
        else if (event->kind == TRACES_EVENT_TAKEN && event->how == TRACES_OUTCOME_WAITS)
            event->how = TRACES_OUTCOME_FIRES;
        else if (event->kind == TRACES_EVENT_SENT)
            event->to++;
        else if (event->kind == TRACES_EVENT_CALL)
            event->site++;
        else
            return false;
        return true;
    }
}

START_TEST(a_lie_is_noticed)
{
    struct test_program p = test_example("fib");
    test_set_inputs(&p, "n=5");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    struct machine_settings s;
    machine_settings_default(&s);
    struct kept true_one = {0};
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, keep_events, &true_one};
    struct run run = run_with(code, &s, 0, &sink, 1, true);
    ck_assert_uint_gt(true_one.events.count, 200);
    size_t lies = 0;
    for (size_t i = 0; i < true_one.events.count; i++)
        for (unsigned how = 0; how < 4; how++) {
            struct kept false_one = {0};
            keep_events(&false_one, true_one.events.items, true_one.events.count);
            if (lie(&false_one, i, how)) {
                struct recount r;
                recount_start(&r, code->graph, &s);
                recount_queues(&r);
                recount_take(&r, false_one.events.items, false_one.events.count);
                recount_compare(&r, &run.stats);
                struct lib_text text = {0};
                traces_event_write(&true_one.events.items[i], &text);
                ck_assert_msg(*r.wrong, "lie %u is not noticed: %s", how,
                              lib_text_get(&text));
                lib_text_free(&text);
                recount_free(&r);
                lies++;
            }
            LIB_VEC_FREE(&false_one.events);
        }
    ck_assert_uint_gt(lies, 3 * true_one.events.count);
    LIB_VEC_FREE(&true_one.events);
    traces_stats_free(&run.stats);
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("events");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, the_stream_says_what_the_statistics_say);
    tcase_add_test(tcase, both_engines_tell_the_same);
    tcase_add_test(tcase, a_lower_level_is_a_part_of_a_higher_one);
    tcase_add_test(tcase, a_stream_may_begin_in_the_middle);
    tcase_add_test(tcase, a_lie_is_noticed);
    const int status = test_main("events", tcase);
    lib_text_free(&what);
    return status;
}
