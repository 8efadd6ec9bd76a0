/* The examples with arrays: results and numbers of calls are computed by plain C, which knows
 * nothing of arrays that wait; data_examples.c has those with data. Ints are found in another way
 * if there is one (a closed form, the sieve of Eratosthenes, qsort). Reals must agree to the last
 * bit: they are added in the order of the language, and what they solve shows that they are right.
 */
#include "tests/unit/plain_c.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SIDE_MAX = 70 }; /* of a side */

/* --- what they share -------------------------------------------------------------------- */

/* Calls that the sum of so many elements makes: one for each, one for each sum of two. */
static uint64_t sum_calls(uint64_t elements)
{
    return elements ? 2 * elements - 1 : 0;
}

/* The fixed tree. */
static double tree_sum(const double *x, int64_t from, int64_t to)
{
    if (to - from <= 1)
        return from < to ? x[from] : 0;
    int64_t middle = from + (to - from) / 2;
    return tree_sum(x, from, middle) + tree_sum(x, middle, to);
}

static void write_ints(struct lib_text *out, const int64_t *x, int64_t count)
{
    lib_text_puts(out, "[");
    for (int64_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%" PRId64, i ? ", " : "", x[i]);
    lib_text_puts(out, "]");
}

static void write_reals(struct lib_text *out, const double *x, int64_t count)
{
    lib_text_puts(out, "[");
    for (int64_t i = 0; i < count; i++) {
        lib_text_puts(out, i ? ", " : "");
        lib_text_real(out, x[i]);
    }
    lib_text_puts(out, "]");
}

/* --- ints ------------------------------------------------------------------------------- */

static void matmul(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    lib_text_puts(&a->text, "[");
    for (int64_t i = 0; i < n; i++) {
        int64_t row[SIDE_MAX] = {0};
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = 0; j < n; j++)
                row[j] += (i + 2 * k) * (k * j - 3);
        lib_text_puts(&a->text, i ? ", " : "");
        write_ints(&a->text, row, n);
    }
    lib_text_puts(&a->text, "]");
    a->calls = 1 + (uint64_t)(n * n) * (1 + sum_calls((uint64_t)n));
}

/* The number of ways with k diagonal steps is a binomial twice: Delannoy numbers. */
static void wavefront(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0] - 1, prime = 1000003;
    static int64_t binomial[SIDE_MAX][SIDE_MAX];
    int64_t ways = 0, power = 1;
    for (int64_t i = 0; i <= n; i++) {
        binomial[i][0] = binomial[i][i] = 1;
        for (int64_t k = 1; k < i; k++)
            binomial[i][k] = (binomial[i - 1][k - 1] + binomial[i - 1][k]) % prime;
    }
    for (int64_t k = 0; k <= n; k++, power = power * 2 % prime)
        ways = (ways + binomial[n][k] * binomial[n][k] % prime * power) % prime;
    lib_text_printf(&a->text, "%" PRId64, ways);
    a->calls = (uint64_t)n + 1;
}

static void sieve(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    bool *composite = lib_mem_new((size_t)n + 1);
    int64_t count = 0, greatest = 0;
    for (int64_t i = 2; i <= n; i++) {
        if (composite[i])
            continue;
        count++;
        greatest = i;
        for (int64_t k = i * i; k <= n; k += i)
            composite[k] = true;
    }
    lib_mem_free(composite);
    lib_text_printf(&a->text, "(%" PRId64 ", %" PRId64 ")", count, greatest);
    a->calls = (uint64_t)(n - 1 + n - greatest + 1) + sum_calls((uint64_t)n + 1);
}

static void lcs(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    static int64_t length[SIDE_MAX][SIDE_MAX], common[SIDE_MAX];
    int64_t x[SIDE_MAX] = {0}, y[SIDE_MAX] = {0};
    for (int64_t i = 0; i < n; i++) {
        x[i] = (i * i + 3) % 10;
        y[i] = (3 * i * i + i) % 10;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t up = length[i][j + 1], left = length[i + 1][j];
            length[i + 1][j + 1] = x[i] == y[j] ? length[i][j] + 1
                                   : up > left  ? up
                                                : left;
        }
    a->calls = (uint64_t)n + 1;
    for (int64_t i = n, j = n, left = length[n][n]; left > 0; a->calls++) {
        if (x[i - 1] == y[j - 1]) {
            common[--left] = x[i - 1];
            i--;
            j--;
        } else if (length[i - 1][j] >= length[i][j - 1]) {
            i--;
        } else {
            j--;
        }
    }
    lib_text_printf(&a->text, "(%" PRId64 ", ", length[n][n]);
    write_ints(&a->text, common, length[n][n]);
    lib_text_puts(&a->text, ")");
}

static int compare_ints(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Elements that are moved when so many are sorted by merging. */
static uint64_t moves(uint64_t n)
{
    return n <= 1 ? 0 : n + moves(n / 2) + moves(n - n / 2);
}

static void mergesort_(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    int64_t x[SIDE_MAX] = {0};
    for (int64_t i = 0; i < n; i++)
        x[i] = i * i * 37 % 101;
    qsort(x, (size_t)n, sizeof *x, compare_ints);
    write_ints(&a->text, x, n);
    /* sorted, merged; next for each move; is_left there, and for each element. */
    a->calls = n == 0 ? 1 : (uint64_t)(2 * n - 1 + n - 1) + 3 * moves((uint64_t)n);
}

/* Calls that sorting `count` elements by quicksort makes: one for each part. */
static uint64_t quicksort_calls(const int64_t *x, int64_t count)
{
    if (count < 2)
        return 1;
    int64_t less[SIDE_MAX], more[SIDE_MAX], counts[2] = {0};
    for (int64_t i = 1; i < count; i++)
        if (x[i] < x[0])
            less[counts[0]++] = x[i];
        else
            more[counts[1]++] = x[i];
    return 1 + quicksort_calls(less, counts[0]) + quicksort_calls(more, counts[1]);
}

static void quicksort(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    int64_t x[SIDE_MAX] = {0};
    for (int64_t i = 0; i < n; i++)
        x[i] = (i + 1) * 7919 % 1009;
    a->calls = quicksort_calls(x, n);
    qsort(x, (size_t)n, sizeof *x, compare_ints);
    write_ints(&a->text, x, n);
}

static void histogram(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    int64_t counts[10] = {0};
    for (int64_t i = 0; i < n; i++)
        counts[i * i / 3 % 10]++;
    write_ints(&a->text, counts, 10);
    a->calls = n == 0 ? 1 : (uint64_t)(2 * n - 1 + 10 * n);
}

/* --- reals ------------------------------------------------------------------------------ */

static void gauss(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    static double original[SIDE_MAX][SIDE_MAX + 1], m[SIDE_MAX][SIDE_MAX + 1];
    double x[SIDE_MAX] = {0}, terms[SIDE_MAX];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= n; j++)
            m[i][j] = original[i][j] = j == n ? (double)(i + 1)
                                              : (double)((3 * i + 5 * j) % 7) +
                                                    (i == j ? 0.5 : 0);
    a->calls = (uint64_t)(n * (n + 1) + 1);
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            best = fabs(m[i][k]) > fabs(m[best][k]) ? i : best;
        for (int64_t j = 0; j <= n; j++) {
            double other = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = other;
        }
        for (int64_t i = k + 1; i < n; i++) {
            double factor = m[i][k] / m[k][k];
            for (int64_t j = 0; j <= n; j++)
                m[i][j] = m[i][j] - factor * m[k][j];
        }
        a->calls += 3 + (uint64_t)(n - 1 - k);
    }
    for (int64_t i = n; i-- > 0;) {
        for (int64_t j = i + 1; j < n; j++)
            terms[j] = m[i][j] * x[j];
        x[i] = (m[i][n] - tree_sum(terms, i + 1, n)) / m[i][i];
        a->calls += sum_calls((uint64_t)(n - 1 - i));
    }
    for (int64_t i = 0; i < n; i++) {
        double left = 0;
        for (int64_t j = 0; j < n; j++)
            left += original[i][j] * x[j];
        ck_assert_double_lt(fabs(left - original[i][n]), 1e-9);
    }
    write_reals(&a->text, x, n);
}

static void jacobi(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0], steps = inputs[1];
    static double u[2][SIDE_MAX][SIDE_MAX];
    double column[SIDE_MAX];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            u[0][i][j] = u[1][i][j] = i == 0 ? 100 : 0;
    for (int64_t t = 0; t < steps; t++)
        for (int64_t i = 1; i < n - 1; i++)
            for (int64_t j = 1; j < n - 1; j++) {
                double(*v)[SIDE_MAX] = u[t % 2];
                u[(t + 1) % 2][i][j] = (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] +
                                        v[i][j + 1]) /
                                       4;
            }
    for (int64_t i = 0; i < n; i++)
        column[i] = u[steps % 2][i][n / 2];
    write_reals(&a->text, column, n);
    a->calls = (uint64_t)(steps * (1 + n * n + n * (n > 2 ? n - 2 : 0)));
}

struct complex {
    double re, im;
};

static struct complex times(struct complex z, struct complex w)
{
    return (struct complex){z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}

/* Of every `step`th of the points from `x` on. */
static void transform(const struct complex *x, int64_t n, int64_t step,
                      struct complex *out)
{
    struct complex even[SIDE_MAX], odd[SIDE_MAX];
    if (n == 1) {
        out[0] = x[0];
        return;
    }
    transform(x, n / 2, 2 * step, even);
    transform(x + step, n / 2, 2 * step, odd);
    for (int64_t k = 0; k < n / 2; k++) {
        double angle = -M_PI * (double)k / (double)(n / 2);
        struct complex t = times(odd[k], (struct complex){cos(angle), sin(angle)});
        out[k] = (struct complex){even[k].re + t.re, even[k].im + t.im};
        out[k + n / 2] = (struct complex){even[k].re - t.re, even[k].im - t.im};
    }
}

static void fft(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    struct complex x[SIDE_MAX] = {{0}}, y[SIDE_MAX];
    for (int64_t i = 0; i < n; i++)
        x[i] = (struct complex){(double)(i % 3), 0};
    transform(x, n, 1, y);
    lib_text_puts(&a->text, "[");
    for (int64_t k = 0; k < n; k++) {
        struct complex slow = {0, 0}; /* the transform by its definition */
        for (int64_t i = 0; i < n; i++) {
            double angle = -2 * M_PI * (double)(i * k % n) / (double)n;
            struct complex t = times(x[i], (struct complex){cos(angle), sin(angle)});
            slow = (struct complex){slow.re + t.re, slow.im + t.im};
        }
        ck_assert_double_lt(hypot(slow.re - y[k].re, slow.im - y[k].im), 1e-9);
        lib_text_puts(&a->text, k ? ", (" : "(");
        lib_text_real(&a->text, y[k].re);
        lib_text_puts(&a->text, ", ");
        lib_text_real(&a->text, y[k].im);
        lib_text_puts(&a->text, ")");
    }
    lib_text_puts(&a->text, "]");
    /* fft, combined; for each move turned, times, and plus or minus. */
    a->calls = (uint64_t)(2 * n - 1 + n - 1) + 3 * moves((uint64_t)n);
}

static double dot(const double *x, const double *y, int64_t n)
{
    double terms[SIDE_MAX];
    for (int64_t i = 0; i < n; i++)
        terms[i] = x[i] * y[i];
    return tree_sum(terms, 0, n);
}

static void times_matrix(const double *x, int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < n - 1 ? x[i + 1] : 0);
}

static void gradient(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    double x[SIDE_MAX] = {0}, r[SIDE_MAX] = {0}, p[SIDE_MAX] = {0}, q[SIDE_MAX];
    for (int64_t i = 0; i < n; i++)
        r[i] = p[i] = (double)(i % 2 + 1);
    double rr = dot(r, r, n);
    uint64_t steps = 0;
    for (; rr >= 1e-20; steps++) {
        times_matrix(p, n, q);
        double alpha = rr / dot(p, q, n);
        for (int64_t i = 0; i < n; i++) {
            x[i] = x[i] + alpha * p[i];
            r[i] = r[i] + -alpha * q[i];
        }
        double ss = dot(r, r, n);
        for (int64_t i = 0; i < n; i++)
            p[i] = r[i] + ss / rr * p[i];
        rr = ss;
    }
    times_matrix(x, n, q);
    for (int64_t i = 0; i < n; i++)
        ck_assert_double_lt(fabs(q[i] - (double)(i % 2 + 1)), 1e-9);
    lib_text_printf(&a->text, "(%" PRIu64 ", ", steps);
    write_reals(&a->text, x, n);
    lib_text_puts(&a->text, ")");
    const uint64_t dots = 1 + sum_calls((uint64_t)n);
    a->calls = 1 + dots + steps * (1 + 1 + 3 + 2 * dots);
}

/* --- contributions: of dyadic reals, so that all sums are exact ----------------------------- */

static void spmv(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0], times = inputs[1], elements = 5 * n;
    double x[SIDE_MAX], y[SIDE_MAX];
    for (int64_t i = 0; i < n; i++)
        x[i] = 1 + (double)i * 0.5;
    for (int64_t k = 0; k < times; k++) {
        memset(y, 0, sizeof y);
        for (int64_t e = elements; e-- > 0;)
            y[e * 7 % n] += (double)(e % 9 - 4) * 0.125 * x[(e * e + 3 * e) % n];
        memcpy(x, y, sizeof x);
    }
    write_reals(&a->text, x, n);
    a->calls = (uint64_t)(times * (1 + 3 * elements));
}

static void particles(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0], points = inputs[1];
    double field[SIDE_MAX], charge[SIDE_MAX] = {0};
    for (int64_t i = 0; i < points; i++)
        field[i] = (double)(i * 5 % 7) * 0.125 - 0.25;
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = k * 7 % points;
        const double part = (double)(k % 64) / 64;
        const double v = field[i] + part * (field[(i + 1) % points] - field[i]);
        const double y = (double)i + part + v + (double)points, low = floor(y);
        charge[(int64_t)low % points] += 1 - (y - low);
        charge[((int64_t)low + 1) % points] += y - low;
    }
    write_reals(&a->text, charge, points);
    a->calls = (uint64_t)(2 * n);
}

/* A queue, in place of levels. */
static void bfs(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0], edges = inputs[1];
    int64_t distance[SIDE_MAX], queue[SIDE_MAX], end = 1, levels = 1;
    for (int64_t i = 0; i < n; i++)
        distance[i] = i ? -1 : 0;
    queue[0] = 0;
    for (int64_t at = 0; at < end; at++)
        for (int64_t e = 0; e < edges; e++) {
            const int64_t to = (e + e / 3 + 1) % n;
            if (e * 5 % n != queue[at] || distance[to] >= 0)
                continue;
            distance[to] = distance[queue[at]] + 1;
            levels = distance[to] + 1;
            queue[end++] = to;
        }
    write_ints(&a->text, distance, n);
    const int64_t sum = (int64_t)sum_calls((uint64_t)n);
    a->calls = (uint64_t)((levels + 1) * sum + levels * (sum + 2 * edges));
}

/* --- the examples ----------------------------------------------------------------------- */

static const struct example examples[] = {
    {"bfs", bfs, {"n=1", "n=5 edges=0", "n=9 edges=12", "n=40 edges=69"}},
    {"fft", fft, {"n=1", "n=2", "n=4", "n=16"}},
    {"gauss", gauss, {"n=1", "n=2", "n=8", "n=11"}},
    {"gradient", gradient, {"n=1", "n=2", "n=5", "n=9"}},
    {"histogram", histogram, {"n=0", "n=1", "n=17", "n=60"}},
    {"jacobi", jacobi, {"n=1", "n=2 steps=3", "n=5 steps=0", "n=6 steps=7"}},
    {"lcs", lcs, {"n=0", "n=1", "n=7", "n=24"}},
    {"matmul", matmul, {"n=1", "n=2", "n=3", "n=7"}},
    {"mergesort", mergesort_, {"n=0", "n=1", "n=7", "n=33"}},
    {"particles", particles, {"n=0", "n=1", "n=17 points=5", "n=70 points=64"}},
    {"quicksort", quicksort, {"n=0", "n=1", "n=16", "n=60"}},
    {"sieve", sieve, {"n=2", "n=3", "n=25", "n=60"}},
    {"spmv", spmv, {"n=1", "n=2 times=0", "n=7 times=2", "n=30"}},
    {"wavefront", wavefront, {"n=1", "n=2", "n=9", "n=24"}},
};

/* --- the wavefront ---------------------------------------------------------------------- */

static struct traces_stats wavefront_stats(unsigned n)
{
    char inputs[16];
    snprintf(inputs, sizeof inputs, "n=%u", n);
    struct test_program p = test_example("wavefront");
    test_set_inputs(&p, inputs);
    struct test_outcome o = test_interp(p.graph, p.inputs, false);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    test_program_free(&p);
    return o.stats;
}

/* A diagonal of the table is computed at once: with n doubled, the way from corner to corner
 * is twice as long, and twice as many elements are computed side by side. */
START_TEST(wavefront_is_parallel)
{
    for (unsigned n = 8; n <= 128; n *= 2) {
        struct traces_stats once = wavefront_stats(n), twice = wavefront_stats(2 * n);
        double parallelism = (double)once.firings / (double)once.span;
        double growth = (double)twice.span / (double)once.span;
        ck_assert_msg(parallelism >= n / 2.0, "n = %u: parallelism %g", n, parallelism);
        /* What is done once is less than 5% from here on. */
        ck_assert_msg(n < 32 || fabs(growth / 2 - 1) <= 0.05,
                      "n = %u: span grows %g-fold", n, growth);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("examples");
    tcase_set_timeout(tests, 120);
    plain_add(tests, examples, sizeof examples / sizeof *examples);
    tcase_add_test(tests, wavefront_is_parallel);
    return test_main("examples", tests);
}
