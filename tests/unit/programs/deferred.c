/* Gradients of params in deferred form: those of random programs and of closed forms, against
 * dense ones, in both modes and by both strategies; and the bytes that both forms move. */
#include "tests/random/param_random.h"
#include "tests/unit/support.h"

#include <inttypes.h>
#include <math.h>

enum { PROGRAMS = 150, QUICK_PROGRAMS = 25 };

static struct test_outcome run(const char *text, bool dense, bool pairs,
                               enum isa_stage stage)
{
    struct lib_source source = {"test.df", text, strlen(text)};
    const struct programs_settings settings = {.grad_mode = pairs, .grad_params = dense};
    const struct programs_options options = {.settings = &settings};
    struct isa_graph *graph = test_compile_source(&source, &options, stage);
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", text);
    isa_graph_free(graph);
    return o;
}

/* --- against dense gradients ------------------------------------------------------------------ */

static bool is_near(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        if (*a == '(' || *a == ',' || *a == ' ' || *a == ')')
            continue;
        char *ends[2];
        const double x = strtod(a, &ends[0]), y = strtod(b, &ends[1]);
        if (!(fabs(x - y) <= 1e-9 * fmax(1, fmax(fabs(x), fabs(y)))))
            return false;
        a = ends[0] - 1;
        b = ends[1] - 1;
    }
    return *a == *b;
}

static void check_program(unsigned seed, bool whole)
{
    struct lib_text text = {0};
    param_random(seed, whole, &text);
    const char *program = lib_text_get(&text);
    const struct test_outcome dense = run(program, true, false, ISA_STAGE_IMAGE);
    const struct test_outcome naive = run(program, false, false, ISA_STAGE_IMAGE);
    const struct test_outcome paired = run(program, false, true, ISA_STAGE_IMAGE);
    const struct test_outcome copies = run(program, false, false, ISA_STAGE_EXPANDING);
    ck_assert_msg(is_near(dense.result, naive.result), "%s%s, not %s", program,
                  naive.result, dense.result);
    if (whole)
        ck_assert_msg(strcmp(dense.result, naive.result) == 0, "%s%s, not %s", program,
                      naive.result, dense.result);
    ck_assert_msg(strcmp(paired.result, naive.result) == 0, "%spaired: %s, not %s",
                  program, paired.result, naive.result);
    ck_assert_msg(strcmp(copies.result, naive.result) == 0, "%scopies: %s, not %s",
                  program, copies.result, naive.result);
    lib_text_free(&text);
}

START_TEST(random_programs)
{
    const unsigned programs = test_is_quick() ? QUICK_PROGRAMS : PROGRAMS;
    for (unsigned seed = 1; seed <= programs; seed++)
        check_program(seed, _i);
}
END_TEST

/* --- closed forms ----------------------------------------------------------------------------- */

static const char *const values[][2] = {
    /* Rows of nothing, and a param that is not reached: */
    {"param w : [80, 80] = ones\nx = ones([0, 80])\nresult = reduce_sum(grad(f, 3; w))\n"
     "f(n) = if n == 0 then 0.0 else reduce_sum(matmul(x, w)) + f(n - 1)",
     "0.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = reduce_sum(grad(f, 0; w))\n"
     "f(n) = if n == 0 then 0.0 else reduce_sum(matmul(x, w)) + f(n - 1)",
     "0.0"},
    {"param w : [0, 80] = ones\nx = ones([0])\nresult = shape(grad(f, 3; w))\n"
     "f(n) = if n == 0 then 0.0 else reduce_sum(matmul(x, w)) + f(n - 1)",
     "[0, 80]"},
    /* More rows than are copied on, from a loop and from both sides of a tree: */
    {"param w : [80, 80] = ones\nx = ones([3, 80])\nresult = grad(f, 50; w)[79][0]\n"
     "f(n) = loop i = 0, s = 0.0 while i < n do i + 1, s + reduce_sum(matmul(x, w)) "
     "return s",
     "150.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = grad(f, 6; w)[0][79]\n"
     "f(n) = if n == 0 then reduce_sum(matmul(x, w)) else f(n - 1) + f(n - 1)",
     "64.0"},
    {"param t : [100, 2] = ones\nresult = array(reduce_sum(grad(f, 60; t), 1))[9]\n"
     "f(n) = if n == 0 then 0.0 else f(n - 1) + reduce_sum(gather(t, n % 10)) * real(n)",
     "408.0"}, /* 2 (9 + 19 + ... + 59) */
    /* real32; a table that is multiplied; one that is used as a whole in some calls: */
    {"param w : [80, 80] = ones\nx = real32(ones([80]))\n"
     "result = grad(f, 20; w)[0][79]\n"
     "f(n) = if n == 0 then 0.0 else reduce_sum(matmul(x, real32(w))) + f(n - 1)",
     "20.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\n"
     "result = let g = grad(f, 20; w) in (g[3][0], g[4][0])\n"
     "f(n) = if n == 0 then 0.0 else if n % 2 == 0 then reduce_sum(gather(w, 3)) + f(n - "
     "1) else reduce_sum(matmul(x, w)) + reduce_sum(w) + f(n - 1)",
     "(30.0, 20.0)"},
    /* On the left of vectors, of matrices, and of matrices that are stacked: */
    {"param w : [80, 90] = ones\nx = ones([90])\nresult = let g = grad(f, 20; w) in "
     "(g[79][0], g[0][89])\n"
     "f(n) = if n == 0 then 0.0 else reduce_sum(matmul(w, x * real(n))) + f(n - 1)",
     "(210.0, 210.0)"},
    {"param w : [80, 90] = ones\nx = ones([90, 3])\nresult = grad(f, 60; w)[79][0]\n"
     "f(n) = loop i = 0, s = 0.0 while i < n do i + 1, s + reduce_sum(matmul(w, x)) "
     "return s",
     "180.0"},
    {"param w : [80, 80] = ones\nx = ones([2, 80, 3])\nresult = grad(f, 5; w)[79][0]\n"
     "f(n) = if n == 0 then reduce_sum(matmul(w, ones([80]))) else "
     "reduce_sum(matmul(w, x)) + f(n - 1)",
     "31.0"},
    {"param w : [80, 80] = ones\nx = ones([80, 0])\nresult = grad(f, 5; w)[79][0]\n"
     "f(n) = if n == 0 then 0.0 else reduce_sum(matmul(w, x)) + f(n - 1)",
     "0.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = grad(f, 6; w)[0][79]\n"
     "f(n) = if n == 0 then reduce_sum(matmul(w, x)) + reduce_sum(matmul(x, w)) else "
     "f(n - 1) + f(n - 1)",
     "128.0"},
    /* Elements, none, elements of elements, and such that read others of their array: */
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = grad(f, 40; w)[3][2]\n"
     "f(n) = sum([reduce_sum(matmul(x * real(i), w)) | i <- 0 .. n])",
     "820.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = grad(f, -1; w)[3][2]\n"
     "f(n) = sum([reduce_sum(matmul(x * real(i), w)) | i <- 0 .. n])",
     "0.0"},
    {"param t : [100, 2] = ones\nresult = array(reduce_sum(grad(f, 2; t), 1))[2]\n"
     "f(n) = sum([sum([reduce_sum(gather(t, i + j)) | j <- 0 .. n]) | i <- 0 .. n])",
     "6.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = grad(f, 3; w)[3][2]\n"
     "f(n) = let h = [(if i == 0 then 0.0 else h[i - 1] * 2.0) + reduce_sum(matmul(x, "
     "w)) | i <- 0 .. n] in h[n]",
     "15.0"},
    {"param w : [80, 80] = ones\nx = ones([80])\nresult = grad(f, 3; w)[3][2]\n"
     "f(n) = let h = [if i == 0 then reduce_sum(matmul(x, w)) else total(h, i - 1) | i "
     "<- 0 .. n] in h[n]\n"
     "total(h, k) = if k < 0 then reduce_sum(matmul(x, w)) else h[k] + total(h, k - 1)",
     "8.0"},
    /* Second derivatives: */
    {"param w : [80, 80] = ones\nx = ones([80])\n"
     "result = grad(g, 2; w)[0][0]\n"
     "g(n) = reduce_sum(grad(f, n; w))\n"
     "f(n) = if n == 0 then 0.0 else (let y = matmul(x, w) in reduce_sum(y * y)) + f(n - "
     "1)",
     "320.0"},
};

START_TEST(closed_forms)
{
    const char *const *v = values[_i];
    for (int way = 0; way < 4; way++) {
        const struct test_outcome o = run(
            v[0], way == 0, way == 2, way == 3 ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE);
        ck_assert_msg(strcmp(o.result, v[1]) == 0, "%d: %s: %s, not %s", way, v[0],
                      o.result, v[1]);
    }
}
END_TEST

/* --- bytes ------------------------------------------------------------------------------------ */

/* How many bytes a gradient in deferred form saves. */
static int64_t saved(const char *function, unsigned n)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "result = reduce_sum(grad(walk, %u; p))\n%s", n, function);
    const struct lib_source source = {"test.df", lib_text_get(&text),
                                      strlen(lib_text_get(&text))};
    int64_t bytes[2];
    for (int dense = 0; dense < 2; dense++) {
        const struct programs_settings compile = {.grad_params = (uint64_t)dense};
        const struct programs_options options = {.settings = &compile};
        struct isa_graph *graph = test_compile_source(&source, &options, ISA_STAGE_IMAGE);
        struct machine_settings settings;
        machine_settings_default(&settings);
        struct test_outcome o = test_run(graph, NULL, &settings, 1);
        bytes[dense] = (int64_t)o.stats.tensor_bytes;
        traces_stats_free(&o.stats);
        isa_graph_free(graph);
    }
    lib_text_free(&text);
    return bytes[1] - bytes[0];
}

/* A tensor has 51200 bytes, and a row of either list 640. Dense, zeros are made where the recursion
 * ends, and each call makes a product, sums it up in the shape of the param, which costs `summed`,
 * and adds it. Deferred, each call turns two tensors into rows and appends them to those of inner
 * calls; one product follows at the end. */
static int64_t saved_by_products(int64_t n, int64_t summed)
{
    int64_t copied = 0;
    for (int64_t k = 1; k < n; k++)
        copied += 2 * 2 * (k + 1) * 640;
    const int64_t dense = 3 * 51200 + n * (1280 + 51200 + summed + 3 * 51200);
    return dense - (n * 2 * 2 * 640 + copied + n * 2 * 640 + 51200);
}

START_TEST(bytes_of_products)
{
    static const char walk[] = "param p : [80, 80] = ones\nx = ones([80])\n"
                               "walk(n) = if n == 0 then 0.0 else reduce_sum(matmul(x, "
                               "p)) + walk(n - 1)";
    const int64_t summed = saved(walk, 1) - saved_by_products(1, 0);
    ck_assert_int_ge(summed, 2 * 51200);
    ck_assert_int_le(summed, 3 * 51200);
    for (int64_t n = 2; n <= 8; n++)
        ck_assert_int_eq(saved(walk, (unsigned)n), saved_by_products(n, summed));
}
END_TEST

/* The same on the left of vectors: it is a vector of each list that becomes columns. */
START_TEST(bytes_of_columns)
{
    static const char walk[] = "param p : [80, 80] = ones\nx = ones([80])\n"
                               "walk(n) = if n == 0 then 0.0 else reduce_sum(matmul(p, "
                               "x)) + walk(n - 1)";
    const int64_t summed = saved(walk, 1) - saved_by_products(1, 0);
    ck_assert_int_ge(summed, 2 * 51200);
    ck_assert_int_le(summed, 3 * 51200);
    for (int64_t n = 2; n <= 8; n++)
        ck_assert_int_eq(saved(walk, (unsigned)n), saved_by_products(n, summed));
}
END_TEST

/* A tensor has 6400 bytes, and a row 64; a call reads two. Indices become ints by a kernel. In
 * the end rows are added to zeros, which reads and writes only these. */
START_TEST(bytes_of_rows)
{
    for (int64_t n = 1; n <= 9; n++) {
        int64_t copied = 0;
        for (int64_t k = 1; k < n; k++)
            copied += 2 * 2 * (k + 1) * 64;
        const int64_t dense = 3 * 6400 + n * (2 * 64 + 6400 + 3 * 6400);
        const int64_t deferred = n * 32 + copied + 3 * 6400 + n * 2 * (8 + 3 * 64);
        ck_assert_int_eq(saved("param p : [100, 8] = ones\n"
                               "walk(n) = if n == 0 then 0.0 else reduce_sum(gather(p, "
                               "[n, n + 1])) + walk(n - 1)",
                               (unsigned)n),
                         dense - deferred);
    }
}
END_TEST

/* A chain of calls: what they move grows with their number, and not with its square. */
START_TEST(bytes_are_linear)
{
    static const char chain[] = "param p : [80, 80] = ones\nx = ones([80])\n"
                                "walk(n) = if n == 0 then 0.0 else reduce_sum(matmul(x, "
                                "p)) + walk(n - 1)";
    const int64_t first = saved(chain, 80);
    ck_assert_int_gt(first, 80 * 250000);
    ck_assert_int_gt(saved(chain, 800), 10 * (first - first / 50));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("deferred gradients");
    tcase_set_timeout(tc, 240);
    tcase_add_loop_test(tc, random_programs, 0, 2);
    tcase_add_loop_test(tc, closed_forms, 0, (int)(sizeof values / sizeof *values));
    tcase_add_test(tc, bytes_of_products);
    tcase_add_test(tc, bytes_of_columns);
    tcase_add_test(tc, bytes_of_rows);
    tcase_add_test(tc, bytes_are_linear);
    return test_main("deferred gradients", tc);
}
