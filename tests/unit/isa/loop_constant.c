/* Constants of loops that are held (isa/exec/loop_constant.h): what they save, that no loop
 * waits for them, and what a hand-written loop can do wrong with them. */
#include "tests/unit/isa_texts.h"
#include "tests/unit/support.h"

/* --- everything that can run a graph ------------------------------------------------------ */

/* Machines that differ in what a constant has to do with: when tokens come, where they wait,
 * how many iterations and tags there are. */
static const char *const machines[] = {
    "pe.count=1",
    "queue.discipline=lifo",
    "pe.count=3 network.topology=ideal network.latency=0 pe.units=0",
    "pe.count=64 unit.tag.latency=40",
    "match.store=hash match.capacity=16 match.ways=2",
    "match.store=frames match.capacity=4096",
    "queue.capacity=400 network.capacity=400",
    "loop.bound=1",
    "loop.bound=2 queue.discipline=lifo pe.count=4",
    "tag.scheme=pool tag.pool=4",
    "tag.scheme=interned tag.bits=8",
};

static void check_same(const struct test_outcome *o, const struct test_outcome *oracle,
                       const char *where)
{
    ck_assert_msg(o->end == ISA_END_COMPLETED, "%s: it did not end well", where);
    ck_assert_msg(strcmp(o->result, oracle->result) == 0, "%s: %s", where, o->result);
    ck_assert_uint_eq(o->stats.firings, oracle->stats.firings);
    ck_assert_uint_eq(o->stats.span, oracle->stats.span);
    ck_assert_uint_eq(o->stats.value_digest, oracle->stats.value_digest);
    ck_assert_uint_eq(o->stats.one_operand, oracle->stats.one_operand);
}

static void run_machine(const struct isa_graph *graph, struct machine_settings *settings,
                        bool propagate, const struct test_outcome *oracle)
{
    struct test_outcome by_interp = test_interp(graph, NULL, propagate);
    settings->deadness = propagate;
    struct test_outcome o = test_run(graph, NULL, settings, 7);
    check_same(&o, oracle, "machine");
    ck_assert_uint_eq(o.stats.tokens, by_interp.stats.tokens);
    ck_assert_uint_eq(o.stats.dead_firings, by_interp.stats.dead_firings);
    ck_assert_uint_ge(o.stats.local_tokens + o.stats.network_tokens, o.stats.tokens);
    traces_stats_free(&o.stats);
}

/* A graph completes with this result wherever it runs; returns what the interpreter counts.
 * `pooled`: also where there are tags for a few iterations only. */
static struct traces_stats run_everywhere(const struct isa_graph *graph,
                                          const char *result, bool pooled)
{
    struct test_outcome oracle = test_interp(graph, NULL, false);
    struct machine_settings settings;
    ck_assert_str_eq(oracle.result, result);
    test_check_lean(graph, result);
    for (int propagate = 0; propagate < 2; propagate++) {
        struct test_outcome o = test_interp(graph, NULL, propagate);
        check_same(&o, &oracle, "interp");
        for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
            if (!pooled && strstr(machines[i], "tag.pool"))
                continue;
            machine_settings_default(&settings);
            test_set_all(&settings, machines[i]);
            run_machine(graph, &settings, propagate, &oracle);
        }
        test_settings_ideal(&settings);
        settings.deadness = propagate;
        o = test_run(graph, NULL, &settings, 1);
        check_same(&o, &oracle, "ideal");
        ck_assert(propagate || o.stats.cycles == o.stats.span);
        traces_stats_free(&o.stats);
    }
    return oracle.stats;
}

/* --- hand-written loops ------------------------------------------------------------------ */

/* Replaces several things in a text; the caller frees it. */
static char *replace_all(const char *text, const char *const (*pairs)[2])
{
    char *now = test_replace(text, "held.df", "held.df");
    for (; (*pairs)[0]; pairs++) {
        char *next = test_replace(now, (*pairs)[0], (*pairs)[1]);
        lib_mem_free(now);
        now = next;
    }
    return now;
}

static struct isa_graph *read_changed(const char *const (*pairs)[2])
{
    char *text = replace_all(held_static, pairs);
    struct isa_graph *graph = test_read(text);
    lib_mem_free(text);
    isa_graph_lower(graph);
    return graph;
}

/* --- what they save ----------------------------------------------------------------------- */

struct saving {
    const char *text, *result;
    uint64_t each; /* firings fewer per iteration of the loops */
    uint64_t iterations;
};

static const struct saving savings[] = {
    /* MERGE, SWITCH, NEXT of k, and in the last iteration one of each but the NEXT; a HOLD
     * for an ENTER. */
    {"f(k) = loop i = 0, s = 0 while i < 100 do i + 1, s + k * i return s\nresult = f(2)",
     "9900", 3, 100},
    {"f(k, x) = loop i = 0, s = x while i < k do i + 1, s + x return s\n"
     "result = f(100, 1)",
     "101", 6, 100},
    /* where it must be a token, a SWITCH makes it one in the body */
    {"g(a, b) = a + b\n"
     "f(k) = loop i = 0, s = 0 while i < 50 do i + 1, g(s, k) return s\nresult = f(3)",
     "150", 2, 50},
};

START_TEST(firings_fall)
{
    const struct saving *s = &savings[_i];
    struct isa_graph *sticky = test_compile_loops(s->text, PROGRAMS_CONSTANTS_STICKY);
    struct isa_graph *copies = test_compile_loops(s->text, PROGRAMS_CONSTANTS_COPIES);
    struct traces_stats held = run_everywhere(sticky, s->result, true);
    struct traces_stats round = run_everywhere(copies, s->result, true);
    uint64_t saved = round.firings - held.firings;
    ck_assert_msg(saved > s->each * s->iterations &&
                      saved <= s->each * (s->iterations + 1),
                  "%ju fewer", (uintmax_t)saved);
    ck_assert_uint_eq(held.loop_iterations, round.loop_iterations);
    ck_assert_uint_eq(held.calls, round.calls);
    ck_assert_uint_le(held.span, round.span);
    ck_assert_uint_lt(held.tokens, round.tokens);
    isa_graph_free(sticky);
    isa_graph_free(copies);
}
END_TEST

/* A sticky operand is an operand: two of the instructions in this loop have one. */
START_TEST(a_sticky_operand_counts_as_one)
{
    static const char *const changes[][2] = {{" bound 3", ""}, {NULL, NULL}};
    struct isa_graph *graph = read_changed(changes);
    struct traces_stats stats = run_everywhere(graph, "7", true);
    /* In each of 6 iterations: MERGE, MERGE, <, SWITCH, SWITCH; of 5 of them also +, -,
     * NEXT, NEXT; at the end EXIT and OUTPUT, at the start ENTER, ENTER, HOLD, HOLD. */
    ck_assert_uint_eq(stats.firings, 6 * 5 + 5 * 4 + 2 + 4);
    /* Neither <, nor SWITCH, nor -; what fires at the start has no token. */
    ck_assert_uint_eq(stats.one_operand, 6 * 2 + 5 * 3 + 2);
    isa_graph_free(graph);
}
END_TEST

/* Arrays are constants, too: held until the loop ends, and no longer. */
static const struct late {
    const char *text, *result;
} arrays[] = {
    {"g(a, k) = loop i = 0, s = 0 while i < length(a) do i + 1, s + a[i] * k return s\n"
     "result = (g([1, 2, 3, 4], 10), g([i * i | i <- 0 .. 9], 1))",
     "(100, 285)"},
    {"f(n) = let a = [if i == 0 then 1 else a[i - 1] * 2 | i <- 0 .. n] in\n"
     " [[a[i] + a[j] | j <- 0 .. i] | i <- 0 .. 2]\nresult = f(5)",
     "[[2], [3, 4], [5, 6, 8]]"},
    {"f(a) = loop i = 0, b = a while i < 3 do i + 1, [b[0] + a[0]] return b\n"
     "result = f([7])",
     "[28]"},
    {"f(a, b) = loop i = 0, c = a while i < 4 do i + 1, if i % 2 == 0 then b else a "
     "return "
     "c\nresult = f([1], [2, 3])",
     "[1]"},
};

START_TEST(arrays_are_held_until_the_loop_ends)
{
    for (uint64_t constants = 0; constants < 2; constants++) {
        struct isa_graph *graph = test_compile_loops(arrays[_i].text, constants);
        run_everywhere(graph, arrays[_i].result, false);
        isa_graph_free(graph);
    }
}
END_TEST

/* --- no loop waits for a constant ---------------------------------------------------------- */

/* Constants that come when the iterations that use them have long begun. */
static const struct late lates[] = {
    {"result = let k = (loop n = 0 while n < 300 do n + 1) in\n"
     " loop i = 0, s = 0 while i < 40 do i + 1, max(s, i * k) return s",
     "11700"},
    {"f(k) = loop i = 0, a = 0, b = 0 while i < 9 do\n"
     " i + 1, max(a, k + i), min(b, if i % 2 == 0 then k else i - k) return (a, b)\n"
     "result = f(loop n = 0 while n < 200 do n + 1)",
     "(208, -199)"},
    {"f(k) = loop i = 0, s = 0 while i < 6 do i + 1, max(s,\n"
     "  loop j = 0, t = 0 while j < 5 do j + 1, max(t, i * k + j) return t) return s\n"
     "result = f(loop n = 0 while n < 200 do n + 1)",
     "1004"},
    {"f(k) = loop i = 0 while i < 3 do i + 1 return k\n" /* and when all have ended */
     "g(k) = loop i = 0, s = 0 while i < 1 do i + 1, if i > 3 then k else i return s\n"
     "result = (f(loop n = 0 while n < 200 do n + 1), g(loop n = 0 while n < 200 do n + "
     "1))",
     "(200, 0)"},
};

START_TEST(late_constants_are_waited_for_where_they_are_used)
{
    struct isa_graph *graph = test_compile_loops(lates[_i].text,
                                                 PROGRAMS_CONSTANTS_STICKY);
    run_everywhere(graph, lates[_i].result, true);
    isa_graph_free(graph);
}
END_TEST

/* How many tokens wait at once, in the machine with the shortest times. */
START_TEST(tokens_that_wait_are_counted)
{
    struct isa_graph *graph = test_compile_loops(lates[0].text,
                                                 PROGRAMS_CONSTANTS_STICKY);
    struct machine_settings settings;
    test_settings_ideal(&settings);
    struct test_outcome o = test_run(graph, NULL, &settings, 1);
    /* 40 products, and as many SWITCHes of s, whose condition has come */
    ck_assert_uint_ge(o.stats.peak_waiting, 80);
    ck_assert_uint_le(o.stats.peak_waiting, 84);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

/* The counter leaves the loop, through a cell, into the constant that the sum needs. */
static const char *const own_constant[][2] = {
    {"function 0", "cell 0 c int\nfunction 0"},
    {" bound 3", ""},
    {"-> (int) held", "-> (int, int) held"},
    {"hold.int 7", "read.int cell c -> %h.0\n  %h hold.int _"},
    {", site 0, part 1\n", ", site 0, part 1\n  %w write.int _, cell c\n"},
    {"-> %8.0 | -", "-> %8.0 | %e.0"},
    {"  %8   add", "  %e exit.int _, site 0, part 1 -> %w.0\n  %8   add"},
    {NULL, NULL},
};

START_TEST(a_loop_may_make_its_own_constant)
{
    struct isa_graph *graph = read_changed(own_constant);
    run_everywhere(graph, "5", false);
    isa_graph_free(graph);
}
END_TEST

/* --- what goes wrong ------------------------------------------------------------------------ */

/* Ends in a deadlock, in which this waits, in the interpreter and on machines. */
static void check_deadlock(const struct isa_graph *graph, bool propagate,
                           const char *waiting)
{
    struct isa_code *code = isa_code_make(graph, NULL, propagate);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct isa_interp interp;
    struct lib_text text = {0};
    isa_interp_run(&interp, code, &limits, true, NULL);
    ck_assert_int_eq(interp.end, ISA_END_DEADLOCKED);
    isa_exec_write_waiting(&interp.exec, &text, 10);
    ck_assert_msg(strstr(lib_text_get(&text), waiting) != NULL, "%s",
                  lib_text_get(&text));
    isa_interp_free(&interp);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine_settings settings;
        if (strstr(machines[i], "tag.pool")) /* the iterations alive may exhaust it */
            continue;
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        settings.deadness = propagate;
        struct machine *machine = machine_new(code, &settings, 1);
        while (machine_advance(machine, 1000003))
            ;
        ck_assert_int_eq(machine_end(machine), ISA_END_DEADLOCKED);
        lib_text_clear(&text);
        isa_exec_write_waiting(machine_exec(machine), &text, 10);
        ck_assert(strstr(lib_text_get(&text), waiting) != NULL);
        machine_free(machine);
    }
    lib_text_free(&text);
    isa_code_free(code);
}

/* What needs the constant is what it is made of. */
START_TEST(a_constant_that_needs_itself_is_named)
{
    static const char *const changes[][2] = {
        {"function 0", "cell 0 c int\nfunction 0"},
        {"hold.int 7", "read.int cell c -> %h.0\n  %h hold.int _"},
        {"-> %14.0", "-> %14.0, %w.0"},
        {"  %14  output", "  %w write.int _, cell c\n  %14  output"},
        {NULL, NULL},
    };
    struct isa_graph *graph = read_changed(changes);
    for (int propagate = 0; propagate < 2; propagate++)
        check_deadlock(graph, propagate,
                       "sub.int at 2:5 in result.loop, tag [0.0]: constant 1 of its loop "
                       "has not come\n");
    isa_graph_free(graph);
}
END_TEST

/* The SWITCH does not send the constant, which nobody needs, to its HOLD. */
static const char *const unsent[][2] = {
    {"hold.int 7", "const.int 7 -> %s.0\n  %s switch.int _, false -> %h.0 | -\n"
                   "  %h hold.int _"},
    {"sub.int held 1, _ ", "sub.int 7, _ "},
    {NULL, NULL},
};

START_TEST(a_constant_that_never_comes_is_named)
{
    struct isa_graph *graph = read_changed(unsent);
    for (int propagate = 0; propagate < 2; propagate++)
        check_deadlock(graph, propagate,
                       "  the loop at 1:10, result.loop, under tag []: 1 of 2 constants "
                       "have come\n");
    isa_graph_free(graph);
}
END_TEST

START_TEST(a_loop_that_never_begins_is_named)
{
    static const char *const changes[][2] = {
        {"enter.int 0, site 0, param 0", "const.int 0 -> %s.0\n"
                                         "  %s switch.int _, false -> %e.0 | -\n"
                                         "  %e enter.int _, site 0, param 0"},
        {"enter.int 0, site 0, param 1", "const.int 0 -> %t.0\n"
                                         "  %t switch.int _, false -> %f.0 | -\n"
                                         "  %f enter.int _, site 0, param 1"},
        {NULL, NULL},
    };
    struct isa_graph *graph = read_changed(changes);
    check_deadlock(graph, false,
                   "  the loop at 1:10, result.loop, under tag []: 2 of 2 constants have "
                   "come, and no variable\n");
    isa_graph_free(graph);
}
END_TEST

/* A third one keeps the loop from its end. */
START_TEST(a_second_constant_is_a_failure)
{
    static const char *const changes[][2] = {
        {"held (int, int)", "held (int, int, int)"},
        {"  %3   hold", "  %u const.int 1 -> %v.0\n  %v switch.int _, false -> %w.0 | -\n"
                        "  %w hold.int _, site 0, part 2\n  %3   hold"},
        {"hold.int 7", "const.int 7 -> %m.0, %m.0\n  %m merge.int _ -> %h.0\n"
                       "  %h hold.int _"},
        {NULL, NULL},
    };
    struct isa_graph *graph = read_changed(changes);
    struct machine_settings settings;
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_int_eq(o.end, ISA_END_TRAPPED);
    ck_assert_int_eq(o.trap, ISA_TRAP_COLLISION);
    machine_settings_default(&settings);
    o = test_run(graph, NULL, &settings, 1);
    ck_assert_int_eq(o.trap, ISA_TRAP_COLLISION);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("hold");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, firings_fall, 0, sizeof savings / sizeof *savings);
    tcase_add_test(tcase, a_sticky_operand_counts_as_one);
    tcase_add_loop_test(tcase, arrays_are_held_until_the_loop_ends, 0,
                        sizeof arrays / sizeof *arrays);
    tcase_add_loop_test(tcase, late_constants_are_waited_for_where_they_are_used, 0,
                        sizeof lates / sizeof *lates);
    tcase_add_test(tcase, tokens_that_wait_are_counted);
    tcase_add_test(tcase, a_loop_may_make_its_own_constant);
    tcase_add_test(tcase, a_constant_that_needs_itself_is_named);
    tcase_add_test(tcase, a_constant_that_never_comes_is_named);
    tcase_add_test(tcase, a_loop_that_never_begins_is_named);
    tcase_add_test(tcase, a_second_constant_is_a_failure);
    return test_main("hold", tcase);
}
