/* The interpreter where it measures nothing (run_lean, isa/fire/interp.c): it delivers the tokens
 * that it delivers when it measures, keeps limits.tokens, and ends as badly. */
#include "tests/unit/isa_texts.h"
#include "tests/unit/support.h"

struct ran {
    enum isa_end end;
    enum isa_trap trap;
    uint64_t tokens, live;
};

static struct ran run(const struct isa_graph *graph, const isa_value *inputs,
                      bool measures, uint64_t limit)
{
    struct isa_code *code = isa_code_make(graph, inputs, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32,
                                             .tokens = limit};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, measures, NULL);
    const struct ran ran = {interp.end, interp.exec.trap, interp.exec.counts.tokens,
                            interp.exec.counts.live};
    isa_interp_free(&interp);
    isa_code_free(code);
    return ran;
}

/* --- limits.tokens ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *inputs;
} examples[] = {
    {"fib", "n=11"},       {"ack", "m=2 n=3"}, {"tak", "x=7 y=5 z=2"},
    {"primes", "n=40"},    {"matmul", "n=4"},  {"wavefront", "n=6"},
    {"mergesort", "n=12"}, {"sieve", "n=30"},  {"jacobi", "n=5 steps=2"},
};

/* What needs no more tokens than are allowed ends well, and nothing else. */
START_TEST(a_limit_is_kept)
{
    struct test_program p = test_example(examples[_i].name);
    test_set_inputs(&p, examples[_i].inputs);
    const struct ran whole = run(p.graph, p.inputs, true, 0);
    ck_assert_int_eq(whole.end, ISA_END_COMPLETED);
    const uint64_t few[] = {1, 2, 3, whole.tokens / 2, whole.tokens - 1};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        const struct ran r = run(p.graph, p.inputs, false, few[i]);
        ck_assert_int_eq(r.end, ISA_END_LIMIT);
        ck_assert_uint_gt(r.tokens, few[i]);
    }
    for (uint64_t more = 0; more < 2; more++) {
        const struct ran r = run(p.graph, p.inputs, false, whole.tokens + more);
        ck_assert_int_eq(r.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(r.tokens, whole.tokens);
        ck_assert_uint_eq(r.live, 0);
    }
    test_program_free(&p);
}
END_TEST

static const char *const endless[] = {
    "result = f(1)\nf(x) = if x == 0 then 0 else f(x)\n",
    "result = f(1)\nf(x) = if x == 0 then x else g(x)\ng(x) = f(0 - x)\n",
    "result = f(1, 2)\nf(x, y) = if x + y == 0 then 0 else f(y, x) + 1\n",
    "result = loop x = 1 while x > 0 do x return x\n",
    "result = loop x = 1, y = 1 while x > 0 do y, x return x + y\n",
};

static void check_stops(const struct isa_graph *graph)
{
    for (uint64_t limit = 1; limit < 2000; limit += 37) {
        const struct ran r = run(graph, NULL, false, limit);
        ck_assert_int_eq(r.end, ISA_END_LIMIT);
        ck_assert_uint_gt(r.tokens, limit);
        ck_assert_uint_le(r.tokens, limit + graph->node_count);
    }
}

/* What runs for ever stops, and soon. */
START_TEST(what_never_ends_is_stopped)
{
    struct isa_graph *graph = test_compile(endless[_i], ISA_STAGE_IMAGE);
    check_stops(graph);
    isa_graph_free(graph);
}
END_TEST

/* One token goes round, and never is another one on the stack. */
START_TEST(a_token_that_goes_round_is_stopped)
{
    struct isa_graph *graph = test_read(
        "hiaton assembly 1\n"
        "stage image\n"
        "function 0 result () -> (int)\n"
        "function 1 f (int) -> (int)\n"
        "site 0 result -> f\n"
        "site 1 f -> f\n"
        "in result\n"
        "  %0 call.int 1, site 0, param 0 -> %3.0 | %1.1\n"
        "  %1 return.int _, _, site 0, part 0 -> %2.0\n"
        "  %2 output.int _, part 0\n"
        "in f\n"
        "  %3 merge.int _ -> %4.0\n"
        "  %4 call.int _, site 1, param 0 -> %3.0 | %5.1\n"
        "  %5 return.int _, _, site 1, part 0 -> return 0\n");
    check_stops(graph);
    isa_graph_free(graph);
}
END_TEST

/* --- SWITCHes that send nothing on ---------------------------------------------------------- */

/* A condition comes twice to a SWITCH, beside other tokens, and its value never. */
START_TEST(two_conditions_collide)
{
    struct isa_graph *graph = test_read("hiaton assembly 1\n"
                                        "stage image\n"
                                        "function 0 result () -> (int)\n"
                                        "in result\n"
                                        "  %0 const.int 1 -> %1.0\n"
                                        "  %1 switch.int _, false -> %5.0 | -\n"
                                        "  %2 const.bool false -> %3.0, %3.0\n"
                                        "  %3 merge.bool _ -> %4.1, %5.1\n"
                                        "  %4 switch.int 1, _ -> %6.0 | -\n"
                                        "  %5 switch.int _, _ -> %6.0 | -\n"
                                        "  %6 mergeif.int _ -> %7.0\n"
                                        "  %7 output.int _, part 0\n");
    for (int measures = 0; measures < 2; measures++) {
        const struct ran r = run(graph, NULL, measures, 0);
        ck_assert_int_eq(r.end, ISA_END_TRAPPED);
        ck_assert_int_eq(r.trap, ISA_TRAP_COLLISION);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- bounds of loops ------------------------------------------------------------------------ */

struct looped {
    enum isa_end end;
    uint64_t iterations, units, live;
};

static struct looped run_loop(const char *format, unsigned n, bool propagate,
                              bool measures)
{
    char text[200];
    snprintf(text, sizeof text, format, n);
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, propagate);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, measures, NULL);
    const struct looped ran = {interp.end, interp.exec.tags.iterations,
                               interp.exec.tags.used, interp.exec.counts.live};
    isa_interp_free(&interp);
    isa_code_free(code);
    isa_graph_free(graph);
    return ran;
}

static const char *const loops[] = {
    "result = loop i = 0, s = 0 while i < %u do i + 1, s + i return s\n",
    "result = loop i = 0, s = 0 --# bound 1\n while i < %u do i + 1, s + i return s\n",
    "result = loop i = 0, s = 0 while i < %u do i + 1, s + length([i, i]) return s\n",
};

/* The memory of a loop does not grow with its iterations. */
START_TEST(a_loop_is_bounded)
{
    for (unsigned how = 0; how < 4; how++) {
        const struct looped few = run_loop(loops[_i], 1000, how & 1, how & 2);
        const struct looped many = run_loop(loops[_i], 10000, how & 1, how & 2);
        ck_assert_int_eq(many.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(many.live, 0);
        ck_assert_uint_ge(many.iterations, 9999);
        ck_assert_uint_eq(few.units, many.units);
    }
}
END_TEST

/* Each element needs the next one, so all iterations must be in flight at once. */
START_TEST(a_bound_is_exceeded_before_a_deadlock)
{
    for (unsigned how = 0; how < 4; how++) {
        const struct looped ran = run_loop("result = a[0]\n"
                                           "a = [if i == %u then 0 else a[i + 1] + 1 | "
                                           "i <- 0 .. 1000]\n",
                                           1000, how & 1, how & 2);
        ck_assert_int_eq(ran.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(ran.live, 0);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("lean");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_limit_is_kept, 0, sizeof examples / sizeof *examples);
    tcase_add_loop_test(tcase, what_never_ends_is_stopped, 0,
                        sizeof endless / sizeof *endless);
    tcase_add_test(tcase, a_token_that_goes_round_is_stopped);
    tcase_add_test(tcase, two_conditions_collide);
    tcase_add_loop_test(tcase, a_loop_is_bounded, 0, sizeof loops / sizeof *loops);
    tcase_add_test(tcase, a_bound_is_exceeded_before_a_deadlock);
    return test_main("lean", tcase);
}
