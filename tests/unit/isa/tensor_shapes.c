/* Shapes of results and what is said of mistakes; memory and words of tensors. */
#include "tests/unit/main.h"

#include "tests/tensor/kernels.h"

#include <math.h>
#include <string.h>

enum { U = -999 }; /* stands for ISA_UNKNOWN */

/* "real[2, _]" */
static struct isa_shape shape_of(const char *text)
{
    struct isa_shape shape = {0};
    shape.element = strncmp(text, "real32", 6) == 0 ? ISA_ELEMENT_REAL32
                                                    : ISA_ELEMENT_REAL;
    for (const char *p = strpbrk(text, "[,"); p; p = strpbrk(p, ",")) {
        p += strspn(p, "[, ");
        shape.extents[shape.rank++] = *p == '_' ? ISA_UNKNOWN : strtoll(p, NULL, 10);
    }
    return shape;
}

/* --- rules -------------------------------------------------------------------- */

static const struct row {
    const char *kernel, *a, *b;
    int64_t numbers[6];
    int count; /* of numbers; -1: unknown; from 100 on: so many less, which are unknown */
    const char *result;
} rows[] = {
    {"+", "real[2, 3]", "real[2, 3]", {0}, 0, "real[2, 3]"},
    {"+", "real[2, 3]", "real", {0}, 0, "real[2, 3]"},
    {"+", "real32[4, 1, 3]", "real32[2, 1]", {0}, 0, "real32[4, 2, 3]"},
    {"*", "real[0, 3]", "real[1, 3]", {0}, 0, "real[0, 3]"},
    {"+", "real[_, 3]", "real[2, 1]", {0}, 0, "real[2, 3]"},
    {"+", "real[_, 3]", "real[1, _]", {0}, 0, "real[_, 3]"},
    {"-",
     "real[2, 3]",
     "real[3, 2]",
     {0},
     0,
     "`-` of real[2, 3] and real[3, 2]: opposite extents, counted from the last, must be "
     "equal, or one is 1; here 3 and 2"},
    {"/",
     "real[2]",
     "real32[2]",
     {0},
     0,
     "`/` of real[2] and real32[2]: one has elements of real, the other of real32"},
    {"exp", "real32[2, 2]", NULL, {0}, 0, "real32[2, 2]"},
    {"exp",
     "real32[2, 2]",
     NULL,
     {1},
     1,
     "`exp` of real32[2, 2]: it takes no whole number, and 1 whole number is given"},
    {"real", "real32[7]", NULL, {0}, 0, "real[7]"},
    {"real32", "real[7]", NULL, {0}, 0, "real32[7]"},
    {"matmul", "real[2, 3]", "real[3, 5]", {0}, 0, "real[2, 5]"},
    {"matmul", "real[3]", "real[3]", {0}, 0, "real"},
    {"matmul", "real[3]", "real[3, 4]", {0}, 0, "real[4]"},
    {"matmul", "real[4, 3]", "real[3]", {0}, 0, "real[4]"},
    {"matmul", "real[6, 1, 4, 3]", "real[7, 3, 2]", {0}, 0, "real[6, 7, 4, 2]"},
    {"matmul", "real[6, 4, 3]", "real[3]", {0}, 0, "real[6, 4]"},
    {"matmul", "real[_, _]", "real[3, 5]", {0}, 0, "real[_, 5]"},
    {"matmul",
     "real[2, 3]",
     "real[4, 5]",
     {0},
     0,
     "`matmul` of real[2, 3] and real[4, 5]: the inner extents differ: 3 and 4"},
    {"matmul",
     "real",
     "real[4, 5]",
     {0},
     0,
     "`matmul` of real and real[4, 5]: a product of matrices needs at least one axis of "
     "each"},
    {"reduce_sum", "real[2, 3]", NULL, {0}, 0, "real"},
    {"reduce_sum", "real[2, 3, 4]", NULL, {1}, 1, "real[2, 4]"},
    {"reduce_sum", "real[0]", NULL, {0}, 0, "real"},
    {"reduce_sum", "real[2, 3]", NULL, {U}, 1, "real[_]"},
    {"reduce_sum",
     "real[2, 3]",
     NULL,
     {2},
     1,
     "`reduce_sum` of real[2, 3]: unknown axis 2; the axes are 0 to 1"},
    {"reduce_sum",
     "real",
     NULL,
     {0},
     1,
     "`reduce_sum` of real: unknown axis 0; rank 0 has none"},
    {"reduce_max", "real[2, 3]", NULL, {0}, 1, "real[3]"},
    {"reduce_max", "real[2, 0]", NULL, {0}, 1, "real[0]"},
    {"reduce_max",
     "real[2, 0]",
     NULL,
     {1},
     1,
     "`reduce_max` of real[2, 0]: axis 1 has no element"},
    {"reduce_max",
     "real[2, 0]",
     NULL,
     {0},
     0,
     "`reduce_max` of real[2, 0]: axis 1 has no element"},
    {"reduce_min", "real[2, 3]", NULL, {1}, 1, "real[2]"},
    {"reduce_min",
     "real[2, 0]",
     NULL,
     {1},
     1,
     "`reduce_min` of real[2, 0]: axis 1 has no element"},
    {"log_softmax", "real32[5, 2]", NULL, {0}, 0, "real32[5, 2]"},
    {"softmax", "real[5, 2]", NULL, {0}, 0, "real[5, 2]"},
    {"softmax", "real", NULL, {0}, 0, "`softmax` of real: rank 0 has no last axis"},
    {"cross_entropy", "real[5, 2]", "real[5, 2]", {0}, 0, "real[5]"},
    {"cross_entropy", "real[5, _]", "real[_, 2]", {0}, 0, "real[5]"},
    {"cross_entropy",
     "real[5, 2]",
     "real[5, 3]",
     {0},
     0,
     "`cross_entropy` of real[5, 2] and real[5, 3]: the shapes differ"},
    {"cross_entropy",
     "real[5, 0]",
     "real[5, 0]",
     {0},
     0,
     "`cross_entropy` of real[5, 0] and real[5, 0]: the last axis has no element"},
    {"cross_entropy_at", "real[3]", NULL, {2}, 1, "real"},
    {"cross_entropy_at", "real[2, 3]", NULL, {2, 0}, 2, "real[2]"},
    {"cross_entropy_at", "real[2, 3]", NULL, {0}, -1, "real[2]"},
    {"cross_entropy_at",
     "real[2, 3]",
     NULL,
     {2, 3},
     2,
     "`cross_entropy_at` of real[2, 3]: label 3 of row 1 is out of range; there are 3 "
     "classes, from 0 on"},
    {"cross_entropy_at",
     "real[2, 3]",
     NULL,
     {2},
     1,
     "`cross_entropy_at` of real[2, 3]: there are 2 rows, and 1 label"},
    {"pad_with", "real[2, 3]", "real", {1, 1, 2}, 3, "real[2, 6]"},
    {"pad_with", "real32[_, 3]", "real32", {0, 1, 2}, 3, "real32[_, 3]"},
    {"pad_with",
     "real[2, 3]",
     "real[1]",
     {1, 1, 2},
     3,
     "`pad_with` of real[2, 3] and real[1]: the second has rank 1, and is one element"},
    {"pad_with",
     "real32[2, 3]",
     "real",
     {1, 1, 2},
     3,
     "`pad_with` of real32[2, 3] and real: one has elements of real32, the other of "
     "real"},
    {"pad_with",
     "real[2, 3]",
     "real",
     {1, 1},
     2,
     "`pad_with` of real[2, 3] and real: it takes an axis, and how many before and "
     "after, "
     "and 2 "
     "whole numbers are given"},
    {"concat", "real[2, 3]", "real[2, 4]", {1}, 1, "real[2, 7]"},
    {"concat", "real[_, 3]", "real[2, _]", {1}, 1, "real[2, _]"},
    {"concat",
     "real[2, 3]",
     "real[2, 4]",
     {0},
     1,
     "`concat` of real[2, 3] and real[2, 4]: along axis 0, the extents of axis 1 differ"},
    {"concat",
     "real[2, 3]",
     "real[2]",
     {0},
     1,
     "`concat` of real[2, 3] and real[2]: the ranks differ: 2 and 1"},
    {"concat",
     "real[2000000000]",
     "real[2000000000]",
     {0},
     1,
     "`concat` of real[2000000000] and real[2000000000]: 4000000000 is not an extent: "
     "expected 0 to "
     "2147483647"},
    {"slice", "real[5, 3]", NULL, {0, 1, 4}, 3, "real[4, 3]"},
    {"slice", "real[5, 3]", NULL, {1, 3, 0}, 3, "real[5, 0]"},
    {"slice", "real[5, 3]", NULL, {0, U, 2}, 3, "real[2, 3]"},
    {"slice", "real[5, 3]", NULL, {U, 0, 2}, 3, "real[_, _]"},
    {"slice",
     "real[5, 3]",
     NULL,
     {0, 2, 4},
     3,
     "`slice` of real[5, 3]: 4 from 2 on are asked for of axis 0, which has 5"},
    {"slice",
     "real[5, 3]",
     NULL,
     {0, -1, 4},
     3,
     "`slice` of real[5, 3]: the first is -1; elements are counted from 0 on"},
    {"slice",
     "real[5, 3]",
     NULL,
     {0, 0, -4},
     3,
     "`slice` of real[5, 3]: -4 is not an extent: expected 0 to 2147483647"},
    {"slice",
     "real[5, 3]",
     NULL,
     {0, 9223372036854775807, 1},
     3,
     "`slice` of real[5, 3]: 1 from 9223372036854775807 on are asked for of axis 0, "
     "which has 5"},
    {"gather", "real[5, 3]", NULL, {4, 4, 0}, 3, "real[3, 3]"},
    {"gather", "real[5, 3]", NULL, {0}, -1, "real[_, 3]"},
    {"gather", "real[5, 3]", NULL, {0}, 104, "real[4, 3]"},
    {"gather",
     "real[5, 3]",
     NULL,
     {4, 5},
     2,
     "`gather` of real[5, 3]: row 5 is out of range; there are 5, from 0 on"},
    {"transpose", "real[5, 3, 2]", NULL, {0}, 0, "real[2, 3, 5]"},
    {"transpose", "real[5, 3, 2]", NULL, {1, 0, 2}, 3, "real[3, 5, 2]"},
    {"transpose",
     "real[5, 3, 2]",
     NULL,
     {1, 1, 2},
     3,
     "`transpose` of real[5, 3, 2]: axis 1 is named twice"},
    {"transpose",
     "real[5, 3]",
     NULL,
     {1},
     1,
     "`transpose` of real[5, 3]: it takes each axis once, or nothing, and 1 whole number "
     "is given"},
    {"reshape", "real[6, 2]", NULL, {3, 4}, 2, "real[3, 4]"},
    {"reshape", "real[6, 2]", NULL, {-1, 4}, 2, "real[3, 4]"},
    {"reshape", "real[1]", NULL, {0}, 0, "real"},
    {"reshape", "real[_, 2]", NULL, {-1, 4}, 2, "real[_, 4]"},
    {"sum_to", "real[6, 2]", NULL, {6, 1}, 2, "real[6, 1]"},
    {"sum_to", "real32[6, _]", NULL, {3}, 1, "real32[3]"},
    {"sum_to", "real[6, 2]", NULL, {0}, 102, "real[_, _]"},
    {"sum_to",
     "real[6, 2]",
     NULL,
     {3, 2},
     2,
     "`sum_to` of real[6, 2]: real[3, 2] does not broadcast to it"},
    {"spread_to", "real[2, 1]", NULL, {5, 2, 4}, 3, "real[5, 2, 4]"},
    {"spread_to", "real", NULL, {0}, 0, "real"},
    {"spread_to",
     "real[2]",
     NULL,
     {2, 1},
     2,
     "`spread_to` of real[2]: real[2, 1] is not what it broadcasts to"},
    {"spread_to",
     "real[2]",
     NULL,
     {1, 1, 1, 1, 2},
     5,
     "`spread_to` of real[2]: it takes 4 extents at most, and 5 whole numbers are given"},
    {"spread_last_to", "real32[2, _]", NULL, {2, 3, 4}, 3, "real32[2, 3, 4]"},
    {"spread_last_to",
     "real[2, 3]",
     NULL,
     {2, 3},
     2,
     "`spread_last_to` of real[2, 3]: real[2, 3] does not have one more last axis"},
    {"spread_last_to",
     "real[2, 3]",
     NULL,
     {2, 3, -4},
     3,
     "`spread_last_to` of real[2, 3]: -4 is not an extent: expected 0 to 2147483647"},
    {"reshape",
     "real[6, 2]",
     NULL,
     {3, 5},
     2,
     "`reshape` of real[6, 2]: real[3, 5] has 15 elements, and there are 12"},
    {"reshape",
     "real[6, 2]",
     NULL,
     {-1, 5},
     2,
     "`reshape` of real[6, 2]: 12 elements are not a multiple of 5"},
    {"reshape",
     "real[6, 2]",
     NULL,
     {-1, -1},
     2,
     "`reshape` of real[6, 2]: two extents are -1; one can be what is left"},
    {"reshape",
     "real[0]",
     NULL,
     {-1, 0},
     2,
     "`reshape` of real[0]: 0 elements are not a multiple of 0"},
    {"reshape",
     "real[12]",
     NULL,
     {1, 1, 1, 1, 12},
     5,
     "`reshape` of real[12]: it takes 4 extents at most, and 5 whole numbers are given"},
};

START_TEST(shapes_follow_from_shapes)
{
    const struct row *row = &rows[_i];
    const enum isa_kernel kernel = test_kernel_find(row->kernel);
    const struct isa_shape a = shape_of(row->a), b = shape_of(row->b ? row->b : "");
    const struct isa_shape *const operands[] = {&a, &b};
    int64_t items[6];
    for (int i = 0; i < 6; i++)
        items[i] = row->numbers[i] == U ? ISA_UNKNOWN : row->numbers[i];
    struct isa_numbers numbers = {items, (size_t)row->count};
    if (row->count < 0)
        numbers = (struct isa_numbers){NULL, ISA_NUMBERS_UNKNOWN};
    else if (row->count >= 100)
        numbers = (struct isa_numbers){NULL, (size_t)row->count - 100};
    struct isa_shape result;
    struct lib_text text = {0};
    ck_assert_msg(kernel != ISA_KERNEL_NONE, "%s", row->kernel);
    ck_assert_int_eq(isa_kernels[kernel].arity, row->b ? 2 : 1);
    if (isa_kernel_shape(kernel, operands, numbers, &result, &text)) {
        ck_assert_str_eq(lib_text_get(&text), "");
        isa_shape_write(&text, &result);
        for (unsigned i = result.rank; i < ISA_RANK_MAX; i++)
            ck_assert_int_eq(result.extents[i], 0);
    }
    ck_assert_str_eq(lib_text_get(&text), row->result);
    lib_text_free(&text);
}
END_TEST

/* What is known in part never contradicts what is known in whole. */
static void check_partly_known(const struct row *row, unsigned hidden)
{
    const enum isa_kernel kernel = test_kernel_find(row->kernel);
    struct isa_shape whole[] = {shape_of(row->a), shape_of(row->b ? row->b : "")};
    struct isa_shape part[] = {whole[0], whole[1]}, of_whole, of_part;
    for (unsigned i = 0; i < 2 * ISA_RANK_MAX; i++)
        if ((hidden >> i & 1) && i % ISA_RANK_MAX < part[i / ISA_RANK_MAX].rank)
            part[i / ISA_RANK_MAX].extents[i % ISA_RANK_MAX] = ISA_UNKNOWN;
    const struct isa_numbers numbers = {row->numbers, (size_t)row->count};
    const struct isa_shape *const all[] = {&whole[0], &whole[1]}, *const some[] = {
                                                                      &part[0], &part[1]};
    struct lib_text text = {0};
    if (isa_kernel_shape(kernel, all, numbers, &of_whole, &text)) {
        ck_assert_msg(isa_kernel_shape(kernel, some, numbers, &of_part, &text), "%s: %s",
                      row->kernel, lib_text_get(&text));
        ck_assert_msg(isa_shape_agrees(&of_whole, &of_part), "row %td", row - rows);
    }
    lib_text_free(&text);
}

START_TEST(unknown_extents_are_no_mistakes)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_known = rows[i].count >= 0 && rows[i].count < 100;
        for (int j = 0; j < 6; j++)
            is_known = is_known && rows[i].numbers[j] != U;
        for (unsigned hidden = 0; is_known && hidden < 256; hidden++)
            check_partly_known(&rows[i], hidden);
    }
}
END_TEST

/* --- costs ------------------------------------------------------------------------ */

static void check_cost(const char *kernel, const char *a, const char *b,
                       const char *result, uint64_t flops, uint64_t bytes)
{
    const struct isa_shape x = shape_of(a), y = shape_of(b ? b : ""),
                           z = shape_of(result);
    const struct isa_shape *const operands[] = {&x, &y};
    const struct isa_kernel_cost cost = isa_kernel_cost(test_kernel_find(kernel),
                                                        operands, &z);
    ck_assert_uint_eq(cost.flops, flops);
    ck_assert_uint_eq(cost.bytes, bytes);
}

START_TEST(costs_are_those_of_the_formulas)
{
    check_cost("matmul", "real[2, 3]", "real[3, 5]", "real[2, 5]", 60, 8 * (6 + 15 + 10));
    check_cost("matmul", "real32[3]", "real32[3]", "real32", 6, 4 * 7);
    check_cost("matmul", "real[7, 2, 3]", "real[3, 5]", "real[7, 2, 5]", 420,
               8 * (42 + 15 + 70));
    check_cost("matmul_left", "real[7, 2, 5]", "real[3, 5]", "real[7, 2, 3]", 420,
               8 * (70 + 15 + 42));
    check_cost("matmul_right", "real[2, 3]", "real[2, 5]", "real[3, 5]", 60,
               8 * (6 + 10 + 15));
    check_cost("matmul_right", "real[7, 2, 3]", "real[7, 2, 5]", "real[7, 3, 5]", 420,
               8 * (42 + 70 + 105));
    check_cost("matmul_right", "real[3]", "real[5]", "real[3, 5]", 30, 8 * (3 + 5 + 15));
    check_cost("exp", "real[4, 4]", NULL, "real[4, 4]", 128, 256);
    check_cost("+", "real[4, 4]", "real[4]", "real[4, 4]", 16, 8 * 36);
    check_cost("reduce_sum", "real[4, 4]", NULL, "real[4]", 16, 8 * 20);
    check_cost("gather", "real[1000, 4]", NULL, "real[2, 4]", 0, 2 * 64);
    check_cost("transpose", "real32[4, 4]", NULL, "real32[4, 4]", 0, 128);
}
END_TEST

/* --- memory -------------------------------------------------------------------------- */

START_TEST(memory_has_a_limit)
{
    struct isa_tensor_memory memory = {.limit = 1000};
    const struct isa_shape hundred = shape_of("real[100]"), six = shape_of("real[2, 3]");
    struct isa_tensor *a = isa_tensor_new(&memory, &hundred),
                      *b = isa_tensor_new(&memory, &six);
    struct lib_text why = {0};
    ck_assert(a && b && memory.used == 848 && a->bytes == 800 && a->count == 100);
    ck_assert_uint_eq((uintptr_t)a->data % 64, 0);
    ck_assert(isa_tensor_new(&memory, &hundred) == NULL && memory.used == 848);
    isa_tensor_refusal(&why, &memory, &hundred);
    ck_assert_str_eq(why.bytes,
                     "a tensor of real[100] takes 800 bytes; 848 of 1000 bytes for "
                     "tensors are taken");
    isa_tensor_free(&memory, a);
    ck_assert(memory.used == 48 && memory.peak == 848);
    isa_tensor_free(&memory, b);
    isa_tensor_free(&memory, NULL);
    ck_assert_uint_eq(memory.used, 0);
    isa_tensor_memory_free(&memory);
    lib_text_free(&why);
}
END_TEST

START_TEST(sizes_beyond_64_bits_are_refused)
{
    struct isa_tensor_memory memory = {0};
    const struct isa_shape vast = shape_of(
        "real[2147483647, 2147483647, 2147483647, 2147483647]");
    const struct isa_shape large = shape_of("real[2147483647, 2147483647]");
    const struct isa_shape none = shape_of("real[2147483647, 2147483647, 2147483647, 0]");
    struct lib_text why = {0};
    ck_assert(isa_shape_count(&vast) == UINT64_MAX &&
              isa_shape_bytes(&vast) == UINT64_MAX);
    ck_assert(isa_tensor_new(&memory, &vast) == NULL &&
              isa_tensor_new(&memory, &large) == NULL);
    isa_tensor_refusal(&why, &memory, &vast);
    ck_assert_str_eq(why.bytes,
                     "a tensor of real[2147483647, 2147483647, 2147483647, 2147483647] "
                     "takes more bytes than 64 bits can count");
    struct isa_tensor *empty = isa_tensor_new(&memory, &none);
    ck_assert(empty && empty->count == 0 && empty->bytes == 0);
    isa_tensor_free(&memory, empty);
    lib_text_free(&why);
}
END_TEST

START_TEST(large_blocks_are_used_again)
{
    struct isa_tensor_memory memory = {0};
    const struct isa_shape large = shape_of("real[100, 100]"),
                           other = shape_of("real32[200, 100]");
    struct isa_tensor *a = isa_tensor_new(&memory, &large);
    const void *data = a->data;
    isa_tensor_free(&memory, a);
    ck_assert_uint_eq(memory.spare_bytes, 80000);
    a = isa_tensor_new(&memory, &other); /* as many bytes */
    ck_assert(a->data == data && memory.spare_bytes == 0 && a->word == 0);
    isa_tensor_free(&memory, a);
    isa_tensor_memory_free(&memory);
    ck_assert(memory.spare == NULL && memory.spare_bytes == 0);
}
END_TEST

/* --- words ------------------------------------------------------------------------------ */

static uint64_t word_of(const char *shape, const double *values)
{
    struct isa_tensor_memory memory = {0};
    const struct isa_shape s = shape_of(shape);
    struct isa_tensor *tensor = isa_tensor_new(&memory, &s);
    for (uint64_t i = 0; i < tensor->count; i++)
        isa_tensor_set(tensor, i, values[i]);
    isa_tensor_seal(tensor, true);
    const uint64_t word = tensor->word;
    isa_tensor_free(&memory, tensor);
    return word;
}

START_TEST(words_are_of_type_shape_and_elements)
{
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8}, zero[] = {0.0},
                        less[] = {-0.0};
    static const char *const shapes[] = {
        "real[4]",       "real[2, 2]", "real[4, 1]", "real[1, 4]", "real32[4]",
        "real[2, 2, 1]", "real32[8]",  "real[0]",    "real[0, 2]", "real"};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (size_t i = 0; i < SHAPES; i++)
        for (size_t j = 0; j < SHAPES; j++)
            ck_assert((word_of(shapes[i], values) == word_of(shapes[j], values)) ==
                      (i == j));
    ck_assert(word_of("real", zero) != word_of("real", less));
    /* XXH3-64 of 0, 1, 2, 0, 0, 0 as 8 bytes each, and 1.0, 2.0: pinned. */
    ck_assert_uint_eq(word_of("real[2]", values), UINT64_C(0x6a274d374dd3f5a5));
}
END_TEST

START_TEST(there_is_one_nan)
{
    double negative = -NAN, payload, one = NAN;
    const uint64_t bits = UINT64_C(0x7ff0000000000123);
    memcpy(&payload, &bits, sizeof payload);
    const double values[3][3] = {{1, one, 2}, {1, negative, 2}, {1, payload, 2}};
    ck_assert_uint_eq(word_of("real[3]", values[0]), word_of("real[3]", values[1]));
    ck_assert_uint_eq(word_of("real[3]", values[0]), word_of("real[3]", values[2]));
    ck_assert_uint_eq(word_of("real32[3]", values[0]), word_of("real32[3]", values[1]));
    /* Anywhere in a large one, too. */
    static double many[2][500];
    for (unsigned i = 0; i < 500; i += 13) {
        many[0][i] = one;
        many[1][i] = i % 2 ? negative : payload;
        ck_assert_uint_eq(word_of("real[500]", many[0]), word_of("real[500]", many[1]));
        ck_assert_uint_eq(word_of("real32[500]", many[0]),
                          word_of("real32[500]", many[1]));
        many[0][i] = many[1][i] = i;
    }
}
END_TEST

START_TEST(tensors_are_written_as_arrays)
{
    struct isa_tensor_memory memory = {0};
    const struct isa_shape shape = shape_of("real[2, 1, 2]"),
                           empty = shape_of("real[2, 0]");
    struct isa_tensor *a = isa_tensor_new(&memory, &shape),
                      *b = isa_tensor_new(&memory, &empty);
    struct isa_tensor *c = isa_tensor_scalar(&memory, ISA_ELEMENT_REAL32, 0.5, true);
    struct lib_text text = {0};
    for (uint64_t i = 0; i < 4; i++)
        isa_tensor_set(a, i, (double)i / 4);
    isa_tensor_write(&text, a);
    lib_text_puts(&text, " ");
    isa_tensor_write(&text, b);
    lib_text_puts(&text, " ");
    isa_tensor_write(&text, c);
    ck_assert_str_eq(text.bytes, "[[[0.0, 0.25]], [[0.5, 0.75]]] [[], []] 0.5");
    isa_tensor_free(&memory, a);
    isa_tensor_free(&memory, b);
    isa_tensor_free(&memory, c);
    lib_text_free(&text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor_shapes");
    tcase_add_loop_test(tcase, shapes_follow_from_shapes, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, unknown_extents_are_no_mistakes);
    tcase_add_test(tcase, costs_are_those_of_the_formulas);
    tcase_add_test(tcase, memory_has_a_limit);
    tcase_add_test(tcase, sizes_beyond_64_bits_are_refused);
    tcase_add_test(tcase, large_blocks_are_used_again);
    tcase_add_test(tcase, words_are_of_type_shape_and_elements);
    tcase_add_test(tcase, there_is_one_nan);
    tcase_add_test(tcase, tensors_are_written_as_arrays);
    return test_main("tensor_shapes", tcase);
}
