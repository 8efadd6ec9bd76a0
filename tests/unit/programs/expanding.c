/* The expanding strategy: function graphs are executed, and every call copies one. Expected results
 * of small programs are written by hand; others are compared with the static strategy. Also the
 * cost and place of copies, and runs without room for them. */
#include "tests/unit/examples.h"
#include "tests/unit/isa_texts.h"

#include <inttypes.h>

/* --- by hand ------------------------------------------------------------------------------ */

/* A program, what it finds, and what is counted: firings and the longest chain of them, copies
 * and their nodes. */
struct by_hand {
    const char *text, *result;
    uint64_t firings, span, copies, nodes;
};

#define FACT(n) "result = fact(" n ")\nfact(n) = if n == 1 then n else n * fact(n - 1)\n"

static const struct by_hand by_hand[] = {
    /* APPLY, two PARAMs, +, RESULT, output; four nodes are copied */
    {"result = f(2, 3)\nf(a, b) = a + b\n", "5", 6, 5, 1, 4},
    /* APPLY, output; of each copy PARAM, ==, SWITCH, MERGE, RESULT, and of all but the last -,
       APPLY, *: all of it one chain */
    {FACT("1"), "1", 7, 7, 1, 8},
    {FACT("4"), "24", 2 + 3 * 8 + 5, 2 + 3 * 8 + 5, 4, 4 * 8},
    /* Both APPLYs at the start; +, output */
    {"result = f(1) + f(2)\nf(x) = x + 1\n", "5", 2 + 2 * 3 + 2, 6, 2, 2 * 3},
    /* APPLY, two PARAMs, two RESULTs, two outputs */
    {"result = swap(1, true)\nswap(a, b) = (b, a)\n", "(true, 1)", 7, 4, 1, 4},
    /* A parameter that nobody uses has its PARAM, which triggers what needs a trigger: CONST */
    {"result = f(1, 2)\nf(a, b) = a\n", "1", 5, 4, 1, 3},
    {"result = f(1)\nf(a) = 7\n", "7", 5, 5, 1, 3},
    /* A call's argument is another call's result: APPLY, PARAM, -, RESULT, again, output */
    {"result = f(f(5))\nf(a) = 1 - a\n", "5", 2 * 4 + 1, 9, 2, 6},
    /* CONST, *, WRITE; READ, APPLY, one of whose operands is an immediate, two PARAMs, a READ
       that the first of them triggers, +, RESULT, output */
    {"c = n * 2\ninput n = 4\nresult = f(c, 1)\nf(a, b) = b + c\n", "9", 11, 9, 1, 5},
};

static void check_by_hand(const struct by_hand *p, const struct traces_stats *s,
                          const char *result, const char *who)
{
    ck_assert_msg(strcmp(result, p->result) == 0, "%s: %s finds %s", p->text, who,
                  result);
    ck_assert_msg(s->firings == p->firings, "%s: %s: %" PRIu64 " firings", p->text, who,
                  s->firings);
    ck_assert_msg(s->span == p->span, "%s: %s: span %" PRIu64, p->text, who, s->span);
    ck_assert_msg(s->calls == p->copies, "%s: %s: %" PRIu64 " calls", p->text, who,
                  s->calls);
}

START_TEST(small_programs_do_what_is_said_by_hand)
{
    const struct by_hand *p = &by_hand[_i];
    struct isa_graph *graph = test_compile(p->text, ISA_STAGE_EXPANDING);
    struct machine_settings ideal;
    test_settings_ideal(&ideal);
    for (int propagate = 0; propagate < 2; propagate++) {
        struct test_outcome o = test_interp(graph, NULL, propagate);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        check_by_hand(p, &o.stats, o.result, "interp");
        ideal.deadness = propagate;
        o = test_run(graph, NULL, &ideal, 0);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        check_by_hand(p, &o.stats, o.result, "ideal");
        ck_assert_uint_eq(o.stats.copies, p->copies);
        ck_assert_uint_eq(o.stats.copied_nodes, p->nodes);
        ck_assert(propagate || o.stats.cycles == p->span);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- as by the static strategy ------------------------------------------------------------ */

/* What has to do with calls in one way or another. */
static const char *const programs[] = {
    FACT("10"),
    "result = fib(9)\nfib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n",
    "result = ack(2, 3)\n"
    "ack(m, n) = if m == 0 then n + 1 else if n == 0 then ack(m - 1, 1)\n"
    "            else ack(m - 1, ack(m, n - 1))\n",
    "result = (even(7), odd(7))\n"
    "even(n) = if n == 0 then true else odd(n - 1)\n"
    "odd(n) = if n == 0 then false else even(n - 1)\n",
    "result = divmod(17, 5)\n"
    "divmod(a, b) = if a < b then (0, a) else let (q, r) = divmod(a - b, b) in (q + 1, "
    "r)\n",
    "result = pick(true, 1, 2.5) + pick(false, 3, 4)\n"
    "pick(c, a, b) = if c then real(a) else b\n",
    /* constants of the program, and functions that read them */
    "a = f(2)\nb = f(a)\nresult = (a, b, g(0))\nf(x) = x * c\nc = 3 + 4\ng(x) = a + b + "
    "x\n",
    /* arrays as arguments and results */
    "xs = [i * i | i <- 0 .. 6]\nresult = (total(xs, 0), double(xs))\n"
    "total(a, i) = if i == length(a) then 0 else a[i] + total(a, i + 1)\n"
    "double(a) = [2 * a[i] | i <- 0 .. length(a) - 1]\n",
    "result = sum([real(i) | i <- 1 .. 20])\n",
    /* an array that waits for itself, in a copy */
    "result = walk(8)\n"
    "walk(n) = let a = [if i == 0 then 1 else a[i - 1] + i | i <- 0 .. n] in a[n]\n",
    /* loops in copies, with constants of theirs; calls in loops, and in their conditions */
    "result = f(3) + f(4)\n"
    "f(k) = loop i = 0, s = 0 while i < k do i + 1, s + k * i return s\n",
    "result = loop i = 0, s = 0 while less(i, 6) do next(i), s + fact(i) return s\n"
    "less(a, b) = a < b\nnext(i) = i + 1\nfact(n) = if n <= 1 then 1 else n * fact(n - "
    "1)\n",
    "result = f(4)\n"
    "f(n) = if n == 0 then 0\n"
    "       else loop i = 0, s = 0 while i < n do i + 1, s + g(i, n) return s + f(n - "
    "1)\n"
    "g(i, n) = loop k = 0, s = n while k < i do k + 1, s + i * n return s\n",
};

static const char *const machines[] = {
    "pe.count=1",
    "copy.placement=caller",
    "placement.policy=random pe.count=5 copy.workers=2",
    "copy.placement=caller copy.workers=1 copy.latency=7 copy.node.latency=3",
    "copy.latency=5000 queue.discipline=lifo copy.placement=caller",
    "copy.latency=2000 network.topology=ideal network.latency=3",
    "copy.node.latency=0 pe.units=0 queue.discipline=lifo copy.placement=caller",
    "match.store=hash match.capacity=16 match.ways=2 copy.placement=caller",
    "match.store=frames match.capacity=4096",
    "queue.capacity=400 network.capacity=400 copy.workers=3",
    "tag.scheme=interned tag.bits=16 copy.workers=1",
    "tag.scheme=pool tag.pool=1000 copy.workers=1 copy.placement=caller",
    "tag.scheme=interned tag.bits=1 tag.exhausted=spill",
    "copy.capacity=4000 copy.workers=2 copy.placement=caller",
    "loop.bound=1",
};

static void check_same(const struct test_outcome *o, const struct test_outcome *oracle,
                       const char *text, const char *where)
{
    ck_assert_msg(o->end == ISA_END_COMPLETED, "%s\n%s: it ended as %d", text, where,
                  o->end);
    ck_assert_msg(strcmp(o->result, oracle->result) == 0, "%s\n%s: %s", text, where,
                  o->result);
    ck_assert_uint_eq(o->stats.calls, oracle->stats.calls);
    ck_assert_uint_eq(o->stats.loop_iterations, oracle->stats.loop_iterations);
}

static void check_on_machine(const struct isa_graph *graph, const char *text,
                             const char *assignments, bool propagate,
                             const struct test_outcome *oracle)
{
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, assignments);
    s.deadness = propagate;
    struct test_outcome o = test_run(graph, NULL, &s, 7);
    check_same(&o, oracle, text, assignments);
    ck_assert_uint_eq(o.stats.firings, oracle->stats.firings);
    ck_assert_uint_eq(o.stats.span, oracle->stats.span);
    ck_assert_uint_eq(o.stats.value_digest, oracle->stats.value_digest);
    ck_assert_uint_eq(o.stats.one_operand, oracle->stats.one_operand);
    ck_assert_uint_eq(o.stats.copies, o.stats.calls);
    ck_assert_uint_le(o.stats.peak_graph_nodes,
                      o.stats.graph_nodes + o.stats.copied_nodes);
    test_check_pe_sums(&o.stats);
    traces_stats_free(&o.stats);
}

START_TEST(both_strategies_find_the_same)
{
    const char *text = programs[_i];
    struct isa_graph *by_copies = test_compile(text, ISA_STAGE_EXPANDING);
    struct isa_graph *by_one = test_compile(text, ISA_STAGE_IMAGE);
    struct test_outcome fixed = test_interp(by_one, NULL, false);
    struct test_outcome oracle = test_interp(by_copies, NULL, false);
    ck_assert_int_eq(fixed.end, ISA_END_COMPLETED);
    check_same(&oracle, &fixed, text, "interp");
    test_check_lean(by_copies, fixed.result);
    for (int propagate = 0; propagate < 2; propagate++)
        for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
            check_on_machine(by_copies, text, machines[i], propagate, &oracle);
    isa_graph_free(by_copies);
    isa_graph_free(by_one);
}
END_TEST

/* A row says result and calls, found by other means. */
static void check_example(const struct test_row *row, struct test_program *p)
{
    struct machine_settings s;
    struct test_outcome oracle = test_interp(p->graph, p->inputs, false);
    ck_assert_msg(strcmp(oracle.result, row->result) == 0, "%s: %s", row->program,
                  oracle.result);
    ck_assert_msg(oracle.stats.calls == row->calls, "%s: %" PRIu64 " calls", row->program,
                  oracle.stats.calls);
    if (row->calls > 20000) /* machines need not show that again */
        return;
    for (int i = 0; i < 3; i++) {
        test_settings_ideal(&s);
        if (i > 0)
            machine_settings_default(&s);
        if (i > 1)
            test_set_all(&s, "deadness=propagate copy.workers=4");
        struct test_outcome o = test_run(p->graph, p->inputs, &s, 3);
        check_same(&o, &oracle, row->program, "machine");
        ck_assert_uint_eq(o.stats.firings, oracle.stats.firings);
        ck_assert_uint_eq(o.stats.value_digest, oracle.stats.value_digest);
        ck_assert(i > 0 || o.stats.cycles == oracle.stats.span);
        traces_stats_free(&o.stats);
    }
}

START_TEST(the_examples_find_the_same)
{
    test_each_example_at(ISA_STAGE_EXPANDING, check_example);
}
END_TEST

/* --- what copies cost --------------------------------------------------------------------- */

/* The statistics of a run on `ideal`, but for these settings; it completes. */
static struct traces_stats run_ideal(const char *text, const char *assignments)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_EXPANDING);
    struct machine_settings s;
    test_settings_ideal(&s);
    test_set_all(&s, assignments);
    struct test_outcome o = test_run(graph, NULL, &s, 0);
    ck_assert_msg(o.end == ISA_END_COMPLETED, "%s: ended as %d", assignments, o.end);
    isa_graph_free(graph);
    return o.stats;
}

static void check_cycles(const char *text, const char *assignments, uint64_t cycles,
                         uint64_t stalls)
{
    struct traces_stats s = run_ideal(text, assignments);
    ck_assert_msg(s.cycles == cycles, "%s: %" PRIu64 " cycles, not %" PRIu64, assignments,
                  s.cycles, cycles);
    ck_assert_msg(s.copy_stalls == stalls, "%s: %" PRIu64 " stalls", assignments,
                  s.copy_stalls);
    traces_stats_free(&s);
}

/* Two calls at the same time, of copies of 3 nodes. */
static const char two_calls[] = "result = f(1) + f(2)\nf(x) = x + 1\n";

START_TEST(a_copy_takes_its_time)
{
    /* a chain of 3 calls, of 8 nodes each: 23 firings */
    check_cycles(FACT("3"), "copy.latency=0", 23, 0);
    check_cycles(FACT("3"), "copy.latency=10", 23 + 3 * 10, 0);
    check_cycles(FACT("3"), "copy.latency=10 copy.node.latency=2", 23 + 3 * (10 + 16), 0);
    /* longer than wheels are */
    check_cycles(FACT("3"), "copy.latency=100000 copy.node.latency=1000",
                 23 + 3 * (100000 + 8000), 0);
    check_cycles(two_calls, "copy.latency=10", 6 + 10, 0);
    check_cycles(two_calls, "copy.latency=5000", 6 + 5000, 0);
}
END_TEST

START_TEST(workers_make_one_copy_after_the_other)
{
    check_cycles(two_calls, "copy.latency=10 copy.workers=1", 6 + 2 * 10, 1);
    check_cycles(two_calls, "copy.latency=10 copy.workers=2", 6 + 10, 0);
    check_cycles(two_calls, "copy.latency=2000 copy.workers=1", 6 + 2 * 2000, 1);
    check_cycles("result = f(1) + f(2) + f(3) + f(4)\nf(x) = x + 1\n",
                 "copy.latency=10 copy.workers=2", 6 + 2 * 10 + 1, 2);
    /* a worker for whom nobody waits costs nothing */
    check_cycles(FACT("3"), "copy.latency=10 copy.workers=1", 23 + 3 * 10, 0);
    /* one that took a slower number, and takes one again after it has waited: once slower */
    check_cycles(two_calls,
                 "copy.latency=10 copy.workers=1 tag.scheme=pool tag.pool=1 "
                 "tag.exhausted=spill tag.spill.latency=20",
                 6 + 2 * 10 + 20, 1);
}
END_TEST

START_TEST(copies_have_room_or_wait)
{
    /* Room for one: the second APPLY fires in the cycle after the first RESULT. */
    check_cycles(two_calls, "copy.capacity=3", 10, 1);
    check_cycles(two_calls, "copy.capacity=5", 10, 1);
    check_cycles(two_calls, "copy.capacity=6", 6, 0);
    struct traces_stats s = run_ideal(two_calls, "copy.capacity=3");
    ck_assert_uint_eq(s.graph_nodes, 4 + 3);
    ck_assert_uint_eq(s.peak_graph_nodes, 4 + 3);
    traces_stats_free(&s);
    s = run_ideal(two_calls, "copy.capacity=6");
    ck_assert_uint_eq(s.peak_graph_nodes, 4 + 6);
    traces_stats_free(&s);
}
END_TEST

/* How a run ends that cannot go on, and the setting that it names. */
static void check_stops(const char *text, const char *assignments, enum isa_end end,
                        const char *limit)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_EXPANDING);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, assignments);
    struct machine *m = machine_new(code, &s, 0);
    while (machine_advance(m, 1000))
        ;
    ck_assert_int_eq(machine_end(m), end);
    ck_assert_str_eq(machine_limit(m), limit);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
}

START_TEST(without_room_the_store_is_full)
{
    check_stops(two_calls, "copy.capacity=2", ISA_END_STORE_FULL, "copy.capacity");
    /* Those that wait hold what is needed: a recursion of 10 needs all 10 copies. */
    check_stops(FACT("10"), "copy.capacity=79 pe.count=1", ISA_END_STORE_FULL,
                "copy.capacity");
    check_stops(FACT("10"), "copy.capacity=79 copy.placement=caller copy.workers=1",
                ISA_END_STORE_FULL, "copy.capacity");
    check_stops(FACT("10"), "tag.scheme=pool tag.pool=9", ISA_END_TAGS_EXHAUSTED,
                "tag.pool");
    struct traces_stats s = run_ideal(FACT("10"), "copy.capacity=80");
    ck_assert_uint_eq(s.peak_graph_nodes, 2 + 80);
    traces_stats_free(&s);
}
END_TEST

START_TEST(copies_run_where_the_settings_say)
{
    const char *fib = programs[1];
    struct isa_graph *graph = test_compile(fib, ISA_STAGE_EXPANDING);
    struct machine_settings s;
    machine_settings_default(&s);
    struct test_outcome placed = test_run(graph, NULL, &s, 0);
    s.copy_placement = MACHINE_COPY_AT_CALLER;
    struct test_outcome at_caller = test_run(graph, NULL, &s, 0);
    ck_assert_uint_eq(at_caller.stats.network_tokens, 0);
    ck_assert_uint_gt(placed.stats.network_tokens, placed.stats.calls);
    ck_assert_uint_gt(at_caller.stats.cycles, placed.stats.cycles);
    size_t busy = 0;
    for (size_t i = 0; i < placed.stats.pe_count; i++)
        busy += placed.stats.pe[i].firings > 0;
    ck_assert_uint_eq(busy, placed.stats.pe_count);
    ck_assert_uint_eq(placed.stats.working_pes, busy);
    ck_assert_uint_eq(at_caller.stats.working_pes, 1);
    traces_stats_free(&at_caller.stats);
    traces_stats_free(&placed.stats);
    isa_graph_free(graph);
}
END_TEST

/* --- hiatons, and what is written by hand --------------------------------------------------- */

START_TEST(a_dead_apply_makes_no_copy)
{
    static const char text[] = "input c = true\nresult = if c then 1 else g(2, f(3))\n"
                               "g(a, b) = a + b\nf(a) = a\n";
    struct isa_graph *graph = test_compile(text, ISA_STAGE_EXPANDING);
    struct test_outcome o = test_interp(graph, NULL, true);
    ck_assert_str_eq(o.result, "1");
    ck_assert_uint_eq(o.stats.calls, 0);
    /* both APPLYs, each once, whatever the number of their arguments */
    ck_assert_uint_eq(o.stats.dead_firings, 2);
    ck_assert_uint_eq(test_interp(graph, NULL, false).stats.dead_firings, 0);
    isa_graph_free(graph);
}
END_TEST

/* One argument of an APPLY comes, the other as a hiaton, or never. */
static const char half_dead[] = "hiaton assembly 1\n"
                                "stage expanding\n"
                                "function 0 result () -> (int)\n"
                                "function 1 f (int, int) -> (int)\n"
                                "site 0 result -> f\n"
                                "in result\n"
                                "  %0 const.bool false -> %1.1\n"
                                "  %1 switch.int 7, _ -> %3.0 | %4.0\n"
                                "  %2 const.int 5 -> %3.1\n"
                                "  %3 apply _, _, site 0 -> %4.0\n"
                                "  %4 mergeif.int _ -> %5.0\n"
                                "  %5 output.int _, part 0\n"
                                "in f\n"
                                "  %6 param.int param 0 -> %8.0\n"
                                "  %7 param.int param 1 -> %8.1\n"
                                "  %8 add.int _, _ -> %9.0\n"
                                "  %9 result.int _, part 0\n";

START_TEST(an_apply_with_one_dead_argument_waits_for_all)
{
    struct isa_graph *graph = test_read(half_dead);
    struct machine_settings s;
    struct test_outcome o = test_interp(graph, NULL, true);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, "7");
    ck_assert_uint_eq(o.stats.calls, 0);
    ck_assert_uint_eq(o.stats.dead_firings, 1);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        machine_settings_default(&s);
        test_set_all(&s, machines[i]);
        s.deadness = MACHINE_PROPAGATE;
        o = test_run(graph, NULL, &s, 0);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        ck_assert_str_eq(o.result, "7");
        ck_assert_uint_eq(o.stats.copies, 0);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

START_TEST(an_apply_that_waits_is_told)
{
    struct isa_graph *graph = test_read(half_dead);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct isa_interp interp;
    struct lib_text text = {0};
    isa_interp_run(&interp, code, &limits, true, NULL);
    ck_assert_int_eq(interp.end, ISA_END_DEADLOCKED);
    isa_exec_write_waiting(&interp.exec, &text, 10);
    ck_assert_str_eq(
        lib_text_get(&text),
        "  %3 apply of assembly line 10 in result, tag []: operand 0 has not "
        "come\n");
    lib_text_free(&text);
    isa_interp_free(&interp);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* A second token for an argument that has come is a mistake of who wrote it. */
START_TEST(an_argument_that_comes_twice_fails)
{
    static const char twice[] = "hiaton assembly 1\n"
                                "stage expanding\n"
                                "function 0 result () -> (int)\n"
                                "function 1 f (int, int) -> (int)\n"
                                "site 0 result -> f\n"
                                "in result\n"
                                "  %0 const.int 1 -> %2.0\n"
                                "  %1 const.int 2 -> %2.0\n"
                                "  %2 mergeif.int _ -> %3.0\n"
                                "  %3 apply _, _, site 0 -> %4.0\n"
                                "  %4 output.int _, part 0\n"
                                "  %5 const.bool false -> %6.1\n"
                                "  %6 switch.int 7, _ -> %3.1 | -\n"
                                "in f\n"
                                "  %7 param.int param 0 -> %9.0\n"
                                "  %8 param.int param 1 -> %9.1\n"
                                "  %9 add.int _, _ -> %10.0\n"
                                "  %10 result.int _, part 0\n";
    struct isa_graph *graph = test_read(twice);
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_int_eq(o.end, ISA_END_TRAPPED);
    ck_assert_int_eq(o.trap, ISA_TRAP_COLLISION);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("expanding");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, small_programs_do_what_is_said_by_hand, 0,
                        (int)(sizeof by_hand / sizeof *by_hand));
    tcase_add_loop_test(tcase, both_strategies_find_the_same, 0,
                        (int)(sizeof programs / sizeof *programs));
    tcase_add_test(tcase, the_examples_find_the_same);
    tcase_add_test(tcase, a_copy_takes_its_time);
    tcase_add_test(tcase, workers_make_one_copy_after_the_other);
    tcase_add_test(tcase, copies_have_room_or_wait);
    tcase_add_test(tcase, without_room_the_store_is_full);
    tcase_add_test(tcase, copies_run_where_the_settings_say);
    tcase_add_test(tcase, a_dead_apply_makes_no_copy);
    tcase_add_test(tcase, an_apply_with_one_dead_argument_waits_for_all);
    tcase_add_test(tcase, an_apply_that_waits_is_told);
    tcase_add_test(tcase, an_argument_that_comes_twice_fails);
    return test_main("expanding", tcase);
}
