/* Tensors of ints and bools: kernels against plain C, element by element; what has no result; what
 * elements a kernel takes; files. */
#include "isa/tensor/element.h"
#include "isa/tensor/files/npy.h"
#include "tests/unit/tensors.h"

enum { ROUNDS = 400 };

/* --- tensors of ints ------------------------------------------------------------------- */

/* Small numbers, and now and then the least and the greatest int and neighbours of 2^53. */
static int64_t drawn_int(uint64_t drawn)
{
    static const int64_t some[] = {INT64_MIN, INT64_MAX, INT64_C(9007199254740993), -1,
                                   0};
    return drawn % 16 == 0 ? some[drawn / 16 % 5] : (int64_t)(drawn / 16 % 2001) - 1000;
}

static struct isa_tensor *ints(unsigned rank, const int64_t *extents, uint64_t seed,
                               bool is_small)
{
    struct isa_shape shape = {.element = ISA_ELEMENT_INT, .rank = (uint8_t)rank};
    memcpy(shape.extents, extents, rank * sizeof *extents);
    struct isa_tensor *tensor = isa_tensor_new(&test_memory, &shape);
    for (uint64_t i = 0; i < tensor->count; i++) {
        const uint64_t drawn = lib_hash_mix(seed * 7919 + i);
        tensor->ints[i] = is_small ? (int64_t)(drawn % 7) - 3 : drawn_int(drawn);
    }
    isa_tensor_seal(tensor, true);
    return tensor;
}

static struct isa_tensor *bools(unsigned rank, const int64_t *extents, uint64_t seed)
{
    struct isa_shape shape = {.element = ISA_ELEMENT_BOOL, .rank = (uint8_t)rank};
    memcpy(shape.extents, extents, rank * sizeof *extents);
    struct isa_tensor *tensor = isa_tensor_new(&test_memory, &shape);
    for (uint64_t i = 0; i < tensor->count; i++)
        tensor->bools[i] = lib_hash_mix(seed * 7919 + i) % 2;
    isa_tensor_seal(tensor, true);
    return tensor;
}

/* The place in an operand that is broadcast to these places of the result. */
static uint64_t broadcast_place(const struct isa_shape *shape, unsigned rank,
                                const int64_t *places)
{
    uint64_t at = 0;
    for (unsigned axis = 0; axis < shape->rank; axis++) {
        const int64_t place = places[rank - shape->rank + axis];
        at = at * (uint64_t)shape->extents[axis] +
             (shape->extents[axis] == 1 ? 0 : (uint64_t)place);
    }
    return at;
}

/* --- arithmetic ------------------------------------------------------------------------ */

/* Returns what is wrong, or NULL and the element in *z. */
static const char *binary(enum isa_kernel kernel, int64_t x, int64_t y, int64_t *z)
{
    __int128 wide = 0;
    switch (kernel) {
    case ISA_KERNEL_ADD:
        wide = (__int128)x + y;
        break;
    case ISA_KERNEL_SUB:
        wide = (__int128)x - y;
        break;
    case ISA_KERNEL_MUL:
        wide = (__int128)x * y;
        break;
    case ISA_KERNEL_DIV:
        if (y == 0)
            return "division by zero";
        wide = (__int128)x / y;
        break;
    case ISA_KERNEL_REM:
        if (y == 0)
            return "division by zero";
        wide = (__int128)x % y;
        break;
    case ISA_KERNEL_POW:
        if (y < 0)
            return "the power is negative";
        wide = 1;
        for (int64_t i = 0; i < (x >= -1 && x <= 1 ? y % 2 + (y > 1 ? 2 : 0) : y); i++) {
            wide *= x;
            if (wide != (int64_t)wide)
                break;
        }
        break;
    case ISA_KERNEL_MIN:
        wide = x < y ? x : y;
        break;
    case ISA_KERNEL_MAX:
        wide = x < y ? y : x;
        break;
    case ISA_KERNEL_EQ:
        wide = x == y;
        break;
    case ISA_KERNEL_NE:
        wide = x != y;
        break;
    case ISA_KERNEL_LT:
        wide = x < y;
        break;
    case ISA_KERNEL_LE:
        wide = x <= y;
        break;
    case ISA_KERNEL_GT:
        wide = x > y;
        break;
    case ISA_KERNEL_GE:
        wide = x >= y;
        break;
    default:
        ck_abort_msg("%s is not known here", isa_kernels[kernel].text);
    }
    *z = (int64_t)wide;
    return wide == *z ? NULL : "integer overflow";
}

/* Whether the kernel comes to the same, or names the same element. */
static void check(enum isa_kernel kernel, const struct isa_tensor *a,
                  const struct isa_tensor *b, const struct isa_shape *shape,
                  const int64_t *expected, const char *wrong, uint64_t wrong_at)
{
    const struct isa_tensor *const operands[] = {a, b};
    struct lib_text why = {0}, text = {0};
    bool is_refused;
    struct isa_tensor *made = test_kernel_apply(&test_memory, NULL, kernel, operands,
                                                (struct isa_numbers){0}, true,
                                                &is_refused, &why);
    if (wrong) {
        int64_t places[ISA_RANK_MAX];
        test_places(shape, wrong_at, places);
        lib_text_puts(&text, wrong);
        for (unsigned i = 0; i < shape->rank; i++)
            lib_text_printf(&text, "%s%lld", i ? ", " : " in element [",
                            (long long)places[i]);
        lib_text_puts(&text, shape->rank ? "]" : "");
        ck_assert(!made && !is_refused);
        const char *found = strstr(lib_text_get(&why), ": ");
        ck_assert_msg(found && strcmp(found + 2, lib_text_get(&text)) == 0,
                      "expected %s, found %s", lib_text_get(&text), lib_text_get(&why));
    } else {
        ck_assert_msg(made != NULL, "%s", lib_text_get(&why));
        ck_assert(isa_shape_equal(&made->shape, shape));
        for (uint64_t i = 0; i < made->count; i++)
            ck_assert_int_eq(made->shape.element == ISA_ELEMENT_BOOL ? made->bools[i]
                                                                     : made->ints[i],
                             expected[i]);
    }
    isa_tensor_free(&test_memory, made);
    lib_text_free(&why);
    lib_text_free(&text);
}

static const int64_t extents[][3] = {{3, 4, 5}, {1, 4, 1}, {3, 1, 5}};

START_TEST(operations_on_ints)
{
    for (enum isa_kernel kernel = ISA_KERNEL_ADD; kernel <= ISA_KERNEL_POW;
         kernel = kernel == ISA_KERNEL_GE    ? ISA_KERNEL_REM
                  : kernel == ISA_KERNEL_REM ? ISA_KERNEL_POW
                                             : kernel + 1)
        for (uint64_t round = 0; round < ROUNDS; round++) {
            struct isa_tensor *a = ints(3, extents[round % 3], 2 * round, round % 2);
            struct isa_tensor *b = ints(2, &extents[round % 2][1], 2 * round + 1,
                                        round % 2);
            struct isa_shape shape = {.element = kernel < ISA_KERNEL_EQ ||
                                                         kernel >= ISA_KERNEL_REM
                                                     ? ISA_ELEMENT_INT
                                                     : ISA_ELEMENT_BOOL,
                                      .rank = 3};
            int64_t expected[60];
            const char *wrong = NULL;
            uint64_t wrong_at = 0;
            for (int i = 0; i < 3; i++) {
                const int64_t x = a->shape.extents[i],
                              y = i ? b->shape.extents[i - 1] : 1;
                shape.extents[i] = x > y ? x : y;
            }
            for (uint64_t i = 0; i < isa_shape_count(&shape) && !wrong; i++) {
                int64_t places[ISA_RANK_MAX];
                test_places(&shape, i, places);
                wrong = binary(kernel, a->ints[broadcast_place(&a->shape, 3, places)],
                               b->ints[broadcast_place(&b->shape, 3, places)],
                               &expected[i]);
                wrong_at = i;
            }
            check(kernel, a, b, &shape, expected, wrong, wrong_at);
            isa_tensor_free(&test_memory, a);
            isa_tensor_free(&test_memory, b);
        }
}
END_TEST

START_TEST(operations_on_one)
{
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct isa_tensor *a = ints(2, extents[0], round, round % 2);
        int64_t negative[12], size[12];
        const char *wrong = NULL;
        uint64_t at = 0;
        for (uint64_t i = 0; i < 12 && !wrong; i++) {
            at = i;
            wrong = a->ints[i] == INT64_MIN ? "integer overflow" : NULL;
            negative[i] = wrong ? 0 : -a->ints[i];
            size[i] = a->ints[i] < 0 ? negative[i] : a->ints[i];
        }
        check(ISA_KERNEL_NEG, a, NULL, &a->shape, negative, wrong, at);
        check(ISA_KERNEL_ABS, a, NULL, &a->shape, size, wrong, at);
        isa_tensor_free(&test_memory, a);
    }
}
END_TEST

/* Each element from the first product to the last, as the page says, also where the sum so far
 * overflows. */
START_TEST(products_of_matrices)
{
    enum { M = 3, K = 4, N = 5 };
    static const int64_t left[] = {2, M, K}, right[] = {K, N};
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct isa_tensor *a = ints(3, left, 2 * round, round % 2);
        struct isa_tensor *b = ints(2, right, 2 * round + 1, round % 2);
        const struct isa_shape shape = {ISA_ELEMENT_INT, 3, {2, M, N}};
        int64_t expected[2 * M * N];
        const char *wrong = NULL;
        uint64_t at = 0;
        for (uint64_t i = 0; i < 2 * M * N && !wrong; i++) {
            at = i;
            expected[i] = 0;
            for (uint64_t k = 0; k < K && !wrong; k++) {
                int64_t product = 0;
                wrong = binary(ISA_KERNEL_MUL, a->ints[i / N * K + k],
                               b->ints[k * N + i % N], &product);
                if (!wrong)
                    wrong = binary(ISA_KERNEL_ADD, expected[i], product, &expected[i]);
            }
        }
        check(ISA_KERNEL_MATMUL, a, b, &shape, expected, wrong, at);
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, b);
    }
}
END_TEST

START_TEST(logic_of_bools)
{
    const struct isa_shape shape = {ISA_ELEMENT_BOOL, 2, {2, 2}};
    struct isa_tensor *x = isa_tensor_new(
        &test_memory, &(struct isa_shape){ISA_ELEMENT_BOOL, 2, {2, 1}});
    struct isa_tensor *y = isa_tensor_new(&test_memory,
                                          &(struct isa_shape){ISA_ELEMENT_BOOL, 1, {2}});
    x->bools[0] = y->bools[0] = 0;
    x->bools[1] = y->bools[1] = 1;
    isa_tensor_seal(x, true);
    isa_tensor_seal(y, true);
    check(ISA_KERNEL_AND, x, y, &shape, (const int64_t[]){0, 0, 0, 1}, NULL, 0);
    check(ISA_KERNEL_OR, x, y, &shape, (const int64_t[]){0, 1, 1, 1}, NULL, 0);
    check(ISA_KERNEL_NOT, y, NULL, &y->shape, (const int64_t[]){1, 0}, NULL, 0);
    isa_tensor_free(&test_memory, x);
    isa_tensor_free(&test_memory, y);
}
END_TEST

/* The tree of the language's `sum`. */
static const char *sum(const int64_t *x, uint64_t count, uint64_t stride, int64_t *all)
{
    int64_t left, right;
    *all = count ? *x : 0;
    if (count < 2)
        return NULL;
    const char *wrong = sum(x, count / 2, stride, &left);
    if (!wrong)
        wrong = sum(x + count / 2 * stride, count - count / 2, stride, &right);
    return wrong ? wrong : binary(ISA_KERNEL_ADD, left, right, all);
}

START_TEST(sums_and_greatest)
{
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const int64_t axis = (int64_t)(round % 3);
        struct isa_tensor *a = ints(3, extents[0], round, round % 2);
        const int64_t *e = a->shape.extents;
        const uint64_t inner = axis == 2 ? 1 : axis == 1 ? 5 : 20;
        const uint64_t count = 60 / (uint64_t)e[axis];
        struct lib_text why = {0};
        const struct isa_tensor *const operands[] = {a, NULL};
        struct isa_tensor *sums = test_kernel_apply(
            &test_memory, NULL, ISA_KERNEL_REDUCE_SUM, operands,
            (struct isa_numbers){&axis, 1}, true, NULL, &why);
        struct isa_tensor *most = test_apply(ISA_KERNEL_REDUCE_MAX, a, NULL, &axis, 1);
        struct isa_tensor *lowest = test_apply(ISA_KERNEL_REDUCE_MIN, a, NULL, &axis, 1);
        const char *wrong = NULL;
        int64_t expected[60];
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t from = i / inner * inner * (uint64_t)e[axis] + i % inner;
            int64_t greatest = INT64_MIN, least = INT64_MAX;
            for (uint64_t k = 0; k < (uint64_t)e[axis]; k++) {
                const int64_t element = a->ints[from + k * inner];
                greatest = element > greatest ? element : greatest;
                least = element < least ? element : least;
            }
            ck_assert_int_eq(most->ints[i], greatest);
            ck_assert_int_eq(lowest->ints[i], least);
            wrong = wrong ? wrong
                          : sum(a->ints + from, (uint64_t)e[axis], inner, &expected[i]);
        }
        for (uint64_t i = 0; !wrong && i < count; i++)
            ck_assert_int_eq(sums->ints[i], expected[i]);
        ck_assert((sums == NULL) == (wrong != NULL));
        ck_assert(!wrong || strstr(lib_text_get(&why), "integer overflow in element ["));
        isa_tensor_free(&test_memory, sums);
        isa_tensor_free(&test_memory, most);
        isa_tensor_free(&test_memory, lowest);
        isa_tensor_free(&test_memory, a);
        lib_text_free(&why);
    }
}
END_TEST

/* --- conversions ---------------------------------------------------------------------------- */

START_TEST(conversions)
{
    static const double from[] = {0.0, -0.0, 2.9, -2.9, 1e18, -0x1p63, 0x1p62};
    static const int64_t to[] = {
        0, 0, 2, -2, 1000000000000000000, INT64_MIN, INT64_C(1) << 62};
    struct isa_tensor *reals = isa_tensor_new(
        &test_memory, &(struct isa_shape){ISA_ELEMENT_REAL, 1, {7}});
    memcpy(reals->reals, from, sizeof from);
    isa_tensor_seal(reals, true);
    struct isa_tensor *whole = test_apply(ISA_KERNEL_TO_INT, reals, NULL, NULL, 0);
    struct isa_tensor *back = test_apply(ISA_KERNEL_TO_REAL, whole, NULL, NULL, 0);
    struct isa_tensor *truths = test_apply(ISA_KERNEL_TO_BOOL, reals, NULL, NULL, 0);
    for (unsigned i = 0; i < 7; i++) {
        ck_assert_int_eq(whole->ints[i], to[i]);
        ck_assert(test_same_bits(back->reals[i], (double)to[i]));
        ck_assert_int_eq(truths->bools[i], from[i] != 0);
    }
    struct isa_tensor *ones = test_apply(ISA_KERNEL_TO_INT, truths, NULL, NULL, 0);
    struct isa_tensor *again = test_apply(ISA_KERNEL_TO_BOOL, ones, NULL, NULL, 0);
    ck_assert_uint_eq(again->word, truths->word);
    struct isa_tensor *const all[] = {reals, whole, back, truths, ones, again};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&test_memory, all[i]);
}
END_TEST

START_TEST(reals_that_no_int_is_near)
{
    static const double some[] = {0x1p63, -0x1.0000000000001p63, NAN, INFINITY,
                                  -INFINITY};
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
        struct lib_text why = {0};
        struct isa_tensor *reals = isa_tensor_new(
            &test_memory, &(struct isa_shape){ISA_ELEMENT_REAL, 2, {1, 2}});
        reals->reals[0] = 1;
        reals->reals[1] = some[i];
        isa_tensor_seal(reals, true);
        ck_assert(!test_kernel_apply(&test_memory, NULL, ISA_KERNEL_TO_INT,
                                     (const struct isa_tensor *const[]){reals, NULL},
                                     (struct isa_numbers){0}, true, NULL, &why));
        ck_assert_str_eq(lib_text_get(&why), "`int` of real[1, 2]: out of the range of "
                                             "int in element [0, 1]");
        isa_tensor_free(&test_memory, reals);
        lib_text_free(&why);
    }
}
END_TEST

/* An int becomes a real32 in one rounding: as a real it would lose the 1 first, and then be in the
 * middle of two real32s. */
START_TEST(an_int_is_rounded_once)
{
    if (test_is_memcheck())
        return; /* valgrind itself converts an int to a float by way of a double */
    const int64_t x = (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1;
    struct isa_tensor *a = ints(0, extents[0], 0, false);
    a->ints[0] = x;
    struct isa_tensor *b = test_apply(ISA_KERNEL_TO_REAL32, a, NULL, NULL, 0);
    ck_assert(b->reals32[0] == 0x1.000002p60f);
    ck_assert((float)(double)x == 0x1p60f);
    isa_tensor_free(&test_memory, a);
    isa_tensor_free(&test_memory, b);
}
END_TEST

/* --- choices ---------------------------------------------------------------------------------- */

static struct isa_tensor *apply_three(enum isa_kernel kernel, const struct isa_tensor *a,
                                      const struct isa_tensor *b,
                                      const struct isa_tensor *c)
{
    const struct isa_tensor *const operands[] = {a, b, c};
    struct lib_text why = {0};
    struct isa_tensor *made = test_kernel_apply(
        &test_memory, NULL, kernel, operands, (struct isa_numbers){0}, true, NULL, &why);
    ck_assert_msg(made != NULL, "%s", lib_text_get(&why));
    lib_text_free(&why);
    return made;
}

static bool are_same(double x, double y)
{
    return x == y || (x != x && y != y);
}

/* Rows at indices, some of them equal, as plain C has them. */
START_TEST(rows_at_indices)
{
    static const int64_t places[] = {3, 0, 3, 1}, four[] = {4}, size[] = {5, 2, 3},
                         rows[] = {4, 2, 3};
    const enum isa_element_kind element = (enum isa_element_kind)_i;
    struct isa_tensor *a = element == ISA_ELEMENT_INT ? ints(3, size, 1, false)
                                                      : test_tensor(element, 3, size, 1);
    struct isa_tensor *c = element == ISA_ELEMENT_INT ? ints(3, rows, 2, false)
                                                      : test_tensor(element, 3, rows, 2);
    struct isa_tensor *at = ints(1, four, 3, false);
    memcpy(at->ints, places, sizeof places);
    struct isa_tensor *set = apply_three(ISA_KERNEL_UPDATE, a, at, c);
    struct isa_tensor *added = apply_three(ISA_KERNEL_SCATTER_ADD, a, at, c);
    struct isa_tensor *took = test_apply(ISA_KERNEL_TAKE, a, at, NULL, 0);
    struct isa_tensor *last = test_apply(ISA_KERNEL_TAKE_LAST, a, at, NULL, 0);
    for (uint64_t i = 0; i < a->count; i++) {
        double is = isa_tensor_get(a, i), all = is;
        for (uint64_t k = 0; k < 4; k++)
            if (places[k] == (int64_t)i / 6) {
                const double x = isa_tensor_get(c, k * 6 + i % 6);
                is = x;
                all = element == ISA_ELEMENT_REAL32 ? (double)((float)all + (float)x)
                                                    : all + x;
            }
        ck_assert(are_same(isa_tensor_get(set, i), is));
        ck_assert(are_same(isa_tensor_get(added, i), all));
    }
    for (uint64_t i = 0; i < 24; i++) {
        const double x = isa_tensor_get(a, (uint64_t)places[i / 6] * 6 + i % 6);
        ck_assert(are_same(isa_tensor_get(took, i), x));
        ck_assert(are_same(isa_tensor_get(last, i), i < 6 ? 0 : x));
    }
    struct isa_tensor *const all[] = {a, c, at, set, added, took, last};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&test_memory, all[i]);
}
END_TEST

/* select(c, a, b), by bytes: of every element, and of conditions that are bools or reals. */
START_TEST(choices)
{
    for (uint8_t element = 0; element < ISA_ELEMENT_COUNT; element++)
        for (uint64_t round = 0; round < 60; round++) {
            const size_t size = isa_element_size(element);
            struct isa_tensor *c = round % 2 ? test_tensor(ISA_ELEMENT_REAL, 2,
                                                           &extents[round % 3][1], round)
                                             : bools(2, &extents[round % 3][1], round);
            struct isa_tensor *v[2];
            for (int i = 0; i < 2; i++) {
                const int64_t *e = extents[(round + (unsigned)i) % 3];
                v[i] = element == ISA_ELEMENT_INT    ? ints(3, e, round, false)
                       : element == ISA_ELEMENT_BOOL ? bools(3, e, 5 + round)
                                                     : test_tensor(element, 3, e, 7);
            }
            struct isa_tensor *when = test_apply(ISA_KERNEL_WHEN, c, v[0], NULL, 0);
            struct isa_tensor *unless = test_apply(ISA_KERNEL_UNLESS, c, v[1], NULL, 0);
            struct isa_tensor *chosen = apply_three(ISA_KERNEL_SELECT, c, v[0], v[1]);
            ck_assert_int_eq(chosen->shape.element, element);
            for (uint64_t i = 0; i < chosen->count; i++) {
                int64_t places[ISA_RANK_MAX];
                test_places(&chosen->shape, i, places);
                const bool holds = isa_tensor_get(
                                       c, broadcast_place(&c->shape, 3, places)) != 0;
                const struct isa_tensor *from = v[!holds];
                ck_assert_mem_eq((char *)chosen->data + i * size,
                                 (char *)from->data +
                                     broadcast_place(&from->shape, 3, places) * size,
                                 size);
                const struct isa_tensor *kept = holds ? when : unless,
                                        *zeros = holds ? unless : when;
                ck_assert_mem_eq((char *)chosen->data + i * size,
                                 (char *)kept->data +
                                     broadcast_place(&kept->shape, 3, places) * size,
                                 size);
                ck_assert_mem_eq((char *)zeros->data +
                                     broadcast_place(&zeros->shape, 3, places) * size,
                                 (const char[sizeof(double)]){0}, size);
            }
            struct isa_tensor *const all[] = {c, v[0], v[1], when, unless, chosen};
            for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
                isa_tensor_free(&test_memory, all[i]);
        }
}
END_TEST

/* --- elements that move ------------------------------------------------------------------- */

START_TEST(moves)
{
    static const int64_t order[] = {2, 0, 1}, rows[] = {2, 0, 2};
    struct isa_tensor *a = ints(3, extents[0], 1, false);
    struct isa_tensor *b = bools(3, extents[0], 1);
    struct isa_tensor *ta = test_apply(ISA_KERNEL_TRANSPOSE, a, NULL, order, 3);
    struct isa_tensor *tb = test_apply(ISA_KERNEL_TRANSPOSE, b, NULL, order, 3);
    struct isa_tensor *ga = test_apply(ISA_KERNEL_GATHER, a, NULL, rows, 3);
    struct isa_tensor *gb = test_apply(ISA_KERNEL_GATHER, b, NULL, rows, 3);
    for (uint64_t i = 0; i < 60; i++) {
        int64_t p[ISA_RANK_MAX];
        test_places(&ta->shape, i, p);
        const int64_t from = (p[1] * 4 + p[2]) * 5 + p[0];
        ck_assert_int_eq(ta->ints[i], a->ints[from]);
        ck_assert_int_eq(tb->bools[i], b->bools[from]);
        const uint64_t row = (uint64_t)rows[i / 20] * 20 + i % 20;
        ck_assert_int_eq(ga->ints[i], a->ints[row]);
        ck_assert_int_eq(gb->bools[i], b->bools[row]);
    }
    struct isa_tensor *const all[] = {a, b, ta, tb, ga, gb};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        isa_tensor_free(&test_memory, all[i]);
}
END_TEST

/* --- what kernels take -------------------------------------------------------------------- */

static const struct {
    enum isa_kernel kernel;
    enum isa_element_kind a, b;
    const char *result; /* the element, or the message */
} takes[] = {
    {ISA_KERNEL_ADD, ISA_ELEMENT_INT, ISA_ELEMENT_INT, "int"},
    {ISA_KERNEL_ADD, ISA_ELEMENT_INT, ISA_ELEMENT_REAL,
     "`+` of int and real: one has elements of int, the other of real"},
    {ISA_KERNEL_ADD, ISA_ELEMENT_BOOL, ISA_ELEMENT_BOOL,
     "`+` of bool and bool: it takes elements of int, real or real32"},
    {ISA_KERNEL_LT, ISA_ELEMENT_INT, ISA_ELEMENT_INT, "bool"},
    {ISA_KERNEL_LT, ISA_ELEMENT_REAL32, ISA_ELEMENT_REAL32, "real32"},
    {ISA_KERNEL_LT, ISA_ELEMENT_BOOL, ISA_ELEMENT_BOOL,
     "`<` of bool and bool: it takes elements of int, real or real32"},
    {ISA_KERNEL_EQ, ISA_ELEMENT_BOOL, ISA_ELEMENT_BOOL, "bool"},
    {ISA_KERNEL_SQRT, ISA_ELEMENT_INT, ISA_ELEMENT_INT,
     "`sqrt` of int: it takes elements of real or real32"},
    {ISA_KERNEL_WHEN, ISA_ELEMENT_BOOL, ISA_ELEMENT_INT, "int"},
    {ISA_KERNEL_WHEN, ISA_ELEMENT_REAL32, ISA_ELEMENT_BOOL, "bool"},
    {ISA_KERNEL_WHEN, ISA_ELEMENT_INT, ISA_ELEMENT_INT,
     "`when` of int and int: the first takes elements of bool, real or real32"},
    {ISA_KERNEL_RESHAPE_LIKE, ISA_ELEMENT_REAL, ISA_ELEMENT_INT,
     "`reshape_like` of real and int: the second takes elements of real or real32"},
    {ISA_KERNEL_CONCAT, ISA_ELEMENT_BOOL, ISA_ELEMENT_INT,
     "`concat` of bool and int: one has elements of bool, the other of int"},
    {ISA_KERNEL_TO_INT, ISA_ELEMENT_BOOL, ISA_ELEMENT_BOOL, "int"},
    {ISA_KERNEL_TO_REAL32, ISA_ELEMENT_INT, ISA_ELEMENT_INT, "real32"},
};

START_TEST(elements_that_kernels_take)
{
    const struct isa_shape a = isa_shape_scalar(takes[_i].a),
                           b = isa_shape_scalar(takes[_i].b);
    struct lib_text why = {0};
    enum isa_element_kind element;
    const bool fits = isa_kernel_element(
        takes[_i].kernel, (const struct isa_shape *const[]){&a, &b}, &element, &why);
    ck_assert_str_eq(fits ? isa_element_name(element) : lib_text_get(&why),
                     takes[_i].result);
    lib_text_free(&why);
}
END_TEST

/* --- files -------------------------------------------------------------------------------- */

static struct isa_tensor *read_again(const struct lib_text *file,
                                     const struct isa_shape *expected,
                                     struct lib_diags *diags)
{
    const struct lib_source source = {"x.npy", file->bytes, file->length};
    return isa_npy_read(&test_memory, &source, expected, true, diags);
}

START_TEST(files_keep_elements)
{
    struct isa_tensor *const tensors[] = {ints(2, extents[0], 3, false),
                                          bools(2, extents[0], 3)};
    static const struct isa_shape reals = {ISA_ELEMENT_REAL, 2, {3, 4}};
    for (int i = 0; i < 2; i++) {
        struct lib_text file = {0};
        struct lib_diags diags = {0};
        isa_npy_write(&file, tensors[i]);
        ck_assert(memmem(file.bytes, file.length, i ? "'|b1'" : "'<i8'", 5));
        struct isa_tensor *again = read_again(&file, NULL, &diags);
        struct isa_tensor *as_reals = read_again(&file, &reals, &diags);
        struct isa_tensor *expected = test_apply(ISA_KERNEL_TO_REAL, tensors[i], NULL,
                                                 NULL, 0);
        ck_assert(again && as_reals);
        ck_assert_uint_eq(again->word, tensors[i]->word);
        ck_assert_uint_eq(as_reals->word, expected->word);
        if (i) {
            file.bytes[file.length - 2] = 2;
            ck_assert(!read_again(&file, NULL, &diags));
            ck_assert_str_eq(diags.items[0].text, "byte 138: a bool is 0 or 1; found 2");
        }
        isa_tensor_free(&test_memory, again);
        isa_tensor_free(&test_memory, as_reals);
        isa_tensor_free(&test_memory, expected);
        isa_tensor_free(&test_memory, tensors[i]);
        lib_diags_free(&diags);
        lib_text_free(&file);
    }
}
END_TEST

/* Ints of 4 bytes, in Fortran order; and reals, which are no ints. */
START_TEST(files_of_short_ints)
{
    static const char header[] =
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2)}\n";
    static const struct isa_shape whole = {ISA_ELEMENT_INT, 2, {2, 2}};
    static const int32_t elements[] = {1, -2, 3, INT32_MIN};
    struct lib_text file = {0}, text = {0};
    struct lib_diags diags = {0};
    lib_text_add(&file, "\x93NUMPY\x01\x00", 8);
    const uint16_t length = (uint16_t)strlen(header);
    lib_text_add(&file, (const char *)&length, 2);
    lib_text_puts(&file, header);
    lib_text_add(&file, (const char *)elements, sizeof elements);
    struct isa_tensor *a = read_again(&file, NULL, &diags);
    ck_assert(a && a->shape.element == ISA_ELEMENT_INT);
    isa_tensor_write(&text, a);
    ck_assert_str_eq(lib_text_get(&text), "[[1, 3], [-2, -2147483648]]");
    isa_tensor_free(&test_memory, a);
    struct isa_tensor *reals = test_tensor(ISA_ELEMENT_REAL, 2, whole.extents, 2);
    lib_text_clear(&file);
    isa_npy_write(&file, reals);
    ck_assert(!read_again(&file, &whole, &diags));
    ck_assert_str_eq(diags.items[0].text, "real[2, 2] was found; expected int[2, 2]");
    isa_tensor_free(&test_memory, reals);
    lib_diags_free(&diags);
    lib_text_free(&file);
    lib_text_free(&text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor_elements");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, test_start, test_finish);
    tcase_add_test(tcase, operations_on_ints);
    tcase_add_test(tcase, operations_on_one);
    tcase_add_test(tcase, products_of_matrices);
    tcase_add_test(tcase, logic_of_bools);
    tcase_add_test(tcase, sums_and_greatest);
    tcase_add_test(tcase, conversions);
    tcase_add_test(tcase, reals_that_no_int_is_near);
    tcase_add_test(tcase, an_int_is_rounded_once);
    tcase_add_test(tcase, choices);
    tcase_add_loop_test(tcase, rows_at_indices, 0, ISA_ELEMENT_BOOL);
    tcase_add_test(tcase, moves);
    tcase_add_loop_test(tcase, elements_that_kernels_take, 0,
                        (int)(sizeof takes / sizeof *takes));
    tcase_add_test(tcase, files_keep_elements);
    tcase_add_test(tcase, files_of_short_ints);
    return test_main("tensor_elements", tcase);
}
