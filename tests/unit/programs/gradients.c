/* Gradients: closed forms; random programs against dual numbers and against differences; where
 * two ways to run must agree to the last bit. */
#include "isa/format/asm.h"
#include "programs/syntax/parse.h"
#include "programs/types/infer.h"
#include "programs/types/resolve.h"
#include "tests/random/evaluate.h"
#include "tests/random/gradient_random.h"
#include "tests/unit/support.h"

#include <math.h>

/* --- closed forms ------------------------------------------------------------------------- */

static const char *const values[][2] = {
    {"result = grad(f, 3)\nf(x) = x * x * x + 2 * x", "29.0"},
    {"result = grad(f, 3.0, 2.0)\nf(x, y) = x / y - y", "(0.5, -1.75)"},
    {"result = grad(power, 2.0, 5)\npower(x, n) = if n == 0 then 1.0 else x * power(x, n "
     "- 1)",
     "80.0"},
    {"result = grad(fact, 1.0, 4)\n"
     "fact(x, n) = if n == 0 then x else (x + real(n)) * fact(x, n - 1)",
     "274.0"}, /* (x+1)(x+2)(x+3)(x+4) x, at 1 */
    {"result = grad(horner, 2.0, 3)\n"
     "horner(x, n) = if n < 0 then 0.0 else real(n + 1) + x * horner(x, n - 1)",
     "23.0"}, /* 4 + 3 x + 2 x^2 + x^3 */
    {"result = grad(even, 3.0, 4)\n"
     "even(x, n) = if n == 0 then 1.0 else x * odd(x, n - 1)\n"
     "odd(x, n) = 2.0 * even(x, n - 1)",
     "24.0"}, /* 4 x^2 */
    {"result = grad(line, 1.0, 2.0, 10)\n"
     "line(a, b, n) = loop i = 0, s = 0.0 while i < n do i + 1, a * s + b return s",
     "(90.0, 10.0)"},
    {"result = grad(f, 2.0, 3.0, 5)\n"
     "f(a, b, n) = if n < 2 then real(n) else a * f(a, b, n - 1) + b * f(a, b, n - 2)",
     "(68.0, 18.0)"}, /* a^4 + 3 a^2 b + b^2 */
    {"result = grad(f, 2.0, 3.0)\n"
     "f(a, b) = let s = [if i < 2 then real(i) else a * s[i - 1] + b * s[i - 2] "
     "| i <- 0 .. 5] in s[5]",
     "(68.0, 18.0)"},
    {"result = grad(f, 2.0, 3.0, 5)\n"
     "f(a, b, n) = let (s, _) = (loop i = 1, p = (1.0, 0.0) while i < n do i + 1, "
     "(let (x, y) = p in (a * x + b * y, x)) return p) in s",
     "(68.0, 18.0)"},
    {"result = grad(tree, 1.5, 3)\n"
     "tree(x, n) = if n == 0 then x * x else tree(x, n - 1) + tree(x, n - 1)",
     "24.0"},
    {"result = grad(f, 1.5)\n"
     "f(x) = let a = [floor(loop c = 0 while c < 2 do c + 1 return x) * x | i <- 0 .. 1] "
     "in a[0]",
     "1.0"},
    {"result = grad(f, 3.0)\n" /* x^8 */
     "f(x) = loop i = 0, y = x while i < 2 do i + 1, y * (loop c = 0 while c < 2 do c + "
     "1 "
     "return y) return y * y",
     "17496.0"},
    {"result = grad(f, (1.0, (2.0, 3)), [(1.0, 2), (4.0, 3)])\n"
     "f(p, a) = let (x, q) = p; (y, n) = q; (u, k) = a[1] in x * y * u * real(k) + "
     "real(n)",
     "((24.0, 12.0), [0.0, 6.0])"},
    {"result = grad(f, 1.0, 1.0, 4)\n"
     "f(a, b, n) = let t = [[if i == 0 or j == 0 then b else a * (t[i - 1][j] + t[i][j - "
     "1]) "
     "| j <- 0 .. n - 1] | i <- 0 .. n - 1] in t[n - 1][n - 1]",
     "(90.0, 20.0)"}, /* b (2 a^3 + 6 a^4 + 12 a^5) */
    {"result = grad(f, 1.0, 5, 2)\n"
     "f(a, n, w) = let s = [if i < w then a else s[i - w] * a | i <- 0 .. n] in s[n]",
     "3.0"}, /* a^3 */
    {"result = grad(f, 2.0)\n"
     "f(a) = let s = [if i > 3 then a else a * s[i + 1] | i <- 0 .. 4] in s[0]",
     "80.0"}, /* a^5 */
    {"result = grad(f, 1.0, 4)\n"
     "f(a, n) = let s = [if i < 1 then a else a * s[i / 2] | i <- 0 .. n] in s[n]",
     "4.0"}, /* indices that are computed: a^4 */
    {"result = grad(f, 1.0, 4)\n"
     "f(a, n) = let s = [if i < 1 then a else sum([s[j] * a | j <- 0 .. i - 1]) | i <- 0 "
     ".. "
     "n] in s[n]",
     "28.0"}, /* a^2 (1 + a)^3 */
    {"result = grad(f, 1.0, 1.0, 4)\n"
     "f(a, b, n) = let t = [[cell(t, i, j, a, b) | j <- 0 .. n - 1] | i <- 0 .. n - 1] "
     "in "
     "t[n - 1][n - 1]\n"
     "cell(t, i, j, a, b) = if i == 0 or j == 0 then b else a * both(t, i, j)\n"
     "both(t, i, j) = t[i - 1][j] + t[i][j - 1]",
     "(90.0, 20.0)"}, /* the same by functions that are given the whole */
    {"result = grad(f, 1.0, 1.0, 4)\n"
     "f(a, b, n) = let t = [[if i == 0 or j == 0 then b else a * look(t, i, j, 2) "
     "| j <- 0 .. n - 1] | i <- 0 .. n - 1] in t[n - 1][n - 1]\n"
     "look(t, i, j, k) = if k == 0 then 0.0 else look(t, i, j, k - 1) + (if k == 1 then "
     "t[i - 1][j] else t[i][j - 1])",
     "(90.0, 20.0)"}, /* by one that calls itself: as many sweeps as there are elements */
    {"result = grad(f, 2.0, 3)\n"
     "f(a, n) = let p = [(if i == 0 then a else (let (_, v) = p[i - 1] in v), "
     "(let (u, _) = p[i] in u * a)) | i <- 0 .. n] in (let (_, y) = p[n] in y)",
     "80.0"}, /* parts of an element that read each other: a^5 */
    {"result = grad(f, [[1.0, 2.0], [3.0, 4.0]])\n"
     "f(a) = sum([a[i][1] * a[i][i] | i <- 0 .. 1])",
     "[[2.0, 1.0], [0.0, 8.0]]"}, /* elements of elements */
    {"result = grad(d, 1.0, 4)\nd(a, n) = grad(f, a, n)\n"
     "f(a, n) = let s = [if i < 1 then a else a * s[i / 2] | i <- 0 .. n] in s[n]",
     "12.0"}, /* of 4 a^3 */
    {"result = grad(d, 1.0, 1.0, 4)\nd(a, b, n) = let (x, _) = grad(f, a, b, n) in x\n"
     "f(a, b, n) = let t = [[if i == 0 or j == 0 then b else a * (t[i - 1][j] + t[i][j - "
     "1]) "
     "| j <- 0 .. n - 1] | i <- 0 .. n - 1] in t[n - 1][n - 1]",
     "(324.0, 90.0)"}, /* of b (6 a^2 + 24 a^3 + 60 a^4) */
    {"result = grad(f, [1.0, 2.0, 3.0, 4.0])\n"
     "f(a) = sum([a[i - 1] * a[i + 1] | i <- 1 .. 2])",
     "[3.0, 4.0, 1.0, 2.0]"},
    {"result = grad(f, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])\n"
     "f(a) = sum([sum([a[i + 1][j] * a[i][1 - j] | j <- 0 .. 1]) | i <- 0 .. 1])",
     "[[4.0, 3.0], [8.0, 6.0], [4.0, 3.0]]"},
    {"result = grad(d, 2.0, 4)\nd(a, n) = grad(f, a, n)\n"
     "f(a, n) = let s = [if i < 1 then a else a * s[i - 1] | i <- 0 .. n] in s[n]",
     "160.0"}, /* of 5 a^4 */
    {"result = grad(f, [[1.0, 2.0], [3.0, 4.0]])\nf(a) = a[0][1] * a[1][0] + sum(a[1])",
     "[[0.0, 3.0], [3.0, 1.0]]"},
    {"result = grad(f, [1.0, 2.0, 3.0])\nf(a) = sum([a[i] * a[length(a) - 1 - i] | i <- "
     "0 .. 2])",
     "[6.0, 4.0, 2.0]"},
    {"result = grad(f, [2.0])\nf(a) = sum([if i < length(a) then a[i] * 3.0 else 1.0 | i "
     "<- 0 .. 4])",
     "[3.0]"},
    {"result = grad(f, [1.0, 2.0, 3.0])\nf(a) = sum([a[i] * a[i] | i <- 0 .. 1])",
     "[2.0, 4.0, 0.0]"},
    {"result = grad(f, 2.0)\nf(x) = sum([x | i <- 1 .. 0])", "0.0"},
    {"input c = 3.0\nk = c * 2.0\nresult = grad(f, 2.0)\nf(x) = k * x + c", "6.0"},
    /* kinks */
    {"result = (grad(f, 0.0), grad(f, -0.0), grad(f, -2.0))\nf(x) = abs(x)",
     "(0.0, 0.0, -1.0)"},
    {"result = (grad(f, 1.0, 1.0), grad(g, 1.0, 1.0))\nf(x, y) = min(x, y)\ng(x, y) = "
     "max(x, y)",
     "((1.0, 0.0), (1.0, 0.0))"},
    {"result = (grad(f, 0.0, 0.0), grad(g, 0.0, 0.0))\nf(x, y) = hypot(x, y)\ng(x, y) = "
     "atan2(x, y)",
     "((0.0, 0.0), (0.0, 0.0))"},
    {"result = (grad(f, 0.0, 0.0), grad(f, 0.0, 2.0), grad(f, -3.0, 2.0))\nf(x, y) = x "
     "** y",
     "((0.0, -inf), (0.0, 0.0), (-6.0, nan))"},
    {"result = (grad(f, 0.0), grad(f, -3.0))\nf(x) = x ** 0 + x ** 1 + x ** 2",
     "(1.0, -5.0)"},
    {"result = (grad(f, 3.0, 4.0), grad(g, 3.0, 4.0), grad(h, 1.0), grad(k, 0.0))\n"
     "f(x, y) = hypot(x, y)\ng(x, y) = atan2(x, y)\nh(x) = atan(x)\nk(x) = erf(x)",
     "((0.6, 0.8), (0.16, -0.12), 0.5, 1.1283791670955126)"},
    {"result = grad(f, 2.5)\nf(x) = floor(x) * x + real(int(x))", "2.0"},
    {"result = grad(f, 5.5, 2.0)\nf(x, y) = x % y", "(1.0, -2.0)"},
    /* what is not used */
    {"result = grad(f, 2.0, 3.0)\nf(x, y) = x", "(1.0, 0.0)"},
    {"result = grad(f, 2.0)\nf(x) = 1", "0.0"},
    {"result = grad(f, 1.0, 0)\nf(x, n) = if n == 0 then x else x * real(1 / n)", "1.0"},
    /* gradients of gradients */
    {"result = grad(d, 3.0)\nd(x) = grad(f, x)\nf(x) = x * x * x", "18.0"},
    {"result = grad(e, 3.0)\ne(x) = grad(d, x)\nd(x) = grad(f, x)\nf(x) = x * x * x",
     "6.0"},
    {"result = grad(h, 2.0)\nh(x) = grad(g, x)\ng(x) = grad(e, x)\ne(x) = grad(d, x)\n"
     "d(x) = grad(c, x)\nc(x) = grad(b, x)\nb(x) = grad(a, x)\na(x) = grad(f, x)\n"
     "f(x) = x * x * x * x * x * x * x * x",
     "40320.0"}, /* more often than a gradient without end is asked for */
    {"result = grad(d, 2.0, 4)\nd(x, n) = grad(power, x, n) * x\n"
     "power(x, n) = if n == 0 then 1.0 else x * power(x, n - 1)",
     "128.0"}, /* 4 x^4, so 16 x^3 */
    {"result = grad(h, 2.0)\nh(x) = let (a, b) = grad(f, x, 3.0) in a * b\n"
     "f(x, y) = x * x * y",
     "72.0"}, /* 2 x y x^2 = 6 x^3 */
    {"result = grad(h, [1.0, 2.0])\nh(a) = let g = grad(f, a) in g[0] * g[1]\n"
     "f(a) = sum([a[i] * a[i] * a[i] | i <- 0 .. 1])",
     "[72.0, 36.0]"}, /* 9 a^2 b^2 */
    /* a definition of the name hides it */
    {"result = grad(2, 3)\ngrad(x, y) = x * y", "6"},
};

static struct isa_graph *compile(const char *text, enum isa_stage stage, bool pairs)
{
    return test_compile_strands(text, stage, pairs, 0);
}

static struct test_outcome run(const char *text, enum isa_stage stage)
{
    struct isa_graph *graph = test_compile(text, stage);
    struct test_outcome o = test_interp(graph, NULL, false);
    isa_graph_free(graph);
    return o;
}

/* To the last bit, also where branches not taken send hiatons, and where trees make arrays. */
static void check_compiled(const char *text, bool pairs, uint64_t strand,
                           const struct test_outcome *expected)
{
    struct isa_graph *graph = test_compile_strands(text, ISA_STAGE_IMAGE, pairs, strand);
    for (int propagate = 0; propagate < 2; propagate++) {
        struct test_outcome o = test_interp(graph, NULL, propagate);
        ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", text);
        ck_assert_msg(strcmp(o.result, expected->result) == 0,
                      "%s: %s, strands of %u: %s, not %s", text,
                      pairs ? "paired" : "naive", (unsigned)strand, o.result,
                      expected->result);
    }
    isa_graph_free(graph);
}

static void check_paired(const char *text, const struct test_outcome *naive)
{
    check_compiled(text, true, 0, naive);
    for (uint64_t strand = 1; strand <= 2; strand++) {
        check_compiled(text, false, strand, naive);
        check_compiled(text, true, strand, naive);
    }
}

START_TEST(closed_forms)
{
    const char *const *v = values[_i];
    for (int way = 0; way < 3; way++) {
        struct lib_source source = {"test.df", v[0], strlen(v[0])};
        const struct programs_settings settings = {
            .loop_constants = way == 1 ? PROGRAMS_CONSTANTS_COPIES
                                       : PROGRAMS_CONSTANTS_STICKY};
        const struct programs_options options = {.settings = &settings};
        struct isa_graph *graph = test_compile_source(
            &source, &options, way == 2 ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE);
        struct test_outcome o = test_interp(graph, NULL, way == 1);
        ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", v[0]);
        ck_assert_msg(strcmp(o.result, v[1]) == 0, "%s: %s, not %s", v[0], o.result,
                      v[1]);
        isa_graph_free(graph);
        if (way == 0)
            check_paired(v[0], &o);
    }
}
END_TEST

/* --- random programs ------------------------------------------------------------------------ */

static void put_call(struct lib_text *text, const struct gradient_program *p,
                     const char *before, int moved, const char *step)
{
    lib_text_puts(text, before);
    for (unsigned i = 0; i < p->count; i++)
        lib_text_printf(text, "%s%s%s", i ? ", " : "", p->arguments[i],
                        moved == (int)i ? step : "");
    lib_text_puts(text, ")");
}

static bool is_number(const char *text)
{
    return (*text >= '0' && *text <= '9') || *text == '-' || *text == 'i' || *text == 'n';
}

/* Whether two results are the same but for what rounding explains. */
static bool is_near(const char *a, const char *b, double tolerance)
{
    while (*a && *b) {
        if (is_number(a) && is_number(b)) {
            char *end[2];
            const double x = strtod(a, &end[0]), y = strtod(b, &end[1]);
            const double size = fmax(1, fmax(fabs(x), fabs(y)));
            if (!(fabs(x - y) <= tolerance * size) && !(isnan(x) && isnan(y)))
                return false;
            a = end[0];
            b = end[1];
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static bool evaluate_text(const char *text, struct evaluate_outcome *outcome)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_source source = {"test.df", text, strlen(text)};
    struct lib_diags diags = {0};
    struct programs_ast *ast = programs_parse(arena, &source, &diags);
    const bool good = ast && programs_resolve(ast, &diags) && programs_infer(ast, &diags);
    struct lib_text messages = {0};
    lib_diags_write(&diags, &messages);
    ck_assert_msg(good, "%s\n%s", text, lib_text_get(&messages));
    evaluate(ast, 20000000, EVALUATE_MISTAKE_NONE, 0, outcome);
    lib_text_free(&messages);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return outcome->end == EVALUATE_COMPLETED;
}

static unsigned programs(void)
{
    return getenv("HIATON_QUICK") ? 300 : 3000;
}

START_TEST(dual_numbers)
{
    unsigned compared = 0;
    for (unsigned seed = 1; seed <= programs(); seed++) {
        struct gradient_program p = {0};
        struct lib_text text = {0};
        struct evaluate_outcome expected;
        gradient_random(seed, &p);
        put_call(&text, &p, "result = grad(f0, ", -1, "");
        lib_text_printf(&text, "\n%s", lib_text_get(&p.functions));
        if (evaluate_text(lib_text_get(&text), &expected)) {
            const char *wanted = lib_text_get(&expected.result);
            struct test_outcome o = run(lib_text_get(&text), ISA_STAGE_IMAGE);
            ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", lib_text_get(&text));
            ck_assert_msg(is_near(o.result, wanted, 1e-10), "seed %u: %s\n%s, not %s",
                          seed, lib_text_get(&text), o.result, wanted);
            check_paired(lib_text_get(&text), &o);
            struct test_outcome copies = {0};
            if (seed % 10 == 0)
                copies = run(lib_text_get(&text), ISA_STAGE_EXPANDING);
            ck_assert(seed % 10 || strcmp(copies.result, o.result) == 0);
            compared++;
        }
        lib_text_free(&expected.result);
        lib_text_free(&text);
        lib_text_free(&p.functions);
    }
    ck_assert_uint_ge(compared, programs() * 9 / 10);
}
END_TEST

/* Adds text with "WW" as something else, and each function with one more parameter, if `passes`. */
static void put_with(struct lib_text *to, const char *text, const char *what, bool passes)
{
    for (const char *at = text; *at; at++) {
        if (strncmp(at, "WW", 2) == 0) {
            lib_text_puts(to, what);
            at++;
        } else {
            lib_text_printf(to, "%c", *at);
            const bool is_call = passes && at > text + 1 && at[-2] == 'f' &&
                                 at[0] == '(' && at[-1] >= '0' && at[-1] <= '2' &&
                                 (at == text + 2 || !(at[-3] >= 'a' && at[-3] <= 'z'));
            if (is_call)
                lib_text_printf(to, "%s, ", what);
        }
    }
}

/* The derivative by a param that functions capture is that by a parameter that all of them pass
 * on, which is behind the fuel in the one and behind all else in the other. */
START_TEST(captured_params)
{
    unsigned compared = 0;
    for (unsigned seed = 1; seed <= programs() / 5; seed++) {
        struct gradient_program p = {0};
        struct lib_text call = {0}, captured = {0}, passed = {0}, turned = {0};
        struct evaluate_outcome expected;
        gradient_random_with(seed, "WW", &p);
        put_call(&call, &p, "f0(", -1, "");
        call.bytes[call.length - 1] = '\0';
        lib_text_printf(&captured, "param w : [1] = ones\nresult = grad(f0, %s; w)\n",
                        call.bytes + 3);
        put_with(&captured, lib_text_get(&p.functions), "reduce_sum(w)", false);
        lib_text_printf(&passed, "result = grad(f0, 1.0, %s)\n", call.bytes + 3);
        put_with(&passed, lib_text_get(&p.functions), "ww", true);
        if (evaluate_text(lib_text_get(&passed), &expected)) {
            struct test_outcome o = run(lib_text_get(&captured), ISA_STAGE_IMAGE);
            ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", lib_text_get(&captured));
            char *last = strrchr(o.result, '[');
            ck_assert(last && o.result[0] == '(');
            const size_t length = strlen(last);
            ck_assert(length > 3 && last > o.result + 2);
            /* (A, ..., [W]) becomes (W, A, ...) */
            lib_text_printf(&turned, "(%.*s, %.*s)", (int)(length - 3), last + 1,
                            (int)(last - o.result - 3), o.result + 1);
            ck_assert_msg(
                is_near(lib_text_get(&turned), lib_text_get(&expected.result), 1e-10),
                "seed %u: %s\n%s, not %s", seed, lib_text_get(&captured),
                lib_text_get(&turned), lib_text_get(&expected.result));
            check_paired(lib_text_get(&captured), &o);
            compared++;
        }
        lib_text_free(&expected.result);
        lib_text_free(&call);
        lib_text_free(&captured);
        lib_text_free(&passed);
        lib_text_free(&turned);
        lib_text_free(&p.functions);
    }
    ck_assert_uint_ge(compared, programs() / 5 * 9 / 10);
}
END_TEST

/* Arguments have three digits, so that operands of min and max are often equal. There rules decide,
 * which follow no difference quotient, even where kinks cancel. Quotients are taken beside such
 * points. */
#define AT " + 0.00031731"

/* The difference quotient by the second parameter of f0, which is a real. */
static double quotient(const struct gradient_program *p, const char *what,
                       const char *step, double h)
{
    struct lib_text text = {0};
    char moved[32];
    snprintf(moved, sizeof moved, AT " + %s", step);
    lib_text_printf(&text, "result = %s(", what);
    put_call(&text, p, "", 1, moved);
    snprintf(moved, sizeof moved, AT " - %s", step);
    lib_text_printf(&text, " - %s(", what);
    put_call(&text, p, "", 1, moved);
    lib_text_printf(&text, "\n%s", lib_text_get(&p->functions));
    struct test_outcome o = run(lib_text_get(&text), ISA_STAGE_IMAGE);
    lib_text_free(&text);
    return o.end == ISA_END_COMPLETED ? strtod(o.result, NULL) / (2 * h) : NAN;
}

/* How far the quotients to both sides differ: at a kink that is not 0, though those of two steps
 * agree. */
static double bend(const struct gradient_program *p, const char *what)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "result = %s(", what);
    put_call(&text, p, "", 1, AT " + 0.000001");
    lib_text_printf(&text, " + %s(", what);
    put_call(&text, p, "", 1, AT " - 0.000001");
    lib_text_printf(&text, " - 2.0 * %s(", what);
    put_call(&text, p, "", 1, AT);
    lib_text_printf(&text, "\n%s", lib_text_get(&p->functions));
    struct test_outcome o = run(lib_text_get(&text), ISA_STAGE_IMAGE);
    lib_text_free(&text);
    return o.end == ISA_END_COMPLETED ? fabs(strtod(o.result, NULL)) * 1e6 : NAN;
}

/* Whether the derivative of a function by its second parameter is its difference quotient; where
 * quotients of two steps agree, there is no kink near. */
static bool check_difference(unsigned seed, const struct gradient_program *p,
                             const char *what)
{
    struct lib_text text = {0};
    bool compared = false;
    lib_text_printf(&text, "result = grad(%s, ", what);
    put_call(&text, p, "", 1, AT);
    lib_text_printf(&text, "\n%s", lib_text_get(&p->functions));
    struct test_outcome o = run(lib_text_get(&text), ISA_STAGE_IMAGE);
    const double far = quotient(p, what, "0.00002", 2e-5);
    const double near = quotient(p, what, "0.00001", 1e-5);
    const double found = strtod(o.result + (o.result[0] == '('), NULL);
    if (fabs(far - near) <= 1e-6 * fmax(1, fabs(near)) && bend(p, what) <= 1e-5) {
        ck_assert_msg(fabs(found - near) <= 1e-5 * fmax(1, fabs(near)),
                      "seed %u: %s\n%s, not %g", seed, lib_text_get(&text), o.result,
                      near);
        compared = true;
    }
    lib_text_free(&text);
    return compared;
}

START_TEST(differences)
{
    unsigned compared = 0;
    for (unsigned seed = 1; seed <= programs(); seed++) {
        struct gradient_program p = {0};
        gradient_random(seed, &p);
        compared += check_difference(seed, &p, "f0");
        lib_text_free(&p.functions);
    }
    ck_assert_uint_ge(compared, programs() / 2);
}
END_TEST

/* Gradients of gradients: the first derivative, as a function of its own. */
START_TEST(second_differences)
{
    unsigned compared = 0;
    for (unsigned seed = 1; seed <= programs() / 10; seed++) {
        struct gradient_program p = {0};
        gradient_random(seed, &p);
        lib_text_puts(&p.functions, "h0(a0");
        for (unsigned i = 1; i < p.count; i++)
            lib_text_printf(&p.functions, ", a%u", i);
        lib_text_puts(&p.functions, ") = ");
        const bool is_tuple = p.real_count > 1;
        lib_text_puts(&p.functions, is_tuple ? "let (x" : "");
        for (unsigned i = 1; is_tuple && i < p.real_count; i++)
            lib_text_puts(&p.functions, ", _");
        lib_text_printf(&p.functions, "%sgrad(f0, a0", is_tuple ? ") = " : "");
        for (unsigned i = 1; i < p.count; i++)
            lib_text_printf(&p.functions, ", a%u", i);
        lib_text_puts(&p.functions, is_tuple ? ") in x\n" : ")\n");
        compared += check_difference(seed, &p, "h0");
        lib_text_free(&p.functions);
    }
    ck_assert_uint_ge(compared, programs() / 10 / 4);
}
END_TEST

/* The dump is a program of its own, and every machine says the same. */
START_TEST(dumps_and_machines)
{
    for (unsigned seed = 1; seed <= programs() / 50; seed++) {
        struct gradient_program p = {0};
        struct lib_text text = {0}, dump = {0};
        const bool pairs = seed % 2;
        gradient_random(seed, &p);
        put_call(&text, &p, "result = grad(f0, ", -1, "");
        lib_text_printf(&text, "\n%s", lib_text_get(&p.functions));
        struct isa_graph *functions = compile(lib_text_get(&text), ISA_STAGE_FUNCTIONS,
                                              pairs);
        struct isa_graph *image = compile(lib_text_get(&text), ISA_STAGE_IMAGE, pairs);
        isa_asm_write(functions, &dump);
        struct lib_source source = {"dump.asm", lib_text_get(&dump), dump.length};
        struct lib_diags diags = {0};
        struct isa_graph *read = isa_asm_read(&source, &diags);
        ck_assert_msg(read != NULL, "%s", lib_text_get(&text));
        read = programs_advance(read, ISA_STAGE_IMAGE, NULL, &diags);
        struct test_outcome written = test_interp(image, NULL, false);
        struct test_outcome again = test_interp(read, NULL, false);
        ck_assert_str_eq(written.result, again.result);
        ck_assert_uint_eq(written.stats.value_digest, again.stats.value_digest);
        for (int machine = 0; machine < 3; machine++) {
            struct machine_settings settings;
            machine_settings_default(&settings);
            settings.pe_count = 1u << (2 * machine);
            settings.deadness = machine == 1;
            struct test_outcome o = test_run(read, NULL, &settings, seed);
            ck_assert_str_eq(o.result, written.result);
            ck_assert_uint_eq(o.stats.value_digest, written.stats.value_digest);
            traces_stats_free(&o.stats);
        }
        isa_graph_free(image);
        isa_graph_free(read);
        isa_graph_free(functions);
        lib_diags_free(&diags);
        lib_text_free(&dump);
        lib_text_free(&text);
        lib_text_free(&p.functions);
    }
}
END_TEST

/* On trees the gradient fires at most twice as much as the function, however deep they are;
 * naive, it fires more the deeper they are. */
START_TEST(pairs_save_what_is_known)
{
    static const char tree[] = "tree(x, n) = if n == 0 then sin(x) else tree(x * 0.9, n "
                               "- 1) * tree(x + 0.1, n - 1)";
    for (unsigned n = 2; n <= 12; n += 5) {
        struct lib_text text = {0};
        lib_text_printf(&text, "result = tree(1.1, %u)\n%s", n, tree);
        struct test_outcome f = run(lib_text_get(&text), ISA_STAGE_IMAGE);
        lib_text_clear(&text);
        lib_text_printf(&text, "result = grad(tree, 1.1, %u)\n%s", n, tree);
        struct isa_graph *graph = compile(lib_text_get(&text), ISA_STAGE_IMAGE, true);
        struct test_outcome paired = test_interp(graph, NULL, false);
        struct test_outcome naive = run(lib_text_get(&text), ISA_STAGE_IMAGE);
        ck_assert_uint_eq(paired.stats.calls, f.stats.calls);
        ck_assert_uint_le(paired.stats.firings, 2 * f.stats.firings);
        ck_assert_uint_ge(naive.stats.calls, n * f.stats.calls / 2);
        isa_graph_free(graph);
        lib_text_free(&text);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gradients");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, closed_forms, 0, (int)(sizeof values / sizeof *values));
    tcase_add_test(tc, dual_numbers);
    tcase_add_test(tc, differences);
    tcase_add_test(tc, second_differences);
    tcase_add_test(tc, captured_params);
    tcase_add_test(tc, dumps_and_machines);
    tcase_add_test(tc, pairs_save_what_is_known);
    return test_main("gradients", tc);
}
