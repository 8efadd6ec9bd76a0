/* Gradients by tensors: each rule against differences in a direction, once and twice
 * differentiated; closed forms; params. */
#include "tests/random/gradient_tensors.h"
#include "tests/unit/support.h"

#include <inttypes.h>
#include <math.h>

/* --- rules against differences ---------------------------------------------------------------- */

/* A function f(x) of a real result, and what x is. `twice`: its gradient is differentiated too. */
struct rule {
    const char *body, *x, *direction;
    bool once; /* the second derivative is no use, as that of a kink */
};

#define MATRIX "tensor([[0.3, -0.7, 1.1], [0.9, 0.4, -0.2]])"
#define ACROSS "tensor([[0.5, 1.0, -0.6], [-0.3, 0.8, 0.7]])"
#define VECTOR "tensor([0.4, -1.2, 0.8])"
#define ALONG "tensor([0.7, 0.5, -0.9])"
#define CUBE                                                                             \
    "tensor([[[0.1, 0.2], [0.4, -0.3], [0.6, 0.5]], [[-0.8, 0.7], [0.9, 0.2], [0.3, "    \
    "-0.1]]])"
#define THROUGH                                                                          \
    "tensor([[[0.3, 0.4], [0.2, 0.7], [0.1, 0.9]], [[0.5, -0.3], [0.8, 0.6], [-0.2, "    \
    "0.4]]])"

static const struct rule rules[] = {
    {"reduce_sum(x * x * x)", MATRIX, ACROSS, false},
    {"reduce_sum(x + m * x - x / (m * m + 2.0))", VECTOR, ALONG, false},
    {"reduce_sum(m / (x * x + 1.5))", VECTOR, ALONG, false},
    {"reduce_sum(x % 0.25 * x + 3.0 * m % (x * x + 0.8) * x)", VECTOR, ALONG, false},
    {"reduce_sum(select(x > 0.0 and not (m > 0.5) or m < 0.0, x * x, x))", MATRIX, ACROSS,
     false},
    {"reduce_sum((-x) * x * 2.0 + 3.0)", MATRIX, ACROSS, false},
    {"reduce_sum(exp(x) * sin(x) + cos(x) * tanh(x))", MATRIX, ACROSS, false},
    {"reduce_sum(atan(x) * erf(x) + atan(m * x))", MATRIX, ACROSS, false},
    {"reduce_sum(atan2(x, v) * atan2(m, x * 2.0 + 3.0))", VECTOR, ALONG, false},
    {"reduce_sum(hypot(x, m) * x + hypot(x, 1.0))", VECTOR, ALONG, false},
    {"reduce_sum((x * x + 0.5) ** (m * x) + 2.0 ** x)", VECTOR, ALONG, false},
    {"reduce_sum(x ** 2.0 * m + x ** 3.0 + x ** 1.0 + x ** 0.0)", VECTOR, ALONG, false},
    {"reduce_min(x * x) + reduce_sum(reduce_min(x, 1) * tensor([1.0, 2.0]) * "
     "reduce_min(x, 1))",
     MATRIX, ACROSS, false},
    {"reduce_sum(log_softmax(x) * m * x)", MATRIX, ACROSS, false},
    {"reduce_sum(dropout(x * x, 0.5, 3) * m * x)", MATRIX, ACROSS, false},
    {"reduce_sum(uniform(1, [2, 3]) * x * x + normal(2, [2, 3]) * x * random(1, 2))",
     MATRIX, ACROSS, false},
    {"reduce_sum(expand_dims(x, 1) * m * expand_dims(x, -1))", "tensor([0.3, 0.8])",
     "tensor([1.0, -0.4])", false},
    {"reduce_sum(sqrt(x * x + 1.0) * log(x * x + 2.0))", MATRIX, ACROSS, false},
    {"reduce_sum(tensor([x * x * real(i) | i <- 1 .. 3]) * m)", MATRIX, ACROSS, false},
    {"reduce_sum(tensor([[x[i] * x[j], x[j]] | j <- 0 .. 1, i <- 0 .. j]) * x[0])",
     MATRIX, ACROSS, false},
    {"reduce_sum(tensor([y * y | y <- [x, m, x * m] at i, i > 0]) * x)", MATRIX, ACROSS,
     false},
    {"reduce_sum(sigmoid(x) * x)", MATRIX, ACROSS, false},
    {"reduce_sum(relu(x) * x + abs(x) * x)", MATRIX, ACROSS, false},
    {"reduce_sum(min(x, m * 0.9 + 0.01) * max(x, v) * x)", MATRIX, ACROSS, false},
    {"reduce_sum(floor(x) * x + (x > 0.35) * x)", MATRIX, ACROSS, true},
    {"reduce_sum(softmax(x) * m * x)", MATRIX, ACROSS, false},
    {"reduce_sum(softmax(x) * v)", VECTOR, ALONG, false},
    {"reduce_sum(cross_entropy(x, softmax(m)) * tensor([1.0, 2.0]))", MATRIX, ACROSS,
     false},
    {"reduce_sum(cross_entropy(m, softmax(x)))", MATRIX, ACROSS, false},
    {"reduce_sum(cross_entropy(x, [2, 0]) * tensor([1.0, 2.0]))", MATRIX, ACROSS, false},
    {"let t = cross_entropy(x, 1) in real(t * t)", VECTOR, ALONG, false},
    {"reduce_max(x * x) + reduce_sum(reduce_max(x, 1) * tensor([1.0, 2.0]) * "
     "reduce_max(x, 1))",
     MATRIX, ACROSS, false},
    {"reduce_sum(reduce_sum(x, 0) * reduce_sum(x, 0) * v)", MATRIX, ACROSS, false},
    {"reduce_sum(reduce_sum(x, 1) * reduce_sum(x, 1))", MATRIX, ACROSS, false},
    {"reduce_sum(matmul(x, transpose(x)) * matmul(m, transpose(x)))", MATRIX, ACROSS,
     false},
    {"real(matmul(x, x)) + reduce_sum(matmul(m, x) * matmul(m, x))", VECTOR, ALONG,
     false},
    {"reduce_sum(matmul(x, transpose(m)) * matmul(x, transpose(m)))", VECTOR, ALONG,
     false},
    {"let y = matmul(x, transpose(x, [0, 2, 1])) in reduce_sum(y * y)", CUBE, THROUGH,
     false},
    {"let y = matmul(v, x) in reduce_sum(y * y)", CUBE, THROUGH, false},
    {"let y = matmul(x, tensor([0.3, 0.9])) in reduce_sum(y * y)", CUBE, THROUGH, false},
    {"let y = matmul(m, x) in reduce_sum(y * y)", CUBE, THROUGH, false},
    {"let y = matmul(" CUBE ", x) in reduce_sum(y * y)",
     "tensor([[0.3, 0.2, 0.5], [0.7, -0.4, 0.1]])",
     "tensor([[0.5, 0.9, -0.2], [0.6, 0.4, 0.8]])", false},
    {"let y = transpose(x, [1, 2, 0]) in reduce_sum(y * y * tensor([0.5, 2.0]))", CUBE,
     THROUGH, false},
    {"let y = concat(x, m) in reduce_sum(y * y * y) + reduce_sum(concat(m, x * x, 1) * "
     "2.0)",
     MATRIX, ACROSS, false},
    {"let y = slice(x, 1, 2, 1) in reduce_sum(y * y * y) + reduce_sum(slice(x * x, 0, "
     "1))",
     MATRIX, ACROSS, false},
    {"let y = gather(x, [1, 0, 1, 1]) in reduce_sum(y * y) + reduce_sum(gather(x * x, 1) "
     "* v)",
     MATRIX, ACROSS, false},
    {"let y = reshape(x, [3, 2]) in reduce_sum(matmul(y, x) * matmul(y, x))", MATRIX,
     ACROSS, false},
    {"let a = array(x) in a[0][1] * a[1][2] * a[0][1] + sum(a[1])", MATRIX, ACROSS,
     false},
    {"let a = array(x) in reduce_sum(matmul(tensor([[a[i] * a[k] | k <- 0 .. 2] | i <- 0 "
     ".. 2]), x))",
     VECTOR, ALONG, false},
    {"let a = array(x) in reduce_sum(tensor([a[0] * a[1], a[2], sin(a[0])]) * x)", VECTOR,
     ALONG, false},
    {"loop i = 0, y = x while i < 3 do i + 1, tanh(y * v + reduce_sum(y)) "
     "return reduce_sum(y)",
     "tensor([0.3, 0.5, 0.2])", ALONG, false},
    {"sum([reduce_sum(x * real(i) * x) | i <- 0 .. 3])", MATRIX, ACROSS, false},
    {"let t = [x * real(i) | i <- 0 .. 3] in reduce_sum(t[2] * t[3])", MATRIX, ACROSS,
     false},
    {"if reduce_sum(x) > 0.0 then reduce_sum(x * x) else 1.0", MATRIX, ACROSS, false},
    {"reduce_sum(cumsum(x * x, -1) * cumsum(m)) + reduce_sum(cumsum(x) * cumsum(x) * x)",
     MATRIX, ACROSS, false},
    {"reduce_mean(x * x * x) + reduce_sum(reduce_mean(x * x, 1) * tensor([1.0, 2.0])) + "
     "reduce_mean(reduce_mean(x, 0) * reduce_mean(x, 0) * v)",
     MATRIX, ACROSS, false},
    {"let (y, i) = top_k(x, 2) in reduce_sum(y * y * y) + reduce_sum(y * real(i))",
     MATRIX, ACROSS, false},
    {"let (y, i) = top_k(x * x, 2); (z, k) = top_k(x, 1) in "
     "reduce_sum(y * tensor([0.5, 2.0]) * z * real(k + 1)) + x[argmax(x)] * x[0]",
     VECTOR, ALONG, false},
    {"let (y, z) = split(x, 2, 0) in reduce_sum(y * y * z)", MATRIX, ACROSS, false},
    {"let (a, b, c) = split(x, 3, -2) in reduce_sum(a * b * c + c * c)", CUBE, THROUGH,
     true},
    {"let (y, z, w) = split(x, [1, 0, 2], 1) in reduce_sum(y * y * w) + reduce_sum(z)",
     MATRIX, ACROSS, false},
    {"let n = argmax(m[0]); (y, w) = split(x, [n - 1, n], -1) in reduce_sum(y * y * w)",
     MATRIX, ACROSS, false},
    {"let y = pad(x * x, 1, 2, -1) in reduce_sum(y * y * tensor([1.0, 2.0, 3.0, 4.0, "
     "5.0, "
     "6.0]))",
     MATRIX, ACROSS, false},
    {"let y = pad(x * x, 1, 2, -2, x[1][0]) in reduce_sum(y * y * y)", MATRIX, ACROSS,
     false},
    {"reduce_sum(pad(x, 1, 1, 0, reduce_max(m)) * tensor([2.0, 1.0, 1.0, 1.0, 1.0]))",
     VECTOR, ALONG, false},
    {"let y = stack(x, m, x * x) in reduce_sum(y * y * y) + "
     "reduce_sum(stack(x * x, x, -1) * stack(m, x, -1))",
     MATRIX, ACROSS, false},
    {"reduce_sum(one_hot([2, 0], 3) * x * x) + reduce_sum(one_hot(argmax(x, -1), 3) * x "
     "* "
     "x * x)",
     MATRIX, ACROSS, false},
    {"let y = scatter(x * x, [3, 1], 4) in reduce_sum(y * y) + "
     "reduce_sum(scatter(x, tensor([1, 1], int), 2) * m * x)",
     MATRIX, ACROSS, false},
    {"x[1][2] * x[0][0] * x[0][0] + reduce_sum(x[1] * x[0] * v) + "
     "sum([x[i][1] * x[i][i] | i <- 0 .. 1])",
     MATRIX, ACROSS, false},
    {"let y = matmul(one_hot(iota(2) + 1, 3), transpose(x, [-1, 0])) in reduce_sum(y * y "
     "* "
     "y)",
     MATRIX, ACROSS, false},
    /* Tensors of ints and bools beside what has a derivative: */
    {"reduce_sum(select(x > 0.35, x * x * x, 2.0 * x)) + reduce_sum(select(m > 0.0, x, "
     "m) * x)",
     MATRIX, ACROSS, false},
    {"reduce_sum(select(tensor([true, false, true]), x, 1.0) * "
     "select(tensor([[true], [false]]), 2.0, x) * x)",
     MATRIX, ACROSS, false},
    {"reduce_sum(select(x, x * x, m)) + reduce_sum(select(m > 0.0, v * x, v))", MATRIX,
     ACROSS, false},
    {"let y = select(m > 0.0, x, v * x) in reduce_sum(y * y * y)", VECTOR, ALONG, false},
    {"let y = gather(x, tensor([1, 0, 1, 1])) in reduce_sum(y * y * y)", MATRIX, ACROSS,
     false},
    {"reduce_sum(cross_entropy(x, tensor([2, 0], int)) * tensor([1.0, 2.0]))", MATRIX,
     ACROSS, false},
    {"let k = tensor([2, 3, -1], int) in reduce_sum(x * x * real(k + k) * x)", MATRIX,
     ACROSS, false},
    {"loop i = 0, k = tensor([1, 0, 2], int), y = x while i < 2 do i + 1, abs(k - 2), "
     "gather(y, k) * y return reduce_sum(y)",
     VECTOR, ALONG, false},
    {"let y = update(x, tensor([1, 0, 1]), gather(x, tensor([2, 2, 0])) * 2.0) in "
     "reduce_sum(y * y * x)",
     VECTOR, ALONG, false},
    {"let y = update(x * x, tensor([1, 1]), x) in reduce_sum(y * y * y)", MATRIX, ACROSS,
     false},
    {"let (i, y) = (int(floor(reduce_max(x)) * 0.0) + 1, update(x, 1, gather(x, 0))) in "
     "reduce_sum(update(y, i, gather(x * x, 1)) * y)",
     MATRIX, ACROSS, false},
    {"let y = scatter_add(x, tensor([0, 1, 0]), x * x) in reduce_sum(y * y * x)", VECTOR,
     ALONG, false},
    {"let y = scatter_add(x, 1, gather(x * x, 0)) in reduce_sum(y * y * x)", MATRIX,
     ACROSS, false},
    {"reduce_sum(select(x > 0.1, x * x, gather(x, 0)) * x)", MATRIX, ACROSS, false},
    {"let t = [tensor([i, 0, 1]) | i <- 0 .. 2] in reduce_sum(gather(x, t[2]) * x * x)",
     VECTOR, ALONG, false},
    {"let k = if reduce_sum(x) > 5.0 then tensor([0, 1, 2], int) else tensor([2, 2, 0], "
     "int) "
     "in reduce_sum(gather(x, k) * x * real(array(k)[0]))",
     VECTOR, ALONG, false},
    {"let (k, y) = (int(x * 10.3), x * x) in reduce_sum(real(k) * y) + "
     "reduce_sum(select(k "
     "> 0, x, y) * y)",
     VECTOR, ALONG, false},
};

static double run(const char *text)
{
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", text);
    isa_graph_free(graph);
    return strtod(o.result, NULL);
}

/* (by the gradient, by a difference) */
static void compare(const struct rule *rule, const char *of, const char *more)
{
    struct lib_text text = {0};
    double found[2];
    for (int i = 0; i < 2; i++) {
        lib_text_clear(&text);
        lib_text_printf(&text, "m = %s\nv = %s\nx = %s\nd = %s\nf(x) = %s\n%s", MATRIX,
                        VECTOR, rule->x, rule->direction, rule->body, more);
        if (i == 0)
            lib_text_printf(&text, "result = reduce_sum(grad(%s, x) * d)\n", of);
        else
            lib_text_printf(
                &text, "result = (%s(x + d * 0.00001) - %s(x - d * 0.00001)) / 0.00002\n",
                of, of);
        found[i] = run(lib_text_get(&text));
    }
    ck_assert_msg(fabs(found[0] - found[1]) <= 1e-6 * fmax(1, fabs(found[1])),
                  "%s of %s: %.12g, not %.12g", of, rule->body, found[0], found[1]);
    lib_text_free(&text);
}

START_TEST(rules_are_right)
{
    const struct rule *rule = &rules[_i];
    compare(rule, "f", "");
    if (!rule->once)
        compare(rule, "g", "g(x) = reduce_sum(grad(f, x) * d * d)\n");
}
END_TEST

/* --- closed forms --------------------------------------------------------------------- */

static const char *const values[][2] = {
    {"x = tensor([[0.0, 0.0], [0.0, 0.0]])\n"
     "result = grad(f, x)\nf(x) = reduce_sum(cross_entropy(x, [0, 1]))",
     "[[-0.5, 0.5], [0.5, -0.5]]"},
    {"result = grad(f, tensor([1.0, 2.0]), tensor([1, 1], int), [tensor([true])])\n"
     "f(x, k, c) = reduce_sum(g(x, k) * g(x, k)) + real(reduce_sum(int(c[0])))\n"
     "g(x, k) = gather(x, k)",
     "[0.0, 8.0]"},
    {"idx = tensor([1, 0], int)\nparam w : [2] = ones\nresult = grad(f, 2.0; w)\n"
     "f(x) = x * reduce_sum(gather(w, idx) * real(idx) * w)",
     "(1.0, [2.0, 2.0])"},
    {"result = grad(chain, tensor([[1.0, 2.0], [3.0, 4.0]]), 3)\n"
     "chain(x, n) = if n == 0 then reduce_sum(x) else 2.0 * chain(x, n - 1)",
     "[[8.0, 8.0], [8.0, 8.0]]"},
    {"a = tensor([[1.0, 2.0], [3.0, 4.0]]); b = tensor([[1.0, 0.0], [2.0, 1.0]])\n"
     "result = grad(f, a, b)\nf(a, b) = reduce_sum(matmul(a, b))",
     "([[1.0, 3.0], [1.0, 3.0]], [[4.0, 4.0], [6.0, 6.0]])"},
    {"result = grad(f, tensor([[1.0, 1.0], [0.0, 1.0]]), 3)\n"
     "f(x, n) = reduce_sum(chain(x, n))\n"
     "chain(x, n) = if n == 1 then x else matmul(x, chain(x, n - 1))",
     "[[6.0, 3.0], [10.0, 6.0]]"}, /* the sum of (x^T)^k J (x^T)^(2 - k) */
    {"result = grad(f, tensor([[2.0, 0.0], [0.0, 3.0]]))\n"
     "f(x) = reduce_sum(loop i = 0, p = tensor([[1.0, 0.0], [0.0, 1.0]]) while i < 4 do "
     "i + 1, matmul(p, x) return p)",
     "[[32.0, 65.0], [65.0, 108.0]]"}, /* 4 a^3, and (a^4 - b^4) / (a - b) */
    {"result = grad(f, tensor([2.0, 2.0, 1.0]))\nf(x) = reduce_max(x)",
     "[1.0, 0.0, 0.0]"},
    {"result = grad(f, tensor([0.0, -1.0, 2.0]))\nf(x) = reduce_sum(relu(x)) + "
     "reduce_sum(abs(x))",
     "[0.0, -1.0, 2.0]"},
    {"param w : [2] = ones\nparam u : [1] = zeros\n"
     "result = grad(f, 3.0; w, u)\nf(x) = x * reduce_sum(w * w)",
     "(2.0, [6.0, 6.0], [0.0])"},
    {"param w : [2] = ones\nresult = grad(f, 3, 1; w)\n"
     "f(n, k) = if n == 0 then reduce_sum(w) else real(k) + 2.0 * f(n - 1, k)",
     "[8.0, 8.0]"},
    {"param w : [2] = ones\nresult = grad(f, 2.0; w)\n"
     "f(x) = sum([x * reduce_sum(w) * real(i) | i <- 0 .. 3]) + "
     "(loop i = 0, s = 0.0 while i < 2 do i + 1, s + reduce_sum(w) return s)",
     "(12.0, [14.0, 14.0])"},
    {"param w : [2] = ones\nstep(x) = let (a, b) = grad(f, x; w) in a + reduce_sum(b)\n"
     "result = grad(step, 2.0; w)\nf(x) = x * x * reduce_sum(w * w)",
     "(20.0, [16.0, 16.0])"}, /* of 2 x (w^2 + u^2) + x^2 2 (w + u) */
    {"result = grad(f, tensor([0.5, 0.25]))\nf(x) = reduce_sum(real64(real32(x)) * x * "
     "x)",
     "[0.75, 0.1875]"},
};

START_TEST(closed_forms)
{
    const char *const *v = values[_i];
    for (int way = 0; way < 2; way++) {
        struct isa_graph *graph = test_compile(v[0], way ? ISA_STAGE_EXPANDING
                                                         : ISA_STAGE_IMAGE);
        struct test_outcome o = test_interp(graph, NULL, false);
        ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", v[0]);
        ck_assert_msg(strcmp(o.result, v[1]) == 0, "%s: %s, not %s", v[0], o.result,
                      v[1]);
        isa_graph_free(graph);
    }
}
END_TEST

/* --- random functions ----------------------------------------------------------------- */

enum { FUNCTIONS = 400, QUICK_FUNCTIONS = 40 };

static struct test_outcome run_random(const struct lib_text *functions,
                                      const char *result, bool is_paired,
                                      enum isa_stage stage)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "result = %s\n%s", result, lib_text_get(functions));
    const struct lib_source source = {"test.df", lib_text_get(&text), text.length};
    struct isa_graph *graph = test_compile_source(
        &source,
        &(struct programs_options){
            .settings = &(struct programs_settings){.grad_mode = is_paired}},
        stage);
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", lib_text_get(&text));
    isa_graph_free(graph);
    lib_text_free(&text);
    return o;
}

/* Naive, paired and expanding to the last bit, twice differentiated too; and the derivative in a
 * direction against a difference. */
START_TEST(random_functions)
{
    static const char both[] = "(grad(f, x0, v0, 2), grad(g, x0, v0, 1))",
                      along[] = "g(x0, v0, 2)",
                      difference[] = "(f(x0 + dx * 0.00001, v0 + dv * 0.00001, 2) - "
                                     "f(x0 - dx * 0.00001, v0 - dv * 0.00001, 2)) / "
                                     "0.00002";
    const unsigned count = getenv("HIATON_QUICK") ? QUICK_FUNCTIONS : FUNCTIONS;
    for (uint64_t seed = 1; seed <= count; seed++) {
        struct lib_text text = {0};
        gradient_tensors(seed, &text);
        lib_text_puts(&text, "g(x, v, n) = let (a, b) = grad(f, x, v, n) in "
                             "reduce_sum(a * dx) + reduce_sum(b * dv)\n");
        const struct test_outcome naive = run_random(&text, both, false, ISA_STAGE_IMAGE),
                                  paired = run_random(&text, both, true, ISA_STAGE_IMAGE),
                                  copied = run_random(&text, both, false,
                                                      ISA_STAGE_EXPANDING);
        ck_assert_msg(strcmp(naive.result, paired.result) == 0 &&
                          strcmp(naive.result, copied.result) == 0,
                      "%s: %s, paired %s, copied %s", lib_text_get(&text), naive.result,
                      paired.result, copied.result);
        const double slope = strtod(
            run_random(&text, along, true, ISA_STAGE_IMAGE).result, NULL);
        const double expected = strtod(
            run_random(&text, difference, false, ISA_STAGE_IMAGE).result, NULL);
        ck_assert_msg(fabs(slope - expected) <= 1e-5 * fmax(1, fabs(expected)),
                      "%s: %.12g, not %.12g", lib_text_get(&text), slope, expected);
        lib_text_free(&text);
    }
}
END_TEST

/* --- what is kept --------------------------------------------------------------------- */

/* Functions of a matrix x, a row v and a count n, whose adjoints need of what each of n steps has
 * made the shapes alone. */
static const char *const kept[] = {
    "reduce_sum(loop t = 0, y = x while t < n do t + 1, y + v return y)",
    "reduce_sum(loop t = 0, y = x while t < n do t + 1, y * 0.5 + v return y)",
    "reduce_sum(loop t = 0, y = x while t < n do t + 1, "
    "concat(slice(y, 1, 31), v + slice(y, 0, 1)) return y)",
    "reduce_sum(loop t = 0, y = x while t < n do t + 1, "
    "y - reduce_sum(y + v, 1) * 0.125 return y)",
    "reduce_sum(adds(x, v, n))\n"
    "adds(x, v, n) = if n == 0 then x else adds(reshape(x, [32, 32]) - v, v, n - 1)",
};

/* The most bytes of tensors that are alive at once on one PE. */
static uint64_t most_bytes(const char *body, bool is_paired, unsigned n, char result[256])
{
    struct lib_text text = {0};
    struct machine_settings settings;
    lib_text_printf(&text,
                    "param u : [32, 32] = uniform(-1.0, 1.0)\n"
                    "param w : [1, 32] = uniform(-1.0, 1.0)\n"
                    "result = let (a, b) = grad(f, u, w, %u) in "
                    "(reduce_sum(a * a), reduce_sum(b * b))\n"
                    "f(x, v, n) = %s\n",
                    n, body);
    const struct lib_source source = {"test.df", lib_text_get(&text), text.length};
    struct isa_graph *graph = test_compile_source(
        &source,
        &(struct programs_options){
            .settings = &(struct programs_settings){.grad_mode = is_paired}},
        ISA_STAGE_IMAGE);
    machine_settings_default(&settings);
    test_set_all(&settings, "pe.count=1");
    struct test_outcome o = test_run(graph, NULL, &settings, 0);
    ck_assert(o.end == ISA_END_COMPLETED);
    const uint64_t bytes = o.stats.peak_tensor_bytes;
    snprintf(result, 256, "%.255s", o.result);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
    lib_text_free(&text);
    return bytes;
}

/* The shapes are kept, and not these tensors: memory is that of a few matrices, however many
 * steps there are. */
START_TEST(shapes_are_kept)
{
    const uint64_t matrix = 8192;
    for (unsigned n = 10; n <= 40; n += 30) {
        char naive[256], paired[256];
        const uint64_t of_naive = most_bytes(kept[_i], false, n, naive);
        const uint64_t of_paired = most_bytes(kept[_i], true, n, paired);
        ck_assert_str_eq(naive, paired);
        ck_assert_msg(of_naive <= 6 * matrix && of_paired <= 5 * matrix,
                      "%s: %" PRIu64 " and %" PRIu64 " bytes", kept[_i], of_naive,
                      of_paired);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("tensor_gradients");
    tcase_add_loop_test(tc, rules_are_right, 0, (int)(sizeof rules / sizeof *rules));
    tcase_add_loop_test(tc, closed_forms, 0, (int)(sizeof values / sizeof *values));
    tcase_add_test(tc, random_functions);
    tcase_add_loop_test(tc, shapes_are_kept, 0, (int)(sizeof kept / sizeof *kept));
    return test_main("tensor_gradients", tc);
}
