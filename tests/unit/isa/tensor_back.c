/* The kernels that gradients need, against what they mean. */
#include "tests/unit/tensors.h"

static double dot(const struct isa_tensor *a, const struct isa_tensor *b)
{
    double sum = 0;
    ck_assert(isa_shape_equal(&a->shape, &b->shape));
    for (uint64_t i = 0; i < a->count; i++)
        sum += isa_tensor_get(a, i) * isa_tensor_get(b, i);
    return sum;
}

static void free_all(struct isa_tensor *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        isa_tensor_free(&test_memory, all[i]);
}

/* Ranks and extents of two operands of a product. */
static const struct {
    unsigned rank_a, rank_b;
    int64_t a[4], b[4];
} products[] = {
    {2, 2, {3, 4}, {4, 5}},
    {1, 1, {4}, {4}},
    {1, 2, {4}, {4, 5}},
    {2, 1, {3, 4}, {4}},
    {3, 3, {2, 3, 4}, {2, 4, 5}},
    {3, 2, {2, 3, 4}, {4, 5}},
    {2, 3, {3, 4}, {2, 4, 5}},
    {1, 3, {4}, {2, 4, 5}},
    {3, 1, {2, 3, 4}, {4}},
    {4, 3, {2, 3, 3, 4}, {3, 4, 2}},
    {4, 4, {2, 1, 3, 4}, {1, 3, 4, 2}},
    {2, 2, {1, 1}, {1, 3}},
    {2, 2, {3, 1}, {1, 1}},
};

/* The sum of y * (a b) is linear in a, with the one operand that turns y back, and so in b. */
START_TEST(products_turned)
{
    for (uint8_t element = 0; element < 2; element++) {
        const double bound = element ? 1e-4 : 1e-12;
        struct isa_tensor *a = test_tensor(element, products[_i].rank_a, products[_i].a,
                                           2);
        struct isa_tensor *b = test_tensor(element, products[_i].rank_b, products[_i].b,
                                           4);
        struct isa_tensor *c = test_apply(ISA_KERNEL_MATMUL, a, b, NULL, 0);
        struct isa_tensor *y = test_apply(ISA_KERNEL_COS, c, NULL, NULL, 0);
        struct isa_tensor *left = test_apply(ISA_KERNEL_MATMUL_LEFT, y, b, NULL, 0);
        struct isa_tensor *right = test_apply(ISA_KERNEL_MATMUL_RIGHT, a, y, NULL, 0);
        struct isa_tensor *of_a = test_apply(ISA_KERNEL_SUM_LIKE, left, a, NULL, 0);
        struct isa_tensor *of_b = test_apply(ISA_KERNEL_SUM_LIKE, right, b, NULL, 0);
        const double sum = dot(y, c);
        ck_assert(fabs(dot(of_a, a) - sum) <= bound * (1 + fabs(sum)));
        ck_assert(fabs(dot(of_b, b) - sum) <= bound * (1 + fabs(sum)));
        free_all((struct isa_tensor *[]){a, b, c, y, left, right, of_a, of_b}, 8);
    }
}
END_TEST

START_TEST(sums_and_copies)
{
    static const int64_t whole[] = {3, 2, 5}, part[] = {2, 1};
    for (uint8_t element = 0; element < 2; element++) {
        struct isa_tensor *a = test_tensor(element, 3, whole, 2);
        struct isa_tensor *b = test_tensor(element, 2, part, 4);
        struct isa_tensor *sums = test_apply(ISA_KERNEL_SUM_LIKE, a, b, NULL, 0);
        struct isa_tensor *last = test_apply(ISA_KERNEL_SUM_LAST, a, NULL, NULL, 0);
        struct isa_tensor *spread = test_apply(ISA_KERNEL_SPREAD_LAST, last, a, NULL, 0);
        struct isa_tensor *axis = test_apply(ISA_KERNEL_REDUCE_SUM, a, NULL,
                                             (int64_t[]){2}, 1);
        ck_assert(isa_shape_equal(&sums->shape, &b->shape));
        for (int64_t j = 0; j < 2; j++) {
            double sum = 0;
            for (int64_t i = 0; i < 3; i++)
                for (int64_t k = 0; k < 5; k++) {
                    sum += test_at(a, (int64_t[]){i, j, k});
                    sum = element ? (double)(float)sum : sum;
                    ck_assert(test_same_bits(test_at(spread, (int64_t[]){i, j, k}),
                                             test_at(last, (int64_t[]){i, j})));
                }
            ck_assert(test_same_bits(test_at(sums, (int64_t[]){j, 0}), sum));
        }
        ck_assert_mem_eq(last->data, axis->data, axis->bytes);
        free_all((struct isa_tensor *[]){a, b, sums, last, spread, axis}, 6);
    }
}
END_TEST

/* By extents: the same as by a tensor that has them. What is spread is added to 0.0. */
START_TEST(extents_of_results)
{
    static const int64_t whole[] = {3, 2, 5}, part[] = {2, 1}, one[] = {1};
    const struct {
        const int64_t *extents;
        unsigned rank;
    } shapes[] = {{part, 2}, {one, 1}, {NULL, 0}, {whole, 3}};
    for (uint8_t element = 0; element < 2; element++)
        for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            struct isa_tensor *a = test_tensor(element, 3, whole, 2);
            struct isa_tensor *b = test_tensor(element, shapes[i].rank, shapes[i].extents,
                                               4);
            isa_tensor_set(b, 0, -0.0);
            struct isa_tensor *like = test_apply(ISA_KERNEL_SUM_LIKE, a, b, NULL, 0);
            struct isa_tensor *sums = test_apply(ISA_KERNEL_SUM_TO, a, NULL,
                                                 shapes[i].extents, shapes[i].rank);
            struct isa_tensor *zeros = test_apply(ISA_KERNEL_NE, a, a, NULL, 0);
            for (uint64_t k = 0; k < zeros->count; k++)
                isa_tensor_set(zeros, k, 0);
            struct isa_tensor *added = test_apply(ISA_KERNEL_ADD, zeros, b, NULL, 0);
            struct isa_tensor *spread = test_apply(ISA_KERNEL_SPREAD_TO, b, NULL, whole,
                                                   3);
            struct isa_tensor *last = test_apply(ISA_KERNEL_SUM_LAST, a, NULL, NULL, 0);
            struct isa_tensor *by_tensor = test_apply(ISA_KERNEL_SPREAD_LAST, last, a,
                                                      NULL, 0);
            struct isa_tensor *by_extents = test_apply(ISA_KERNEL_SPREAD_LAST_TO, last,
                                                       NULL, whole, 3);
            struct isa_tensor *const same[][2] = {
                {like, sums}, {added, spread}, {by_tensor, by_extents}};
            for (unsigned k = 0; k < 3; k++) {
                ck_assert(isa_shape_equal(&same[k][0]->shape, &same[k][1]->shape));
                ck_assert_mem_eq(same[k][0]->data, same[k][1]->data, same[k][0]->bytes);
            }
            ck_assert(!signbit(isa_tensor_get(spread, 0)));
            free_all((struct isa_tensor *[]){a, b, like, sums, zeros, added, spread, last,
                                             by_tensor, by_extents},
                     10);
        }
}
END_TEST

/* In one kernel the same bits as in three. */
START_TEST(kernels_in_one)
{
    static const int64_t extents[] = {5, 7};
    for (uint8_t element = 0; element < 2; element++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct isa_tensor *y = test_tensor(element, 2, extents, seed);
            struct isa_tensor *v = test_tensor(element, 2, extents, seed + 100);
            struct isa_tensor *square = test_apply(ISA_KERNEL_MUL, v, v, NULL, 0);
            struct isa_tensor *less = test_apply(ISA_KERNEL_MUL, y, square, NULL, 0);
            struct isa_tensor *tanh = test_apply(ISA_KERNEL_SUB, y, less, NULL, 0);
            struct isa_tensor *part = test_apply(ISA_KERNEL_MUL, y, v, NULL, 0);
            struct isa_tensor *rest = test_apply(ISA_KERNEL_MUL, part, v, NULL, 0);
            struct isa_tensor *sigmoid = test_apply(ISA_KERNEL_SUB, part, rest, NULL, 0);
            struct isa_tensor *of_tanh = test_apply(ISA_KERNEL_TANH_BACK, y, v, NULL, 0);
            struct isa_tensor *of_sigmoid = test_apply(ISA_KERNEL_SIGMOID_BACK, y, v,
                                                       NULL, 0);
            ck_assert_mem_eq(tanh->data, of_tanh->data, tanh->bytes);
            ck_assert_mem_eq(sigmoid->data, of_sigmoid->data, sigmoid->bytes);
            free_all((struct isa_tensor *[]){y, v, square, less, tanh, part, rest,
                                             sigmoid, of_tanh, of_sigmoid},
                     10);
        }
}
END_TEST

START_TEST(elements_are_told_apart)
{
    static const int64_t extents[] = {3, 4}, labels[] = {2, 0, 3}, rows[] = {4, 2, 0, 2},
                         order[] = {2, 0, 1}, cube[] = {2, 3, 4};
    struct isa_tensor *a = test_tensor(0, 2, extents, 2), *c = test_tensor(0, 3, cube, 4);
    a->reals[1] = a->reals[3] = 1e9;                 /* twice in row 0 */
    a->reals[2 * 4 + 1] = a->reals[2 * 4 + 3] = NAN; /* and in row 2 */
    struct isa_tensor *hot = test_apply(ISA_KERNEL_ONE_HOT, a, NULL, labels, 3);
    struct isa_tensor *most = test_apply(ISA_KERNEL_FIRST_MAX, a, NULL, (int64_t[]){1},
                                         1);
    struct isa_tensor *all = test_apply(ISA_KERNEL_FIRST_MAX, a, NULL, NULL, 0);
    struct isa_tensor *added = test_apply(ISA_KERNEL_SCATTER, a, NULL, rows, 4);
    struct isa_tensor *turned = test_apply(ISA_KERNEL_TRANSPOSE, c, NULL, order, 3);
    struct isa_tensor *back = test_apply(ISA_KERNEL_UNTRANSPOSE, turned, NULL, order, 3);
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 4; j++)
            ck_assert(test_at(hot, (int64_t[]){i, j}) == (j == labels[i]));
    for (int64_t i = 0; i < 12; i++) {
        const bool is_first = i == 1 || i == 9;
        ck_assert(i / 4 == 1 || most->reals[i] == is_first);
        ck_assert(all->reals[i] == (i == 9)); /* NaN is the greatest */
    }
    for (int64_t j = 0; j < 4; j++) {
        ck_assert(test_same_bits(test_at(added, (int64_t[]){0, j}),
                                 test_at(a, (int64_t[]){1, j})));
        ck_assert(test_at(added, (int64_t[]){1, j}) == 0 &&
                  test_at(added, (int64_t[]){3, j}) == 0);
        ck_assert(test_same_bits(test_at(added, (int64_t[]){2, j}),
                                 test_at(a, (int64_t[]){0, j}) +
                                     test_at(a, (int64_t[]){2, j})));
    }
    ck_assert(isa_shape_equal(&back->shape, &c->shape));
    ck_assert_mem_eq(back->data, c->data, c->bytes);
    free_all((struct isa_tensor *[]){a, c, hot, most, all, added, turned, back}, 8);
}
END_TEST

/* What does not fit is refused, with both shapes. */
static const struct {
    enum isa_kernel kernel;
    unsigned rank_a, rank_b;
    int64_t a[4], b[4], numbers[4];
    size_t count;
} refused[] = {
    {ISA_KERNEL_SUM_LIKE, 1, 2, {3}, {1, 3}, {0}, 0},
    {ISA_KERNEL_SUM_LIKE, 2, 2, {2, 3}, {2, 2}, {0}, 0},
    {ISA_KERNEL_RESHAPE_LIKE, 1, 1, {3}, {4}, {0}, 0},
    {ISA_KERNEL_SUM_TO, 1, 0, {3}, {0}, {1, 3}, 2},
    {ISA_KERNEL_SUM_TO, 2, 0, {2, 3}, {0}, {2, 2}, 2},
    {ISA_KERNEL_SUM_TO, 1, 0, {3}, {0}, {-1}, 1},
    {ISA_KERNEL_SUM_TO, 1, 0, {3}, {0}, {ISA_EXTENT_MAX + 1}, 1},
    {ISA_KERNEL_SPREAD_TO, 2, 0, {1, 3}, {0}, {3}, 1},
    {ISA_KERNEL_SPREAD_TO, 2, 0, {2, 3}, {0}, {2, 2}, 2},
    {ISA_KERNEL_SPREAD_LAST_TO, 1, 0, {3}, {0}, {2, 3}, 2},
    {ISA_KERNEL_SPREAD_LAST_TO, 0, 0, {0}, {0}, {0}, 0},
    {ISA_KERNEL_MATMUL_LEFT, 2, 2, {2, 3}, {4, 5}, {0}, 0},
    {ISA_KERNEL_MATMUL_LEFT, 4, 1, {1, 1, 1, 1}, {2}, {0}, 0},
    {ISA_KERNEL_MATMUL_RIGHT, 2, 2, {2, 3}, {4, 5}, {0}, 0},
    {ISA_KERNEL_MATMUL_RIGHT, 1, 0, {0}, {0}, {0}, 1},
    {ISA_KERNEL_SUM_LAST, 0, 0, {0}, {0}, {0}, 0},
    {ISA_KERNEL_SPREAD_LAST, 1, 2, {3}, {2, 3}, {0}, 0},
    {ISA_KERNEL_ONE_HOT, 1, 0, {3}, {0}, {3}, 1},
    {ISA_KERNEL_FIRST_MAX, 1, 0, {0}, {0}, {0}, 1},
    {ISA_KERNEL_SCATTER, 1, 0, {2}, {0}, {2, 0}, 2},
    {ISA_KERNEL_SCATTER, 1, 0, {2}, {0}, {2, 0, 2}, 3},
    {ISA_KERNEL_SCATTER, 1, 0, {0}, {0}, {0}, 0},
    {ISA_KERNEL_UNTRANSPOSE, 2, 0, {2, 3}, {0}, {0}, 0},
    {ISA_KERNEL_UNTRANSPOSE, 2, 0, {2, 3}, {0}, {1, 1}, 2},
};

START_TEST(misfits)
{
    struct isa_shape a = isa_shape_scalar(ISA_ELEMENT_REAL), b = a, result;
    struct lib_text why = {0};
    a.rank = (uint8_t)refused[_i].rank_a;
    b.rank = (uint8_t)refused[_i].rank_b;
    memcpy(a.extents, refused[_i].a, sizeof a.extents);
    memcpy(b.extents, refused[_i].b, sizeof b.extents);
    const struct isa_shape *const operands[] = {&a, &b};
    const struct isa_numbers numbers = {refused[_i].numbers, refused[_i].count};
    ck_assert(!isa_kernel_shape(refused[_i].kernel, operands, numbers, &result, &why));
    ck_assert(strchr(lib_text_get(&why), '`') != NULL);
    lib_text_free(&why);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor_back");
    tcase_add_checked_fixture(tcase, test_start, test_finish);
    tcase_add_loop_test(tcase, products_turned, 0, sizeof products / sizeof *products);
    tcase_add_test(tcase, sums_and_copies);
    tcase_add_test(tcase, extents_of_results);
    tcase_add_test(tcase, kernels_in_one);
    tcase_add_test(tcase, elements_are_told_apart);
    tcase_add_loop_test(tcase, misfits, 0, sizeof refused / sizeof *refused);
    return test_main("tensor_back", tcase);
}
