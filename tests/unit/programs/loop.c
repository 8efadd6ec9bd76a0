/* Loops: the cases that others got wrong, programs whose values were found by hand, and what
 * a hand-written loop can do that no compiled one does. */
#include "tests/unit/cases.h"
#include "tests/unit/isa_texts.h"

/* --- corners ---------------------------------------------------------------------------- */

static const struct test_case corners[] = {
    {"zero iterations", "result = loop i = 3, s = 7 while i < 3 do i + 1, s * 2",
     "(3, 7)", 0, 0},
    {"zero iterations, of what is false", "result = loop i = 3 while false do i / 0", "3",
     0, 0},
    {"a loop in a branch not taken",
     "result = if 1 == 1 then 5 else loop i = 0 while i < 9 do i + 1", "5", 0, 0},
    {"an endless loop in a branch not taken",
     "f(x) = if x > 0 then loop i = 0 while true do i + 1 else x\nresult = f(0)", "0", 1,
     0},
    {"a loop with two results in a branch not taken",
     "f(x) = let (a, b) = if x then (1, 2) else loop i = 0, j = 1 while i < 2 do i + 1, "
     "j * 3\n"
     "       in (b, a)\nresult = (f(true), f(false))",
     "((2, 1), (9, 2))", 2, 2},
    {"a loop in a body that is entered once",
     "result = loop i = 0, s = 0 while i < 1 do\n"
     " i + 1, loop j = 0, t = s while j < 4 do j + 1, t + j return t\n return s",
     "6", 0, 5},
    {"a dead loop in the last iteration of a loop",
     "result = loop i = 0, s = 0 while i < 3 do\n"
     " i + 1, if i == 1 then loop j = 0 while j < 5 do j + 1 else s + i\n return s",
     "7", 0, 8},
    {"a branch not taken in an iteration leaves others alone",
     "result = loop i = 0, s = 0 while i < 4 do i + 1, if i % 2 == 0 then s else s + 10\n"
     " return s",
     "20", 0, 4},
    {"nothing leaves the loop", "result = loop i = 0 while i < 6 do i + 1 return 1", "1",
     0, 6},
    {"nothing goes round but what makes it go round",
     "result = loop i = 0 while false do i + 1 return 2", "2", 0, 0},
    {"a variable that only feeds itself",
     "result = loop i = 0, u = 1 while i < 2 do i + 1, u / 0 return i", "2", 0, 2},
    {"a variable that starts the next iteration before it has come",
     "f(k) = loop x = k, a = 0.0 while x < 1 do 1, 2.5\nresult = f(0)", "(1, 2.5)", 1, 1},
    {"variables change places",
     "result = loop i = 0, a = 1, b = 2 while i < 3 do i + 1, b, a return (a, b)",
     "(2, 1)", 0, 3},
    {"a variable ends where another began",
     "result = loop a = 1, b = 10 while a < 5 do a + 1, a return b", "4", 0, 4},
    {"a value from outside goes round",
     "f(k) = loop i = 0, s = 0 while i < k do i + 1, s + k return s * k\nresult = f(5)",
     "125", 1, 5},
    {"only the condition uses a value from outside",
     "f(k) = loop i = 1 while i < k do i * 2\nresult = (f(100), f(0))", "(128, 1)", 2, 7},
    {"a value from outside crosses two loops",
     "f(k) = loop i = 0, s = 0 while i < 2 do\n"
     " i + 1, loop j = 0, t = s while j < 3 do j + 1, t + k return t\n return s\n"
     "result = f(7)",
     "42", 1, 8},
    {"a constant is read in every iteration",
     "k = 2 + 3\nresult = loop i = 0, s = 0 while i < k do i + 1, s + k return s", "25",
     0, 5},
    {"the same call in every iteration",
     "f(x, y) = x * 10 + y\n"
     "result = loop i = 0, s = 0 while i < 4 do i + 1, f(s, i) return s",
     "123", 4, 4},
    {"calls of different iterations do not meet",
     "f(x, y) = if x <= 0 then y else f(x - 1, y + 1)\n"
     "result = loop i = 0, s = 0 while i < 4 do i + 1, s + f(6 - i, i) return s",
     "24", 22, 4},
    {"a loop in a function in a loop",
     "f(n) = loop j = 0, p = 1 while j < n do j + 1, p * 2 return p\n"
     "result = loop i = 0, s = 0 while i < 5 do i + 1, s + f(i) return s",
     "31", 5, 15},
    {"a loop that calls the function in which it stands",
     "f(n) = loop i = 1, s = 1 while i <= n do i + 1, s + f(n - i) return s\nresult = "
     "f(4)",
     "16", 16, 15},
    {"an immediate that no token triggers",
     "f(x) = loop i = 0 while i < 2 do i + 1\nresult = f(9)", "2", 1, 2},
    {"a condition that is a variable",
     "result = loop go = true, i = 0 while go do i < 4, i + 1 return i", "5", 0, 5},
};

/* --- programs found by hand -------------------------------------------------------------- */

static const struct test_case programs[] = {
    {"sum", "result = loop i = 0, s = 0 while i < 101 do i + 1, s + i return s", "5050",
     0, 101},
    {"factorial", "result = loop i = 1, p = 1 while i <= 10 do i + 1, p * i return p",
     "3628800", 0, 10},
    {"fibonacci",
     "result = loop i = 0, a = 0, b = 1 while i < 50 do i + 1, b, a + b return a",
     "12586269025", 0, 50},
    {"greatest common divisor",
     "result = loop a = 1071, b = 462 while b /= 0 do b, a % b return a", "21", 0, 3},
    {"collatz",
     "result = loop n = 27, k = 0 while n /= 1 do\n"
     " if n % 2 == 0 then n / 2 else 3 * n + 1, k + 1\n return k",
     "111", 0, 111},
    {"power by squaring",
     "result = loop b = 3, e = 13, p = 1 while e > 0 do\n"
     " b * b, e / 2, if e % 2 == 1 then p * b else p\n return p",
     "1594323", 0, 4},
    {"integer square root",
     "result = loop r = 0 while (r + 1) * (r + 1) <= 1000 do r + 1", "31", 0, 31},
    {"digits reversed",
     "result = loop n = 12345, r = 0 while n > 0 do n / 10, r * 10 + n % 10 return r",
     "54321", 0, 5},
    {"halving reals", "result = loop x = 1.0, k = 0 while x > 0.001 do x / 2.0, k + 1",
     "(0.0009765625, 10)", 0, 10},
    {"Newton's square root of 2",
     "result = loop i = 0, x = 1.0 while i < 3 do i + 1, (x + 2.0 / x) / 2.0 return x",
     "1.4142156862745097", 0, 3},
    {"a triangle of stars",
     "result = loop i = 1, s = 0 while i <= 6 do\n"
     " i + 1, s + (loop j = 0 while j < i do j + 1)\n return s",
     "21", 0, 27},
    {"primes below 30",
     "prime(n) = loop d = 2, p = n > 1 while p and d * d <= n do d + 1, n % d /= 0 "
     "return p\n"
     "result = loop n = 0, c = 0 while n < 30 do n + 1, if prime(n) then c + 1 else c "
     "return c",
     "10", 30, 74},
    {"alternating", "result = loop b = true, i = 0 while i < 7 do not b, i + 1 return b",
     "false", 0, 7},
    {"a pair that turns",
     "result = loop p = (1, 0), i = 0 while i < 3 do let (x, y) = p in (0 - y, x), i + "
     "1\n"
     " return p",
     "(0, -1)", 0, 3},
    {"maximum of a polynomial",
     "result = loop x = 0, m = 0 while x < 10 do x + 1, max(m, x * (8 - x)) return m",
     "16", 0, 10},
    {"binary ones",
     "result = loop n = 255 * 3, c = 0 while n > 0 do n / 2, c + n % 2 return c", "8", 0,
     10},
    {"perfect",
     "result = loop d = 1, s = 0 while d < 28 do d + 1,\n"
     " if 28 % d == 0 then s + d else s\n return s == 28",
     "true", 0, 27},
    {"two loops of one program, and one in each branch",
     "f(x) = if x > 2 then loop i = x while i < 10 do i + x else loop i = x while i > -9 "
     "do\n"
     " i - 4\nresult = (f(3), f(1), f(4))",
     "(12, -11, 12)", 3, 8},
    {"initial values that are loops",
     "result = loop a = loop i = 0 while i < 3 do i + 1, b = loop j = 9 while j > 5 do j "
     "- 1\n"
     " while a < b do a + 1, b return a * b",
     "25", 0, 9},
    {"a condition with a loop",
     "result = loop n = 1 while (loop k = n while k > 5 do k - 5) /= 5 do n + 1", "5", 0,
     4},
};

START_TEST(corners_are_right)
{
    test_run_case(&corners[_i], PROGRAMS_CONSTANTS_STICKY);
    test_run_case(&corners[_i], PROGRAMS_CONSTANTS_COPIES);
}
END_TEST

START_TEST(programs_have_their_values)
{
    test_run_case(&programs[_i], PROGRAMS_CONSTANTS_STICKY);
    test_run_case(&programs[_i], PROGRAMS_CONSTANTS_COPIES);
}
END_TEST

/* --- hiatons ------------------------------------------------------------------------------ */

/* Hiatons of a program under `propagate`: tokens, and firings that pass them on. */
static void check_dead(const char *text, uint64_t tokens, uint64_t firings)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct test_outcome o = test_interp(graph, NULL, true);
    ck_assert_msg(o.stats.dead_tokens == tokens && o.stats.dead_firings == firings,
                  "%s: %ju dead tokens, %ju dead firings", text,
                  (uintmax_t)o.stats.dead_tokens, (uintmax_t)o.stats.dead_firings);
    isa_graph_free(graph);
}

/* A dead loop: each ENTER gets a hiaton, that of variable 0 sends one to each EXIT, and each
 * of those passes it on once, whatever stands in the loop. */
START_TEST(a_dead_loop_sends_one_hiaton_for_each_result)
{
    /* SWITCHes of 0 and 1; ENTER 0 (ENTER 1: to nothing), EXIT; MERGEIF: the dead one */
    check_dead("result = if 1 == 1 then 5 else\n"
               " loop i = 0, s = 1 while i < 9 do i + 1, s * 2 return s",
               /* 5's SWITCH sends to nothing on its dead side */ 4, 3);
}
END_TEST

/* In each iteration but the last the way out is dead, in the last the body. */
START_TEST(hiatons_do_not_leave_an_iteration)
{
    /* twice SWITCH -> EXIT; then SWITCH -> +, NEXT */
    check_dead("result = loop i = 0 while i < 2 do i + 1", 2 + 2, 1);
}
END_TEST

/* --- bounds ------------------------------------------------------------------------------- */

/* The counter runs ahead of the slow sum. */
static const char slow_sum[] =
    "result = loop i = 0, s = 1.0 while i < %d do i + 1, sqrt(exp(sin(s))) return s";
static const char nested_sums[] =
    "f(n) = loop j = 0, t = 0 while j < n do j + 1, t + j / 3 return t\n"
    "result = loop i = 0, s = 0 while i < %d do i + 1, s + f(i %% 5)\n"
    " + (loop k = 0 while k < 3 do k + 1) return s";

struct bounded {
    uint64_t peak_tags, cycles;
};

/* A run with a bound has the same value, firings, span and digest as one without. */
static struct bounded run_bounded(const char *format, int n, const char *bound,
                                  bool propagate)
{
    char text[512];
    snprintf(text, sizeof text, format, n);
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct test_outcome oracle = test_interp(graph, NULL, propagate);
    struct machine_settings settings;
    test_settings_ideal(&settings);
    test_set(&settings, "unit.math.latency", "40");
    test_set(&settings, "loop.bound", bound);
    settings.deadness = propagate;
    struct test_outcome o = test_run(graph, NULL, &settings, 1);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, oracle.result);
    ck_assert_uint_eq(o.stats.firings, oracle.stats.firings);
    ck_assert_uint_eq(o.stats.span, oracle.stats.span);
    ck_assert_uint_eq(o.stats.value_digest, oracle.stats.value_digest);
    ck_assert_uint_eq(o.stats.loop_iterations, oracle.stats.loop_iterations);
    ck_assert_uint_eq(o.stats.dead_tokens, oracle.stats.dead_tokens);
    struct bounded found = {o.stats.peak_tags, o.stats.cycles};
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
    return found;
}

START_TEST(state_is_flat_under_a_bound)
{
    static const char *const bounds[] = {"1", "2", "3", "4"};
    for (int propagate = 0; propagate < 2; propagate++) {
        struct bounded free = run_bounded(slow_sum, 400, "0", propagate);
        ck_assert_uint_gt(free.peak_tags, 200);
        uint64_t before = UINT64_MAX;
        for (unsigned b = 0; b < 4; b++) {
            struct bounded few = run_bounded(slow_sum, 40, bounds[b], propagate);
            struct bounded many = run_bounded(slow_sum, 400, bounds[b], propagate);
            ck_assert_uint_eq(few.peak_tags, many.peak_tags);
            /* the root, those in flight, and the one whose NEXTs wait */
            ck_assert_uint_le(many.peak_tags, b + 3);
            ck_assert_uint_le(many.cycles, before);
            ck_assert_uint_ge(many.cycles, free.cycles);
            before = many.cycles;
        }
    }
}
END_TEST

START_TEST(nested_loops_end_under_a_bound)
{
    static const char *const bounds[] = {"1", "2", "3", "1000000000"};
    for (int propagate = 0; propagate < 2; propagate++)
        for (unsigned b = 0; b < 4; b++)
            run_bounded(nested_sums, 60, bounds[b], propagate);
}
END_TEST

/* A loop's own bound goes before the machine's. */
START_TEST(a_pragma_bounds_its_loop)
{
    static const char bounded[] = "result = loop i = 0, s = 1.0 --# bound 2\n"
                                  " while i < %d do i + 1, sqrt(exp(sin(s))) return s";
    struct bounded two = run_bounded(slow_sum, 100, "2", false);
    struct bounded own = run_bounded(bounded, 100, "0", false);
    struct bounded both = run_bounded(bounded, 100, "9", false);
    ck_assert_uint_eq(own.peak_tags, two.peak_tags);
    ck_assert_uint_eq(own.cycles, two.cycles);
    ck_assert_uint_eq(both.cycles, two.cycles);
}
END_TEST

/* --- loops that no compiler makes ------------------------------------------------------------ */

/* A variable that does not come in iteration 1: the other one has begun it. */
START_TEST(an_iteration_that_lacks_a_variable_is_named)
{
    char *text = test_replace(sum_static, "-> %10.0           @2:27",
                              "-> -               @2:27");
    char *again = test_replace(text, "  %10  next.int _, site 0, param 1   -> %3.0",
                               "  %r read.int _, cell c -> %10.0\n"
                               "  %10  next.int _, site 0, param 1   -> %3.0");
    char *third = test_replace(again, "function 0", "cell 0 c int\nfunction 0");
    char *fourth = test_replace(third, "-> %9.0 | %11.0", "-> %9.0, %r.0 | %11.0");
    char *last = test_replace(fourth, "  %12  output.int _, part 0",
                              "  %w write.int _, cell c\n  %12  output.int _, part 0");
    char *whole = test_replace(last, "-> %12.0", "-> %12.0, %w.0");
    struct isa_graph *graph = test_read(whole);
    isa_graph_lower(graph);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct isa_interp interp;
    struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct lib_text waiting = {0};
    isa_interp_run(&interp, code, &limits, true, NULL);
    ck_assert_int_eq(interp.end, ISA_END_DEADLOCKED);
    isa_exec_write_waiting(&interp.exec, &waiting, 1);
    ck_assert_msg(
        strstr(lib_text_get(&waiting),
               "the iteration with tag [0.1] of the loop at 1:10, in result.loop: "
               "1 of 2 variables have not come"),
        "%s", lib_text_get(&waiting));
    lib_text_free(&waiting);
    isa_interp_free(&interp);
    isa_code_free(code);
    isa_graph_free(graph);
    char *texts[] = {text, again, third, fourth, last, whole};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        lib_mem_free(texts[i]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("loops");
    tcase_add_loop_test(tcase, corners_are_right, 0, sizeof corners / sizeof *corners);
    tcase_add_loop_test(tcase, programs_have_their_values, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(tcase, a_dead_loop_sends_one_hiaton_for_each_result);
    tcase_add_test(tcase, hiatons_do_not_leave_an_iteration);
    tcase_add_test(tcase, state_is_flat_under_a_bound);
    tcase_add_test(tcase, nested_loops_end_under_a_bound);
    tcase_add_test(tcase, a_pragma_bounds_its_loop);
    tcase_add_test(tcase, an_iteration_that_lacks_a_variable_is_named);
    return test_main("loops", tcase);
}
