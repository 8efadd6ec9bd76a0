/* The examples with tensors, compared with plain C over cblas_dgemm or, without OpenBLAS, a plain
 * loop, which knows nothing of kernels, their order of sums and their elementary functions. Numbers
 * agree to 1e-12; printed text and numbers of calls agree exactly. The interpreter and machines
 * agree to the last bit, by both strategies and with both kinds of mathematics. */
#include "tests/unit/examples.h"

#include "isa/tensor/blas.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>

enum { SIDE = 16, MOST = SIDE * SIDE };

/* --- products --------------------------------------------------------------------------- */

typedef void dgemm_function(int order, int transposes_a, int transposes_b, int m, int n,
                            int k, double alpha, const double *a, int lda,
                            const double *b, int ldb, double beta, double *c, int ldc);

static dgemm_function *dgemm;

/* Takes cblas_dgemm from an OpenBLAS of the test's own, of the core that runs use if there is
 * one. */
static void find_dgemm(void)
{
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    const struct isa_blas *blas = isa_blas_load("haswell", &outcome, &why);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_CORETYPE", "haswell", 1);
    void *library = blas ? dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, "cblas_dgemm") : NULL;
    if (symbol)
        memcpy(&dgemm, &symbol, sizeof dgemm);
    else
        printf("skipped: cblas_dgemm: a plain loop multiplies instead: %s\n",
               lib_text_get(&why));
    lib_text_free(&why);
}

/* c = a b, of rows x inner and inner x columns. */
static void multiply(const double *a, const double *b, double *c, int rows, int inner,
                     int columns)
{
    enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 };
    if (dgemm) {
        dgemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, rows, columns, inner, 1, a,
              inner, b, columns, 0, c, columns);
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            c[i * columns + j] = 0;
            for (int k = 0; k < inner; k++)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
}

static double dot(const double *u, const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * v[i];
    return sum;
}

/* --- what is computed --------------------------------------------------------------------- */

/* The constant that is left as a file, what is printed, and how many calls there are. */
struct answer {
    double numbers[MOST];
    int count;
    struct lib_text text;
    uint64_t calls;
};

/* Calls that make a tensor of arrays: a function calls itself for both halves of each. */
static uint64_t vector_calls(int n)
{
    return 2 * (uint64_t)n - 1;
}

static uint64_t matrix_calls(int rows, int columns)
{
    return vector_calls(rows) + (uint64_t)rows * vector_calls(columns);
}

static double rounded(double x)
{
    return floor(1e6 * x + 0.5) / 1e6;
}

static double as_it_is(double x)
{
    return x;
}

static void write_vector(struct lib_text *out, const double *x, int n,
                         double (*as)(double))
{
    lib_text_puts(out, "[");
    for (int i = 0; i < n; i++) {
        lib_text_puts(out, i ? ", " : "");
        lib_text_real(out, as(x[i]));
    }
    lib_text_puts(out, "]");
}

static void write_matrix(struct lib_text *out, const double *x, int rows, int columns,
                         double (*as)(double))
{
    lib_text_puts(out, "[");
    for (int i = 0; i < rows; i++) {
        lib_text_puts(out, i ? ", " : "");
        write_vector(out, x + i * columns, columns, as);
    }
    lib_text_puts(out, "]");
}

/* The weights that some of them take for row i and column j. */
static double weight(int i, int j)
{
    return (double)((3 * i + 5 * j) % 7 - 3) / 4;
}

static void fill_weights(double *w, int rows, int columns, int start)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            w[i * columns + j] = (double)((3 * i + 5 * j + start) % 7 - 3) / 4;
}

static void attention(const int64_t *inputs, struct answer *a)
{
    const int n = (int)inputs[0], width = (int)inputs[1];
    double x[MOST], w[MOST], q[MOST], k[MOST], v[MOST], turned[MOST], scores[MOST];
    fill_weights(x, n, 5, 0);
    fill_weights(w, 5, width, 1);
    multiply(x, w, q, n, 5, width);
    fill_weights(w, 5, width, 2);
    multiply(x, w, k, n, 5, width);
    fill_weights(w, 5, 2, 3);
    multiply(x, w, v, n, 5, 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            turned[j * n + i] = k[i * width + j];
    multiply(q, turned, scores, n, width, n);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += exp(scores[i * n + j] / sqrt(width));
        for (int j = 0; j < n; j++)
            scores[i * n + j] = exp(scores[i * n + j] / sqrt(width)) / sum;
    }
    multiply(scores, v, a->numbers, n, n, 2);
    a->count = 2 * n;
    write_matrix(&a->text, a->numbers, n, 2, rounded);
    a->calls = 4 + matrix_calls(n, 5) + 2 * matrix_calls(5, width) + matrix_calls(5, 2) +
               2;
}

static uint64_t block_calls(int n, int size)
{
    return n <= size ? 1 : 1 + 1 + 4 * (1 + 4 + 2 * block_calls(n / 2, size));
}

static void blocks(const int64_t *inputs, struct answer *a)
{
    const int n = (int)inputs[0];
    double x[MOST], y[MOST];
    for (int i = 0; i < n * n; i++) {
        x[i] = i / n + 2 * (i % n);
        y[i] = (i / n) * (i % n) - 3;
    }
    multiply(x, y, a->numbers, n, n, n);
    a->count = n * n;
    lib_text_puts(&a->text, "(");
    write_matrix(&a->text, a->numbers, n, n, as_it_is);
    lib_text_puts(&a->text, ", 0.0)");
    a->calls = block_calls(n, (int)inputs[1]) + 2 * matrix_calls(n, n);
}

static void conjugate(const int64_t *inputs, struct answer *a)
{
    const int n = (int)inputs[0];
    double matrix[MOST], r[SIDE], p[SIDE], q[SIDE], *x = a->numbers;
    uint64_t steps = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = i == j ? 4 : abs(i - j) == 1 ? -1 : 0;
        x[i] = 0;
        r[i] = p[i] = i + 1;
    }
    for (; dot(r, r, n) > 1e-20; steps++) {
        const double before = dot(r, r, n);
        multiply(matrix, p, q, n, n, 1);
        const double alpha = before / dot(p, q, n);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const double after = dot(r, r, n);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + after / before * p[i];
    }
    /* What it has found solves the equations. */
    multiply(matrix, x, q, n, n, 1);
    for (int i = 0; i < n; i++)
        ck_assert_double_lt(fabs(q[i] - (i + 1)), 1e-9);
    a->count = n;
    lib_text_printf(&a->text, "(%" PRIu64 ", ", steps);
    write_vector(&a->text, x, n, rounded);
    lib_text_puts(&a->text, ")");
    a->calls = matrix_calls(n, n) + vector_calls(n) + 2 * (steps + 1) + 5 * steps + 1;
}

static void eigen(const int64_t *inputs, struct answer *a)
{
    const int n = (int)inputs[0];
    double matrix[MOST], y[SIDE], found[SIDE + 1], *x = a->numbers;
    for (int i = 0; i < n * n; i++)
        matrix[i] = 1.0 / (i / n + i % n + 1);
    for (int i = 0; i < n; i++)
        x[i] = 1;
    for (int64_t k = 0; k < inputs[1]; k++) {
        multiply(matrix, x, y, n, n, 1);
        const double length = sqrt(dot(y, y, n));
        for (int i = 0; i < n; i++)
            x[i] = y[i] / length;
    }
    multiply(matrix, x, y, n, n, 1);
    found[0] = dot(x, y, n);
    memcpy(found + 1, x, (size_t)n * sizeof *x);
    a->count = n;
    write_vector(&a->text, found, n + 1, rounded);
    a->calls = vector_calls(n) + (uint64_t)inputs[1] + 1;
}

static void gram(const int64_t *inputs, struct answer *a)
{
    const int n = (int)inputs[0];
    double x[MOST], turned[MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            x[i * 3 + j] = turned[j * n + i] = (i * i + 3 * j) % 10;
    multiply(turned, x, a->numbers, 3, n, 3);
    a->count = 9;
    lib_text_puts(&a->text, "(");
    write_matrix(&a->text, a->numbers, 3, 3, as_it_is);
    lib_text_puts(&a->text, ", 0.0)");
    a->calls = matrix_calls(n, 3) + vector_calls(n) + (uint64_t)n;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* 3 inputs and the outputs of before, times weights: 4 gates of each cell, side by side. */
static void lstm(const int64_t *inputs, struct answer *a)
{
    const int steps = (int)inputs[0], cells = (int)inputs[1], all = 4 * cells;
    double w[MOST], now[SIDE], gates[SIDE], c[SIDE] = {0}, *h = a->numbers;
    fill_weights(w, 3 + cells, all, 0);
    for (int i = 0; i < cells; i++)
        h[i] = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 3; i++)
            now[i] = weight(t, i);
        memcpy(now + 3, h, (size_t)cells * sizeof *h);
        multiply(now, w, gates, 1, 3 + cells, all);
        for (int i = 0; i < all; i++)
            gates[i] += weight(1, i);
        for (int i = 0; i < cells; i++) {
            c[i] = sigmoid(gates[cells + i]) * c[i] +
                   sigmoid(gates[i]) * tanh(gates[2 * cells + i]);
            h[i] = sigmoid(gates[3 * cells + i]) * tanh(c[i]);
        }
    }
    a->count = cells;
    write_vector(&a->text, h, cells, rounded);
    a->calls = 3 + matrix_calls(steps, 3) + matrix_calls(3 + cells, all) +
               matrix_calls(2, all) + 6 * (uint64_t)steps + 1;
}

/* Another way: the number of ones says which of two rows it is. */
static void mlp(const int64_t *inputs, struct answer *a)
{
    const int n = (int)inputs[0], words = 1 << n;
    for (int i = 0; i < words; i++) {
        const int odd = __builtin_popcount((unsigned)i) % 2;
        a->numbers[2 * i] = 1 / (1 + exp(odd ? 8 : -8));
        a->numbers[2 * i + 1] = 1 / (1 + exp(odd ? -8 : 8));
    }
    a->count = 2 * words;
    write_matrix(&a->text, a->numbers, words, 2, rounded);
    a->calls = matrix_calls(words, n) + (uint64_t)(words * n) + vector_calls(n) +
               matrix_calls(n, 2) + 2 * (uint64_t)n + 2 + 1;
}

/* --- the examples ------------------------------------------------------------------------- */

static const struct example {
    const char *name, *constant;
    void (*find)(const int64_t *inputs, struct answer *answer);
    const char *inputs[3];
} examples[] = {
    {"attention", "attended", attention, {"n=1 width=1", "n=7 width=4", "n=16 width=2"}},
    {"blocks", "c", blocks, {"n=1 size=1", "n=8 size=1", "n=12 size=3"}},
    {"conjugate", "solution", conjugate, {"n=1", "n=3", "n=12"}},
    {"eigen", "vector", eigen, {"n=1", "n=6 steps=3", "n=16 steps=9"}},
    {"gram", "total", gram, {"n=1", "n=5", "n=37"}},
    {"lstm", "hidden", lstm, {"steps=1 cells=1", "steps=9 cells=3", "steps=16 cells=4"}},
    {"mlp", "probability", mlp, {"n=1", "n=4", "n=5"}},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static struct answer find_answer(const struct example *e, const struct test_program *p)
{
    int64_t inputs[2] = {0};
    struct answer a = {0};
    for (uint32_t i = 0; i < p->graph->input_count; i++)
        inputs[i] = isa_value_int(p->inputs[i]);
    e->find(inputs, &a);
    return a;
}

/* The elements of a file stand behind its head. */
static void check_file(const struct lib_text *file, const struct answer *a,
                       const char *what)
{
    const size_t bytes = (size_t)a->count * sizeof(double);
    double found, greatest = 0;
    ck_assert_msg(file->length == 128 + bytes, "%s: %zu bytes", what, file->length);
    for (int i = 0; i < a->count; i++)
        greatest = fmax(greatest, fabs(a->numbers[i]));
    for (int i = 0; i < a->count; i++) {
        memcpy(&found, file->bytes + 128 + (size_t)i * sizeof found, sizeof found);
        ck_assert_msg(fabs(found - a->numbers[i]) <= 1e-12 * greatest,
                      "%s: element %d is %.17g, and by plain C %.17g", what, i, found,
                      a->numbers[i]);
    }
}

/* One run. Its value digest. */
static uint64_t check_run(const struct example *e, struct sim_simulation_config *config,
                          const struct answer *a)
{
    struct lib_diags diags = {0};
    struct lib_text result = {0};
    struct sim_ending ending;
    const char *const names[] = {e->constant};
    config->tensors = names;
    config->tensor_count = 1;
    struct sim_simulation *s = sim_simulation_open(config, &diags);
    ck_assert_msg(s != NULL, "%s: %s", e->name, diags.count ? diags.items[0].text : "");
    sim_simulation_advance(s, NULL);
    ck_assert_int_eq(sim_simulation_end(s), ISA_END_COMPLETED);
    isa_exec_write_result(sim_simulation_exec(s), &result);
    sim_simulation_close(s, &ending);
    ck_assert_msg(strcmp(lib_text_get(&result), lib_text_get(&a->text)) == 0,
                  "%s: %s, and by plain C %s", e->name, lib_text_get(&result),
                  lib_text_get(&a->text));
    check_file(&ending.tensors[0], a, e->name);
    const uint64_t digest = ending.stats.value_digest;
    /* Where graphs are copied, calls are nodes. */
    if (config->graph->stage == ISA_STAGE_IMAGE)
        ck_assert_msg(ending.stats.calls == a->calls,
                      "%s: %" PRIu64 " calls, and %" PRIu64 " were expected", e->name,
                      ending.stats.calls, a->calls);
    sim_ending_free(&ending);
    lib_text_free(&result);
    return digest;
}

static void check_inputs(const struct example *e, const char *inputs,
                         enum isa_stage stage)
{
    struct test_program p = test_example_at(e->name, stage);
    test_set_inputs(&p, inputs);
    struct answer a = find_answer(e, &p);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct sim_simulation_config config = {
        .graph = p.graph, .inputs = p.inputs, .settings = &settings, .seed = 1};
    for (int i = 0; i < 4; i++) {
        settings.tensor_math = i / 2 ? MACHINE_TENSOR_REFERENCE : MACHINE_TENSOR_BLAS;
        settings.deadness = i % 2 ? MACHINE_PROPAGATE : MACHINE_SUPPRESS;
        config.engine = SIM_ENGINE_INTERPRETER;
        const uint64_t digest = check_run(e, &config, &a);
        config.engine = SIM_ENGINE_MACHINE;
        ck_assert_uint_eq(check_run(e, &config, &a), digest);
        settings.placement_policy = MACHINE_PLACE_RANDOM;
        ck_assert_uint_eq(check_run(e, &config, &a), digest);
        machine_settings_default(&settings);
    }
    lib_text_free(&a.text);
    test_program_free(&p);
}

START_TEST(what_they_compute)
{
    const struct example *e = &examples[_i];
    find_dgemm();
    for (int k = 0; k < 3; k++) {
        check_inputs(e, e->inputs[k], ISA_STAGE_IMAGE);
        check_inputs(e, e->inputs[k], ISA_STAGE_EXPANDING);
    }
}
END_TEST

static unsigned rows_found;

static void check_row(const struct test_row *row, struct test_program *p)
{
    for (int i = 0; i < EXAMPLES; i++) {
        if (strcmp(examples[i].name, row->program) != 0)
            continue;
        struct answer a = find_answer(&examples[i], p);
        test_check_row(row, lib_text_get(&a.text), a.calls);
        lib_text_free(&a.text);
        rows_found++;
    }
}

START_TEST(what_the_table_says)
{
    rows_found = 0;
    find_dgemm();
    test_each_example(check_row);
    ck_assert_uint_ge(rows_found, 2 * EXAMPLES);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor examples");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, what_they_compute, 0, EXAMPLES);
    tcase_add_test(tcase, what_the_table_says);
    return test_main("tensor examples", tcase);
}
