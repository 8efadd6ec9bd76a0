/* The machine against the interpreter, and the identities of doc/metrics.md, on all
 * examples with many settings. */
#include "tests/unit/examples.h"
#include "tests/unit/isa_texts.h"

static void check_interp(const struct test_row *row, struct test_program *p)
{
    for (int propagate = 0; propagate < 2; propagate++) {
        struct test_outcome o = test_interp(p->graph, p->inputs, propagate);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        ck_assert_str_eq(o.result, row->result);
        ck_assert_msg(o.stats.calls == row->calls, "%s %s: %ju calls, expected %ju",
                      row->program, row->inputs, (uintmax_t)o.stats.calls,
                      (uintmax_t)row->calls);
    }
}

START_TEST(examples_have_their_results)
{
    test_each_example(check_interp);
}
END_TEST

/* --- the identities ---------------------------------------------------------------------- */

static void check_same(const struct test_row *row, const struct test_outcome *oracle,
                       struct test_outcome *o)
{
    ck_assert_int_eq(o->end, ISA_END_COMPLETED);
    ck_assert_str_eq(o->result, row->result);
    ck_assert_uint_eq(o->stats.firings, oracle->stats.firings);
    ck_assert_uint_eq(o->stats.calls, oracle->stats.calls);
    ck_assert_uint_eq(o->stats.span, oracle->stats.span);
    ck_assert_uint_eq(o->stats.value_digest, oracle->stats.value_digest);
    ck_assert_uint_eq(o->stats.one_operand, oracle->stats.one_operand);
    ck_assert(o->stats.cycles >= o->stats.span);
    ck_assert(o->stats.result_cycle <= o->stats.cycles);
    test_check_pe_sums(&o->stats);
    traces_stats_free(&o->stats);
}

/* Settings tried with every example: all pairs of these with 1 to 64 PEs. */
static const char *const variants[][2] = {
    {"queue.discipline", "fifo"},
    {"queue.discipline", "lifo"},
    {"network.topology", "ideal"},
    {"network.bandwidth", "7"},
    {"pe.units", "3"},
    {"placement.policy", "random"},
    {"network.latency", "0"},
};

static void check_machines(const struct test_row *row, struct test_program *p)
{
    static const char *const counts[] = {"1", "2", "3", "16", "64"};
    if (row->calls > test_part(UINT_MAX, 1000))
        return;
    struct test_outcome oracle = test_interp(p->graph, p->inputs, false);
    const size_t step = test_is_quick() ? 3 : 1;
    for (int propagate = 0; propagate < 2; propagate++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c += step)
            for (size_t v = 0; v < sizeof variants / sizeof *variants; v += step) {
                struct machine_settings settings;
                machine_settings_default(&settings);
                test_set(&settings, "pe.count", counts[c]);
                test_set(&settings, variants[v][0], variants[v][1]);
                test_set(&settings, "deadness", propagate ? "propagate" : "suppress");
                struct test_outcome o = test_run(p->graph, p->inputs, &settings, 7);
                if (!propagate)
                    ck_assert_uint_eq(o.stats.tokens, oracle.stats.tokens);
                check_same(row, &oracle, &o);
            }
}

START_TEST(every_machine_agrees_with_the_interpreter)
{
    test_each_example(check_machines);
}
END_TEST

static void check_ideal(const struct test_row *row, struct test_program *p)
{
    for (int propagate = 0; propagate < 2; propagate++) {
        struct machine_settings settings;
        test_settings_ideal(&settings);
        test_set(&settings, "deadness", propagate ? "propagate" : "suppress");
        struct test_outcome oracle = test_interp(p->graph, p->inputs, propagate);
        struct test_outcome o = test_run(p->graph, p->inputs, &settings, 0);
        if (!propagate)
            ck_assert_uint_eq(o.stats.cycles, o.stats.span);
        ck_assert_uint_eq(o.stats.dead_firings, oracle.stats.dead_firings);
        ck_assert_uint_eq(o.stats.dead_tokens, oracle.stats.dead_tokens);
        check_same(row, &oracle, &o);
    }
}

START_TEST(cycles_are_the_span_on_an_ideal_machine)
{
    test_each_example(check_ideal);
}
END_TEST

/* --- determinism ------------------------------------------------------------------------- */

START_TEST(dividing_a_run_changes_nothing)
{
    struct test_program p = test_example("fib");
    test_set_inputs(&p, "n=12");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    struct machine_settings settings;
    machine_settings_default(&settings);
    uint64_t digests[2];
    for (int i = 0; i < 2; i++) {
        struct machine *m = machine_new(code, &settings, 0);
        while (machine_advance(m, i ? 1 : 1000000))
            ;
        struct traces_stats stats;
        machine_measure(m, &stats);
        digests[i] = stats.timing_digest;
        traces_stats_free(&stats);
        machine_free(m);
    }
    ck_assert_uint_eq(digests[0], digests[1]);
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

/* Cycles in which all ports are busy are skipped, but not by machines of finite queues, which
 * are large enough here to be as good as unlimited. */
START_TEST(skipping_busy_cycles_changes_nothing)
{
    static const char *const bandwidths[] = {"3", "16", "40", "1000"};
    struct test_program p = test_example("tak");
    test_set_inputs(&p, "x=8 y=6 z=2");
    for (size_t i = 0; i < sizeof bandwidths / sizeof *bandwidths; i++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set(&settings, "pe.count", "5");
        test_set(&settings, "network.bandwidth", bandwidths[i]);
        struct test_outcome skips = test_run(p.graph, p.inputs, &settings, 1);
        test_set(&settings, "queue.capacity", "1000000");
        struct test_outcome steps = test_run(p.graph, p.inputs, &settings, 1);
        ck_assert_uint_eq(skips.stats.cycles, steps.stats.cycles);
        ck_assert_uint_eq(skips.stats.timing_digest, steps.stats.timing_digest);
        ck_assert_uint_eq(skips.stats.waiting_cycles, steps.stats.waiting_cycles);
        traces_stats_free(&skips.stats);
        traces_stats_free(&steps.stats);
    }
    test_program_free(&p);
}
END_TEST

START_TEST(the_seed_moves_activations_only_if_placement_is_random)
{
    struct test_program p = test_example("fib");
    test_set_inputs(&p, "n=12");
    for (int random = 0; random < 2; random++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set(&settings, "placement.policy", random ? "random" : "tag");
        struct test_outcome a = test_run(p.graph, p.inputs, &settings, 1);
        struct test_outcome b = test_run(p.graph, p.inputs, &settings, 2);
        ck_assert_uint_eq(a.stats.value_digest, b.stats.value_digest);
        ck_assert_int_eq(a.stats.timing_digest == b.stats.timing_digest, !random);
        traces_stats_free(&a.stats);
        traces_stats_free(&b.stats);
    }
    test_program_free(&p);
}
END_TEST

/* Where nothing is random all seeds are one run (sim/experiment/expand.h), so they must not
 * differ in anything. */
static const struct {
    const char *settings;
    bool draws;
} random_or_not[] = {
    {"queue.discipline=lifo", false},
    {"placement.policy=random", true},
    {"placement.policy=random pe.count=2 queue.discipline=lifo", true},
    {"placement.policy=random match.store=frames match.capacity=4096", true},
    {"placement.policy=random pe.count=1 pe.units=2", false},
    {"placement.policy=random executor.workers=4", false},
    {"placement.policy=random executor.workers=3 pe.count=5", false},
};

START_TEST(the_seed_matters_where_something_draws)
{
    struct test_program p = test_example("fib");
    test_set_inputs(&p, "n=12");
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set_all(&settings, random_or_not[_i].settings);
    ck_assert_int_eq(machine_settings_draw(&settings), random_or_not[_i].draws);
    struct test_outcome first = test_run(p.graph, p.inputs, &settings, 1);
    bool same = true;
    for (uint64_t seed = 2; seed < 6; seed++) {
        struct test_outcome o = test_run(p.graph, p.inputs, &settings, seed);
        same &= o.stats.timing_digest == first.stats.timing_digest &&
                o.stats.cycles == first.stats.cycles;
        traces_stats_free(&o.stats);
    }
    ck_assert_int_eq(same, !random_or_not[_i].draws);
    traces_stats_free(&first.stats);
    test_program_free(&p);
}
END_TEST

/* The order of events is part of the machine's definition (doc/model.md): these runs
 * must never change without that text changing. */
static const struct pinned {
    const char *settings;
    uint64_t cycles, timing_digest;
} pinned_hanoi[] = {
    {"queue.discipline=fifo", 120020, UINT64_C(0x1b34a79b96475a85)},
    {"queue.discipline=lifo", 120492, UINT64_C(0xeeadb5158577a74d)},
    {"network.bandwidth=16", 133269, UINT64_C(0x335157f959e2dd4c)},
    {"deadness=propagate", 121729, UINT64_C(0x8d5a0a325309d16c)},
    {"pe.units=3", 117177, UINT64_C(0x01d3b79c61c872f5)},
    {"pe.count=1 pe.units=3 queue.discipline=lifo", 113156, UINT64_C(0xa46d68797bd1d6cc)},
    {"network.topology=ideal pe.count=5", 125938, UINT64_C(0x92831ef6197be834)},
    {"network.topology=ideal pe.count=5 pe.units=3 deadness=propagate", 118867,
     UINT64_C(0x829b1289ac2bed9b)},
    {"queue.capacity=600 network.capacity=4 pe.units=3", 118930,
     UINT64_C(0xea9acbcab7e9b8b9)},
    {"match.store=hash match.capacity=8 match.ways=2", 248920,
     UINT64_C(0x48780689d2be29e0)},
    {"match.store=frames match.capacity=2200", 120085, UINT64_C(0xee90992af65b633d)},
    {"tag.scheme=interned tag.intern.units=machine", 134316,
     UINT64_C(0x9010711c11ba768c)},
    {"tag.scheme=pool tag.pool=2500 queue.discipline=lifo pe.count=1", 160647,
     UINT64_C(0x8f6bf469f5bde70c)},
    {"tag.scheme=pool tag.pool=8 tag.exhausted=spill", 120032,
     UINT64_C(0x37c1c1a98bf94956)},
};

/* Constants that several PEs read before, after, and in the cycle in which they are
 * written. */
static const char cells[] = "result = f(9) + late\n"
                            "late = count(9, 1) * early\n"
                            "early = count(12, 2)\n"
                            "f(n) = if n < 2 then late + n\n"
                            "       else f(n - 1) + f(n - 2) - early\n"
                            "count(n, x) = if n == 0 then x else count(n - 1, x)\n";

static const struct pinned pinned_cells[] = {
    {"pe.count=4", 965, UINT64_C(0x03dd21535f97c962)},
    {"pe.count=4 pe.units=3", 692, UINT64_C(0x2721b288ba0a2094)},
    {"pe.count=4 pe.units=0 network.topology=ideal", 651, UINT64_C(0x3336fb165521fbd7)},
    {"pe.count=3 pe.units=2 queue.discipline=lifo deadness=propagate", 847,
     UINT64_C(0x4e5c17a733802b4c)},
};

static void check_pinned(struct isa_graph *graph, const isa_value *inputs,
                         const struct pinned *pinned, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, pinned[i].settings);
        struct test_outcome o = test_run(graph, inputs, &settings, 0);
        ck_assert_msg(o.end == ISA_END_COMPLETED, "%s: end %d", pinned[i].settings,
                      (int)o.end);
        ck_assert_msg(o.stats.cycles == pinned[i].cycles &&
                          o.stats.timing_digest == pinned[i].timing_digest,
                      "%s: %ju cycles, timing digest 0x%016jx", pinned[i].settings,
                      (uintmax_t)o.stats.cycles, (uintmax_t)o.stats.timing_digest);
        traces_stats_free(&o.stats);
    }
}

START_TEST(the_order_of_events_is_pinned)
{
    struct test_program p = test_example("hanoi");
    check_pinned(p.graph, p.inputs, pinned_hanoi,
                 sizeof pinned_hanoi / sizeof *pinned_hanoi);
    test_program_free(&p);
    struct isa_graph *graph = test_compile(cells, ISA_STAGE_IMAGE);
    check_pinned(graph, NULL, pinned_cells, sizeof pinned_cells / sizeof *pinned_cells);
    isa_graph_free(graph);
}
END_TEST

/* CONST is before CALL in isa/ops.def: its two tokens come first, and take the two units in cycle
 * 1; outputs take them in cycle 3. MERGE in cycle 2, ADD in 4, RETURN in 5, OUTPUT in 6. In the
 * order of the image it would be one cycle less. */
static const char const_and_call[] = "hiaton assembly 1\n"
                                     "stage image\n"
                                     "function 0 result () -> (int, int, int)\n"
                                     "function 1 f (int) -> (int)\n"
                                     "site 0 result -> f\n"
                                     "in result\n"
                                     "  %0 call.int 3, site 0, param 0 -> %7.0 | %2.1\n"
                                     "  %1 const.int 5 -> %3.0, %4.0\n"
                                     "  %2 return.int _, _, site 0, part 0 -> %9.0\n"
                                     "  %3 neg.int _ -> %5.0\n"
                                     "  %4 neg.int _ -> %6.0\n"
                                     "  %5 output.int _, part 0\n"
                                     "  %6 output.int _, part 1\n"
                                     "in f\n"
                                     "  %7 merge.int _ -> %8.0\n"
                                     "  %8 add.int _, 1 -> return 0\n"
                                     "in result\n"
                                     "  %9 output.int _, part 2\n";

/* READ comes first, but WRITE stands before it in isa/ops.def. */
static const char read_and_write[] = "hiaton assembly 1\n"
                                     "stage image\n"
                                     "cell 0 k int\n"
                                     "function 0 result () -> (int)\n"
                                     "in result\n"
                                     "  %0 const.int 5 -> %1.0, %2.0\n"
                                     "  %1 read.int _, cell k -> %3.0\n"
                                     "  %2 write.int _, cell k\n"
                                     "  %3 output.int _, part 0\n";

/* Returns how many reads were deferred. */
static size_t run_with_units(const char *text, const char *units, uint64_t cycles)
{
    struct isa_graph *graph = test_read(text);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings settings;
    struct traces_stats stats;
    test_settings_ideal(&settings);
    test_set(&settings, "pe.units", units);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, 1))
        ;
    machine_measure(m, &stats);
    ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
    ck_assert_uint_eq(stats.cycles, cycles);
    size_t deferred = machine_exec(m)->deferred.count;
    traces_stats_free(&stats);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
    return deferred;
}

START_TEST(turns_of_a_cycle_are_taken_by_kind_of_instruction)
{
    run_with_units(const_and_call, "2", 7);
    ck_assert_uint_eq(run_with_units(read_and_write, "0", 3), 0);
    ck_assert_uint_eq(run_with_units(read_and_write, "2", 3), 0);
    ck_assert_uint_eq(run_with_units(read_and_write, "1", 4), 1);
}
END_TEST

/* --- other ends -------------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum isa_trap trap;
} failures[] = {
    {"result = f(9223372036854775807)\nf(x) = x + 1\n", ISA_TRAP_OVERFLOW},
    {"result = f(-9223372036854775808)\nf(x) = -x\n", ISA_TRAP_OVERFLOW},
    {"result = f(-9223372036854775808)\nf(x) = abs(x)\n", ISA_TRAP_OVERFLOW},
    {"result = f(-9223372036854775808)\nf(x) = x / -1\n", ISA_TRAP_OVERFLOW},
    {"result = f(4611686018427387904)\nf(x) = x * 2\n", ISA_TRAP_OVERFLOW},
    {"result = f(0)\nf(x) = 1 / x\n", ISA_TRAP_DIVISION},
    {"result = f(0)\nf(x) = 1 % x\n", ISA_TRAP_DIVISION},
    {"result = f(1e19)\nf(x) = int(x)\n", ISA_TRAP_CONVERSION},
    {"result = f(0.0)\nf(x) = int(x / x)\n", ISA_TRAP_CONVERSION},
    /* a failure after the result has come still ends the run without one */
    {"result = g(1, f(40))\ng(a, b) = a\nf(n) = if n == 0 then 1 / n else f(n - 1)\n",
     ISA_TRAP_DIVISION},
};

START_TEST(failures_end_every_run)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct isa_graph *graph = test_compile(failures[i].text, ISA_STAGE_IMAGE);
        struct test_outcome interp = test_interp(graph, NULL, false);
        struct machine_settings settings;
        machine_settings_default(&settings);
        struct test_outcome run = test_run(graph, NULL, &settings, 0);
        ck_assert_int_eq(interp.end, ISA_END_TRAPPED);
        ck_assert_int_eq(interp.trap, failures[i].trap);
        ck_assert_int_eq(run.end, ISA_END_TRAPPED);
        ck_assert_int_eq(run.trap, failures[i].trap);
        traces_stats_free(&run.stats);
        isa_graph_free(graph);
    }
}
END_TEST

START_TEST(what_is_not_evaluated_does_not_fail)
{
    struct isa_graph *graph = test_compile(
        "result = f(0)\n"
        "unused = 1 / 0\n"
        "f(x) = if x == 0 or 1 / x > 2 then 5 else 1 / x\n",
        ISA_STAGE_IMAGE);
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set(&settings, "deadness", "propagate");
    struct test_outcome o = test_run(graph, NULL, &settings, 0);
    ck_assert_str_eq(o.result, "5");
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

static void check_limit(const char *key, const char *value, const char *text)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set(&settings, key, value);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, 1000))
        ;
    ck_assert_int_eq(machine_end(m), ISA_END_LIMIT);
    ck_assert_str_eq(machine_limit(m), key);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
}

START_TEST(limits_end_a_run)
{
    const char *endless = "result = f(1)\nf(n) = if n == 0 then 0 else f(n + 1) + 1\n";
    check_limit("limits.cycles", "1000", endless);
    check_limit("limits.tokens", "1000", endless);
    check_limit("limits.depth", "20", endless);
    check_limit("limits.memory", "1000000", endless);
}
END_TEST

START_TEST(deep_recursion_needs_no_host_stack)
{
    const char *deep = "input n = 0\n"
                       "result = f(n)\n"
                       "f(n) = if n == 0 then 0 else f(n - 1) + 1\n";
    struct isa_graph *graph = test_compile(deep, ISA_STAGE_IMAGE);
    const isa_value depth = test_is_quick() ? 100000 : 1000000;
    struct test_outcome interp = test_interp(graph, &depth, false);
    ck_assert_uint_eq(strtoull(interp.result, NULL, 10), depth);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct test_outcome run = test_run(graph, &depth, &settings, 0);
    ck_assert_str_eq(run.result, interp.result);
    ck_assert_uint_eq(run.stats.peak_tag_depth, depth + 1);
    traces_stats_free(&run.stats);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("machine");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, examples_have_their_results);
    tcase_add_test(tcase, every_machine_agrees_with_the_interpreter);
    tcase_add_test(tcase, cycles_are_the_span_on_an_ideal_machine);
    tcase_add_test(tcase, dividing_a_run_changes_nothing);
    tcase_add_test(tcase, skipping_busy_cycles_changes_nothing);
    tcase_add_loop_test(tcase, the_seed_matters_where_something_draws, 0,
                        (int)(sizeof random_or_not / sizeof random_or_not[0]));
    tcase_add_test(tcase, the_seed_moves_activations_only_if_placement_is_random);
    tcase_add_test(tcase, the_order_of_events_is_pinned);
    tcase_add_test(tcase, turns_of_a_cycle_are_taken_by_kind_of_instruction);
    tcase_add_test(tcase, failures_end_every_run);
    tcase_add_test(tcase, what_is_not_evaluated_does_not_fail);
    tcase_add_test(tcase, limits_end_a_run);
    tcase_add_test(tcase, deep_recursion_needs_no_host_stack);
    return test_main("machine", tcase);
}
