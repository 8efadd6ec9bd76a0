/* What kernels compute, against a second evaluation of each: element by element, from the meaning. */
#include "tests/unit/main.h"

#include "isa/tensor/blas.h"
#include "isa/tensor/initialise.h"
#include "isa/tensor/kernel.h"
#include "lib/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- operands --------------------------------------------------------------- */

static struct isa_tensor_memory memory;

static struct isa_tensor *tensor_of(uint8_t element, unsigned rank,
                                    const int64_t *extents, uint64_t seed)
{
    struct isa_shape shape = {.element = element, .rank = (uint8_t)rank};
    memcpy(shape.extents, extents, rank * sizeof *extents);
    struct isa_tensor *tensor = isa_tensor_new(&memory, &shape);
    for (uint64_t i = 0; i < tensor->count; i++) {
        const uint64_t drawn = lib_hash_mix(seed * 7919 + i);
        const double some[] = {0.0, -0.0, 1, -1, NAN, INFINITY, 0.5, 3};
        double value = (double)(int64_t)(drawn >> 11) * 0x1p-52 * 8 - 8;
        if (seed % 2 && drawn % 4 == 0)
            value = some[drawn / 4 % 8];
        isa_tensor_set(tensor, i, value);
    }
    isa_tensor_seal(tensor, true);
    return tensor;
}

static struct isa_tensor *apply(enum isa_kernel kernel, const struct isa_tensor *a,
                                const struct isa_tensor *b, const int64_t *numbers,
                                size_t count)
{
    const struct isa_tensor *const operands[] = {a, b};
    struct lib_text why = {0};
    struct isa_tensor *result = isa_kernel_apply(&memory, NULL, kernel, operands,
                                                 (struct isa_numbers){numbers, count},
                                                 true, NULL, &why);
    ck_assert_msg(result != NULL, "%s", lib_text_get(&why));
    lib_text_free(&why);
    return result;
}

/* The places on the axes of element i. */
static void places_of(const struct isa_shape *shape, uint64_t i, int64_t *places)
{
    for (unsigned axis = shape->rank; axis-- > 0;) {
        places[axis] = (int64_t)(i % (uint64_t)shape->extents[axis]);
        i /= (uint64_t)shape->extents[axis];
    }
}

static double at(const struct isa_tensor *tensor, const int64_t *places)
{
    uint64_t i = 0;
    for (unsigned axis = 0; axis < tensor->shape.rank; axis++)
        i = i * (uint64_t)tensor->shape.extents[axis] + (uint64_t)places[axis];
    return isa_tensor_get(tensor, i);
}

/* The element of an operand that is broadcast to these places of the result. */
static double broadcast_at(const struct isa_tensor *tensor, unsigned rank,
                           const int64_t *places)
{
    int64_t own[ISA_RANK_MOST];
    for (unsigned axis = 0; axis < tensor->shape.rank; axis++) {
        const int64_t place = places[rank - tensor->shape.rank + axis];
        own[axis] = tensor->shape.extents[axis] == 1 ? 0 : place;
    }
    return at(tensor, own);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static double rounded(const struct isa_tensor *tensor, double value)
{
    return tensor->shape.element == ISA_ELEMENT_REAL ? value : (double)(float)value;
}

/* --- element by element -------------------------------------------------------- */

/* A real32's operation is exact in reals and rounded once, or else rounds as if it were (+ - * / and sqrt:
 * Figueroa, When is double rounding innocuous, SIGNUM Newsletter 30, 1995). */
static double binary(enum isa_kernel kernel, double x, double y)
{
    switch (kernel) {
    case ISA_KERNEL_ADD:
        return x + y;
    case ISA_KERNEL_SUB:
        return x - y;
    case ISA_KERNEL_MUL:
        return x * y;
    case ISA_KERNEL_DIV:
        return x / y;
    case ISA_KERNEL_MIN:
        return isnan(x) || isnan(y) ? NAN : x < y || (x == y && signbit(x)) ? x : y;
    case ISA_KERNEL_MAX:
        return isnan(x) || isnan(y) ? NAN : x > y || (x == y && signbit(y)) ? x : y;
    case ISA_KERNEL_EQ:
        return x == y;
    case ISA_KERNEL_NE:
        return !(x == y);
    case ISA_KERNEL_LT:
        return isless(x, y);
    case ISA_KERNEL_LE:
        return islessequal(x, y);
    case ISA_KERNEL_GT:
        return isgreater(x, y);
    case ISA_KERNEL_GE:
        return isgreaterequal(x, y);
    default:
        ck_abort_msg("%s is not known here", isa_kernels[kernel].text);
    }
    return 0;
}

static double unary(enum isa_kernel kernel, double x)
{
    switch (kernel) {
    case ISA_KERNEL_NEG:
        return -x;
    case ISA_KERNEL_ABS:
        return fabs(x);
    case ISA_KERNEL_SQRT:
        return sqrt(x);
    case ISA_KERNEL_EXP:
        return exp(x);
    case ISA_KERNEL_LOG:
        return log(x);
    case ISA_KERNEL_SIN:
        return sin(x);
    case ISA_KERNEL_COS:
        return cos(x);
    case ISA_KERNEL_TANH:
        return tanh(x);
    case ISA_KERNEL_FLOOR:
        return floor(x);
    case ISA_KERNEL_RELU:
        return isnan(x) ? x : x > 0 ? x : 0.0;
    case ISA_KERNEL_SIGMOID:
        return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
    default:
        ck_abort_msg("%s is not known here", isa_kernels[kernel].text);
    }
    return 0;
}

START_TEST(elements_of_one_tensor)
{
    static const int64_t extents[] = {3, 41};
    for (enum isa_kernel kernel = ISA_KERNEL_NEG; kernel <= ISA_KERNEL_SIGMOID; kernel++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            struct isa_tensor *a = tensor_of((uint8_t)(seed / 2 % 2), 2, extents, seed);
            struct isa_tensor *result = apply(kernel, a, NULL, NULL, 0);
            ck_assert(isa_shape_equal(&a->shape, &result->shape));
            for (uint64_t i = 0; i < a->count; i++) {
                const double x = isa_tensor_get(a, i), found = isa_tensor_get(result, i);
                const double expected = rounded(a, unary(kernel, x));
                /* The C library's functions are not those of ours. */
                const double ulps = fabs(found - expected) / fabs(expected) /
                                    (a->shape.element == ISA_ELEMENT_REAL ? 0x1p-52
                                                                          : 0x1p-23);
                ck_assert_msg(same_bits(found, expected) || ulps <= 3,
                              "%s(%a): %a, not %a", isa_kernels[kernel].text, x, found,
                              expected);
            }
            isa_tensor_free(&memory, a);
            isa_tensor_free(&memory, result);
        }
}
END_TEST

static const struct {
    unsigned rank_a, rank_b, rank;
    int64_t a[4], b[4], result[4];
} pairs[] = {
    {2, 2, 2, {3, 5}, {3, 5}, {3, 5}},
    {0, 2, 2, {0}, {3, 5}, {3, 5}},
    {2, 0, 2, {3, 5}, {0}, {3, 5}},
    {2, 1, 2, {3, 5}, {5}, {3, 5}},
    {2, 2, 2, {3, 1}, {1, 5}, {3, 5}},
    {1, 4, 4, {5}, {2, 3, 4, 5}, {2, 3, 4, 5}},
    {4, 3, 4, {2, 1, 4, 1}, {3, 1, 5}, {2, 3, 4, 5}},
    {4, 4, 4, {2, 3, 1, 5}, {1, 1, 4, 5}, {2, 3, 4, 5}},
    {2, 2, 2, {0, 5}, {1, 5}, {0, 5}},
    {0, 0, 0, {0}, {0}, {0}},
};

START_TEST(elements_of_two_tensors)
{
    const unsigned p = (unsigned)_i, rank = pairs[p].rank;
    for (enum isa_kernel kernel = ISA_KERNEL_ADD; kernel <= ISA_KERNEL_GE; kernel++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            const uint8_t element = seed % 4 < 2 ? ISA_ELEMENT_REAL : ISA_ELEMENT_REAL32;
            struct isa_tensor *a = tensor_of(element, pairs[p].rank_a, pairs[p].a, seed);
            struct isa_tensor *b = tensor_of(element, pairs[p].rank_b, pairs[p].b,
                                             seed + 100);
            struct isa_tensor *result = apply(kernel, a, b, NULL, 0);
            ck_assert_uint_eq(result->shape.rank, rank);
            ck_assert_mem_eq(result->shape.extents, pairs[p].result,
                             rank * sizeof(int64_t));
            for (uint64_t i = 0; i < result->count; i++) {
                int64_t places[ISA_RANK_MOST];
                places_of(&result->shape, i, places);
                const double x = broadcast_at(a, rank, places),
                             y = broadcast_at(b, rank, places);
                const double expected = rounded(result, binary(kernel, x, y));
                ck_assert_msg(same_bits(isa_tensor_get(result, i), expected),
                              "%a %s %a: %a", x, isa_kernels[kernel].text, y,
                              isa_tensor_get(result, i));
            }
            isa_tensor_free(&memory, a);
            isa_tensor_free(&memory, b);
            isa_tensor_free(&memory, result);
        }
}
END_TEST

START_TEST(real32s_round)
{
    static const int64_t extents[] = {1000};
    struct isa_tensor *a = tensor_of(ISA_ELEMENT_REAL, 1, extents, 1);
    struct isa_tensor *b = apply(ISA_KERNEL_TO_REAL32, a, NULL, NULL, 0);
    struct isa_tensor *c = apply(ISA_KERNEL_TO_REAL, b, NULL, NULL, 0);
    ck_assert(b->shape.element == ISA_ELEMENT_REAL32 && b->bytes == 4000 &&
              c->bytes == 8000);
    for (uint64_t i = 0; i < a->count; i++)
        ck_assert(same_bits(c->reals[i], (float)a->reals[i]));
    isa_tensor_free(&memory, a);
    isa_tensor_free(&memory, b);
    isa_tensor_free(&memory, c);
}
END_TEST

/* --- sums ------------------------------------------------------------------------ */

/* doc/language.md: sum(lo, hi) = sum(lo, mid) + sum(mid + 1, hi) with mid = lo + (hi - lo) / 2. */
static double tree(const double *x, int64_t lo, int64_t hi, bool is_real32)
{
    if (hi < lo)
        return 0;
    if (lo == hi)
        return x[lo];
    const int64_t mid = lo + (hi - lo) / 2;
    const double s = tree(x, lo, mid, is_real32) + tree(x, mid + 1, hi, is_real32);
    return is_real32 ? (double)(float)s : s;
}

/* The elements along an axis, at these places of the others. */
static int64_t line_of(const struct isa_tensor *a, unsigned axis, const int64_t *others,
                       double *line)
{
    int64_t places[ISA_RANK_MOST];
    for (unsigned i = 0, j = 0; i < a->shape.rank; i++)
        places[i] = i == axis ? 0 : others[j++];
    for (places[axis] = 0; places[axis] < a->shape.extents[axis]; places[axis]++)
        line[places[axis]] = at(a, places);
    return a->shape.extents[axis];
}

START_TEST(sums_and_greatest_along_an_axis)
{
    static const int64_t extents[][3] = {
        {7, 5, 9}, {1, 130, 3}, {300, 1, 2}, {2, 3, 131}, {4, 0, 2}};
    double line[400];
    for (unsigned e = 0; e < 5; e++)
        for (uint64_t seed = 0; seed < 4; seed++)
            for (int64_t axis = 0; axis < 3; axis++) {
                const uint8_t element = seed < 2 ? ISA_ELEMENT_REAL : ISA_ELEMENT_REAL32;
                struct isa_tensor *a = tensor_of(element, 3, extents[e], seed),
                                  *max = NULL;
                struct isa_tensor *sum = apply(ISA_KERNEL_REDUCE_SUM, a, NULL, &axis, 1);
                if (extents[e][axis] > 0)
                    max = apply(ISA_KERNEL_REDUCE_MAX, a, NULL, &axis, 1);
                for (uint64_t i = 0; i < sum->count; i++) {
                    int64_t places[ISA_RANK_MOST];
                    places_of(&sum->shape, i, places);
                    const int64_t n = line_of(a, (unsigned)axis, places, line);
                    ck_assert(same_bits(isa_tensor_get(sum, i),
                                        tree(line, 0, n - 1, seed >= 2)));
                    double most = n > 0 ? line[0] : 0;
                    for (int64_t j = 1; j < n; j++)
                        most = binary(ISA_KERNEL_MAX, most, line[j]);
                    if (max)
                        ck_assert(same_bits(isa_tensor_get(max, i), most));
                }
                isa_tensor_free(&memory, a);
                isa_tensor_free(&memory, sum);
                isa_tensor_free(&memory, max);
            }
}
END_TEST

START_TEST(the_sum_of_all_is_one_tree)
{
    for (int64_t n = 0; n < 200; n++) {
        struct isa_tensor *a = tensor_of(ISA_ELEMENT_REAL, 1, &n, 2);
        struct isa_tensor *sum = apply(ISA_KERNEL_REDUCE_SUM, a, NULL, NULL, 0);
        ck_assert(same_bits(sum->reals[0], tree(a->reals, 0, n - 1, false)));
        isa_tensor_free(&memory, a);
        isa_tensor_free(&memory, sum);
    }
}
END_TEST

/* --- products ----------------------------------------------------------------------- */

START_TEST(products_are_summed_up_in_order)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {2, 3, 4},   {4, 4, 8},    {5, 9, 7},
                                       {7, 0, 3}, {4, 513, 9}, {9, 1025, 5}, {3, 17, 1}};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint8_t element = 0; element < 2; element++) {
            const int64_t m = sizes[s][0], k = sizes[s][1], n = sizes[s][2];
            struct isa_tensor *a = tensor_of(element, 2, (int64_t[]){m, k}, 2);
            struct isa_tensor *b = tensor_of(element, 2, (int64_t[]){k, n}, 4);
            struct isa_tensor *c = apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
            for (int64_t i = 0; i < m; i++)
                for (int64_t j = 0; j < n; j++) {
                    double sum = 0;
                    for (int64_t p = 0; p < k; p++) {
                        const double product = at(a, (int64_t[]){i, p}) *
                                               at(b, (int64_t[]){p, j});
                        sum = rounded(c, sum + rounded(c, product));
                    }
                    ck_assert(same_bits(at(c, (int64_t[]){i, j}), sum));
                }
            isa_tensor_free(&memory, a);
            isa_tensor_free(&memory, b);
            isa_tensor_free(&memory, c);
        }
}
END_TEST

START_TEST(products_broadcast_and_take_vectors)
{
    static const int64_t many[] = {2, 1, 3, 4}, some[] = {5, 4, 2}, vector[] = {4};
    struct isa_tensor *a = tensor_of(0, 4, many, 2), *b = tensor_of(0, 3, some, 4);
    struct isa_tensor *v = tensor_of(0, 1, vector, 6);
    struct isa_tensor *c = apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
    struct isa_tensor *right = apply(ISA_KERNEL_MATMUL, a, v, NULL, 0);
    struct isa_tensor *left = apply(ISA_KERNEL_MATMUL, v, b, NULL, 0);
    struct isa_tensor *both = apply(ISA_KERNEL_MATMUL, v, v, NULL, 0);
    double square = 0;
    for (int64_t i = 0; i < 4; i++)
        square += v->reals[i] * v->reals[i];
    ck_assert(same_bits(both->reals[0], square));
    for (uint64_t i = 0; i < c->count; i++) {
        int64_t p[4];
        double sum = 0, of_right = 0, of_left = 0;
        places_of(&c->shape, i, p);
        for (int64_t k = 0; k < 4; k++) {
            const double x = at(a, (int64_t[]){p[0], 0, p[2], k});
            const double y = at(b, (int64_t[]){p[1], k, p[3]});
            sum += x * y;
            of_right += x * v->reals[k];
            of_left += v->reals[k] * y;
        }
        ck_assert(same_bits(isa_tensor_get(c, i), sum));
        ck_assert(same_bits(at(right, (int64_t[]){p[0], 0, p[2]}), of_right));
        ck_assert(same_bits(at(left, (int64_t[]){p[1], p[3]}), of_left));
    }
    struct isa_tensor *all[] = {a, b, v, c, right, left, both};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&memory, all[i]);
}
END_TEST

/* --- rows ------------------------------------------------------------------------------ */

static long double log_softmax(const double *x, int64_t n, int64_t i)
{
    long double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += expl((long double)x[j] - x[i]);
    return -logl(sum);
}

START_TEST(softmax_and_cross_entropy)
{
    static const int64_t extents[] = {6, 11}, labels[] = {0, 10, 3, 3, 7, 5};
    for (uint8_t element = 0; element < 2; element++) {
        const double bound = element == ISA_ELEMENT_REAL ? 1e-14 : 1e-5;
        struct isa_tensor *x = tensor_of(element, 2, extents, 2),
                          *y = tensor_of(element, 2, extents, 4);
        struct isa_tensor *soft = apply(ISA_KERNEL_SOFTMAX, x, NULL, NULL, 0);
        struct isa_tensor *cross = apply(ISA_KERNEL_CROSS_ENTROPY, x, y, NULL, 0);
        struct isa_tensor *labelled = apply(ISA_KERNEL_CROSS_ENTROPY_AT, x, NULL, labels,
                                            6);
        for (int64_t row = 0; row < 6; row++) {
            double line[11];
            long double sum = 0;
            line_of(x, 1, &row, line);
            for (int64_t j = 0; j < 11; j++) {
                const long double expected = log_softmax(line, 11, j);
                const double weight = at(y, (int64_t[]){row, j});
                ck_assert(fabsl(at(soft, (int64_t[]){row, j}) - expl(expected)) < bound);
                sum -= weight * expected;
            }
            ck_assert(fabsl(at(cross, &row) - sum) < 400 * bound);
            ck_assert(fabsl(at(labelled, &row) + log_softmax(line, 11, labels[row])) <
                      20 * bound);
        }
        struct isa_tensor *all[] = {x, y, soft, cross, labelled};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            isa_tensor_free(&memory, all[i]);
    }
}
END_TEST

START_TEST(softmax_does_not_overflow)
{
    static const int64_t extents[] = {3};
    struct isa_tensor *x = tensor_of(0, 1, extents, 0);
    x->reals[0] = 1000, x->reals[1] = 999, x->reals[2] = -1000;
    struct isa_tensor *soft = apply(ISA_KERNEL_SOFTMAX, x, NULL, NULL, 0);
    ck_assert(fabs(soft->reals[0] - 1 / (1 + exp(-1))) < 1e-15 && soft->reals[2] == 0);
    isa_tensor_free(&memory, x);
    isa_tensor_free(&memory, soft);
}
END_TEST

/* --- elements that move -------------------------------------------------------------------- */

/* Each element of the result is the one of the operand that the meaning says. */
static void check_moved(enum isa_kernel kernel, uint8_t element, const int64_t *numbers,
                        size_t count)
{
    static const int64_t extents[] = {3, 20, 4, 18};
    struct isa_tensor *a = tensor_of(element, 4, extents, 2),
                      *b = tensor_of(element, 4, extents, 4);
    struct isa_tensor *result = apply(kernel, a, kernel == ISA_KERNEL_CONCAT ? b : NULL,
                                      numbers, count);
    for (uint64_t i = 0; i < result->count; i++) {
        const struct isa_tensor *from = a;
        int64_t p[4], q[4];
        places_of(&result->shape, i, p);
        memcpy(q, p, sizeof q);
        if (kernel == ISA_KERNEL_CONCAT && p[numbers[0]] >= extents[numbers[0]]) {
            from = b;
            q[numbers[0]] -= extents[numbers[0]];
        } else if (kernel == ISA_KERNEL_SLICE)
            q[numbers[0]] += numbers[1];
        else if (kernel == ISA_KERNEL_GATHER)
            q[0] = numbers[p[0]];
        else if (kernel == ISA_KERNEL_TRANSPOSE)
            for (unsigned axis = 0; axis < 4; axis++)
                q[count ? numbers[axis] : 3 - axis] = p[axis];
        ck_assert(same_bits(isa_tensor_get(result, i), at(from, q)));
    }
    isa_tensor_free(&memory, a);
    isa_tensor_free(&memory, b);
    isa_tensor_free(&memory, result);
}

START_TEST(elements_move)
{
    const uint8_t element = (uint8_t)_i;
    for (int64_t axis = 0; axis < 4; axis++) {
        check_moved(ISA_KERNEL_CONCAT, element, &axis, 1);
        check_moved(ISA_KERNEL_SLICE, element, (int64_t[]){axis, 1, 2}, 3);
        check_moved(ISA_KERNEL_SLICE, element, (int64_t[]){axis, 0, 0}, 3);
    }
    check_moved(ISA_KERNEL_GATHER, element, (int64_t[]){2, 2, 0, 1, 2}, 5);
    check_moved(ISA_KERNEL_TRANSPOSE, element, NULL, 0);
    for (unsigned code = 0; code < 256; code++) {
        const int64_t order[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        unsigned seen = 0;
        for (unsigned i = 0; i < 4; i++)
            seen |= 1u << order[i];
        if (seen == 15)
            check_moved(ISA_KERNEL_TRANSPOSE, element, order, 4);
    }
}
END_TEST

START_TEST(reshaped_elements_stay)
{
    static const int64_t extents[] = {6, 4}, into[] = {2, -1, 3};
    struct isa_tensor *a = tensor_of(0, 2, extents, 2);
    struct isa_tensor *b = apply(ISA_KERNEL_RESHAPE, a, NULL, into, 3);
    ck_assert(b->shape.rank == 3 && b->shape.extents[1] == 4);
    ck_assert_mem_eq(a->data, b->data, a->bytes);
    isa_tensor_free(&memory, a);
    isa_tensor_free(&memory, b);
}
END_TEST

/* --- OpenBLAS ---------------------------------------------------------------------------------- */

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
            struct isa_tensor *a = tensor_of(element, 2, (int64_t[]){m, k}, 2);
            struct isa_tensor *b = tensor_of(element, 2, (int64_t[]){k, n}, 4);
            const struct isa_tensor *const operands[] = {a, b};
            struct isa_tensor *c = apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
            struct isa_tensor *d = isa_kernel_apply(&memory, blas, ISA_KERNEL_MATMUL,
                                                    operands, (struct isa_numbers){0},
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
                isa_tensor_free(&memory, all[i]);
        }
}
END_TEST

START_TEST(a_process_has_one_core)
{
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    ck_assert(isa_blas_load("hasswell", &outcome, &why) == NULL);
    if (outcome != ISA_BLAS_ABSENT) {
        ck_assert_int_eq(outcome, ISA_BLAS_NO_CORE);
        ck_assert_msg(strstr(why.bytes, "did you mean `haswell`?"), "%s", why.bytes);
    }
    lib_text_clear(&why);
    const struct isa_blas *blas = blas_or_null();
    if (blas) {
        ck_assert_str_eq(isa_blas_core(blas), "Haswell");
        ck_assert(isa_blas_version(blas)[0] >= '0' && isa_blas_version(blas)[0] <= '9');
        ck_assert(isa_blas_load("auto", &outcome, &why) == blas &&
                  outcome == ISA_BLAS_LOADED);
        ck_assert(isa_blas_load("Haswell", &outcome, &why) == blas);
        ck_assert(isa_blas_load("nehalem", &outcome, &why) == NULL);
        ck_assert_int_eq(outcome, ISA_BLAS_OTHER);
        ck_assert_str_eq(
            why.bytes, "this process has OpenBLAS with the core Haswell, and cannot have "
                       "it with nehalem as well");
    }
    lib_text_free(&why);
}
END_TEST

START_TEST(the_environment_is_as_before)
{
    setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
    setenv("OMP_NUM_THREADS", "5", 1);
    unsetenv("OPENBLAS_NUM_THREADS");
    if (blas_or_null()) {
        ck_assert_str_eq(getenv("OPENBLAS_CORETYPE"), "Nehalem");
        ck_assert_str_eq(getenv("OMP_NUM_THREADS"), "5");
        ck_assert(getenv("OPENBLAS_NUM_THREADS") == NULL);
    }
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OMP_NUM_THREADS");
}
END_TEST

/* --- initial values ------------------------------------------------------------------------------- */

static struct isa_tensor *initialised(enum isa_initialiser initialiser, double p,
                                      double q, uint64_t seed, uint64_t stream)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 2, {1000, 101}};
    struct isa_tensor *tensor = isa_tensor_new(&memory, &shape);
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
    isa_tensor_free(&memory, t);
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
    isa_tensor_free(&memory, t);
}
END_TEST

START_TEST(values_depend_on_seed_stream_and_place_alone)
{
    struct isa_tensor *a = initialised(ISA_INITIALISER_NORMAL, 1, 0, 1, 2);
    struct isa_tensor *b = initialised(ISA_INITIALISER_NORMAL, 1, 0, 2, 2);
    struct isa_tensor *c = initialised(ISA_INITIALISER_NORMAL, 1, 0, 1, 3);
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {33}},
                           less = {ISA_ELEMENT_REAL32, 1, {33}};
    struct isa_tensor *d = isa_tensor_new(&memory, &shape),
                      *e = isa_tensor_new(&memory, &less);
    isa_tensor_initialise(d, ISA_INITIALISER_NORMAL, (double[]){1}, 1, 2);
    isa_tensor_initialise(e, ISA_INITIALISER_NORMAL, (double[]){1}, 1, 2);
    ck_assert(a->word != b->word && a->word != c->word && b->word != c->word);
    ck_assert_mem_eq(a->data, d->data, d->bytes);
    for (uint64_t i = 0; i < 33; i++)
        ck_assert(e->reals32[i] == (float)d->reals[i]);
    struct isa_tensor *all[] = {a, b, c, d, e};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&memory, all[i]);
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

static void start(void)
{
    memory = (struct isa_tensor_memory){0};
}

static void finish(void)
{
    ck_assert_uint_eq(memory.used, 0);
    isa_tensor_memory_free(&memory);
}

int main(void)
{
    TCase *tcase = tcase_create("tensor_kernels");
    tcase_add_checked_fixture(tcase, start, finish);
    tcase_add_test(tcase, elements_of_one_tensor);
    tcase_add_loop_test(tcase, elements_of_two_tensors, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(tcase, real32s_round);
    tcase_add_test(tcase, sums_and_greatest_along_an_axis);
    tcase_add_test(tcase, the_sum_of_all_is_one_tree);
    tcase_add_test(tcase, products_are_summed_up_in_order);
    tcase_add_test(tcase, products_broadcast_and_take_vectors);
    tcase_add_test(tcase, softmax_and_cross_entropy);
    tcase_add_test(tcase, softmax_does_not_overflow);
    tcase_add_loop_test(tcase, elements_move, 0, 2);
    tcase_add_test(tcase, reshaped_elements_stay);
    tcase_add_test(tcase, the_environment_is_as_before);
    tcase_add_test(tcase, blas_is_near_to_the_reference);
    tcase_add_test(tcase, a_process_has_one_core);
    tcase_add_test(tcase, normal_values_are_distributed_so);
    tcase_add_test(tcase, uniform_values_are_distributed_so);
    tcase_add_test(tcase, values_depend_on_seed_stream_and_place_alone);
    tcase_add_test(tcase, arguments_of_initialisers);
    return test_main("tensor_kernels", tcase);
}
