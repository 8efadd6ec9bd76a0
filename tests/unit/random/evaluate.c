/* The evaluator by itself: values worked out by hand from the definition of the language,
 * and the results of tests/data/examples.tbl. */
#include "tests/random/evaluate.h"
#include "lib/file.h"
#include "tests/unit/front_end.h"
#include "tests/unit/main.h"

#include <stdio.h>

static struct evaluate_outcome value_of(const char *program)
{
    struct evaluate_outcome outcome;
    struct program p = load_good(program, TYPED);
    evaluate(p.ast, 100000000, EVALUATE_MISTAKE_NONE, 0, &outcome);
    unload(&p);
    return outcome;
}

/* --- expressions ---------------------------------------------------------------------- */

static const char *const values[][2] = {
    {"-7 / 2", "-3"},
    {"7 / -2", "-3"},
    {"-7 % 2", "-1"},
    {"7 % -2", "1"},
    {"-9223372036854775808 % -1", "0"},
    {"-9223372036854775807 - 1", "-9223372036854775808"},
    {"max(-9223372036854775808, 3)", "3"},
    {"min(-9223372036854775808, 3)", "-9223372036854775808"},
    {"abs(-9223372036854775807)", "9223372036854775807"},
    {"1 - 2 - 3", "-4"},
    {"- 2 * 3 + 10 % 4", "-4"},
    {"5.5 % 2", "1.5"},
    {"-5.5 % 2.0", "-1.5"},
    {"1.0 / 0.0", "inf"},
    {"-1.0 / 0", "-inf"},
    {"0.0 / 0.0", "nan"},
    {"min(-0.0, 0.0)", "-0.0"},
    {"min(0.0, -0.0)", "-0.0"},
    {"max(-0.0, 0.0)", "0.0"},
    {"max(0.0, -0.0)", "0.0"},
    {"max(-0.0, -0.0)", "-0.0"},
    {"min(1.0, 0.0 / 0.0)", "nan"},
    {"max(0.0 / 0.0, 1.0)", "nan"},
    {"min(2.5, 1)", "1.0"},
    {"abs(-0.0)", "0.0"},
    {"-(0.0)", "-0.0"},
    {"0.0 / 0.0 == 0.0 / 0.0", "false"},
    {"0.0 / 0.0 /= 0.0 / 0.0", "true"},
    {"0.0 == -0.0", "true"},
    {"(1 < 2, 2 < 1, 1 <= 1, 1 > 1, 1 >= 1, 1 == 2, 1 /= 2)",
     "(true, false, true, false, true, false, true)"},
    {"(true == false, true /= false, not true)", "(false, true, false)"},
    {"(floor(-0.5), sqrt(2.25), exp(0.0), log(1), sin(0), cos(0), tanh(0))",
     "(-1.0, 1.5, 1.0, 0.0, 0.0, 1.0, 0.0)"},
    {"(-2 ** 2, 2 ** 3 ** 2, (-2) ** 63, 2.0 ** -1, -2.0 ** -2 ** 2, 0 ** 0, 4 ** 0.5)",
     "(-4, 512, -9223372036854775808, 0.5, -0.0625, 1, 2.0)"},
    {"(atan(0), erf(0.0), atan2(0.0, 1), hypot(3, 4.0))", "(0.0, 0.0, 0.0, 5.0)"},
    {"(random(0, 0), random(-1, -1) < 1.0, random(7, 8) == random(7, 8))",
     "(0.7890720529469626, true, true)"},
    {"(int(-2.9), int(2.9), int(-9223372036854775808.0))",
     "(-2, 2, -9223372036854775808)"},
    {"real(9007199254740993)", "9007199254740992.0"},
    {"(1e16, 1e-5, 0.1, 100.0)", "(1e+16, 1e-05, 0.1, 100.0)"},
    {"true or 1 / 0 == 1", "true"},
    {"false and 1 / 0 == 1", "false"},
    {"false or true", "true"},
    {"true and false", "false"},
    {"if 1 > 2 then 1 / 0 else 7", "7"},
    {"let a = 1; b = a + 1; (c, d) = (b, (a, b)) in (d, c)", "((1, 2), 2)"},
    {"let a = 1 in (let a = 2.5 in a, a)", "(2.5, 1)"},
    {"let a = 1 / 0 in 5", "5"},
    {"let (_, b) = (1, true) in b", "true"},
    /* loops */
    {"loop i = 0, s = 0 while i < 10 do i + 1, s + i return s", "45"},
    {"loop i = 0, s = 0 while i < 10 do i + 1, s + i", "(10, 45)"},
    {"loop i = 5 while i < 3 do i / 0", "5"},
    {"loop a = 0, b = 1, i = 0 while i < 10 do b, a + b, i + 1 return a", "55"},
    {"loop a = 48, b = 36 while b /= 0 do b, a % b return a", "12"},
    {"loop i = 0, x = 1 while i < 3 do i + 1, x / 2.0", "(3, 0.125)"},
    {"loop i = 0, s = 0 while i < 4 do i + 1,"
     " s + loop j = 0, p = 1 while j < i do j + 1, p * 2 return p return s",
     "15"},
    {"loop i = 0, s = 0 while i < 3 do i + 1, 1 / (i - 5) return i", "3"},
    {"loop i = 0, s = 1 / 0 while i < 3 do i + 1, s return i", "3"},
    {"let i = 7 in loop i = i, j = i while i < 9 do i + 1, j return i * 100 + j", "907"},
    {"loop t = (1, 2.5), i = 0 while i < 3 do let (a, b) = t in (a + 1, b), i + 1 return "
     "t",
     "(4, 2.5)"},
    {"loop a = [1], i = 0 while i < 3 do [a[0] + 1, i], i + 1", "([4, 2], 3)"},
    {"(loop _ = 1, i = 0 while i < 2 do i, i + 1, 9)", "((1, 2), 9)"},
    /* arrays */
    {"[1, 2, 3]", "[1, 2, 3]"},
    {"[1, 2.5]", "[1.0, 2.5]"},
    {"[(1, [true]), (2, [])]", "[(1, [true]), (2, [])]"},
    {"[[], [1]]", "[[], [1]]"},
    {"[i * i | i <- -1 .. 3]", "[1, 0, 1, 4, 9]"},
    {"[i | i <- 1 .. 0]", "[]"},
    {"[i | i <- 3 .. -9223372036854775808]", "[]"},
    {"[1 / i | i <- 1 .. 0]", "[]"},
    {"length([i | i <- -9223372036854775808 .. -9223372036854775807])", "2"},
    {"length([1, 2, 3]) + length([i | i <- 4 .. 0])", "3"},
    {"[[i * j | j <- 0 .. i] | i <- 0 .. 3][3]", "[0, 3, 6, 9]"},
    {"[x * x | x <- [3, 1, 4]]", "[9, 1, 16]"},
    {"[10 * x + i | x <- [3, 1, 4] at i]", "[30, 11, 42]"},
    {"[x | x <- [i | i <- 1 .. 0]]", "[]"},
    {"[let (a, b) = p in a + b | p <- [(1, 2), (3, 4)]]", "[3, 7]"},
    {"[[x * y | x <- row at y] | row <- [[1, 2], [3, 4, 5]]]", "[[0, 2], [0, 4, 10]]"},
    {"let a = [if i == 2 then x else x + a[i + 1] | x <- [1, 2, 3] at i] in a",
     "[6, 5, 3]"},
    {"[[1, 2], [3, 4]][1][0]", "3"},
    {"let a = [if i < 2 then i else a[i - 1] + a[i - 2] | i <- 0 .. 20] in a[20]",
     "6765"},
    {"let a = [if i == 9 then 1 else a[i + 1] * 2 | i <- 0 .. 9] in a[0]", "512"},
    {"let a = [if i == 0 then (0, 1) else let (x, y) = a[i - 1] in (y, x + y)"
     " | i <- 0 .. 10]; (f, _) = a[10] in f",
     "55"},
    {"let a = [[if i == 0 or j == 0 then 1 else a[i - 1][j] + a[i][j - 1]"
     " | j <- 0 .. 3] | i <- 0 .. 3] in a[3][3]",
     "20"},
    {"let a = [let x = a[i] in if true then i else x | i <- 0 .. 2] in a", "[0, 1, 2]"},
    {"let a = [[7, a[i]][0] | i <- 0 .. 2] in a", "[7, 7, 7]"},
    {"let a = [let (x, y) = (i, a[i]) in x | i <- 0 .. 2] in a", "[0, 1, 2]"},
    {"let a = [if length(a) > 2 then i else 1 / 0 | i <- 0 .. 2] in a", "[0, 1, 2]"},
    {"let a = [loop j = 0, x = a[i] while j < 2 do j + 1, x return if true then j else x"
     " | i <- 0 .. 1] in a",
     "[2, 2]"},
    /* data */
    {"Cons(1, Cons(2, Nil))", "Cons(1, Cons(2, Nil))"},
    {"case Cons(1, Nil) of Nil -> 0 | Cons(x, Nil) -> x | Cons(_, Cons(x, _)) -> -x",
     "1"},
    {"case (3, true) of (3, false) -> 0 | (x, b) if not b -> x | (2, _) -> 1 | _ -> 2",
     "2"},
    {"case 2.0 of 1 -> 1 | 2 -> 2 | _ -> 3", "2"},
    {"case -0.0 of 0.0 -> 1 | _ -> 3", "1"},
    {"case 0.0 / 0.0 of x if x == x -> 1 | _ -> 3", "3"},
    {"(Cons(1, Nil) == Cons(1, Nil), Cons(1, Nil) /= Cons(1, Cons(2, Nil)),"
     " Cons(1, Nil) == Nil)",
     "(true, true, false)"},
    {"Cons(0.0 / 0.0, Nil) == Cons(0.0 / 0.0, Nil)", "false"},
    {"let a = [if i == 0 then Nil else Cons(i, a[i - 1]) | i <- 0 .. 3] in a[3]",
     "Cons(3, Cons(2, Cons(1, Nil)))"},
    {"let a = [Cons(i, a[1 - i]) | i <- 0 .. 1] in"
     " (case a[0] of Cons(x, Cons(y, Cons(z, _))) -> (x, y, z) | _ -> (7, 7, 7))",
     "(0, 1, 0)"},
    {"let a = [(case (i, a[i]) of (x, _) -> x) | i <- 0 .. 1] in a", "[0, 1]"},
    {"let a = [(case (i, a[i]) of (0, _) -> 5 | (1, _) -> 6 | (_, x) -> x)"
     " | i <- 0 .. 1] in a",
     "[5, 6]"},
    {"loop a = 0, l = Nil while a < 3 do let b = a + 1 in (b, Cons(b, l)) return l",
     "Cons(3, Cons(2, Cons(1, Nil)))"},
    /* sums */
    {"sum([1, 2, 3, 4, 5])", "15"},
    {"sum([0.5, 1])", "1.5"},
    {"sum([i | i <- 1 .. 0])", "0"},
    {"sum([real(i) | i <- 1 .. 0])", "0.0"},
    {"sum([-0.0])", "-0.0"},
    {"sum([1e16, 1.0, 1.0])", "1.0000000000000002e+16"},
    {"sum([1.0, 1.0, 1e16])", "1e+16"},
    {"sum([9223372036854775807, -1, 1, -1])", "9223372036854775806"},
};

START_TEST(values_are_those_of_the_definition)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char program[512];
        snprintf(program, sizeof program, "result = %s\n", values[i][0]);
        struct evaluate_outcome o = value_of(program);
        ck_assert_msg(o.end == EVALUATE_COMPLETED, "%s: failed", values[i][0]);
        ck_assert_msg(strcmp(lib_text_get(&o.result), values[i][1]) == 0,
                      "%s: %s, expected %s", values[i][0], lib_text_get(&o.result),
                      values[i][1]);
        lib_text_free(&o.result);
    }
}
END_TEST

/* --- failures ------------------------------------------------------------------------- */

static const char *const failures[] = {
    "result = 9223372036854775807 + 1\n",
    "result = -9223372036854775808 - 1\n",
    "result = 4611686018427387904 * 2\n",
    "result = -9223372036854775808 / -1\n",
    "result = -(-9223372036854775808)\n",
    "result = abs(-9223372036854775808)\n",
    "result = 1 / 0\n",
    "result = 1 % 0\n",
    "result = int(0.0 / 0.0)\n",
    "result = int(1.0 / 0.0)\n",
    "result = int(9223372036854775808.0)\n",
    "result = int(-9223372036854777856.0)\n",
    /* an argument that is ignored */
    "result = f(1 / 0)\nf(x) = 1\n",
    /* a constant, and a let, that are used in a branch not taken */
    "result = if true then 1 else k\nk = 1 / 0\n",
    "result = let a = 1 / 0 in if true then 1 else a\n",
    /* a part of a tuple that nobody uses */
    "(a, b) = (1, 1 / 0)\nresult = a\n",
    /* indices */
    "result = [1, 2][2]\n",
    "result = [1, 2][-1]\n",
    "result = [i | i <- 1 .. 0][0]\n",
    /* elements that nobody reads */
    "result = [1, 1 / 0][0]\n",
    "result = length([1 / i | i <- 0 .. 2])\n",
    "result = length([(1, 1 / i) | i <- 0 .. 2])\n",
    "a = [1 / i | i <- 0 .. 2]\nresult = if true then 1 else a[0]\n",
    "result = f([1 / 0])\nf(x) = 1\n",
    /* data: fields that nobody reads, a field that it does not have */
    "result = case Cons(1 / 0, Nil) of Nil -> 0 | _ -> 1\n",
    "data T = A(x: int) | B\nf(t) = t.x\nresult = f(B) + f(A(1))\n",
    "result = case (1, 1 / 0) of (x, _) -> x\n",
    "result = case 1 / 0 of x -> 1\n",
    "result = case 1 of x if 1 / 0 == 1 -> 1 | _ -> 2\n",
    /* sums overflow as their tree does: the second half */
    "result = sum([-1, -1, 9223372036854775807, 1])\n",
    /* variables of loops */
    "result = loop i = 0, s = 1 while i < 3 do i+1, s/i return if i>2 then i else s\n",
    "result = loop i = 0, s = 1 / 0 while i < 3 do i + 1, s\n",
    "result = loop i = 0 while 1 / i == 0 do i + 1\n",
    /* a failure, and a deadlock */
    "a = [if i == 0 then a[0] else 1 / 0 | i <- 0 .. 1]\nresult = a\n",
    "a = [a[0] + 1 / 0 | i <- 0 .. 0]\nresult = a\n",
    "a = [f(a[0]) | i <- 0 .. 0]\nf(x) = let y = 1 / 0 in x + y\nresult = length(a)\n",
    "a = [a[1] + a[2] | i <- 0 .. 1]\nresult = a\n",
};

/* Elements that need themselves. */
static const char *const deadlocks[] = {
    "a = [a[i] | i <- 0 .. 2]\nresult = a[0] + 1\n",
    "a = [a[2 - i] / 2 | i <- 0 .. 2]\nresult = length(a)\n",
    "a = [if i < 3 then i else a[i] | i <- 0 .. 3]\nresult = a[0]\n",
    "result = let a = [a[i] + 1 | i <- 0 .. 0] in 5 + length(a)\n",
    "a = [b[i] | i <- 0 .. 2]\nb = [f(i) | i <- 0 .. 2]\nf(i) = a[i] - 1\nresult = a\n",
    /* through an argument that is ignored: a call returns when it is there */
    "a = [f(a[i]) | i <- 0 .. 2]\nf(x) = 1\nresult = a\n",
    "a = [f((1, a[i])) | i <- 0 .. 2]\nf(x) = let (y, _) = x in y\nresult = a\n",
    "a = [sum([1, a[i]]) | i <- 0 .. 2]\nresult = a\n",
    "a = [loop j = 0 while j < a[i] do j + 1 | i <- 0 .. 1]\nresult = a\n",
    "a = [if a[i] then true else false | i <- 0 .. 1]\nresult = a\n",
    "a = [a[i] and false | i <- 0 .. 1]\nresult = a\n",
    "a = [[j | j <- 0 .. a[i][0]] | i <- 0 .. 1]\nresult = a\n",
    "a = [(case a[i] of 0 -> 1 | _ -> 2) | i <- 0 .. 1]\nresult = a\n",
    "a = [(case (i, a[i]) of (0, 1) -> 5 | _ -> 6) | i <- 0 .. 1]\nresult = a\n",
    "a = [(case a[i] of Nil -> Cons(1, Nil) | x -> x) | i <- 0 .. 1]\nresult = "
    "length(a)\n",
    "a = [if a[i] == Nil then Cons(1, Nil) else Nil | i <- 0 .. 1]\nresult = length(a)\n",
};

START_TEST(deadlocks_are_those_of_the_definition)
{
    for (size_t i = 0; i < sizeof deadlocks / sizeof *deadlocks; i++) {
        struct evaluate_outcome o = value_of(deadlocks[i]);
        ck_assert_msg(o.end == EVALUATE_DEADLOCKED, "%s", deadlocks[i]);
        lib_text_free(&o.result);
    }
}
END_TEST

/* Whole programs with arrays and loops, and their calls. */
static const struct {
    const char *text, *result;
    uint64_t calls;
} programs[] = {
    {"fibs = [f(i) | i <- 0 .. 30]\n"
     "f(i) = if i < 2 then i else fibs[i - 1] + fibs[i - 2]\n"
     "result = fibs[30]\n",
     "832040", 31},
    {"even = [if i == 0 then true else odd[i - 1] | i <- 0 .. 9]\n"
     "odd = [if i == 0 then false else even[i - 1] | i <- 0 .. 9]\n"
     "result = (even[8], odd[8])\n",
     "(true, false)", 0},
    {"result = loop i = 0, s = 0, u = f(7) while i < 5 do i + 1, s + f(i), f(u) return "
     "s\n"
     "f(x) = x * x\n",
     "30", 5},
    {"result = (sums([1, 2]), sums([i | i <- 1 .. 0]))\n"
     "sums(a) = loop i = 0, s = 0 while i < length(a) do i + 1, s + a[i] return s\n",
     "(3, 0)", 2},
    {"result = qsort([3, 1, 2])\n"
     "qsort(a) = if length(a) < 2 then a else swap(a, 0)\n"
     "swap(a, i) = if i + 1 == length(a) then a else swap(if a[i] > a[i + 1] then\n"
     "  [if k == i then a[i + 1] else if k == i + 1 then a[i] else a[k]\n"
     "   | k <- 0 .. length(a) - 1] else a, i + 1)\n",
     "[1, 2, 3]", 4},
    {"data T = L | N(int, T, T)\n"
     "f(n) = if n == 0 then L else N(n, f(n - 1), f(n - 1))\n"
     "result = (f(2) == f(2), f(2) == N(2, L, L), f(2) == N(1, f(1), L))\n",
     "(true, false, false)", 4 * 7 + 3 + 7 + 2 + 1},
    {"data P = P(x: int, y: (int, real))\n"
     "f(P(a, (b, _)), (c, P(d, e))) = let P(g, (h, _)) = P(d, e) in (a, b, c, g, h)\n"
     "result = (f(P(1, (2, 3)), (4, P(5, (6, 7)))), P(1, (2, 3)).y, P(1, (2, 3)) == P(1, "
     "(2, 4)))\n",
     "((1, 2, 4, 5, 6), (2, 3.0), false)", 2},
    {"a = [i | i <- 0 .. n]\nn = a'[1]\na' = [2, 3]\nresult = let b = [f(a[i]) | i <- 0 "
     ".. n]"
     " in (b[0], length(b))\nf(x) = x + 1\n",
     "(1, 4)", 4},
};

START_TEST(programs_are_what_they_mean)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct evaluate_outcome o = value_of(programs[i].text);
        ck_assert_msg(o.end == EVALUATE_COMPLETED, "%s", programs[i].text);
        ck_assert_str_eq(lib_text_get(&o.result), programs[i].result);
        ck_assert_uint_eq(o.calls, programs[i].calls);
        lib_text_free(&o.result);
    }
}
END_TEST

START_TEST(failures_are_those_of_the_definition)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct evaluate_outcome o = value_of(failures[i]);
        ck_assert_msg(o.end == EVALUATE_FAILED, "%s", failures[i]);
        lib_text_free(&o.result);
    }
}
END_TEST

START_TEST(what_is_not_used_does_not_fail)
{
    struct evaluate_outcome o = value_of("result = f(2)\nk = 1 / 0\nj = f(k)\n"
                                         "f(x) = if x == 0 then 0 else f(x - 1)\n");
    ck_assert_int_eq(o.end, EVALUATE_COMPLETED);
    ck_assert_str_eq(lib_text_get(&o.result), "0");
    ck_assert_uint_eq(o.calls, 3);
    lib_text_free(&o.result);
}
END_TEST

/* --- recursion ------------------------------------------------------------------------ */

START_TEST(recursion_may_be_deep_but_not_endless)
{
    struct evaluate_outcome o = value_of(
        "result = f(300000)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n");
    ck_assert_str_eq(lib_text_get(&o.result), "300000");
    ck_assert_uint_eq(o.calls, 300001);
    lib_text_free(&o.result);
    o = value_of("result = f(1)\nf(n) = if n == 0 then 0 else f(n + 1) + 1\n");
    ck_assert_int_eq(o.end, EVALUATE_LIMIT);
    lib_text_free(&o.result);
}
END_TEST

START_TEST(arrays_and_loops_may_be_long_but_not_endless)
{
    struct evaluate_outcome o = value_of("a = [if i == 0 then 0 else a[i - 1] + 1 | i <- "
                                         "0 .. 100000]\nresult = a[100000]\n");
    ck_assert_str_eq(lib_text_get(&o.result), "100000");
    lib_text_free(&o.result);
    o = value_of(
        "result = loop i = 0, s = 0 while i < 100000 do i + 1, s + i return s\n");
    ck_assert_str_eq(lib_text_get(&o.result), "4999950000");
    lib_text_free(&o.result);
    o = value_of("result = [loop i = 0, s = 0 while i < 50000 do i + 1, s + i return s"
                 " | _ <- 0 .. 1]\n");
    ck_assert_str_eq(lib_text_get(&o.result), "[1249975000, 1249975000]");
    lib_text_free(&o.result);
    static const char *const endless[] = {
        "result = loop i = 0 while true do i\n",
        "result = length([i | i <- -9223372036854775808 .. 9223372036854775807])\n",
        "result = loop a = [1] while true do [a[0] | i <- 0 .. length(a)]\n",
    };
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        struct program p = load_good(endless[i], TYPED);
        evaluate(p.ast, 1000000, EVALUATE_MISTAKE_NONE, 0, &o);
        ck_assert_int_eq(o.end, EVALUATE_LIMIT);
        lib_text_free(&o.result);
        unload(&p);
    }
}
END_TEST

/* --- the examples --------------------------------------------------------------------- */

/* Sets inputs from "n=3 m=4"; where it can, as a literal of the input's own kind. */
static void set_inputs(const struct programs_ast *ast, char *assignments)
{
    for (char *save, *word = strtok_r(assignments, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        for (size_t i = 0; i < ast->input_count; i++) {
            struct programs_expr *literal = ast->inputs[i]->literal;
            if (strcmp(ast->inputs[i]->binding->name, word) != 0)
                continue;
            if (literal->kind == PROGRAMS_EXPR_INT)
                ck_assert(lib_text_to_int(value, &literal->integer));
            else
                ck_assert(lib_text_to_real(value, &literal->real));
        }
    }
}

/* Whether an input is an array, which the evaluator does not have: tests/shell/heads.sh. */
static bool has_givens(const struct programs_ast *ast)
{
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->given)
            return true;
    return false;
}

static void check_example(const char *name, char *inputs, const char *result,
                          uint64_t calls)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const char *directory = getenv("SRCDIR");
    const char *path = lib_arena_printf(arena, "%s/programs/examples/%s.df",
                                        directory ? directory : ".", name);
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert_msg(source != NULL, "cannot read %s", path);
    struct program p = load_good(source->bytes, TYPED);
    struct evaluate_outcome o;
    if (p.ast->has_tensors || /* tests/unit/programs/tensor_examples.c */
        has_givens(p.ast)) {
        unload(&p);
        lib_arena_free(arena);
        return;
    }
    set_inputs(p.ast, inputs);
    evaluate(p.ast, 100000000, EVALUATE_MISTAKE_NONE, 0, &o);
    ck_assert_msg(o.end == EVALUATE_COMPLETED, "%s did not complete", name);
    ck_assert_str_eq(lib_text_get(&o.result), result);
    ck_assert_uint_eq(o.calls, calls);
    lib_text_free(&o.result);
    unload(&p);
    lib_arena_free(arena);
}

START_TEST(examples_have_their_results)
{
    char path[512], line[1024];
    const char *directory = getenv("SRCDIR");
    unsigned rows = 0;
    snprintf(path, sizeof path, "%s/tests/data/examples.tbl",
             directory ? directory : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        char *fields[4], *p = line;
        for (int i = 0; i < 4; i++)
            fields[i] = strsep(&p, "|\n");
        check_example(fields[0], fields[1], fields[2], strtoull(fields[3], NULL, 10));
        rows++;
    }
    fclose(file);
    ck_assert_msg(rows >= 30, "only %u examples", rows);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("evaluate");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, values_are_those_of_the_definition);
    tcase_add_test(tcase, failures_are_those_of_the_definition);
    tcase_add_test(tcase, deadlocks_are_those_of_the_definition);
    tcase_add_test(tcase, programs_are_what_they_mean);
    tcase_add_test(tcase, what_is_not_used_does_not_fail);
    tcase_add_test(tcase, recursion_may_be_deep_but_not_endless);
    tcase_add_test(tcase, arrays_and_loops_may_be_long_but_not_endless);
    tcase_add_test(tcase, examples_have_their_results);
    return test_main("evaluate", tcase);
}
