/* What kernels compute, against a second evaluation of each: element by element, from the
 * meaning. */
#include "tests/unit/tensors.h"

/* The element of an operand that is broadcast to these places of the result. */
static double broadcast_at(const struct isa_tensor *tensor, unsigned rank,
                           const int64_t *places)
{
    int64_t own[ISA_RANK_MAX];
    for (unsigned axis = 0; axis < tensor->shape.rank; axis++) {
        const int64_t place = places[rank - tensor->shape.rank + axis];
        own[axis] = tensor->shape.extents[axis] == 1 ? 0 : place;
    }
    return test_at(tensor, own);
}

static double rounded(const struct isa_tensor *tensor, double value)
{
    return tensor->shape.element == ISA_ELEMENT_REAL ? value : (double)(float)value;
}

/* --- element by element -------------------------------------------------------- */

/* A real32's operation is exact in reals and rounded once, or else rounds as if it were (+ - * /
 * and sqrt: Figueroa, When is double rounding innocuous, SIGNUM Newsletter 30, 1995). */
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
    case ISA_KERNEL_REM:
        return fmod(x, y);
    case ISA_KERNEL_POW:
        return pow(x, y);
    case ISA_KERNEL_ATAN2:
        return atan2(x, y);
    case ISA_KERNEL_HYPOT:
        return hypot(x, y);
    case ISA_KERNEL_AND: /* a NaN is not 0 */
        return !(x == 0) && !(y == 0);
    case ISA_KERNEL_OR:
        return !(x == 0) || !(y == 0);
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
    case ISA_KERNEL_ATAN:
        return atan(x);
    case ISA_KERNEL_ERF:
        return erf(x);
    case ISA_KERNEL_ATAN_SLOPE:
        return 1 / (1 + x * x);
    case ISA_KERNEL_ERF_SLOPE:
        return 1.1283791670955126 * exp(-x * x);
    case ISA_KERNEL_RELU:
        return isnan(x) ? x : x > 0 ? x : 0.0;
    case ISA_KERNEL_SIGMOID:
        return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
    case ISA_KERNEL_NOT:
        return x == 0;
    default:
        ck_abort_msg("%s is not known here", isa_kernels[kernel].text);
    }
    return 0;
}

/* The C library's functions are not those of ours; -x * x has a rounding error of its own, which
 * makes one of 400 bits where the exponential is not 0. */
static bool is_near(enum isa_kernel kernel, const struct isa_tensor *t, double found,
                    double expected)
{
    const double ulps = fabs(found - expected) / fabs(expected) /
                        (t->shape.element == ISA_ELEMENT_REAL ? 0x1p-52 : 0x1p-23);
    return test_same_bits(found, expected) ||
           ulps <= (kernel == ISA_KERNEL_ERF_SLOPE ? 400 : 3) ||
           (isinf(found) && fabs(expected) > 3e38);
}

START_TEST(elements_of_one_tensor)
{
    static const int64_t extents[] = {3, 41};
    static const enum isa_kernel kernels[] = {
        ISA_KERNEL_NEG,   ISA_KERNEL_ABS,  ISA_KERNEL_SQRT,       ISA_KERNEL_EXP,
        ISA_KERNEL_LOG,   ISA_KERNEL_SIN,  ISA_KERNEL_COS,        ISA_KERNEL_TANH,
        ISA_KERNEL_FLOOR, ISA_KERNEL_RELU, ISA_KERNEL_SIGMOID,    ISA_KERNEL_NOT,
        ISA_KERNEL_ATAN,  ISA_KERNEL_ERF,  ISA_KERNEL_ATAN_SLOPE, ISA_KERNEL_ERF_SLOPE};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            const enum isa_kernel kernel = kernels[k];
            struct isa_tensor *a = test_tensor((uint8_t)(seed / 2 % 2), 2, extents, seed);
            struct isa_tensor *result = test_apply(kernel, a, NULL, NULL, 0);
            ck_assert(isa_shape_equal(&a->shape, &result->shape));
            for (uint64_t i = 0; i < a->count; i++) {
                const double x = isa_tensor_get(a, i), found = isa_tensor_get(result, i);
                const double expected = rounded(a, unary(kernel, x));
                ck_assert_msg(is_near(kernel, a, found, expected), "%s(%a): %a, not %a",
                              isa_kernels[kernel].text, x, found, expected);
            }
            isa_tensor_free(&test_memory, a);
            isa_tensor_free(&test_memory, result);
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
    static const enum isa_kernel kernels[] = {
        ISA_KERNEL_ADD, ISA_KERNEL_SUB,   ISA_KERNEL_MUL,  ISA_KERNEL_DIV, ISA_KERNEL_MIN,
        ISA_KERNEL_MAX, ISA_KERNEL_EQ,    ISA_KERNEL_NE,   ISA_KERNEL_LT,  ISA_KERNEL_LE,
        ISA_KERNEL_GT,  ISA_KERNEL_GE,    ISA_KERNEL_REM,  ISA_KERNEL_AND, ISA_KERNEL_OR,
        ISA_KERNEL_POW, ISA_KERNEL_ATAN2, ISA_KERNEL_HYPOT};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            const enum isa_kernel kernel = kernels[k];
            const uint8_t element = seed % 4 < 2 ? ISA_ELEMENT_REAL : ISA_ELEMENT_REAL32;
            struct isa_tensor *a = test_tensor(element, pairs[p].rank_a, pairs[p].a,
                                               seed);
            struct isa_tensor *b = test_tensor(element, pairs[p].rank_b, pairs[p].b,
                                               seed + 100);
            struct isa_tensor *result = test_apply(kernel, a, b, NULL, 0);
            ck_assert_uint_eq(result->shape.rank, rank);
            ck_assert_mem_eq(result->shape.extents, pairs[p].result,
                             rank * sizeof(int64_t));
            for (uint64_t i = 0; i < result->count; i++) {
                int64_t places[ISA_RANK_MAX];
                test_places(&result->shape, i, places);
                const double x = broadcast_at(a, rank, places),
                             y = broadcast_at(b, rank, places);
                const double expected = rounded(result, binary(kernel, x, y));
                ck_assert_msg(
                    kernel >= ISA_KERNEL_POW
                        ? is_near(kernel, result, isa_tensor_get(result, i), expected)
                        : test_same_bits(isa_tensor_get(result, i), expected),
                    "%a %s %a: %a", x, isa_kernels[kernel].text, y,
                    isa_tensor_get(result, i));
            }
            isa_tensor_free(&test_memory, a);
            isa_tensor_free(&test_memory, b);
            isa_tensor_free(&test_memory, result);
        }
}
END_TEST

START_TEST(real32s_round)
{
    static const int64_t extents[] = {1000};
    struct isa_tensor *a = test_tensor(ISA_ELEMENT_REAL, 1, extents, 1);
    struct isa_tensor *b = test_apply(ISA_KERNEL_TO_REAL32, a, NULL, NULL, 0);
    struct isa_tensor *c = test_apply(ISA_KERNEL_TO_REAL, b, NULL, NULL, 0);
    ck_assert(b->shape.element == ISA_ELEMENT_REAL32 && b->bytes == 4000 &&
              c->bytes == 8000);
    for (uint64_t i = 0; i < a->count; i++)
        ck_assert(test_same_bits(c->reals[i], (float)a->reals[i]));
    isa_tensor_free(&test_memory, a);
    isa_tensor_free(&test_memory, b);
    isa_tensor_free(&test_memory, c);
}
END_TEST

/* --- sums ------------------------------------------------------------------------ */

/* The tree of `sum` (doc/language.md): the elements from `low` up to that before `high`. */
static double tree(const double *x, int64_t low, int64_t high, bool is_real32)
{
    if (high <= low)
        return 0;
    if (high - low == 1)
        return x[low];
    const int64_t middle = low + (high - low) / 2;
    const double s = tree(x, low, middle, is_real32) + tree(x, middle, high, is_real32);
    return is_real32 ? (double)(float)s : s;
}

/* The elements along an axis, at these places of the others. */
static int64_t line_of(const struct isa_tensor *a, unsigned axis, const int64_t *others,
                       double *line)
{
    int64_t places[ISA_RANK_MAX];
    for (unsigned i = 0, j = 0; i < a->shape.rank; i++)
        places[i] = i == axis ? 0 : others[j++];
    for (places[axis] = 0; places[axis] < a->shape.extents[axis]; places[axis]++)
        line[places[axis]] = test_at(a, places);
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
                struct isa_tensor *a = test_tensor(element, 3, extents[e], seed),
                                  *max = NULL, *min = NULL;
                struct isa_tensor *sum = test_apply(ISA_KERNEL_REDUCE_SUM, a, NULL, &axis,
                                                    1);
                if (extents[e][axis] > 0) {
                    max = test_apply(ISA_KERNEL_REDUCE_MAX, a, NULL, &axis, 1);
                    min = test_apply(ISA_KERNEL_REDUCE_MIN, a, NULL, &axis, 1);
                }
                for (uint64_t i = 0; i < sum->count; i++) {
                    int64_t places[ISA_RANK_MAX];
                    test_places(&sum->shape, i, places);
                    const int64_t n = line_of(a, (unsigned)axis, places, line);
                    ck_assert(test_same_bits(isa_tensor_get(sum, i),
                                             tree(line, 0, n, seed >= 2)));
                    double most = n > 0 ? line[0] : 0, least = most;
                    for (int64_t j = 1; j < n; j++) {
                        most = binary(ISA_KERNEL_MAX, most, line[j]);
                        least = binary(ISA_KERNEL_MIN, least, line[j]);
                    }
                    ck_assert(!max || test_same_bits(isa_tensor_get(max, i), most));
                    ck_assert(!min || test_same_bits(isa_tensor_get(min, i), least));
                }
                isa_tensor_free(&test_memory, a);
                isa_tensor_free(&test_memory, sum);
                isa_tensor_free(&test_memory, max);
                isa_tensor_free(&test_memory, min);
            }
}
END_TEST

START_TEST(the_sum_of_all_is_one_tree)
{
    for (int64_t n = 0; n < 200; n++) {
        struct isa_tensor *a = test_tensor(ISA_ELEMENT_REAL, 1, &n, 2);
        struct isa_tensor *sum = test_apply(ISA_KERNEL_REDUCE_SUM, a, NULL, NULL, 0);
        ck_assert(test_same_bits(sum->reals[0], tree(a->reals, 0, n, false)));
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, sum);
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
            struct isa_tensor *a = test_tensor(element, 2, (int64_t[]){m, k}, 2);
            struct isa_tensor *b = test_tensor(element, 2, (int64_t[]){k, n}, 4);
            struct isa_tensor *c = test_apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
            for (int64_t i = 0; i < m; i++)
                for (int64_t j = 0; j < n; j++) {
                    double sum = 0;
                    for (int64_t p = 0; p < k; p++) {
                        const double product = test_at(a, (int64_t[]){i, p}) *
                                               test_at(b, (int64_t[]){p, j});
                        sum = rounded(c, sum + rounded(c, product));
                    }
                    ck_assert(test_same_bits(test_at(c, (int64_t[]){i, j}), sum));
                }
            isa_tensor_free(&test_memory, a);
            isa_tensor_free(&test_memory, b);
            isa_tensor_free(&test_memory, c);
        }
}
END_TEST

START_TEST(products_broadcast_and_take_vectors)
{
    static const int64_t many[] = {2, 1, 3, 4}, some[] = {5, 4, 2}, vector[] = {4};
    struct isa_tensor *a = test_tensor(0, 4, many, 2), *b = test_tensor(0, 3, some, 4);
    struct isa_tensor *v = test_tensor(0, 1, vector, 6);
    struct isa_tensor *c = test_apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
    struct isa_tensor *right = test_apply(ISA_KERNEL_MATMUL, a, v, NULL, 0);
    struct isa_tensor *left = test_apply(ISA_KERNEL_MATMUL, v, b, NULL, 0);
    struct isa_tensor *both = test_apply(ISA_KERNEL_MATMUL, v, v, NULL, 0);
    double square = 0;
    for (int64_t i = 0; i < 4; i++)
        square += v->reals[i] * v->reals[i];
    ck_assert(test_same_bits(both->reals[0], square));
    for (uint64_t i = 0; i < c->count; i++) {
        int64_t p[4];
        double sum = 0, of_right = 0, of_left = 0;
        test_places(&c->shape, i, p);
        for (int64_t k = 0; k < 4; k++) {
            const double x = test_at(a, (int64_t[]){p[0], 0, p[2], k});
            const double y = test_at(b, (int64_t[]){p[1], k, p[3]});
            sum += x * y;
            of_right += x * v->reals[k];
            of_left += v->reals[k] * y;
        }
        ck_assert(test_same_bits(isa_tensor_get(c, i), sum));
        ck_assert(test_same_bits(test_at(right, (int64_t[]){p[0], 0, p[2]}), of_right));
        ck_assert(test_same_bits(test_at(left, (int64_t[]){p[1], p[3]}), of_left));
    }
    struct isa_tensor *all[] = {a, b, v, c, right, left, both};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&test_memory, all[i]);
}
END_TEST

START_TEST(products_take_a_matrix_of_each_place)
{
    static const int64_t lists[][2][4] = {{{2, 1, 3, 4}, {2, 5, 4, 2}},
                                          {{1, 5, 3, 4}, {2, 1, 4, 2}}};
    for (unsigned l = 0; l < 2; l++) {
        struct isa_tensor *a = test_tensor(0, 4, lists[l][0], 2),
                          *b = test_tensor(0, 4, lists[l][1], 4);
        struct isa_tensor *c = test_apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
        ck_assert_uint_eq(c->count, 2 * 5 * 3 * 2);
        for (uint64_t i = 0; i < c->count; i++) {
            int64_t p[4];
            double sum = 0;
            test_places(&c->shape, i, p);
            for (int64_t k = 0; k < 4; k++) {
                const int64_t of_a[] = {p[0] % lists[l][0][0], p[1] % lists[l][0][1],
                                        p[2], k};
                const int64_t of_b[] = {p[0] % lists[l][1][0], p[1] % lists[l][1][1], k,
                                        p[3]};
                sum += test_at(a, of_a) * test_at(b, of_b);
            }
            ck_assert(test_same_bits(isa_tensor_get(c, i), sum));
        }
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, b);
        isa_tensor_free(&test_memory, c);
    }
}
END_TEST

/* --- rows ------------------------------------------------------------------------------ */

static long double log_softmax(const double *x, int64_t n, int64_t i)
{
    long double sum = 1;
    for (int64_t j = 0; j < n; j++)
        sum += j == i ? 0 : expl((long double)x[j] - x[i]);
    return -logl(sum);
}

START_TEST(softmax_and_cross_entropy)
{
    static const int64_t extents[] = {6, 11}, labels[] = {0, 10, 3, 3, 7, 5};
    for (uint8_t element = 0; element < 2; element++) {
        const double bound = element == ISA_ELEMENT_REAL ? 1e-14 : 1e-5;
        struct isa_tensor *x = test_tensor(element, 2, extents, 2),
                          *y = test_tensor(element, 2, extents, 4);
        struct isa_tensor *soft = test_apply(ISA_KERNEL_SOFTMAX, x, NULL, NULL, 0);
        struct isa_tensor *logs = test_apply(ISA_KERNEL_LOG_SOFTMAX, x, NULL, NULL, 0);
        struct isa_tensor *cross = test_apply(ISA_KERNEL_CROSS_ENTROPY, x, y, NULL, 0);
        struct isa_tensor *labelled = test_apply(ISA_KERNEL_CROSS_ENTROPY_AT, x, NULL,
                                                 labels, 6);
        for (int64_t row = 0; row < 6; row++) {
            double line[11];
            long double sum = 0;
            line_of(x, 1, &row, line);
            for (int64_t j = 0; j < 11; j++) {
                const long double expected = log_softmax(line, 11, j);
                const double weight = test_at(y, (int64_t[]){row, j});
                ck_assert(fabsl(test_at(soft, (int64_t[]){row, j}) - expl(expected)) <
                          bound);
                ck_assert(fabsl(test_at(logs, (int64_t[]){row, j}) - expected) <
                          20 * bound);
                sum -= weight * expected;
            }
            ck_assert(fabsl(test_at(cross, &row) - sum) < 400 * bound);
            ck_assert(fabsl(test_at(labelled, &row) +
                            log_softmax(line, 11, labels[row])) < 20 * bound);
        }
        struct isa_tensor *all[] = {x, y, soft, logs, cross, labelled};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            isa_tensor_free(&test_memory, all[i]);
    }
}
END_TEST

START_TEST(softmax_does_not_overflow)
{
    static const int64_t extents[] = {3};
    struct isa_tensor *x = test_tensor(0, 1, extents, 0);
    x->reals[0] = 1000, x->reals[1] = 999, x->reals[2] = -1000;
    struct isa_tensor *soft = test_apply(ISA_KERNEL_SOFTMAX, x, NULL, NULL, 0);
    ck_assert(fabs(soft->reals[0] - 1 / (1 + exp(-1))) < 1e-15 && soft->reals[2] == 0);
    isa_tensor_free(&test_memory, x);
    isa_tensor_free(&test_memory, soft);
}
END_TEST

/* --- elements that move -------------------------------------------------------------------- */

/* Each element of the result is the one of the operand that the meaning says. */
static void check_moved(enum isa_kernel kernel, uint8_t element, const int64_t *numbers,
                        size_t count)
{
    static const int64_t extents[] = {3, 20, 4, 18};
    struct isa_tensor *a = test_tensor(element, 4, extents, 2),
                      *b = test_tensor(element, 4, extents, 4);
    struct isa_tensor *result = test_apply(
        kernel, a, kernel == ISA_KERNEL_CONCAT ? b : NULL, numbers, count);
    for (uint64_t i = 0; i < result->count; i++) {
        const struct isa_tensor *from = a;
        int64_t p[4], q[4];
        test_places(&result->shape, i, p);
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
        ck_assert(test_same_bits(isa_tensor_get(result, i), test_at(from, q)));
    }
    isa_tensor_free(&test_memory, a);
    isa_tensor_free(&test_memory, b);
    isa_tensor_free(&test_memory, result);
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
    struct isa_tensor *a = test_tensor(0, 2, extents, 2);
    struct isa_tensor *b = test_apply(ISA_KERNEL_RESHAPE, a, NULL, into, 3);
    ck_assert(b->shape.rank == 3 && b->shape.extents[1] == 4);
    ck_assert_mem_eq(a->data, b->data, a->bytes);
    isa_tensor_free(&test_memory, a);
    isa_tensor_free(&test_memory, b);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor_kernels");
    tcase_add_checked_fixture(tcase, test_start, test_finish);
    tcase_add_test(tcase, elements_of_one_tensor);
    tcase_add_loop_test(tcase, elements_of_two_tensors, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(tcase, real32s_round);
    tcase_add_test(tcase, sums_and_greatest_along_an_axis);
    tcase_add_test(tcase, the_sum_of_all_is_one_tree);
    tcase_add_test(tcase, products_are_summed_up_in_order);
    tcase_add_test(tcase, products_broadcast_and_take_vectors);
    tcase_add_test(tcase, products_take_a_matrix_of_each_place);
    tcase_add_test(tcase, softmax_and_cross_entropy);
    tcase_add_test(tcase, softmax_does_not_overflow);
    tcase_add_loop_test(tcase, elements_move, 0, 2);
    tcase_add_test(tcase, reshaped_elements_stay);
    return test_main("tensor_kernels", tcase);
}
