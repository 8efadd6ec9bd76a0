/* Lower bounds of runs where theory gives them. For a tree, a chain and a map the nearest bound is
 * what the run took, or nearly. tests/random/compare_bounds.c tests all bounds with random
 * programs. */
#include "tests/unit/analysis/found.h"

/* A tree of calls: 2^n leaves. */
static const char tree[] = "input n = 6\n"
                           "result = t(n)\n"
                           "t(n) = if n <= 0 then 1 else t(n - 1) + t(n - 1)\n";

/* A chain: each needs the one before. */
static const char chain[] =
    "input n = 50\n"
    "result = loop i = 0, s = 1 while i < n do i + 1, s * 3 % 1009\n";

/* A map: elements that need nothing of each other. */
static const char map[] = "input n = 64\n"
                          "result = sum([f(i) | i <- 0 .. n - 1])\n"
                          "f(i) = i * i * i * i * i * i + i * i * i * i * i * i\n";

static void one_pe(struct machine_settings *s)
{
    test_set_preset(s, "default", "suppress");
    s->pe_count = 1;
}

/* On an ideal machine nothing but dependences limits a run. */
START_TEST(the_span_is_all_on_an_ideal_machine)
{
    static const char *const programs[] = {tree, chain, map};
    for (size_t i = 0; i < 3; i++) {
        const char *what = programs[i];
        struct test_program p;
        struct found of = ideal(what, 8, &p), *found = &of;
        SAME(WHOLE(bounds, "span"), of.ending.stats.cycles);
        SAME(WHOLE(bounds, "span"), of.ending.stats.span);
        SAME(WHOLE(bounds, "nearest"), of.ending.stats.cycles);
        SAME(WHOLE(bounds, "work"), 0);
        ALIKE(REAL(bounds, "ratio"), 1.0);
        release(&of);
        test_program_free(&p);
    }
}
END_TEST

/* With latencies a chain has its span: on one PE, too. */
START_TEST(a_chain_takes_its_span)
{
    const char *what = "chain";
    struct machine_settings s;
    struct test_program p;
    one_pe(&s);
    s.pe_units = 0;
    struct found of = run_on(chain, 200, &s, &p), *found = &of;
    SAME(WHOLE(bounds, "span"), WHOLE(bounds, "cycles"));
    SAME(WHOLE(bounds, "placed_span"), WHOLE(bounds, "cycles"));
    release(&of);
    test_program_free(&p);
}
END_TEST

/* One PE with one unit is always busy with a tree, or a map, but at the start and the end, which
 * take as much whatever n is. */
START_TEST(wide_programs_take_their_turns)
{
    static const char *const programs[] = {tree, map};
    static const uint64_t sizes[] = {9, 300};
    for (size_t i = 0; i < 2; i++) {
        const char *what = programs[i];
        struct machine_settings s;
        struct test_program p;
        one_pe(&s);
        struct found of = run_on(what, sizes[i], &s, &p), *found = &of;
        const uint64_t turns = WHOLE(bounds, "turns"), cycles = WHOLE(bounds, "cycles");
        SAME(WHOLE(bounds, "nearest"), turns);
        SAME(WHOLE(bounds, "busiest_pe"), turns);
        ck_assert_uint_le(turns, cycles);
        ck_assert_msg(cycles - turns < cycles / 20, "%s: %ju of %ju", what,
                      (uintmax_t)turns, (uintmax_t)cycles);
        ck_assert_uint_lt(WHOLE(bounds, "work"), turns);
        release(&of);
        test_program_free(&p);
    }
}
END_TEST

/* Where everything goes to other PEs over slow ports, the busiest port is the nearest. */
START_TEST(slow_ports_are_the_roof)
{
    const char *what = "ports";
    struct machine_settings s;
    struct test_program p;
    test_set_preset(&s, "default", "suppress");
    s.pe_count = 2;
    s.network_bandwidth = 1;
    struct found of = run_on(tree, 8, &s, &p), *found = &of;
    SAME(WHOLE(bounds, "nearest"), WHOLE(bounds, "port"));
    ck_assert_uint_le(WHOLE(bounds, "bisection"), WHOLE(bounds, "port"));
    ck_assert_uint_gt(10 * WHOLE(bounds, "port"), 9 * WHOLE(bounds, "cycles"));
    ck_assert_uint_gt(10 * WHOLE(bounds, "bisection"), 8 * WHOLE(bounds, "cycles"));
    release(&of);
    test_program_free(&p);
}
END_TEST

/* Kernels of a recursion that one counted tensor unit runs one after the other: the time for which
 * the unit is busy is the nearest bound. */
START_TEST(a_counted_tensor_unit_is_the_roof)
{
    static const char kernels[] =
        "input n = 4\n"
        "result = reduce_sum(f(n, ones([2, 2])))\n"
        "f(k, h) = if k == 0 then h else f(k - 1, h) + f(k - 1, h)\n";
    const char *what = "tensor units";
    struct machine_settings s;
    struct test_program p;
    test_set_preset(&s, "default", "suppress");
    s.pe_count = 4;
    s.tensor_units = 1;
    s.tensor_unit_of = MACHINE_TENSOR_UNIT_NODE;
    s.tensor_launch = 500;
    struct found of = run_on(kernels, 4, &s, &p), *found = &of;
    const uint64_t busy = of.ending.stats.tensor_unit_busy;
    const struct lib_table *t = TABLE(bounds, "units");
    SAME(WHOLE(bounds, "tensor_units"), busy);
    SAME(WHOLE(bounds, "nearest"), busy);
    ck_assert_uint_gt(100 * busy, 95 * WHOLE(bounds, "cycles"));
    SAME(cell(t, lib_table_rows(t) - 1, "cycles"), busy);
    release(&of);
    test_program_free(&p);
    s.tensor_units = 3;
    of = run_on(kernels, 4, &s, &p);
    SAME(WHOLE(bounds, "tensor_units"), (of.ending.stats.tensor_unit_busy + 2) / 3);
    release(&of);
    test_program_free(&p);
}
END_TEST

/* A recursion n deep has n + 2 activations at once, in any order. */
START_TEST(a_recursion_is_as_deep_as_it_is)
{
    const char *what = "state";
    struct machine_settings s;
    struct test_program p;
    one_pe(&s);
    struct found of = run_on(tree, 7, &s, &p), *found = &of;
    const struct lib_table *t = TABLE(bounds, "state");
    SAME(WHOLE(bounds, "least_tags"), 9); /* the root, and t(7) to t(0) */
    SAME(WHOLE(bounds, "peak_tags"), of.ending.stats.peak_tags);
    SAME(WHOLE(bounds, "peak_live_tokens"), of.ending.stats.peak_live_tokens);
    SAME(lib_table_rows(t), 1);
    SAME(cell(t, 0, "least_tags"), 8);
    SAME(cell(t, 0, "least_live_tokens"), 2);
    SAME(cell(t, 0, "estimated_live_tokens"), 10);
    SAME(WHOLE(bounds, "estimated_live_tokens"), 10);
    release(&of);
    test_program_free(&p);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("bounds");
    tcase_add_test(cases, the_span_is_all_on_an_ideal_machine);
    tcase_add_test(cases, a_chain_takes_its_span);
    tcase_add_test(cases, wide_programs_take_their_turns);
    tcase_add_test(cases, slow_ports_are_the_roof);
    tcase_add_test(cases, a_counted_tensor_unit_is_the_roof);
    tcase_add_test(cases, a_recursion_is_as_deep_as_it_is);
    return test_main("bounds", cases);
}
