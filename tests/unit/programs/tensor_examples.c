/* Programs on tensors as one would write them, against plain C: conjugate gradients, attention, an LSTM
 * cell over a sequence, a blocked product, power iteration, a tree of matrices. Results agree to
 * 1e-9; on machines they are those of the interpreter, to the last bit. */
#include "isa/fire/interp.h"
#include "machine/machine.h"
#include "tests/unit/main.h"
#include "tests/unit/support.h"

#include <math.h>

enum { N = 6 };

/* The weight that all examples take for row i and column j. */
static double weight(int i, int j)
{
    return (double)((3 * i + 5 * j) % 7 - 3) / 4;
}

#define WEIGHTS                                                                          \
    "weight(n, m) = tensor([[real((3 * i + 5 * j) % 7 - 3) / 4.0 | j <- 0 .. m - 1] | "  \
    "i <- 0 .. n - 1])\n"

/* --- plain C -------------------------------------------------------------------------------- */

/* Each leaves its numbers, and says how many. */

static void multiply(const double *a, const double *b, double *c, int rows, int inner,
                     int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            c[i * columns + j] = 0;
            for (int k = 0; k < inner; k++)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
}

static double dot(const double *u, const double *v)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += u[i] * v[i];
    return sum;
}

static int conjugate(double *x)
{
    double a[N * N], r[N], p[N], q[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            a[i * N + j] = i == j ? 4 : abs(i - j) == 1 ? -1 : 0;
        x[i] = 0;
        r[i] = p[i] = i + 1;
    }
    for (int k = 0; k < N; k++) {
        const double before = dot(r, r);
        multiply(a, p, q, N, N, 1);
        const double alpha = before / dot(p, q);
        for (int i = 0; i < N; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        for (int i = 0; i < N; i++)
            p[i] = r[i] + dot(r, r) / before * p[i];
    }
    return N;
}

static int attention(double *y)
{
    double q[N * 3], k[N * 3], v[N * 2], scores[N * N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 3; j++) {
            q[i * 3 + j] = weight(i, j);
            k[i * 3 + j] = weight(i + 1, j);
        }
        v[i * 2] = weight(i, 4);
        v[i * 2 + 1] = weight(i, 5);
    }
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++) {
            scores[i * N + j] = 0;
            for (int l = 0; l < 3; l++)
                scores[i * N + j] += q[i * 3 + l] * k[j * 3 + l];
            sum += exp(scores[i * N + j] / sqrt(3));
        }
        for (int j = 0; j < N; j++)
            scores[i * N + j] = exp(scores[i * N + j] / sqrt(3)) / sum;
    }
    multiply(scores, v, y, N, N, 2);
    return N * 2;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* 3 inputs, 2 cells, 4 gates side by side. */
static int lstm(double *h)
{
    double c[2] = {0};
    h[0] = h[1] = 0;
    for (int t = 0; t < 5; t++) {
        double gates[8], next[2];
        for (int j = 0; j < 8; j++) {
            gates[j] = weight(j, 1);
            for (int i = 0; i < 3; i++)
                gates[j] += weight(t, i) * weight(i, j);
            for (int i = 0; i < 2; i++)
                gates[j] += h[i] * weight(3 + i, j);
        }
        for (int i = 0; i < 2; i++) {
            c[i] = sigmoid(gates[2 + i]) * c[i] + sigmoid(gates[i]) * tanh(gates[4 + i]);
            next[i] = sigmoid(gates[6 + i]) * tanh(c[i]);
        }
        h[0] = next[0];
        h[1] = next[1];
    }
    return 2;
}

static int blocked(double *c)
{
    double a[N * N];
    for (int i = 0; i < N * N; i++)
        a[i] = weight(i / N, i % N);
    multiply(a, a, c, N, N, N);
    return N * N;
}

static int power(double *x)
{
    double a[N * N], y[N];
    for (int i = 0; i < N * N; i++)
        a[i] = 1 + fabs(weight(i / N, i % N));
    for (int i = 0; i < N; i++)
        x[i] = 1;
    for (int k = 0; k < 10; k++) {
        multiply(a, x, y, N, N, 1);
        const double length = sqrt(dot(y, y));
        for (int i = 0; i < N; i++)
            x[i] = y[i] / length;
    }
    return N;
}

/* A node is its children's sum times the weights of 2 by 2, a leaf its number everywhere. */
static void node(int low, int high, double *m)
{
    if (high - low == 1) {
        for (int i = 0; i < 4; i++)
            m[i] = low;
        return;
    }
    double a[4], b[4], w[4];
    node(low, low + (high - low) / 2, a);
    node(low + (high - low) / 2, high, b);
    for (int i = 0; i < 4; i++) {
        a[i] += b[i];
        w[i] = weight(i / 2, i % 2);
    }
    multiply(a, w, m, 2, 2, 2);
}

static int tree(double *m)
{
    node(0, 11, m);
    return 4;
}

/* --- programs ------------------------------------------------------------------------------- */

static const struct {
    int (*find)(double *numbers);
    const char *text;
} examples[] = {
    {conjugate,
     "a = tensor([[if i == j then 4.0 else if abs(i - j) == 1 then -1.0 else 0.0\n"
     "            | j <- 0 .. 5] | i <- 0 .. 5])\n"
     "b = tensor([real(i + 1) | i <- 0 .. 5])\n"
     "dot(u, v) = reduce_sum(u * v)\n"
     "step(x, r, p) = let q = matmul(a, p); alpha = dot(r, r) / dot(p, q); s = r - alpha "
     "* q\n"
     "  in (x + alpha * p, s, s + dot(s, s) / dot(r, r) * p)\n"
     "next(state) = let (x, r, p) = state in step(x, r, p)\n"
     "last = loop i = 0, state = (zeros([6]), b, b) while i < 6 do i + 1, next(state)\n"
     "  return state\n"
     "result = let (x, _, _) = last in x\n"},
    {attention,
     "values(lo, columns, first) = tensor([[real((3 * (i + lo) + 5 * (j + first)) % 7 - "
     "3) / 4.0\n"
     "  | j <- 0 .. columns - 1] | i <- 0 .. 5])\n"
     "attention(q, k, v) = matmul(softmax(matmul(q, transpose(k)) / sqrt(3.0)), v)\n"
     "result = attention(values(0, 3, 0), values(1, 3, 0), values(0, 2, 4))\n"},
    {lstm,
     WEIGHTS "x = weight(5, 3)\n"
             "w = weight(5, 8)\n"
             "b = reshape(gather(transpose(weight(8, 2)), 1), [8])\n"
             "gate(g, i) = slice(g, 2 * i, 2)\n"
             "cell(h, c, xt) = let g = matmul(concat(xt, h), w) + b;\n"
             "    d = sigmoid(gate(g, 1)) * c + sigmoid(gate(g, 0)) * tanh(gate(g, 2))\n"
             "  in (sigmoid(gate(g, 3)) * tanh(d), d)\n"
             "step(state, xt) = let (h, c) = state in cell(h, c, xt)\n"
             "last = loop t = 0, state = (zeros([2]), zeros([2])) while t < 5\n"
             "  do t + 1, step(state, gather(x, t)) return state\n"
             "result = let (h, _) = last in h\n"},
    {blocked, WEIGHTS "a = weight(6, 6)\n"
                      "block(t, i, j) = slice(slice(t, 2 * i, 2), 2 * j, 2, 1)\n"
                      "one(i, j) = loop k = 0, c = zeros([2, 2]) while k < 3\n"
                      "  do k + 1, c + matmul(block(a, i, k), block(a, k, j)) return c\n"
                      "row(i) = concat(concat(one(i, 0), one(i, 1), 1), one(i, 2), 1)\n"
                      "result = concat(concat(row(0), row(1)), row(2))\n"},
    {power, WEIGHTS
     "a = 1.0 + abs(weight(6, 6))\n"
     "result = loop k = 0, x = ones([6]) while k < 10\n"
     "  do k + 1, let y = matmul(a, x) in y / sqrt(reduce_sum(y * y)) return x\n"},
    {tree, WEIGHTS "w = weight(2, 2)\n"
                   "node(low, high) = if high - low == 1 then real(low) * ones([2, 2])\n"
                   "  else let middle = low + (high - low) / 2\n"
                   "    in matmul(node(low, middle) + node(middle, high), w)\n"
                   "result = node(0, 11)\n"},
};

/* --- runs ------------------------------------------------------------------------------------- */

static void check(const struct isa_exec *exec, const double *numbers, int count)
{
    const struct isa_tensor *t =
        isa_structures_get(&exec->structures, exec->results[0])->tensor;
    ck_assert_int_eq((int)t->count, count);
    for (int i = 0; i < count; i++)
        ck_assert_double_eq_tol(isa_tensor_get(t, (uint64_t)i), numbers[i],
                                1e-9 * (1 + fabs(numbers[i])));
}

static void run(enum isa_stage stage, const char *text, const double *numbers, int count)
{
    struct isa_graph *graph = test_compile(text, stage);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 30};
    struct isa_interp interp;
    struct machine_settings settings;
    isa_interp_run(&interp, code, &limits, true, NULL);
    ck_assert_int_eq(interp.end, ISA_END_COMPLETED);
    check(&interp.exec, numbers, count);
    machine_settings_default(&settings);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, UINT64_MAX))
        ;
    ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
    ck_assert_uint_eq(machine_exec(m)->counts.value_digest,
                      interp.exec.counts.value_digest);
    machine_free(m);
    isa_interp_free(&interp);
    isa_code_free(code);
    isa_graph_free(graph);
}

START_TEST(examples_agree_with_plain_c)
{
    double numbers[N * N];
    const int count = examples[_i].find(numbers);
    run(ISA_STAGE_IMAGE, examples[_i].text, numbers, count);
    run(ISA_STAGE_EXPANDING, examples[_i].text, numbers, count);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor examples");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, examples_agree_with_plain_c, 0,
                        (int)(sizeof examples / sizeof *examples));
    return test_main("tensor examples", tcase);
}
