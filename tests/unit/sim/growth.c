/* What a run was about: the recursion that is found in what lives, since when none of its calls
 * has ended, and when it is worth a warning. */
#include "sim/ending/growth.h"
#include "sim/ending/growth_watch.h"
#include "sim/session/simulation.h"
#include "tests/unit/support.h"

static struct sim_simulation *open_it(struct isa_graph *graph,
                                      struct machine_settings *settings,
                                      enum sim_engine engine)
{
    const struct sim_simulation_config config = {
        .graph = graph, .settings = settings, .engine = engine};
    struct lib_diags diags = {0};
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    ck_assert(s != NULL && diags.count == 0);
    return s;
}

/* --- a warning ---------------------------------------------------------------------- */

/* A second of the host, in which it delivers so many more tokens. */
static bool pass_second(struct sim_growth_watch *watch, struct sim_simulation *s,
                        double *now, uint64_t tokens, uint64_t *calls)
{
    const struct sim_until until = {.tokens = tokens};
    uint32_t function = 0;
    sim_simulation_advance(s, &until);
    *now += 1;
    if (!sim_growth_watch_look(watch, sim_simulation_exec(s), *now, &function, calls))
        return false;
    const struct isa_function *f =
        &sim_simulation_exec(s)->code->graph->functions[function];
    ck_assert(f->is_loop || strcmp(f->name, "f") == 0);
    return true;
}

/* After how many seconds it warns; 0: not in 20. */
static unsigned warns_after(const char *text, uint64_t tokens, enum sim_engine engine)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct machine_settings settings;
    machine_settings_default(&settings);
    settings.queue_discipline = MACHINE_LIFO; /* calls end soon, if they do */
    struct sim_simulation *s = open_it(graph, &settings, engine);
    struct sim_growth_watch watch = {0};
    double now = 1000;
    unsigned after = 0;
    uint64_t calls = 0;
    for (unsigned i = 1; i <= 20; i++)
        if (pass_second(&watch, s, &now, tokens, &calls)) {
            ck_assert_uint_eq(after, 0); /* once */
            after = i;
            ck_assert_uint_ge(calls, 500);
        }
    sim_growth_watch_end(&watch);
    sim_simulation_close(s, NULL);
    isa_graph_free(graph);
    return after;
}

START_TEST(calls_of_which_none_ends_are_worth_a_warning)
{
    static const char endless[] =
        "result = f(1)\ninner(n) = n + 1\nf(n) = if n == 0 then 0 else f(inner(n)) + 1\n";
    static const char ends[] =
        "result = f(40)\nf(n) = if n < 2 then n else f(n - 1) + f(n - 2)\n";
    for (int engine = 0; engine < 2; engine++) {
        /* The first look sees what there was before. */
        ck_assert_uint_eq(warns_after(endless, 300000, (enum sim_engine)engine),
                          SIM_GROWTH_SECONDS);
        ck_assert_uint_eq(warns_after(ends, 300000, (enum sim_engine)engine), 0);
    }
    /* Slowly: not enough of them are made in a second. */
    ck_assert_uint_eq(warns_after(endless, 300, SIM_ENGINE_MACHINE), 0);
}
END_TEST

START_TEST(a_loop_that_never_ends_is_worth_a_warning)
{
    static const char endless[] =
        "result = f(3)\nf(n) = loop i = 0 while i >= 0 do i + n\n";
    static const char nested[] = "result = loop i = 0 while i >= 0 do i + f(3000)\n"
                                 "f(n) = loop i = 0 while i < n do i + 1\n";
    for (int engine = 0; engine < 2; engine++) {
        ck_assert_uint_eq(warns_after(endless, 300000, (enum sim_engine)engine),
                          SIM_GROWTH_SECONDS);
        /* Inner loops end, and the outer one has few iterations. */
        ck_assert_uint_eq(warns_after(nested, 300000, (enum sim_engine)engine), 0);
    }
    ck_assert_uint_eq(warns_after(endless, 300, SIM_ENGINE_MACHINE), 0);
}
END_TEST

/* --- since when --------------------------------------------------------------------- */

/* Calls that are alive and have ended when a run stops before a cycle. */
static struct sim_growth grown(struct isa_graph *graph, const char *settings_text,
                               uint64_t cycle)
{
    struct machine_settings settings;
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct sim_growth growth;
    machine_settings_default(&settings);
    test_set_all(&settings, settings_text);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_next(m) < cycle && machine_advance_to(m, cycle, UINT64_MAX / 2))
        ;
    sim_growth_find(&growth, machine_exec(m), m, 1);
    machine_free(m);
    isa_code_free(code);
    return growth;
}

START_TEST(no_call_has_ended_since_the_cycle_that_is_told)
{
    static const char text[] =
        "result = f(6, true)\n"
        "f(n, down) = if down and n == 0 then 0\n"
        "  else if down then f(n - 1, true) + (if n == 6 then f(n, f(n - 1, true) < 0)\n"
        "  else f(n - 1, true)) else f(n + 1, false) + 1\n";
    static const char executor[] = "executor.workers=2 executor.live.latency=1 "
                                   "executor.frame.latency=1 executor.lock.latency=1";
    static const char *const machines[] = {"pe.count=4",
                                           "pe.count=1 queue.discipline=lifo",
                                           "pe.count=2 match.capacity=100000", executor};
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct sim_growth end = grown(graph, machines[i], 60000);
        ck_assert_int_eq(end.kind, SIM_GROWTH_RECURSION);
        ck_assert(end.none_ended && end.has_since && end.grows && end.ended > 0);
        ck_assert(end.since > 0 && end.since < 30000);
        ck_assert_str_eq(lib_text_get(&end.names), "`f`");
        ck_assert_uint_eq(end.pos.line, 4);
        ck_assert_uint_eq(end.pos.column, 29);
        struct sim_growth then = grown(graph, machines[i], end.since + 1);
        ck_assert_uint_eq(then.ended, end.ended);
        ck_assert_uint_lt(then.alive, end.alive / 2);
        struct sim_growth before = grown(graph, machines[i], end.since / 8);
        ck_assert_uint_lt(before.ended, end.ended);
        sim_growth_free(&before);
        sim_growth_free(&then);
        sim_growth_free(&end);
    }
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("growth");
    tcase_add_test(tcase, calls_of_which_none_ends_are_worth_a_warning);
    tcase_add_test(tcase, a_loop_that_never_ends_is_worth_a_warning);
    tcase_add_test(tcase, no_call_has_ended_since_the_cycle_that_is_told);
    return test_main("growth", tcase);
}
