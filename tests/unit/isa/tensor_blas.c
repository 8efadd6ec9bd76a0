/* OpenBLAS against the reference; initial values. */
#include "tests/unit/tensors.h"

#include "isa/tensor/blas.h"
#include "isa/tensor/initialise.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

/* --- OpenBLAS ------------------------------------------------------------------------- */

static const struct isa_blas *blas_or_null(void)
{
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    const struct isa_blas *blas = isa_blas_load("haswell", &outcome, &why);
    if (!blas)
        printf("skipped: %s\n", lib_text_get(&why));
    lib_text_free(&why);
    return blas;
}

START_TEST(blas_is_near_to_the_reference)
{
    static const int64_t sizes[][3] = {{1, 1, 1},     {1, 300, 1},  {200, 300, 1},
                                       {1, 300, 200}, {64, 64, 64}, {33, 1, 65},
                                       {5, 700, 130}, {3, 0, 2}};
    const struct isa_blas *blas = blas_or_null();
    for (unsigned s = 0; blas && s < sizeof sizes / sizeof *sizes; s++)
        for (uint8_t element = 0; element < 2; element++) {
            const int64_t m = sizes[s][0], k = sizes[s][1], n = sizes[s][2];
            struct isa_tensor *a = test_tensor(element, 2, (int64_t[]){m, k}, 2);
            struct isa_tensor *b = test_tensor(element, 2, (int64_t[]){k, n}, 4);
            const struct isa_tensor *const operands[] = {a, b};
            struct isa_tensor *c = test_apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
            struct isa_tensor *d = test_kernel_apply(
                &test_memory, blas, ISA_KERNEL_MATMUL, operands, (struct isa_numbers){0},
                true, NULL, NULL);
            for (uint64_t i = 0; i < c->count; i++) {
                /* Relative to what was added, which sums may cancel. */
                const double size = 64.0 * (double)k;
                const double bound = element == ISA_ELEMENT_REAL ? 1e-12 : 1e-5;
                ck_assert(fabs(isa_tensor_get(c, i) - isa_tensor_get(d, i)) <=
                          bound * size);
            }
            struct isa_tensor *all[] = {a, b, c, d};
            for (size_t i = 0; i < sizeof all / sizeof *all; i++)
                isa_tensor_free(&test_memory, all[i]);
        }
}
END_TEST

/* Products of columns and rows, which the kernel computes without BLAS where the core adds to 0:
 * the bits are those of BLAS. */
START_TEST(outer_products_have_the_bits_of_blas)
{
    static const char *const cores[] = {"prescott",    "core2",   "penryn", "nehalem",
                                        "sandybridge", "haswell", "zen",    "skylakex"};
    static const double special[] = {-0.0, 0.0, -1e-310, 1e200, -1e-200, 4e-324, 1.5};
    const int64_t m = 40 + _i, n = 90;
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    const struct isa_blas *blas = isa_blas_load(cores[_i], &outcome, &why);
    for (uint8_t element = 0; blas && element < 2; element++) {
        struct isa_tensor *a = test_tensor(element, 2, (int64_t[]){m, 1}, 2);
        struct isa_tensor *b = test_tensor(element, 2, (int64_t[]){1, n}, 4);
        const struct isa_tensor *const operands[] = {a, b};
        for (int64_t i = 0; i < m; i++)
            if (i % 3)
                isa_tensor_set(a, (uint64_t)i, special[i % 7]);
        for (int64_t i = 0; i < n; i++)
            if (i % 3)
                isa_tensor_set(b, (uint64_t)i, special[i % 7]);
        struct isa_tensor *c = test_kernel_apply(&test_memory, blas, ISA_KERNEL_MATMUL,
                                                 operands, (struct isa_numbers){0}, true,
                                                 NULL, NULL);
        struct isa_tensor *d = isa_tensor_new(&test_memory, &c->shape);
        if (element == ISA_ELEMENT_REAL)
            isa_blas_gemm(blas, a->reals, b->reals, d->reals, m, n, 1);
        else
            isa_blas_gemm32(blas, a->reals32, b->reals32, d->reals32, m, n, 1);
        isa_tensor_seal(d, false);
        ck_assert(isa_blas_adds_to_zero(blas) == (strcmp(cores[_i], "skylakex") != 0));
        ck_assert_mem_eq(c->data, d->data, c->bytes);
        struct isa_tensor *all[] = {a, b, c, d};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            isa_tensor_free(&test_memory, all[i]);
    }
    lib_text_free(&why);
}
END_TEST

/* c = a * b of 1 x 64 and 64 x 1, whose sum depends on the order of the core. */
static double sum_by(const struct isa_blas *blas)
{
    double a[64], b[64], c = 0;
    for (int i = 0; i < 64; i++) {
        a[i] = 1.0 / (i + 1);
        b[i] = i % 2 ? -1.0 / (i + 3) : 1.0 / (i + 3);
    }
    isa_blas_gemm(blas, a, b, &c, 1, 1, 64);
    return c;
}

START_TEST(each_core_is_a_copy)
{
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    ck_assert(isa_blas_load("hasswell", &outcome, &why) == NULL);
    if (outcome != ISA_BLAS_ABSENT && outcome != ISA_BLAS_LEFT_OUT) {
        ck_assert_int_eq(outcome, ISA_BLAS_NO_CORE);
        ck_assert_msg(strstr(why.bytes, "did you mean `haswell`?"), "%s", why.bytes);
    }
    lib_text_clear(&why);
    const struct isa_blas *blas = blas_or_null();
    if (blas) {
        ck_assert_str_eq(isa_blas_core(blas), "Haswell");
        ck_assert(isa_blas_version(blas)[0] >= '0' && isa_blas_version(blas)[0] <= '9');
        const double before = sum_by(blas);
        const struct isa_blas *chosen = isa_blas_load("auto", &outcome, &why);
        ck_assert(chosen && outcome == ISA_BLAS_LOADED);
        ck_assert(isa_blas_load("auto", &outcome, &why) == chosen);
        ck_assert(isa_blas_load("Haswell", &outcome, &why) == blas);
        const struct isa_blas *other = isa_blas_load("nehalem", &outcome, &why);
        ck_assert_msg(other && other != blas, "%s", lib_text_get(&why));
        ck_assert_str_eq(isa_blas_core(other), "Nehalem");
        ck_assert_double_eq_tol(sum_by(other), before, 1e-12);
        ck_assert(sum_by(blas) == before);
        ck_assert(!isa_blas_has_refused());
    }
    lib_text_free(&why);
}
END_TEST

static int threads_of_process(void)
{
    int count = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "Threads: %d", &count);
    if (status)
        fclose(status);
    return count;
}

/* A host with OpenBLAS keeps its number of threads, and its core. */
START_TEST(the_hosts_openblas_is_as_before)
{
    setenv("OPENBLAS_NUM_THREADS", "2", 1);
    setenv("OPENBLAS_CORETYPE", "Prescott", 1);
    void *host = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    int (*get_threads)(void) = NULL;
    const char *(*get_core)(void) = NULL;
    if (host) {
        *(void **)&get_threads = dlsym(host, "openblas_get_num_threads");
        *(void **)&get_core = dlsym(host, "openblas_get_corename");
    }
    if (get_threads && get_core) {
        const int before = get_threads(), running = threads_of_process();
        char core[32];
        snprintf(core, sizeof core, "%s", get_core());
        const struct isa_blas *blas = blas_or_null();
        if (blas)
            ck_assert_str_eq(isa_blas_core(blas), "Haswell");
        ck_assert_int_eq(get_threads(), before);
        ck_assert_int_eq(threads_of_process(), running);
        ck_assert_str_eq(get_core(), core);
    } else {
        puts("skipped: the host has no OpenBLAS");
    }
}
END_TEST

START_TEST(the_environment_is_as_before)
{
    char **variables;
    setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
    setenv("OMP_NUM_THREADS", "5", 1);
    unsetenv("OPENBLAS_NUM_THREADS");
    variables = environ;
    if (blas_or_null()) {
        ck_assert_ptr_eq(environ, variables);
        ck_assert_str_eq(getenv("OPENBLAS_CORETYPE"), "Nehalem");
        ck_assert_str_eq(getenv("OMP_NUM_THREADS"), "5");
        ck_assert(getenv("OPENBLAS_NUM_THREADS") == NULL);
    }
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OMP_NUM_THREADS");
}
END_TEST

/* --- initial values ------------------------------------------------------------------- */

static struct isa_tensor *initialised(enum isa_initialiser initialiser, double p,
                                      double q, uint64_t seed, uint64_t stream)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 2, {1000, 101}};
    struct isa_tensor *tensor = isa_tensor_new(&test_memory, &shape);
    isa_tensor_initialise(tensor, initialiser, (double[]){p, q}, seed, stream);
    isa_tensor_seal(tensor, true);
    return tensor;
}

START_TEST(normal_values_are_distributed_so)
{
    struct isa_tensor *t = initialised(ISA_INITIALISER_NORMAL, 0.5, 0, 42, 7);
    double sum = 0, squares = 0, fourth = 0, neighbours = 0;
    uint64_t inside = 0;
    const double n = (double)t->count;
    for (uint64_t i = 0; i < t->count; i++) {
        const double x = t->reals[i] / 0.5;
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        neighbours += i > 0 ? x * t->reals[i - 1] / 0.5 : 0;
        inside += fabs(x) < 1;
    }
    /* Some 4 standard deviations of each. */
    ck_assert_double_lt(fabs(sum / n), 0.0126);
    ck_assert_double_lt(fabs(squares / n - 1), 0.018);
    ck_assert_double_lt(fabs(fourth / n - 3), 0.125);
    ck_assert_double_lt(fabs(neighbours / n), 0.0126);
    ck_assert_double_lt(fabs((double)inside / n - 0.682689), 0.006);
    isa_tensor_free(&test_memory, t);
}
END_TEST

START_TEST(uniform_values_are_distributed_so)
{
    struct isa_tensor *t = initialised(ISA_INITIALISER_UNIFORM, -2, 6, 42, 7);
    uint64_t bins[8] = {0};
    for (uint64_t i = 0; i < t->count; i++) {
        ck_assert(t->reals[i] >= -2 && t->reals[i] <= 6);
        bins[(int)fmin(t->reals[i] + 2, 7)]++;
    }
    for (unsigned i = 0; i < 8; i++)
        ck_assert_double_lt(fabs((double)bins[i] * 8 / (double)t->count - 1), 0.035);
    isa_tensor_free(&test_memory, t);
}
END_TEST

START_TEST(values_depend_on_seed_stream_and_place_alone)
{
    struct isa_tensor *a = initialised(ISA_INITIALISER_NORMAL, 1, 0, 1, 2);
    struct isa_tensor *b = initialised(ISA_INITIALISER_NORMAL, 1, 0, 2, 2);
    struct isa_tensor *c = initialised(ISA_INITIALISER_NORMAL, 1, 0, 1, 3);
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {33}},
                           less = {ISA_ELEMENT_REAL32, 1, {33}};
    struct isa_tensor *d = isa_tensor_new(&test_memory, &shape),
                      *e = isa_tensor_new(&test_memory, &less);
    isa_tensor_initialise(d, ISA_INITIALISER_NORMAL, (double[]){1}, 1, 2);
    isa_tensor_initialise(e, ISA_INITIALISER_NORMAL, (double[]){1}, 1, 2);
    ck_assert(a->word != b->word && a->word != c->word && b->word != c->word);
    ck_assert_mem_eq(a->data, d->data, d->bytes);
    for (uint64_t i = 0; i < 33; i++)
        ck_assert(e->reals32[i] == (float)d->reals[i]);
    struct isa_tensor *all[] = {a, b, c, d, e};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&test_memory, all[i]);
}
END_TEST

static void check_takes(enum isa_initialiser initialiser, double p, double q,
                        const char *expected)
{
    struct lib_text why = {0};
    const bool takes = isa_initialiser_takes(initialiser, (double[]){p, q}, &why);
    ck_assert_str_eq(lib_text_get(&why), expected);
    ck_assert(takes == (*expected == '\0'));
    lib_text_free(&why);
}

START_TEST(arguments_of_initialisers)
{
    check_takes(ISA_INITIALISER_NORMAL, 0, 0, "");
    check_takes(ISA_INITIALISER_NORMAL, -1, 0,
                "`normal(sigma)` has no such value: found -1.0; expected 0.0 or more");
    check_takes(ISA_INITIALISER_NORMAL, NAN, 0,
                "`normal(sigma)` takes finite numbers; found nan");
    check_takes(ISA_INITIALISER_UNIFORM, 1, 1, "");
    check_takes(
        ISA_INITIALISER_UNIFORM, 2, 1,
        "`uniform(low, high)` has no such value: found 2.0, 1.0; expected low <= high");
    check_takes(ISA_INITIALISER_ONES, 0, 0, "");
    ck_assert(isa_initialiser_find("ones") == ISA_INITIALISER_ONES);
    ck_assert(isa_initialiser_find("one") == ISA_INITIALISER_NONE);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor_blas");
    tcase_add_checked_fixture(tcase, test_start, test_finish);
    tcase_add_test(tcase, the_environment_is_as_before);
    tcase_add_test(tcase, blas_is_near_to_the_reference);
    tcase_add_loop_test(tcase, outer_products_have_the_bits_of_blas, 0, 8);
    tcase_add_test(tcase, each_core_is_a_copy);
    tcase_add_test(tcase, the_hosts_openblas_is_as_before);
    tcase_add_test(tcase, normal_values_are_distributed_so);
    tcase_add_test(tcase, uniform_values_are_distributed_so);
    tcase_add_test(tcase, values_depend_on_seed_stream_and_place_alone);
    tcase_add_test(tcase, arguments_of_initialisers);
    return test_main("tensor_blas", tcase);
}
