/* Loops that are differentiated as loops: to the last bit what recursions give, which
 * tests/unit/programs/gradients.c compares with dual numbers. */
#include "tests/random/gradient_random.h"
#include "tests/random/gradient_tensors.h"
#include "tests/random/param_random.h"
#include "tests/unit/support.h"

static unsigned programs(void)
{
    const char *count = getenv("HIATON_PROGRAMS");
    return count ? (unsigned)atoi(count) : test_part(300, 50);
}

/* The ways to compile a gradient. */
enum way { NAIVE = 0, PAIRED = 1, LOOPS = 2, TREES = 4, EXPANDING = 8 };

static struct test_outcome run(const char *text, unsigned way)
{
    const struct lib_source source = {"test.df", text, strlen(text)};
    const struct programs_settings settings = {
        .grad_mode = way & PAIRED ? PROGRAMS_GRADIENTS_PAIRED : PROGRAMS_GRADIENTS_NAIVE,
        .grad_loop = way & LOOPS ? PROGRAMS_GRADIENTS_LOOP : PROGRAMS_GRADIENTS_CALLS,
        .array_generator = way & TREES ? PROGRAMS_ARRAYS_TREE : PROGRAMS_ARRAYS_CHAIN,
        .array_strand = 2};
    struct isa_graph *graph = test_compile_source(
        &source, &(struct programs_options){.settings = &settings},
        way & EXPANDING ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE);
    struct test_outcome o = test_interp(graph, NULL, way & TREES);
    isa_graph_free(graph);
    return o;
}

/* Compares all ways with recursions. Returns whether the run completes. */
static bool check(unsigned seed, const char *text, struct test_outcome *calls)
{
    static const unsigned ways[] = {LOOPS, LOOPS | PAIRED, LOOPS | TREES,
                                    LOOPS | PAIRED | TREES, LOOPS | EXPANDING};
    *calls = run(text, NAIVE);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct test_outcome o = run(text, ways[i]);
        ck_assert_msg(o.end == calls->end && strcmp(o.result, calls->result) == 0,
                      "seed %u, way %u: %s\n%s, not %s", seed, ways[i], text, o.result,
                      calls->result);
    }
    return calls->end == ISA_END_COMPLETED;
}

/* --- chosen loops --------------------------------------------------------------------------- */

/* Programs, and the most calls of those whose loops become loops. */
static const struct chosen {
    const char *text;
    unsigned calls;
} chosen[] = {
    /* two variables, conditionals in conditionals */
    {"result = grad(f, 0.7, 1.3)\n"
     "f(x, z) = loop t = 0, y = x, w = z while t < 20 do t + 1, "
     "(if y > 0.5 then let q = y * w in q * q * x else if w > 1.0 then y + w else "
     "sin(y)), "
     "w * 0.9 + y return y * w + w",
     3},
    {"result = grad(f, 0.3)\n"
     "f(x) = loop t = 0, y = x while t < 5 do t + 1, (if x >= 0.1 then "
     "(if x >= 0.2 + 0.01 * y then x else sin(x) * y) else x) return y",
     3},
    /* a loop in a loop: a stack of stacks */
    {"result = grad(f, 0.7, 1.3)\n"
     "f(x, z) = loop t = 0, y = x while t < 20 do t + 1, (loop s = 0, u = y while s < t "
     "do "
     "s + 1, u * z + sin(u * x) return u) * 0.05 + y return y",
     43},
    /* a loop in one branch only, of another number of iterations each time */
    {"result = grad(f, 0.6, 0.2)\n"
     "f(x, z) = if x > 0.1 then loop y = x, k = 20 while k > 0 do (if k % 3 == 0 then "
     "loop q = y, i = 0 while i < k do q * x + z, i + 1 return q else y), k - 1 return y "
     "else x",
     15},
    /* calls and a comprehension in a loop */
    {"result = grad(f, 0.7)\n"
     "g(x, k) = if k == 0 then x else 0.5 * x * g(x, k - 1)\n"
     "h(x, k) = loop t = 0, y = x while t < k do t + 1, cos(y) * x return y\n"
     "f(x) = loop t = 0, y = x while t < 6 do t + 1, g(y, t) + h(y * x, t) + "
     "sum([0.1 * y * real(i) | i <- 0 .. t]) return y",
     200},
    /* loops in a comprehension; a loop in a function that calls itself */
    {"result = (grad(f, 0.7), grad(g, 0.3, 4))\n"
     "f(x) = sum([loop t = 0, y = x * real(i) while t < i do t + 1, sin(y) * x return y "
     "| i <- 0 .. 6])\n"
     "g(x, n) = if n == 0 then x else loop t = 0, y = g(x, n - 1) while t < n do t + 1, "
     "0.5 * y + x * sin(y) return y",
     60},
    /* no iterations; a variable that no result needs; a loop that adds nothing */
    {"result = grad(f, 2.0)\n"
     "f(x) = (loop t = 0, y = x while t > 0 do t + 1, y * y return y) + "
     "(loop t = 0, y = x, z = x while t < 9 do t + 1, y * z, 0.5 * z return y) * "
     "(loop t = 0, u = 1.0 while t < 3 do t + 1, 2.0 * u return u)",
     6},
    /* params, in rows and as tensors; shapes alone */
    {"param e : [50, 6] = uniform(-1.0, 1.0)\n"
     "param w : [6, 80] = uniform(-0.1, 0.1)\n"
     "param u : [80, 6] = uniform(-0.1, 0.1)\n"
     "result = let (_, a, b, c) = grad(read, zeros([6]); e, w, u) in "
     "(reduce_sum(a * a), reduce_sum(b * b), reduce_sum(c * c))\n"
     "read(h0) = let h = loop n = 30, h = h0 while n > 0 do n - 1, "
     "tanh(matmul(matmul(h + gather(e, 7 * n % 50), w), u)) return h in reduce_sum(h * "
     "h)",
     3},
    {"result = grad(f, 0.1 * ones([4, 3]), [0.1, 0.2])\n"
     "f(x, a) = reduce_sum(loop t = 0, y = x while t < 9 do t + 1, "
     "0.5 * y + reduce_sum(y, 0) * a[t % 2] + tensor([0.1]) return y)",
     13},
};

START_TEST(chosen_loops)
{
    const struct chosen *c = &chosen[_i];
    struct test_outcome calls;
    ck_assert_msg(check((unsigned)_i, c->text, &calls), "%s", c->text);
    const struct test_outcome o = run(c->text, LOOPS);
    ck_assert_msg(o.stats.calls <= c->calls && o.stats.calls < calls.stats.calls,
                  "%s: %u calls, by recursion %u", c->text, (unsigned)o.stats.calls,
                  (unsigned)calls.stats.calls);
}
END_TEST

/* --- bounds ---------------------------------------------------------------------------------- */

static struct traces_stats run_bounded(unsigned steps, const char *bound)
{
    struct lib_text text = {0};
    struct machine_settings settings;
    const struct programs_settings compile = {.grad_loop = PROGRAMS_GRADIENTS_LOOP};
    lib_text_printf(&text,
                    "result = grad(f, 0.5)\n"
                    "f(x) = loop t = 0, s = 0.0 while t < %u do t + 1, "
                    "s + sqrt(exp(0.001 * x * real(t))) return s\n",
                    steps);
    const struct lib_source source = {"test.df", lib_text_get(&text), text.length};
    struct isa_graph *graph = test_compile_source(
        &source, &(struct programs_options){.settings = &compile}, ISA_STAGE_IMAGE);
    machine_settings_default(&settings);
    test_set_all(&settings, bound);
    const struct test_outcome o = test_run(graph, NULL, &settings, 0);
    ck_assert(o.end == ISA_END_COMPLETED);
    isa_graph_free(graph);
    lib_text_free(&text);
    return o.stats;
}

/* A bound holds for both loops. Under it the machine holds as much for many steps as for few; only
 * the stack grows. */
START_TEST(bounded_loops)
{
    struct traces_stats few = run_bounded(100, "loop.bound=1"),
                        many = run_bounded(400, "loop.bound=1"),
                        free = run_bounded(400, "loop.bound=0");
    ck_assert_uint_eq(few.peak_live_tokens, many.peak_live_tokens);
    ck_assert_uint_eq(few.peak_tags, many.peak_tags);
    ck_assert_uint_eq(few.peak_structures, 100);
    ck_assert_uint_eq(many.peak_structures, 400);
    ck_assert_uint_ge(many.bound_stalls, 2 * 400);
    ck_assert_uint_eq(free.bound_stalls, 0);
    ck_assert_uint_ge(many.cycles, 3 * free.cycles);
    traces_stats_free(&few);
    traces_stats_free(&many);
    traces_stats_free(&free);
}
END_TEST

/* --- random programs ------------------------------------------------------------------------ */

static void write_scalars(unsigned seed, struct lib_text *text)
{
    struct gradient_program p = {0};
    gradient_random(seed, &p);
    lib_text_puts(text, "result = grad(f0");
    for (unsigned i = 0; i < p.count; i++)
        lib_text_printf(text, ", %s", p.arguments[i]);
    lib_text_printf(text, ")\n%s", lib_text_get(&p.functions));
    lib_text_free(&p.functions);
}

START_TEST(random_scalars)
{
    unsigned compared = 0;
    for (unsigned seed = 1; seed <= programs(); seed++) {
        struct lib_text text = {0};
        struct test_outcome calls;
        write_scalars(seed, &text);
        if (strstr(lib_text_get(&text), "loop"))
            compared += check(seed, lib_text_get(&text), &calls);
        lib_text_free(&text);
    }
    ck_assert_uint_ge(compared, programs() / 3);
}
END_TEST

START_TEST(random_tensors)
{
    for (unsigned seed = 1; seed <= programs() / 5; seed++) {
        struct lib_text text = {0};
        struct test_outcome calls;
        gradient_tensors(seed, &text);
        lib_text_puts(&text, "g(x, v, n) = let (a, b) = grad(f, x, v, n) in "
                             "reduce_sum(a * dx) + reduce_sum(b * dv)\n"
                             "result = (grad(f, x0, v0, 2), grad(g, x0, v0, 1))\n");
        check(seed, lib_text_get(&text), &calls);
        lib_text_free(&text);
    }
}
END_TEST

START_TEST(random_params)
{
    for (unsigned seed = 1; seed <= programs() / 5; seed++) {
        struct lib_text text = {0};
        struct test_outcome calls;
        param_random(seed, seed % 2, &text);
        check(seed, lib_text_get(&text), &calls);
        lib_text_free(&text);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("gradients of loops");
    tcase_set_timeout(tcase, 240);
    tcase_add_loop_test(tcase, chosen_loops, 0, sizeof chosen / sizeof *chosen);
    tcase_add_test(tcase, bounded_loops);
    tcase_add_test(tcase, random_scalars);
    tcase_add_test(tcase, random_tensors);
    tcase_add_test(tcase, random_params);
    return test_main("gradients of loops", tcase);
}
