/* Executors (machine/engine/executor.h) compute what all engines compute, at the cost that the
 * settings say, with nodes counted as in TensorFlow's graphs. */
#include "isa/fire/interp.h"
#include "tests/random/draw.h"
#include "tests/unit/examples.h"

#include <inttypes.h>

enum { SEED = 20261121, MACHINES = 6 };

static struct test_outcome run_with(const struct test_program *p, const char *assignments)
{
    struct machine_settings s;
    machine_settings_default(&s);
    test_set(&s, "executor.workers", "8");
    test_set(&s, "deadness", "propagate");
    test_set_all(&s, assignments);
    struct test_outcome o = test_run(p->graph, p->inputs, &s, 1);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    return o;
}

static struct test_program load_at(enum isa_stage stage, const char *name,
                                   const char *inputs)
{
    struct test_program p = test_example_at(name, stage);
    test_set_inputs(&p, inputs);
    return p;
}

static struct test_program load(const char *name, const char *inputs)
{
    return load_at(ISA_STAGE_IMAGE, name, inputs);
}

/* --- nodes --------------------------------------------------------------------------------- */

/* Nodes per call, to be `live` and `dead` within a tenth; they depend a little on how often
 * each branch is taken. (Read in the functions of paper 1, table 1, as tf.cond lowers them.) */
static void check_nodes(const char *name, const char *inputs, double live, double dead)
{
    struct test_program p = load(name, inputs);
    struct test_outcome o = run_with(&p, "");
    const double calls = (double)o.stats.calls;
    ck_assert_double_eq_tol((double)o.stats.live_nodes / calls, live, 0.1);
    ck_assert_double_eq_tol((double)o.stats.dead_nodes / calls, dead, 0.2);
    traces_stats_free(&o.stats);
    test_program_free(&p);
}

static void check_nodes_of_copies(const char *name, const char *inputs, double live)
{
    struct test_program p = load_at(ISA_STAGE_EXPANDING, name, inputs);
    struct test_outcome o = run_with(&p, "");
    ck_assert_double_eq_tol((double)o.stats.live_nodes / (double)o.stats.calls, live,
                            0.1);
    traces_stats_free(&o.stats);
    test_program_free(&p);
}

/* A call is one node, an argument too, and a result: with m parameters 2 m nodes less than in the
 * static graph, where MERGE, Identity and CALL are three for each of them. */
START_TEST(nodes_per_copy)
{
    check_nodes_of_copies("fib", "n=16", 14 - 2 + 1);
    check_nodes_of_copies("tak", "x=14 y=10 z=5", 20.5 - 6 + 1);
    check_nodes_of_copies("ack", "m=3 n=4", 23.5 - 4 + 1);
}
END_TEST

START_TEST(nodes_per_call)
{
    check_nodes("fib", "n=16", 14, 6);
    check_nodes("tak", "x=14 y=10 z=5", 20.5, 17.5);
    check_nodes("ack", "m=3 n=4", 23.5, 18.5);
    if (!test_is_quick())
        check_nodes("primes", "n=7500", 48, 8);
}
END_TEST

/* fib, counted by hand. Both cases: MERGE and Identity of n; 1 and <=; the Switch of the predicate,
 * its Identity and that of one side; the Switch of n; Merge: 9. The leaf adds the constant 1, the
 * other case two constants, - and CALL twice, RETURN twice and +: 9. Dead are the Identity of the
 * other side and what the other case adds. At top level: n, CALL, RETURN, the result. */
START_TEST(nodes_of_fib)
{
    struct test_program p = load("fib", "n=10");
    struct test_outcome o = run_with(&p, "");
    const uint64_t leaves = 89, others = 88;
    ck_assert_uint_eq(o.stats.calls, leaves + others);
    ck_assert_uint_eq(o.stats.live_nodes, 10 * leaves + 18 * others + 4);
    ck_assert_uint_eq(o.stats.dead_nodes, 10 * leaves + 2 * others);
    traces_stats_free(&o.stats);
    o = run_with(&p, "deadness=suppress");
    ck_assert_uint_eq(o.stats.live_nodes, 10 * leaves + 18 * others + 4);
    ck_assert_uint_eq(o.stats.dead_nodes, 0);
    traces_stats_free(&o.stats);
    test_program_free(&p);
}
END_TEST

/* --- what is computed ---------------------------------------------------------------------- */

static void check_same(const struct test_outcome *o, const struct test_outcome *oracle,
                       const char *where)
{
    ck_assert_msg(o->end == oracle->end, "%s: it ended otherwise", where);
    if (oracle->end != ISA_END_COMPLETED)
        return;
    ck_assert_msg(strcmp(o->result, oracle->result) == 0, "%s: %s", where, o->result);
#define SAME(what)                                                                       \
    ck_assert_msg(o->stats.what == oracle->stats.what,                                   \
                  "%s: " #what " %" PRIu64 ", expected %" PRIu64, where, o->stats.what,  \
                  oracle->stats.what)
    SAME(firings);
    SAME(dead_firings);
    SAME(span);
    SAME(calls);
    SAME(loop_iterations);
    SAME(tokens);
    SAME(dead_tokens);
    SAME(value_digest);
    SAME(one_operand);
#undef SAME
}

/* In pieces of any size it is the same run. */
static uint64_t timing_in_pieces(const struct test_program *p,
                                 const struct machine_settings *s, uint64_t piece)
{
    struct isa_code *code = isa_code_make(p->graph, p->inputs,
                                          s->deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, s, 1);
    struct traces_stats stats;
    while (machine_advance(m, piece))
        ;
    machine_measure(m, &stats);
    const uint64_t digest = stats.timing_digest;
    traces_stats_free(&stats);
    machine_free(m);
    isa_code_free(code);
    return digest;
}

static void check_example(const struct test_row *row, struct test_program *p)
{
    if (row->calls > 200)
        return;
    struct draw draw = {.seed = SEED + row->calls};
    const struct test_outcome oracle[2] = {test_interp(p->graph, p->inputs, false),
                                           test_interp(p->graph, p->inputs, true)};
    for (int i = 0; i < MACHINES; i++) {
        struct machine_settings s;
        struct lib_text where = {0};
        draw_executor(&draw, &s);
        lib_text_printf(&where, "%s %s ", row->program, row->inputs);
        draw_write(&s, &where);
        struct test_outcome o = test_run(p->graph, p->inputs, &s, 1);
        check_same(&o, &oracle[s.deadness == MACHINE_PROPAGATE], lib_text_get(&where));
        ck_assert_msg(o.stats.timing_digest == timing_in_pieces(p, &s, 7), "%s",
                      lib_text_get(&where));
        traces_stats_free(&o.stats);
        lib_text_free(&where);
    }
}

START_TEST(every_example)
{
    test_each_example_at(ISA_STAGE_IMAGE, check_example);
    test_each_example_at(ISA_STAGE_EXPANDING, check_example);
}
END_TEST

/* --- what it costs ------------------------------------------------------------------------- */

#define COSTS                                                                            \
    "executor.live.latency=100 executor.dead.latency=7 executor.frame.latency=1000 "     \
    "executor.lock.latency=30 "

/* One worker never waits: its time is the sum of what it did. */
START_TEST(one_worker)
{
    static const char *const rows[][2] = {
        {"fib", "n=10"}, {"tak", "x=7 y=4 z=1"}, {"ack", "m=2 n=2"}, {"primes", "n=30"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_program p = load(rows[i][0], rows[i][1]);
        struct test_outcome o = run_with(&p, COSTS "executor.workers=1");
        const struct traces_stats *s = &o.stats;
        ck_assert_uint_eq(s->cycles, 100 * s->live_nodes + 7 * s->dead_nodes +
                                         1000 * s->calls + 30 * s->lock_uses);
        ck_assert_uint_eq(s->lock_stalls, 0);
        ck_assert_uint_eq(s->busy_cycles, s->cycles);
        traces_stats_free(&o.stats);
        test_program_free(&p);
    }
}
END_TEST

/* The same where calls copy graphs: there are no frames, and each copy is a use of the lock. */
START_TEST(one_worker_copies)
{
    static const char *const rows[][2] = {
        {"fib", "n=10"}, {"tak", "x=7 y=4 z=1"}, {"ack", "m=2 n=2"}, {"primes", "n=30"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_program p = load_at(ISA_STAGE_EXPANDING, rows[i][0], rows[i][1]);
        struct test_outcome o = run_with(&p, COSTS
                                         "executor.workers=1 executor.tag.latency=11 "
                                         "executor.copy.lock.latency=300 "
                                         "copy.latency=5000 copy.node.latency=0");
        const struct traces_stats *s = &o.stats;
        ck_assert_uint_eq(s->copies, s->calls);
        ck_assert_uint_eq(s->lock_uses, s->calls);
        ck_assert_uint_eq(s->cycles,
                          100 * s->live_nodes + 7 * s->dead_nodes + 5300 * s->calls);
        traces_stats_free(&o.stats);
        test_program_free(&p);
    }
}
END_TEST

/* All nodes of fib are copied. By hand: PARAM; 1 and <=; the four nodes of the conditional, a
 * Switch and Merge; the constant 1; two constants, - and calls, and +; RESULT. */
START_TEST(copied_nodes)
{
    struct test_program p = load_at(ISA_STAGE_EXPANDING, "fib", "n=10");
    struct test_outcome a = run_with(&p, "executor.workers=1 copy.node.latency=0");
    struct test_outcome b = run_with(&p, "executor.workers=1 copy.node.latency=9");
    const uint64_t nodes = 1 + 2 + 4 + 2 + 1 + 7 + 1;
    ck_assert_uint_eq(b.stats.cycles - a.stats.cycles, 9 * nodes * a.stats.calls);
    traces_stats_free(&a.stats);
    traces_stats_free(&b.stats);
    test_program_free(&p);
}
END_TEST

/* A call of m parameters uses the store m times to find its frame, once to make it, twice when
 * it returns and once to free it. */
START_TEST(uses_of_the_lock)
{
    struct test_program p = load("fib", "n=10");
    struct test_outcome o = run_with(&p, "");
    ck_assert_uint_eq(o.stats.lock_uses, 5 * o.stats.calls);
    traces_stats_free(&o.stats);
    test_program_free(&p);
    p = load("tak", "x=7 y=4 z=1");
    o = run_with(&p, "");
    ck_assert_uint_eq(o.stats.lock_uses, 7 * o.stats.calls);
    traces_stats_free(&o.stats);
    test_program_free(&p);
}
END_TEST

/* Under the tag of a call a live node costs more: all but the four at top level. */
START_TEST(nodes_under_a_tag)
{
    struct test_program p = load("fib", "n=10");
    struct test_outcome a = run_with(&p, COSTS "executor.workers=1");
    struct test_outcome b = run_with(&p, COSTS "executor.workers=1 "
                                               "executor.tag.latency=11");
    /* RETURN fires under the tag of the call. */
    ck_assert_uint_eq(b.stats.cycles - a.stats.cycles, 11 * (a.stats.live_nodes - 3));
    traces_stats_free(&a.stats);
    traces_stats_free(&b.stats);
    test_program_free(&p);
}
END_TEST

/* Each leaf of fib has two calls that are not made: each a frame, and three uses. */
START_TEST(frames_of_dead_calls)
{
    struct test_program p = load("fib", "n=10");
    struct test_outcome a = run_with(&p, COSTS "executor.workers=1");
    struct test_outcome b = run_with(&p, COSTS "executor.workers=1 "
                                               "executor.dead_call_frame=on");
    ck_assert_uint_eq(b.stats.lock_uses - a.stats.lock_uses, UINT64_C(89) * 2 * 3);
    ck_assert_uint_eq(b.stats.cycles - a.stats.cycles,
                      UINT64_C(89) * 2 * (3 * 30 + 1000));
    ck_assert_uint_eq(a.stats.calls, b.stats.calls);
    traces_stats_free(&a.stats);
    traces_stats_free(&b.stats);
    test_program_free(&p);
}
END_TEST

/* Without a lock the work is the same for any number of workers, who share it. */
START_TEST(no_lock)
{
    static const char *const workers[] = {"2", "3", "8", "64"};
    struct test_program p = load("fib", "n=14");
    struct test_outcome one = run_with(&p, COSTS
                                       "executor.lock.latency=0 executor.workers=1");
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        char settings[256];
        const uint64_t count = strtoull(workers[i], NULL, 10);
        snprintf(settings, sizeof settings,
                 COSTS "executor.lock.latency=0 executor.workers=%s", workers[i]);
        struct test_outcome o = run_with(&p, settings);
        ck_assert_uint_eq(o.stats.busy_cycles, one.stats.cycles);
        ck_assert_uint_eq(o.stats.lock_stalls, 0);
        ck_assert_uint_ge(o.stats.cycles * count, one.stats.cycles);
        if (count <= 8) /* there is enough to do for all */
            ck_assert_uint_le(o.stats.cycles * count * 9, one.stats.cycles * 10);
        traces_stats_free(&o.stats);
    }
    traces_stats_free(&one.stats);
    test_program_free(&p);
}
END_TEST

/* With many workers the lock decides: it is never idle, and nothing is faster. */
START_TEST(contention)
{
    struct test_program p = load("fib", "n=14");
    struct test_outcome o = run_with(&p, COSTS "executor.lock.latency=2000 "
                                               "executor.workers=64");
    const uint64_t held = 2000 * o.stats.lock_uses;
    ck_assert_uint_ge(o.stats.cycles, held);
    ck_assert_uint_le(o.stats.cycles, held + held / 20);
    ck_assert_uint_gt(o.stats.lock_stalls, 20 * o.stats.cycles);
    traces_stats_free(&o.stats);
    test_program_free(&p);
}
END_TEST

/* A worker that sleeps before the lock gets it later by the time of waking, and nobody has it
 * meanwhile: with many workers each time, two or three times per call. A single worker never waits;
 * one that waits for less than it takes to fall asleep has not slept. */
START_TEST(handing_over)
{
    struct test_program p = load("fib", "n=14");
    static const char *const waking[] = {
        "executor.handoff.latency=0", "executor.handoff.latency=700",
        "executor.handoff.latency=700 executor.sleep.latency=900000000"};
    struct traces_stats many[3], one[3];
    for (int i = 0; i < 3; i++) {
        char settings[400];
        snprintf(settings, sizeof settings, "%s executor.lock.latency=2000 %s", COSTS,
                 waking[i]);
        struct test_outcome o = run_with(&p, settings);
        snprintf(settings, sizeof settings,
                 "%s executor.lock.latency=2000 executor.workers=1 %s", COSTS, waking[i]);
        struct test_outcome alone = run_with(&p, settings);
        many[i] = o.stats;
        one[i] = alone.stats;
    }
    ck_assert_uint_eq(one[1].timing_digest, one[0].timing_digest);
    ck_assert_uint_eq(many[2].timing_digest, many[0].timing_digest);
    ck_assert_uint_eq(many[1].value_digest, many[0].value_digest);
    ck_assert_uint_eq(many[1].lock_uses, many[0].lock_uses);
    const uint64_t more = many[1].cycles - many[0].cycles;
    ck_assert_uint_ge(more, 2 * 700 * (many[0].calls - 100));
    ck_assert_uint_le(more, 3 * 700 * (many[0].calls + 100));
    ck_assert_uint_gt(many[1].lock_stalls, many[0].lock_stalls);
    for (int i = 0; i < 3; i++) {
        traces_stats_free(&many[i]);
        traces_stats_free(&one[i]);
    }
    test_program_free(&p);
}
END_TEST

/* Calls of four parameters use the lock oftener than calls of one, and then take as much longer;
 * where each copies a graph, the lock is taken once whatever the parameters. */
static double cycles_per_call(const char *text, enum isa_stage stage)
{
    struct isa_graph *graph = test_compile(text, stage);
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, COSTS "executor.workers=32 executor.lock.latency=2000 "
                           "executor.copy.lock.latency=10000 copy.latency=5000 "
                           "deadness=propagate queue.discipline=lifo");
    struct test_outcome o = test_run(graph, NULL, &s, 1);
    const double cycles = (double)o.stats.cycles / (double)o.stats.calls;
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
    return cycles;
}

START_TEST(parameters_contend)
{
    static const char one[] = "f(n) = if n <= 1 then 1 else f(n-1) + f(n-2)\n"
                              "result = f(14)\n";
    static const char four[] =
        "f(n,a,b,c) = if n <= 1 then 1 else f(n-1,a,b,c) + f(n-2,a,b,c)\n"
        "result = f(14,1,2,3)\n";
    const double more = cycles_per_call(four, ISA_STAGE_IMAGE) /
                        cycles_per_call(one, ISA_STAGE_IMAGE);
    const double copied = cycles_per_call(four, ISA_STAGE_EXPANDING) /
                          cycles_per_call(one, ISA_STAGE_EXPANDING);
    ck_assert_double_eq_tol(more, 8.0 / 5.0, 0.05);
    ck_assert_double_eq_tol(copied, 1, 0.05);
}
END_TEST

/* Where calls come one after the other, workers that fire what they made ready themselves leave
 * little to the others. */
START_TEST(inlining)
{
    struct test_program p = load("ack", "m=2 n=3");
    struct test_outcome one = run_with(&p, COSTS "executor.workers=1");
    struct test_outcome keeps = run_with(&p, COSTS "executor.inline=tag");
    struct test_outcome shares = run_with(&p, COSTS "executor.inline=none");
    ck_assert_uint_le(shares.stats.cycles, keeps.stats.cycles);
    ck_assert_uint_le(keeps.stats.cycles, one.stats.cycles);
    traces_stats_free(&one.stats);
    traces_stats_free(&keeps.stats);
    traces_stats_free(&shares.stats);
    test_program_free(&p);
}
END_TEST

/* Rows of a series show no more work than there are workers for, and all of it. */
START_TEST(series_of_work)
{
    enum { WORKERS = 3, INTERVAL = 700 };
    struct test_program p = load("fib", "n=12");
    struct machine_settings s;
    struct traces_series series = {0};
    struct traces_stats stats;
    uint64_t busy = 0;
    machine_settings_default(&s);
    test_set_all(&s, COSTS "executor.workers=3");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    struct machine *m = machine_new(code, &s, 1);
    traces_series_start(&series, INTERVAL);
    machine_observe_start(m, &series, NULL);
    while (machine_advance(m, 100))
        ;
    machine_observe_end(m);
    machine_measure(m, &stats);
    ck_assert_uint_gt(series.rows.count, 20);
    for (size_t i = 0; i < series.rows.count; i++) {
        const struct traces_sample row = traces_series_row(&series, i);
        ck_assert_uint_le(row.busy, WORKERS * INTERVAL);
        busy += row.busy;
    }
    ck_assert_uint_eq(busy, stats.busy_cycles);
    traces_stats_free(&stats);
    traces_series_free(&series);
    machine_free(m);
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

/* --- how it ends --------------------------------------------------------------------------- */

/* More tokens than can be counted are no bound; also of a run that has begun. */
START_TEST(any_number_of_tokens)
{
    struct test_program p = load("fib", "n=12");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    static const char *const workers[] = {"0", "3"};
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        struct machine_settings s;
        machine_settings_default(&s);
        test_set(&s, "executor.workers", workers[i]);
        struct machine *m = machine_new(code, &s, 1);
        ck_assert(machine_advance(m, 100));
        ck_assert(machine_advance_to(m, machine_next(m) + 1, UINT64_MAX));
        ck_assert_msg(!machine_advance(m, UINT64_MAX), "%s workers", workers[i]);
        ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
        machine_free(m);
    }
    struct isa_interp interp;
    const struct isa_interp_limits limits = {.memory = 1 << 30, .depth = 1000};
    isa_interp_start(&interp, code, &limits, true);
    ck_assert(isa_interp_advance(&interp, 100));
    ck_assert(!isa_interp_advance(&interp, UINT64_MAX));
    isa_interp_free(&interp);
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

static enum isa_end end_of(const char *text, const char *assignments)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, assignments);
    struct test_outcome o = test_run(graph, NULL, &s, 1);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
    return o.end;
}

START_TEST(endings)
{
    static const char good[] = "f(n) = if n <= 0 then 0 else f(n-1)\nresult = f(100)\n";
    static const char bad[] = "f(n) = if n <= 0 then 1 / n else f(n-1)\nresult = f(9)\n";
    static const char stuck[] = "a = [a[i] + 1 | i <- 0 .. 1]\nresult = a[0]\n";
    const char *const four = "executor.workers=4";
    ck_assert_int_eq(end_of(good, four), ISA_END_COMPLETED);
    ck_assert_int_eq(end_of(bad, four), ISA_END_TRAPPED);
    ck_assert_int_eq(end_of(stuck, four), ISA_END_DEADLOCKED);
    ck_assert_int_eq(end_of(good, "executor.workers=4 limits.cycles=5000"),
                     ISA_END_LIMIT);
    ck_assert_int_eq(end_of(good, "executor.workers=4 limits.tokens=50"), ISA_END_LIMIT);
    /* Stores and queues of PEs mean nothing. */
    ck_assert_int_eq(end_of(good, "executor.workers=4 queue.capacity=1 match.capacity=1 "
                                  "tag.scheme=pool tag.pool=1 tag.exhausted=stop"),
                     ISA_END_COMPLETED);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("executor");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, nodes_per_call);
    tcase_add_test(tcase, nodes_of_fib);
    tcase_add_test(tcase, nodes_per_copy);
    tcase_add_test(tcase, every_example);
    tcase_add_test(tcase, one_worker);
    tcase_add_test(tcase, one_worker_copies);
    tcase_add_test(tcase, copied_nodes);
    tcase_add_test(tcase, uses_of_the_lock);
    tcase_add_test(tcase, nodes_under_a_tag);
    tcase_add_test(tcase, frames_of_dead_calls);
    tcase_add_test(tcase, no_lock);
    tcase_add_test(tcase, contention);
    tcase_add_test(tcase, handing_over);
    tcase_add_test(tcase, parameters_contend);
    tcase_add_test(tcase, inlining);
    tcase_add_test(tcase, series_of_work);
    tcase_add_test(tcase, any_number_of_tokens);
    tcase_add_test(tcase, endings);
    return test_main("executor", tcase);
}
