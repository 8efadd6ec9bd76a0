/* Kernels that count, choose and place along an axis, against plain loops; and what they refuse. */
#include "tests/unit/tensors.h"

#include "isa/tensor/element.h"
#include "isa/tensor/elementary.h"
#include "lib/random.h"

enum { ROUNDS = 300 };

/* --- operands ------------------------------------------------------------------------------ */

/* Of few different elements, so that there are ties: of reals also -0.0 and NaN. */
static struct isa_tensor *drawn(enum isa_element_kind element, unsigned rank,
                                const int64_t *extents, uint64_t seed)
{
    static const double some[] = {-0.0, 0.0, 1.5, -2.25, 7, NAN, 0.1, -INFINITY};
    struct isa_shape shape = {.element = (uint8_t)element, .rank = (uint8_t)rank};
    memcpy(shape.extents, extents, rank * sizeof *extents);
    struct isa_tensor *tensor = isa_tensor_new(&test_memory, &shape);
    for (uint64_t i = 0; i < tensor->count; i++) {
        const uint64_t draw = lib_hash_mix(seed * 7919 + i) >> 7;
        if (element == ISA_ELEMENT_INT)
            tensor->ints[i] = (int64_t)(draw % 6) - 2;
        else if (element == ISA_ELEMENT_BOOL)
            tensor->bools[i] = draw % 2;
        else
            isa_tensor_set(tensor, i, some[draw % (seed % 3 ? 5 : 8)]);
    }
    isa_tensor_seal(tensor, true);
    return tensor;
}

static const struct {
    unsigned rank, axis;
    int64_t extents[4];
} lines[] = {
    {1, 0, {9}},       {2, 0, {5, 4}},       {2, 1, {5, 4}},
    {3, 1, {2, 7, 3}}, {4, 2, {2, 3, 5, 2}}, {4, 3, {2, 1, 3, 17}},
    {3, 2, {2, 3, 1}}, {1, 0, {1}},          {4, 0, {6, 2, 1, 2}},
};
enum { LINES = sizeof lines / sizeof *lines };

/* The places before, along and behind the axis of a row. */
struct sizes {
    int64_t outer, length, inner;
};

static struct sizes sizes_of(int row)
{
    struct sizes s = {1, lines[row].extents[lines[row].axis], 1};
    for (unsigned i = 0; i < lines[row].rank; i++) {
        s.outer *= i < lines[row].axis ? lines[row].extents[i] : 1;
        s.inner *= i > lines[row].axis ? lines[row].extents[i] : 1;
    }
    return s;
}

static const enum isa_element_kind all[] = {ISA_ELEMENT_REAL, ISA_ELEMENT_REAL32,
                                            ISA_ELEMENT_INT, ISA_ELEMENT_BOOL};

static double get(const struct isa_tensor *tensor, int64_t i)
{
    return isa_tensor_get(tensor, (uint64_t)i);
}

/* --- the greatest -------------------------------------------------------------------------- */

/* How many of a line come before element `at`: the greater ones, of which NaN is the greatest, and
 * equals in front of it. */
static int64_t place_in_order(const struct isa_tensor *a, int64_t first, int64_t step,
                              int64_t length, int64_t at)
{
    const double x = get(a, first + at * step);
    int64_t before = 0;
    for (int64_t j = 0; j < length; j++) {
        const double y = get(a, first + j * step);
        const bool is_equal = x == y || (isnan(x) && isnan(y));
        before += is_equal ? j < at : isnan(y) || y > x;
    }
    return before;
}

START_TEST(the_greatest)
{
    const struct sizes s = sizes_of(_i);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const enum isa_element_kind element = all[round % 3];
        const int64_t axis = lines[_i].axis, most = 1 + round % s.length;
        struct isa_tensor *a = drawn(element, lines[_i].rank, lines[_i].extents, round);
        struct isa_tensor *first = test_apply(ISA_KERNEL_ARGMAX, a, NULL, &axis, 1);
        const int64_t top[] = {axis, most};
        struct isa_tensor *values = test_apply(ISA_KERNEL_TOP_VALUES, a, NULL, top, 2);
        struct isa_tensor *places = test_apply(ISA_KERNEL_TOP_INDICES, a, NULL, top, 2);
        ck_assert(first->shape.element == ISA_ELEMENT_INT &&
                  places->shape.element == ISA_ELEMENT_INT &&
                  values->shape.element == element);
        ck_assert_int_eq((int64_t)values->count, s.outer * most * s.inner);
        for (int64_t o = 0; o < s.outer; o++)
            for (int64_t i = 0; i < s.length; i++)
                for (int64_t k = 0; k < s.inner; k++) {
                    const int64_t from = o * s.length * s.inner + k;
                    const int64_t place = place_in_order(a, from, s.inner, s.length, i);
                    const int64_t to = (o * most + place) * s.inner + k;
                    if (place == 0)
                        ck_assert_int_eq(first->ints[o * s.inner + k], i);
                    if (place >= most)
                        continue;
                    ck_assert_int_eq(places->ints[to], i);
                    ck_assert(
                        test_same_bits(get(values, to), get(a, from + i * s.inner)));
                }
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, first);
        isa_tensor_free(&test_memory, values);
        isa_tensor_free(&test_memory, places);
    }
}
END_TEST

START_TEST(the_greatest_of_all)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct isa_tensor *a = drawn(all[round % 3], 3, (int64_t[]){2, 3, 4}, round);
        struct isa_tensor *first = test_apply(ISA_KERNEL_ARGMAX, a, NULL, NULL, 0);
        ck_assert_uint_eq(first->shape.rank, 0);
        for (int64_t i = 0; i < 24; i++)
            if (place_in_order(a, 0, 1, 24, i) == 0)
                ck_assert_int_eq(first->ints[0], i);
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, first);
    }
}
END_TEST

/* --- sums ---------------------------------------------------------------------------------- */

static double rounded(enum isa_element_kind element, double x)
{
    return element == ISA_ELEMENT_REAL32 ? (double)(float)x : x;
}

START_TEST(sums_so_far)
{
    const struct sizes s = sizes_of(_i);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const enum isa_element_kind element = all[round % 3];
        const int64_t axis = lines[_i].axis;
        struct isa_tensor *a = element == ISA_ELEMENT_INT
                                   ? drawn(element, lines[_i].rank, lines[_i].extents,
                                           round)
                                   : test_tensor((uint8_t)element, lines[_i].rank,
                                                 lines[_i].extents, round);
        struct isa_tensor *sums = test_apply(ISA_KERNEL_CUMSUM, a, NULL, &axis, 1);
        struct isa_tensor *back = element == ISA_ELEMENT_INT
                                      ? NULL
                                      : test_apply(ISA_KERNEL_CUMSUM_BACK, a, NULL, &axis,
                                                   1);
        ck_assert(isa_shape_equal(&sums->shape, &a->shape));
        for (int64_t o = 0; o < s.outer; o++)
            for (int64_t k = 0; k < s.inner; k++) {
                const int64_t from = o * s.length * s.inner + k;
                double sum = get(a, from);
                for (int64_t i = 0; i < s.length; i++) {
                    const int64_t at = from + i * s.inner;
                    sum = i ? rounded(element, sum + get(a, at)) : sum;
                    ck_assert(test_same_bits(get(sums, at), sum));
                }
                for (int64_t i = s.length; back && i-- > 0;) {
                    const int64_t at = from + i * s.inner;
                    sum = i < s.length - 1 ? rounded(element, sum + get(a, at))
                                           : get(a, at);
                    ck_assert(test_same_bits(get(back, at), sum));
                }
            }
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, sums);
        isa_tensor_free(&test_memory, back);
    }
}
END_TEST

/* The sum of reduce_sum, divided once. */
START_TEST(means)
{
    const struct sizes s = sizes_of(_i);
    for (unsigned round = 0; round < 40; round++) {
        const enum isa_element_kind element = all[round % 2];
        const int64_t axis = lines[_i].axis;
        struct isa_tensor *a = test_tensor((uint8_t)element, lines[_i].rank,
                                           lines[_i].extents, round / 2);
        for (int whole = 0; whole < 2; whole++) {
            struct isa_tensor *sum = test_apply(ISA_KERNEL_REDUCE_SUM, a, NULL, &axis,
                                                !whole);
            struct isa_tensor *mean = test_apply(ISA_KERNEL_REDUCE_MEAN, a, NULL, &axis,
                                                 !whole);
            const double length = whole ? (double)a->count : (double)s.length;
            ck_assert(isa_shape_equal(&sum->shape, &mean->shape));
            for (uint64_t i = 0; i < sum->count; i++)
                ck_assert(
                    test_same_bits(isa_tensor_get(mean, i),
                                   rounded(element, isa_tensor_get(sum, i) / length)));
            isa_tensor_free(&test_memory, sum);
            isa_tensor_free(&test_memory, mean);
        }
        isa_tensor_free(&test_memory, a);
    }
}
END_TEST

/* --- what moves ----------------------------------------------------------------------------- */

START_TEST(stacks)
{
    for (unsigned round = 0; round < 80; round++) {
        const enum isa_element_kind element = all[round % 4];
        const int64_t axis = round / 4 % 4, extents[] = {2, 3, 4};
        struct isa_tensor *a = drawn(element, 3, extents, round);
        struct isa_tensor *b = drawn(element, 3, extents, round + 1000);
        struct isa_tensor *both = test_apply(ISA_KERNEL_STACK, a, b, &axis, 1);
        ck_assert_uint_eq(both->shape.rank, 4);
        ck_assert_int_eq(both->shape.extents[axis], 2);
        for (uint64_t i = 0; i < both->count; i++) {
            int64_t places[4], own[3];
            test_places(&both->shape, i, places);
            for (int p = 0, at = 0; p < 4; p++)
                if (p != axis)
                    own[at++] = places[p];
            ck_assert(test_same_bits(isa_tensor_get(both, i),
                                     test_at(places[axis] ? b : a, own)));
        }
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, b);
        isa_tensor_free(&test_memory, both);
    }
}
END_TEST

/* Whether a part has the elements of an axis from `first` on. */
static void check_part(const struct isa_tensor *a, const struct isa_tensor *part,
                       unsigned axis, int64_t first, int64_t count)
{
    ck_assert_int_eq(part->shape.extents[axis], count);
    for (uint64_t i = 0; i < part->count; i++) {
        int64_t places[ISA_RANK_MAX];
        test_places(&part->shape, i, places);
        places[axis] += first;
        ck_assert(test_same_bits(isa_tensor_get(part, i), test_at(a, places)));
    }
}

START_TEST(parts)
{
    static const int64_t extents[] = {4, 6, 8},
                         sizes[3][4] = {{1, 0, 2, 1}, {3, 1, 0, 2}, {0, 0, 8, 0}};
    for (unsigned round = 0; round < 48; round++) {
        const unsigned axis = round / 4 % 3;
        struct isa_tensor *a = drawn(all[round % 4], 3, extents, round);
        int64_t first = 0;
        for (int64_t i = 0; i < 4; i++) {
            const int64_t numbers[] = {
                axis, i, sizes[axis][0], sizes[axis][1], sizes[axis][2], sizes[axis][3]};
            struct isa_tensor *part = test_apply(ISA_KERNEL_PART, a, NULL, numbers, 6);
            check_part(a, part, axis, first, sizes[axis][i]);
            first += sizes[axis][i];
            isa_tensor_free(&test_memory, part);
        }
        for (int64_t i = 0; i < 2; i++) {
            const int64_t numbers[] = {axis, i, 2}, half = extents[axis] / 2;
            struct isa_tensor *part = test_apply(ISA_KERNEL_SPLIT, a, NULL, numbers, 3);
            check_part(a, part, axis, i * half, half);
            isa_tensor_free(&test_memory, part);
        }
        isa_tensor_free(&test_memory, a);
    }
}
END_TEST

/* Zeros, or one element. */
START_TEST(zeros_around)
{
    for (unsigned round = 0; round < 144; round++) {
        const unsigned axis = round / 4 % 3;
        const int64_t extents[] = {2, 3, round % 5}, before = round % 3,
                      after = round / 3 % 3, numbers[] = {axis, before, after};
        struct isa_tensor *a = drawn(all[round % 4], 3, extents, round);
        const int64_t none[] = {0};
        struct isa_tensor *one = drawn(all[round % 4], 0, none, round + 1);
        const bool is_given = round >= 72;
        struct isa_tensor *padded = is_given
                                        ? test_apply(ISA_KERNEL_PAD_WITH, a, one, numbers,
                                                     3)
                                        : test_apply(ISA_KERNEL_PAD, a, NULL, numbers, 3);
        const double around = is_given ? isa_tensor_get(one, 0) : 0;
        ck_assert_int_eq(padded->shape.extents[axis], extents[axis] + before + after);
        for (uint64_t i = 0; i < padded->count; i++) {
            int64_t places[ISA_RANK_MAX];
            test_places(&padded->shape, i, places);
            places[axis] -= before;
            const bool is_own = places[axis] >= 0 && places[axis] < extents[axis];
            ck_assert(test_same_bits(isa_tensor_get(padded, i),
                                     is_own ? test_at(a, places) : around));
        }
        isa_tensor_free(&test_memory, one);
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, padded);
    }
}
END_TEST

START_TEST(counts_and_classes)
{
    for (int64_t n = 0; n < 20; n++) {
        struct isa_tensor *a = drawn(all[n % 4], 1, (int64_t[]){n / 2}, 1);
        struct isa_tensor *count = test_apply(ISA_KERNEL_IOTA, a, NULL, &n, 1);
        ck_assert(count->shape.rank == 1 && count->shape.extents[0] == n);
        for (int64_t i = 0; i < n; i++)
            ck_assert_int_eq(count->ints[i], i);
        isa_tensor_free(&test_memory, a);
        isa_tensor_free(&test_memory, count);
    }
    struct isa_tensor *a = drawn(ISA_ELEMENT_INT, 2, (int64_t[]){3, 4}, 5);
    const int64_t classes = 4;
    for (int64_t i = 0; i < 12; i++)
        a->ints[i] &= 3;
    struct isa_tensor *hot = test_apply(ISA_KERNEL_ONE_HOTS, a, NULL, &classes, 1);
    ck_assert(hot->shape.element == ISA_ELEMENT_REAL && hot->count == 48);
    for (int64_t i = 0; i < 48; i++)
        ck_assert(hot->reals[i] == (a->ints[i / 4] == i % 4));
    isa_tensor_free(&test_memory, a);
    isa_tensor_free(&test_memory, hot);
}
END_TEST

/* An order of axes may count them from the end. */
/* --- random numbers --------------------------------------------------------------------- */

static struct isa_tensor *int_of(int64_t value)
{
    struct isa_tensor *tensor = isa_tensor_new(
        &test_memory, &(struct isa_shape){ISA_ELEMENT_INT, 0, {0}});
    tensor->ints[0] = value;
    isa_tensor_seal(tensor, true);
    return tensor;
}

static double drawn_real(int64_t key, uint64_t high, uint64_t low, unsigned which)
{
    uint64_t words[2];
    lib_random_words((uint64_t)key, high, low, words);
    return lib_random_real(words[which]);
}

START_TEST(random_numbers)
{
    static const int64_t extents[] = {3, 5, 7};
    for (int64_t k = -3; k < 40; k++) {
        const int64_t key = k * INT64_C(0x123456789abcdef);
        struct isa_tensor *of_key = int_of(key);
        struct isa_tensor *counter = isa_tensor_new(
            &test_memory, &(struct isa_shape){ISA_ELEMENT_INT, 1, {2}});
        counter->ints[0] = 3 - k;
        counter->ints[1] = k * k;
        isa_tensor_seal(counter, true);
        struct isa_tensor *bits = test_apply(ISA_KERNEL_RANDOM_BITS, counter, of_key,
                                             NULL, 0);
        uint64_t words[2];
        lib_random_words((uint64_t)key, (uint64_t)(3 - k), (uint64_t)(k * k), words);
        ck_assert(bits->count == 2 && bits->ints[0] == (int64_t)words[0] &&
                  bits->ints[1] == (int64_t)words[1]);
        struct isa_tensor *uniform = test_apply(ISA_KERNEL_RANDOM_UNIFORM, of_key, NULL,
                                                extents, 3);
        struct isa_tensor *normal = test_apply(ISA_KERNEL_RANDOM_NORMAL, of_key, NULL,
                                               extents, 3);
        ck_assert(uniform->count == 105 && normal->count == 105);
        for (uint64_t i = 0; i < 105; i++) {
            const double u = drawn_real(key, 1, i / 2, 0),
                         turn = drawn_real(key, 1, i / 2, 1);
            const double angle = 2 * acos(-1) * turn;
            const double expected = sqrt(-2 * log(1 - u)) *
                                    (i % 2 ? sin(angle) : cos(angle));
            ck_assert(uniform->reals[i] == drawn_real(key, 0, i, 0));
            ck_assert(fabs(normal->reals[i] - expected) < 1e-14);
        }
        struct isa_tensor *made[] = {of_key, counter, bits, uniform, normal};
        for (size_t i = 0; i < 5; i++)
            isa_tensor_free(&test_memory, made[i]);
    }
}
END_TEST

START_TEST(counters_and_keys_have_shapes)
{
    static const struct isa_shape one = {ISA_ELEMENT_INT, 0, {0}},
                                  two = {ISA_ELEMENT_INT, 1, {2}},
                                  three = {ISA_ELEMENT_INT, 1, {3}},
                                  real = {ISA_ELEMENT_REAL, 0, {0}};
    static const struct {
        enum isa_kernel kernel;
        const struct isa_shape *a, *b, *c;
        const char *why;
    } refused[] = {
        {ISA_KERNEL_RANDOM_BITS, &three, &one, &one, "a counter has two ints"},
        {ISA_KERNEL_RANDOM_BITS, &one, &one, &one, "a counter has two ints"},
        {ISA_KERNEL_RANDOM_BITS, &two, &two, &one, "a key has rank 0"},
        {ISA_KERNEL_RANDOM_BITS, &two, &real, &one,
         "one has elements of int, the other of real"},
        {ISA_KERNEL_RANDOM_UNIFORM, &two, &one, &one, "a key has rank 0"},
        {ISA_KERNEL_RANDOM_NORMAL, &real, &one, &one, "it takes elements of int"},
        {ISA_KERNEL_DROPOUT, &real, &real, &two, "a key has rank 0"},
        {ISA_KERNEL_DROPOUT, &real, &real, &real, "a key is an int"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct isa_shape *const operands[] = {refused[i].a, refused[i].b,
                                                    refused[i].c};
        struct isa_shape result;
        struct lib_text why = {0};
        ck_assert(!isa_kernel_shape(refused[i].kernel, operands, (struct isa_numbers){0},
                                    &result, &why));
        ck_assert_msg(strstr(lib_text_get(&why), refused[i].why) != NULL, "%s",
                      lib_text_get(&why));
        lib_text_free(&why);
    }
}
END_TEST

START_TEST(normal_numbers_are_normal)
{
    enum { COUNT = 200000 };
    struct isa_tensor *key = int_of(7);
    struct isa_tensor *normal = test_apply(ISA_KERNEL_RANDOM_NORMAL, key, NULL,
                                           (const int64_t[]){COUNT}, 1);
    double sum = 0, squares = 0, neighbours = 0;
    unsigned within = 0; /* one standard deviation */
    for (uint64_t i = 0; i < COUNT; i++) {
        const double x = normal->reals[i];
        sum += x;
        squares += x * x;
        within += fabs(x) < 1;
        neighbours += i ? x * normal->reals[i - 1] : 0;
    }
    ck_assert(fabs(sum) / COUNT < 0.01 && fabs(squares / COUNT - 1) < 0.02);
    ck_assert(fabs((double)within / COUNT - erf(sqrt(0.5))) < 0.005);
    ck_assert(fabs(neighbours) / COUNT < 0.01);
    isa_tensor_free(&test_memory, key);
    isa_tensor_free(&test_memory, normal);
}
END_TEST

/* The mask does not depend on the element type; the sum stays about the same. */
START_TEST(dropped_elements)
{
    static const int64_t extents[] = {40, 50};
    static const double rates[] = {0.0, 0.25, 0.9, -0.5, 1.0, NAN};
    for (uint8_t element = 0; element < 2; element++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            const double rate = rates[r];
            struct isa_tensor *x = test_tensor(element, 2, extents, 4), *key = int_of(11);
            struct isa_tensor *of_rate = isa_tensor_new(
                &test_memory, &(struct isa_shape){element, 0, {0}});
            struct lib_text why = {0};
            isa_tensor_set(of_rate, 0, rate);
            isa_tensor_seal(of_rate, true);
            const struct isa_tensor *const operands[] = {x, of_rate, key};
            struct isa_tensor *made = test_kernel_apply(
                &test_memory, NULL, ISA_KERNEL_DROPOUT, operands, (struct isa_numbers){0},
                true, NULL, &why);
            ck_assert((made != NULL) == (rate >= 0 && rate < 1));
            ck_assert(made || strstr(lib_text_get(&why), "expected a rate from 0.0"));
            unsigned kept = 0;
            for (uint64_t i = 0; made && i < made->count; i++) {
                const bool is_kept = drawn_real(11, 0, i, 0) >=
                                     isa_tensor_get(of_rate, 0);
                const double whole = isa_tensor_get(x, i) / (1 - rate);
                const double found = isa_tensor_get(made, i);
                ck_assert(is_kept ? fabs(found - whole) <= 1e-6 * fabs(whole)
                                  : found == 0 && !signbit(found));
                kept += is_kept;
            }
            ck_assert(!made || fabs(kept / 2000.0 - (1 - rate)) < 0.04);
            isa_tensor_free(&test_memory, x);
            isa_tensor_free(&test_memory, key);
            isa_tensor_free(&test_memory, of_rate);
            isa_tensor_free(&test_memory, made);
            lib_text_free(&why);
        }
}
END_TEST

START_TEST(axes_from_the_end)
{
    struct isa_tensor *a = drawn(ISA_ELEMENT_REAL, 3, (int64_t[]){2, 3, 4}, 1);
    const int64_t forth[] = {2, 0, 1}, back[] = {-1, -3, 1};
    struct isa_tensor *one = test_apply(ISA_KERNEL_TRANSPOSE, a, NULL, forth, 3);
    struct isa_tensor *two = test_apply(ISA_KERNEL_TRANSPOSE, a, NULL, back, 3);
    struct isa_tensor *again = test_apply(ISA_KERNEL_UNTRANSPOSE, two, NULL, back, 3);
    ck_assert_uint_eq(one->word, two->word);
    ck_assert_uint_eq(again->word, a->word);
    isa_tensor_free(&test_memory, a);
    isa_tensor_free(&test_memory, one);
    isa_tensor_free(&test_memory, two);
    isa_tensor_free(&test_memory, again);
}
END_TEST

/* --- mistakes -------------------------------------------------------------------------------- */

static const struct {
    enum isa_kernel kernel;
    enum isa_element_kind element;
    uint8_t rank;
    int64_t extents[4], numbers[5];
    size_t count;
    const char *why;
} wrong[] = {
    {ISA_KERNEL_IOTA,
     ISA_ELEMENT_REAL,
     1,
     {1},
     {-1},
     1,
     "`iota` of real[1]: -1 is not an extent: expected 0 to 2147483647"},
    {ISA_KERNEL_ARGMAX,
     ISA_ELEMENT_REAL,
     2,
     {2, 0},
     {1},
     1,
     "`argmax` of real[2, 0]: axis 1 has no element"},
    {ISA_KERNEL_ARGMAX,
     ISA_ELEMENT_BOOL,
     1,
     {2},
     {0},
     0,
     "`argmax` of bool[2]: it takes elements of int, real or real32"},
    {ISA_KERNEL_REDUCE_MEAN,
     ISA_ELEMENT_REAL,
     1,
     {0},
     {0},
     0,
     "`reduce_mean` of real[0]: axis 0 has no element"},
    {ISA_KERNEL_TOP_VALUES,
     ISA_ELEMENT_INT,
     2,
     {2, 3},
     {1, 4},
     2,
     "`top_values` of int[2, 3]: 4 are asked for of axis 1, which has 3"},
    {ISA_KERNEL_TOP_INDICES,
     ISA_ELEMENT_INT,
     2,
     {2, 3},
     {2, 1},
     2,
     "`top_indices` of int[2, 3]: unknown axis 2; the axes are 0 to 1"},
    {ISA_KERNEL_TOP_INDICES,
     ISA_ELEMENT_INT,
     1,
     {2},
     {0, -1},
     2,
     "`top_indices` of int[2]: -1 is not an extent: expected 0 to 2147483647"},
    {ISA_KERNEL_CUMSUM,
     ISA_ELEMENT_REAL,
     0,
     {0},
     {0},
     1,
     "`cumsum` of real: unknown axis 0; rank 0 has none"},
    {ISA_KERNEL_SPLIT,
     ISA_ELEMENT_BOOL,
     1,
     {7},
     {0, 0, 2},
     3,
     "`split` of bool[7]: axis 0 has 7, which is not a multiple of 2"},
    {ISA_KERNEL_PART,
     ISA_ELEMENT_BOOL,
     1,
     {7},
     {0, 0, 3, 5},
     4,
     "`part` of bool[7]: the parts have 8 in all, and axis 0 has 7"},
    {ISA_KERNEL_PART,
     ISA_ELEMENT_BOOL,
     1,
     {8},
     {0, 2, 3, 5},
     4,
     "`part` of bool[8]: unknown part 2 of 2"},
    {ISA_KERNEL_SPLIT,
     ISA_ELEMENT_BOOL,
     1,
     {8},
     {0, 0, 0},
     3,
     "`split` of bool[8]: 0 parts are asked for"},
    {ISA_KERNEL_PAD,
     ISA_ELEMENT_REAL,
     1,
     {8},
     {0, -1, 0},
     3,
     "`pad` of real[8]: -1 is not an extent: expected 0 to 2147483647"},
    {ISA_KERNEL_STACK,
     ISA_ELEMENT_REAL,
     4,
     {1, 1, 1, 1},
     {0},
     1,
     "`stack` of real[1, 1, 1, 1] and real[1, 1, 1, 1]: the result has more than 4 axes"},
    {ISA_KERNEL_STACK,
     ISA_ELEMENT_REAL,
     1,
     {1},
     {2},
     1,
     "`stack` of real[1] and real[1]: unknown axis 2; the axes of the result are 0 "
     "to "
     "1"},
    {ISA_KERNEL_ONE_HOTS,
     ISA_ELEMENT_REAL,
     1,
     {1},
     {2},
     1,
     "`one_hots` of real[1]: it takes elements of int"},
    {ISA_KERNEL_ONE_HOTS,
     ISA_ELEMENT_INT,
     1,
     {1},
     {0},
     1,
     "`one_hots` of int[1]: expected at least one class"},
    {ISA_KERNEL_ONE_HOTS,
     ISA_ELEMENT_INT,
     4,
     {1, 1, 1, 1},
     {3},
     1,
     "`one_hots` of int[1, 1, 1, 1]: the result has more than 4 axes"},
    {ISA_KERNEL_TRANSPOSE,
     ISA_ELEMENT_INT,
     2,
     {1, 1},
     {0, -2},
     2,
     "`transpose` of int[1, 1]: axis 0 is named twice"},
    {ISA_KERNEL_TRANSPOSE,
     ISA_ELEMENT_INT,
     2,
     {1, 1},
     {0, -3},
     2,
     "`transpose` of int[1, 1]: unknown axis -3; the axes are 0 to 1"},
};

START_TEST(what_does_not_fit)
{
    struct isa_tensor *a = drawn(wrong[_i].element, wrong[_i].rank, wrong[_i].extents, 1);
    const struct isa_tensor *const operands[] = {a, a};
    struct lib_text why = {0};
    ck_assert(!test_kernel_apply(&test_memory, NULL, wrong[_i].kernel, operands,
                                 (struct isa_numbers){wrong[_i].numbers, wrong[_i].count},
                                 true, NULL, &why));
    ck_assert_str_eq(lib_text_get(&why), wrong[_i].why);
    lib_text_free(&why);
    isa_tensor_free(&test_memory, a);
}
END_TEST

/* The first element that cannot be computed is named. */
START_TEST(elements_that_there_are_not)
{
    struct isa_tensor *a = drawn(ISA_ELEMENT_INT, 2, (int64_t[]){3, 2}, 1);
    const struct isa_tensor *const operands[] = {a, NULL};
    const int64_t axis = 0, classes = 6;
    struct lib_text why = {0};
    for (int64_t i = 0; i < 6; i++)
        a->ints[i] = i;
    a->ints[1] = INT64_MAX - 4;
    ck_assert(!test_kernel_apply(&test_memory, NULL, ISA_KERNEL_CUMSUM, operands,
                                 (struct isa_numbers){&axis, 1}, true, NULL, &why));
    ck_assert_str_eq(lib_text_get(&why),
                     "`cumsum` of int[3, 2]: integer overflow in element [2, 1]");
    lib_text_clear(&why);
    a->ints[1] = 1;
    a->ints[4] = -1;
    ck_assert(!test_kernel_apply(&test_memory, NULL, ISA_KERNEL_ONE_HOTS, operands,
                                 (struct isa_numbers){&classes, 1}, true, NULL, &why));
    ck_assert_str_eq(lib_text_get(&why),
                     "`one_hots` of int[3, 2]: no such class in element [2, 0]");
    lib_text_free(&why);
    isa_tensor_free(&test_memory, a);
}
END_TEST

/* What is known in part never contradicts what is known in whole. */
START_TEST(unknown_numbers_are_no_mistakes)
{
    static const struct {
        enum isa_kernel kernel;
        int64_t numbers[5];
        size_t count;
    } some[] = {
        {ISA_KERNEL_IOTA, {3}, 1},        {ISA_KERNEL_TOP_VALUES, {1, 3}, 2},
        {ISA_KERNEL_CUMSUM, {1}, 1},      {ISA_KERNEL_STACK, {1}, 1},
        {ISA_KERNEL_SPLIT, {0, 1, 2}, 3}, {ISA_KERNEL_PART, {1, 1, 2, 0, 2}, 5},
        {ISA_KERNEL_PAD, {1, 2, 3}, 3},   {ISA_KERNEL_ONE_HOTS, {7}, 1},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (unsigned hidden = 0; hidden < 128; hidden++) {
            struct isa_shape whole = {ISA_ELEMENT_INT, 2, {2, 4}}, part = whole, x, y;
            const struct isa_shape *const of_whole[] = {&whole, &whole},
                                          *const of_part[] = {&part, &part};
            struct lib_text why = {0};
            int64_t numbers[5];
            for (unsigned k = 0; k < 5; k++)
                numbers[k] = hidden >> k & 1 ? ISA_UNKNOWN : some[i].numbers[k];
            for (unsigned k = 0; k < 2; k++)
                if (hidden >> (5 + k) & 1)
                    part.extents[k] = ISA_UNKNOWN;
            ck_assert(isa_kernel_shape(
                some[i].kernel, of_whole,
                (struct isa_numbers){some[i].numbers, some[i].count}, &x, &why));
            ck_assert_msg(isa_kernel_shape(some[i].kernel, of_part,
                                           (struct isa_numbers){numbers, some[i].count},
                                           &y, &why),
                          "%s", lib_text_get(&why));
            ck_assert(isa_shape_agrees(&x, &y));
        }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("index");
    tcase_add_checked_fixture(tcase, test_start, test_finish);
    tcase_add_loop_test(tcase, the_greatest, 0, LINES);
    tcase_add_test(tcase, the_greatest_of_all);
    tcase_add_loop_test(tcase, sums_so_far, 0, LINES);
    tcase_add_loop_test(tcase, means, 0, LINES);
    tcase_add_test(tcase, stacks);
    tcase_add_test(tcase, parts);
    tcase_add_test(tcase, zeros_around);
    tcase_add_test(tcase, counts_and_classes);
    tcase_add_test(tcase, random_numbers);
    tcase_add_test(tcase, counters_and_keys_have_shapes);
    tcase_add_test(tcase, normal_numbers_are_normal);
    tcase_add_test(tcase, dropped_elements);
    tcase_add_test(tcase, axes_from_the_end);
    tcase_add_loop_test(tcase, what_does_not_fit, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tcase, elements_that_there_are_not);
    tcase_add_test(tcase, unknown_numbers_are_no_mistakes);
    return test_main("tensor_index", tcase);
}
