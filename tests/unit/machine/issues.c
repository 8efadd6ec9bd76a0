/* The issue slots of PEs: what takes one and what does not, counted by hand, and that
 * each engine counts the same; what a machine that is saturated shows. */
#include "machine/engine/engine.h"
#include "tests/unit/examples.h"

/* --- a run ------------------------------------------------------------------------------- */

/* What a run took, with the rows of its PEs. `any`: by the general engine even where the plain
 * one would do. */
static struct traces_stats stats_of(const struct isa_graph *graph,
                                    const char *assignments, bool any)
{
    struct traces_stats stats;
    struct machine_settings s;
    test_settings_ideal(&s);
    test_set_all(&s, assignments);
    struct isa_code *code = isa_code_make(graph, NULL, s.deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, &s, 3);
    if (any)
        machine_never_plain(m);
    while (machine_advance(m, 1000003))
        ;
    ck_assert_msg(machine_end(m) == ISA_END_COMPLETED, "%s", assignments);
    machine_measure(m, &stats);
    analysis_derive(&stats);
    machine_free(m);
    isa_code_free(code);
    return stats;
}

static void check_sums(const struct traces_stats *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->pe_count; i++) {
        ck_assert_uint_le(s->pe[i].busy, s->pe[i].turns);
        sum += s->pe[i].turns;
    }
    ck_assert_uint_eq(sum, s->turns);
    ck_assert(!(s->utilisation > s->occupancy));
}

/* By both engines, on PE after PE. */
static void check_turns(const struct isa_graph *graph, const char *assignments,
                        uint64_t expected)
{
    struct traces_stats s = stats_of(graph, assignments, false);
    struct traces_stats general = stats_of(graph, assignments, true);
    check_sums(&s);
    ck_assert_msg(s.turns == expected, "%s: %llu turns, expected %llu", assignments,
                  (unsigned long long)s.turns, (unsigned long long)expected);
    ck_assert_uint_eq(general.timing_digest, s.timing_digest);
    ck_assert_mem_eq(general.pe, s.pe, s.pe_count * sizeof *s.pe);
    traces_stats_free(&s);
    traces_stats_free(&general);
}

/* --- by hand ------------------------------------------------------------------------------ */

/* A program; instructions of its start, tokens (0: not counted here), and other turns. */
static const struct {
    const char *text, *settings;
    uint64_t starts, tokens, beside;
} by_hand[] = {
    /* CONST at the start; -, OUTPUT. */
    {"input n = 3\nresult = 2 - n\n", "", 1, 2, 0},
    /* CONST and two READs at the start; *, WRITE, both operands of +, OUTPUT. */
    {"a = 3\nb = a * 2\nresult = b + b\n", "", 3, 5, 0},
    /* Tokens parked for a constant of their loop: the 40 products. */
    {"result = let k = (loop n = 0 while n < 300 do n + 1) in\n"
     " loop i = 0, s = 0 while i < 40 do i + 1, max(s, i * k) return s",
     "", 3, 0, 40},
    {"result = let k = (loop n = 0 while n < 300 do n + 1) in\n"
     " loop i = 0, s = 0 while i < 40 do i + 1, max(s, i * k) return s",
     "pe.count=5 network.topology=crossbar network.latency=1", 3, 0, 40},
};

START_TEST(turns_by_hand)
{
    struct isa_graph *graph = test_compile(by_hand[_i].text, ISA_STAGE_IMAGE);
    struct test_outcome o = test_interp(graph, NULL, false);
    const uint64_t tokens = by_hand[_i].tokens ? by_hand[_i].tokens : o.stats.tokens;
    ck_assert_uint_eq(tokens, o.stats.tokens);
    check_turns(graph, by_hand[_i].settings,
                by_hand[_i].starts + tokens + by_hand[_i].beside);
    isa_graph_free(graph);
}
END_TEST

/* --- what waits elsewhere takes no second turn -------------------------------------------- */

static const char calls[] = "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"
                            "turn(n, m) = if n == 0 then m else turn(n - 1, m + n)\n"
                            "result = (fib(7), turn(5, 1), loop i = 0, s = 0 while i < "
                            "30 do i + 1, s + fib(i % 3))";

static const char *const machines[] = {
    "",
    "pe.count=7",
    "pe.count=7 pe.units=1 queue.discipline=lifo",
    "pe.count=4 network.topology=crossbar network.latency=3 network.bandwidth=40",
    "pe.count=3 tag.scheme=interned tag.intern.bandwidth=1 tag.bits=20",
    "pe.count=3 tag.scheme=interned tag.intern.units=machine tag.bits=20",
    "tag.scheme=pool tag.pool=10 pe.units=2 queue.discipline=lifo",
    "tag.scheme=pool tag.pool=1 tag.exhausted=spill",
    "pe.count=3 loop.bound=1",
    "pe.count=3 loop.bound=1 tag.scheme=interned tag.bits=20",
    "queue.capacity=4000 pe.count=4",
    "match.store=hash match.capacity=4 pe.count=4",
    "copy.latency=40 copy.workers=1 pe.count=4",
};

static void check_everywhere(const struct isa_graph *graph, uint64_t beside)
{
    struct test_outcome o = test_interp(graph, NULL, false);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        check_turns(graph, machines[i], o.stats.tokens + beside);
}

static uint64_t count_starts(const struct isa_graph *graph)
{
    struct isa_code *code = isa_code_make(graph, NULL, false);
    ck_assert(!code->has_held);
    const uint64_t count = code->start_count;
    isa_code_free(code);
    return count;
}

START_TEST(waiting_elsewhere_takes_no_issue_slot)
{
    struct isa_graph *graph = test_compile(calls,
                                           _i ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE);
    check_everywhere(graph, count_starts(graph));
    isa_graph_free(graph);
}
END_TEST

/* --- requests take a turn where their operands come, and one at their element --------------- */

START_TEST(requests_take_turns)
{
    static const char *const variants[] = {
        "pe.count=4",
        "pe.count=4 pe.units=1 network.topology=crossbar network.latency=1",
        "pe.count=4 queue.capacity=1000",
    };
    struct isa_graph *graph = test_compile_loops(
        "f(n) = [i * i | i <- 0 .. n]\ng(n) = sum(f(n)) + f(n)[2]\nresult = g(20) + "
        "g(3)\n",
        PROGRAMS_CONSTANTS_COPIES);
    struct test_outcome o = test_interp(graph, NULL, false);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct traces_stats s = stats_of(graph, variants[i], false);
        ck_assert_uint_gt(s.element_requests, 20);
        check_turns(graph, variants[i],
                    o.stats.tokens + s.element_requests + count_starts(graph));
        traces_stats_free(&s);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- what it tells ------------------------------------------------------------------------ */

/* One PE that always has a token: units are idle while tokens only wait, slots are not. */
START_TEST(a_saturated_pe_shows)
{
    struct test_program p = test_example("fib");
    struct machine_settings s;
    struct test_outcome o;
    test_set_inputs(&p, "n=15");
    machine_settings_default(&s);
    test_set(&s, "pe.count", "1");
    o = test_run(p.graph, p.inputs, &s, 0);
    check_sums(&o.stats);
    ck_assert(o.stats.occupancy > 0.99 && o.stats.occupancy <= 1);
    ck_assert(o.stats.utilisation < 0.8);
    traces_stats_free(&o.stats);

    test_set(&s, "pe.units", "4");
    test_set(&s, "pe.count", "2");
    o = test_run(p.graph, p.inputs, &s, 0);
    ck_assert(o.stats.occupancy == (double)o.stats.turns / (8 * (double)o.stats.cycles));
    traces_stats_free(&o.stats);

    test_set(&s, "pe.units", "0");
    o = test_run(p.graph, p.inputs, &s, 0);
    ck_assert(isnan(o.stats.occupancy));
    ck_assert_uint_gt(o.stats.turns, o.stats.tokens);
    traces_stats_free(&o.stats);

    test_set(&s, "executor.workers", "4");
    o = test_run(p.graph, p.inputs, &s, 0);
    ck_assert_uint_eq(o.stats.turns, 0);
    ck_assert(o.stats.occupancy == o.stats.utilisation && o.stats.occupancy > 0.5);
    traces_stats_free(&o.stats);
    test_program_free(&p);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("turns");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, turns_by_hand, 0, sizeof by_hand / sizeof *by_hand);
    tcase_add_loop_test(tcase, waiting_elsewhere_takes_no_issue_slot, 0, 2);
    tcase_add_test(tcase, requests_take_turns);
    tcase_add_test(tcase, a_saturated_pe_shows);
    return test_main("turns", tcase);
}
