/* Files of tensors and trees: what is read, what is written, what is said of mistakes. */
#include "tests/tensor/kernels.h"
#include "tests/unit/files.h"

#include "isa/tensor/files/csv.h"
#include "isa/tensor/files/npy.h"
#include "isa/tensor/files/trees.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct isa_tensor_memory memory;
static struct lib_diags diags;

static struct lib_source source_of(const char *bytes, size_t length)
{
    return (struct lib_source){"file", bytes, length};
}

/* --- .npy -------------------------------------------------------------------- */

/* A file with this header, and elements 0, 1, 2, ... of so many bytes. */
static struct lib_text npy_of(unsigned version, const char *header, unsigned count,
                              size_t size)
{
    struct lib_text file = {0};
    const uint32_t length = (uint32_t)strlen(header);
    const char numbers[] = {(char)version, 0};
    lib_text_add(&file, "\x93NUMPY", 6);
    lib_text_add(&file, numbers, 2);
    lib_text_add(&file, (const char *)&length, version == 1 ? 2 : 4);
    lib_text_puts(&file, header);
    for (unsigned i = 0; i < count; i++) {
        const double d = i;
        const float f = (float)i;
        lib_text_add(&file, size == 8 ? (const char *)&d : (const char *)&f, size);
    }
    return file;
}

/* What is read of such a file, as "real[2, 2] [[0.0, 1.0], [2.0, 3.0]]", or why it is not. */
static void check_npy(unsigned version, const char *header, unsigned count, size_t size,
                      const struct isa_shape *expected, const char *result)
{
    struct lib_text file = npy_of(version, header, count, size), text = {0};
    const struct lib_source source = source_of(file.bytes, file.length);
    struct isa_tensor *tensor = isa_npy_read(&memory, &source, expected, true, &diags);
    if (tensor) {
        isa_shape_write(&text, &tensor->shape);
        lib_text_puts(&text, " ");
        isa_tensor_write(&text, tensor);
        ck_assert(tensor->word != 0);
    } else
        lib_text_puts(&text, test_take_error(&diags));
    ck_assert_str_eq(lib_text_get(&text), result);
    isa_tensor_free(&memory, tensor);
    lib_text_free(&text);
    lib_text_free(&file);
}

#define HEADER(descr, order, shape)                                                      \
    "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }   \n"

START_TEST(npy_is_read)
{
    static const struct isa_shape reals = {ISA_ELEMENT_REAL, 2, {ISA_UNKNOWN, 2}};
    static const struct isa_shape less = {ISA_ELEMENT_REAL32, 1, {3}};
    for (unsigned version = 1; version <= 3; version++)
        check_npy(version, HEADER("<f8", "False", "(2, 2)"), 4, 8, NULL,
                  "real[2, 2] [[0.0, 1.0], [2.0, 3.0]]");
    check_npy(1, HEADER("<f8", "True", "(2, 3)"), 6, 8, NULL,
              "real[2, 3] [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]");
    check_npy(1, HEADER("<f4", "True", "(2, 1, 2)"), 4, 4, NULL,
              "real32[2, 1, 2] [[[0.0, 2.0]], [[1.0, 3.0]]]");
    check_npy(1, HEADER("<f4", "False", "(3,)"), 3, 4, NULL, "real32[3] [0.0, 1.0, 2.0]");
    check_npy(1, HEADER("<f8", "False", "()"), 1, 8, NULL, "real 0.0");
    check_npy(1, HEADER("<f8", "False", "(2, 0)"), 0, 8, NULL, "real[2, 0] [[], []]");
    check_npy(1, HEADER("<f8", "False", "(1, 1, 1, 2)"), 2, 8, NULL,
              "real[1, 1, 1, 2] [[[[0.0, 1.0]]]]");
    check_npy(1, "{\"shape\":(2,2,),\"descr\":\"<f8\",\"fortran_order\":False}", 4, 8,
              NULL, "real[2, 2] [[0.0, 1.0], [2.0, 3.0]]");
    check_npy(1, HEADER("<f4", "False", "(2, 2)"), 4, 4, &reals,
              "real[2, 2] [[0.0, 1.0], [2.0, 3.0]]");
    check_npy(1, HEADER("<f8", "False", "(3,)"), 3, 8, &less,
              "real32[3] [0.0, 1.0, 2.0]");
}
END_TEST

START_TEST(mistakes_in_npy_have_their_byte)
{
    static const struct isa_shape expected = {ISA_ELEMENT_REAL, 2, {3, ISA_UNKNOWN}};
    check_npy(4, HEADER("<f8", "False", "()"), 1, 8, NULL,
              "byte 6: version 4.0; expected 1.0, 2.0 or 3.0");
    check_npy(1, HEADER("<u8", "False", "()"), 1, 8, NULL,
              "byte 20: expected '<f8' or '<f4', little-endian reals of 8 or 4 bytes, "
              "'<i8' or '<i4', ints, or '|b1', bools; found `'<u8'`");
    check_npy(1, HEADER(">f8", "False", "()"), 1, 8, NULL,
              "byte 20: expected '<f8' or '<f4', little-endian reals of 8 or 4 bytes, "
              "'<i8' or '<i4', ints, or '|b1', bools; found `'>f8'`");
    check_npy(1, HEADER("<f8", "No", "()"), 1, 8, NULL,
              "byte 44: expected True or False; found `No`");
    check_npy(1, HEADER("<f8", "False", "(3)"), 3, 8, NULL,
              "byte 62: expected `,`, as in (3,); found `)`");
    check_npy(1, HEADER("<f8", "False", "(-3,)"), 3, 8, NULL,
              "byte 61: expected an extent; found `-3`");
    check_npy(1, HEADER("<f8", "False", "(2147483648,)"), 3, 8, NULL,
              "byte 61: an extent is 2147483647 at most");
    check_npy(1, HEADER("<f8", "False", "(1, 1, 1, 1, 1)"), 1, 8, NULL,
              "byte 73: more than 4 axes");
    check_npy(1, HEADER("<f8", "False", "(2, 2)"), 3, 8, NULL,
              "byte 73: real[2, 2] takes 32 bytes; the file has 24 here");
    check_npy(1, HEADER("<f8", "False", "(2147483647, 2147483647, 2147483647)"), 3, 8,
              NULL,
              "byte 103: real[2147483647, 2147483647, 2147483647] takes more than "
              "18446744073709551615 bytes; the file has 24 here");
    check_npy(1, "{'descr': '<f8', 'shape': ()}\n", 1, 8, NULL,
              "byte 40: the header ends without 'fortran_order'");
    check_npy(1, "{'descr': '<f8', 'descr': '<f8'}", 1, 8, NULL,
              "byte 27: duplicate key 'descr'");
    check_npy(
        1, "{'names': 1}", 1, 8, NULL,
        "byte 11: expected 'descr', 'fortran_order' or 'shape'; found `'names': 1}`");
    check_npy(1, HEADER("<f8", "False", "(2, 2)") "x", 4, 8, NULL,
              "byte 73: expected nothing but blanks; found `x`");
    check_npy(1, "{'descr': '<f8'", 1, 8, NULL,
              "byte 25: expected `,` or `}`; the header ends");
    check_npy(1, HEADER("<f8", "False", "(2, 2)"), 4, 8, &expected,
              "real[2, 2] was found; expected real[3, _]");
}
END_TEST

START_TEST(files_that_end_early_are_no_npy)
{
    struct lib_text file = npy_of(1, HEADER("<f8", "False", "(2, 2)"), 4, 8);
    for (size_t length = 0; length < file.length; length++) {
        char *copy = malloc(length + 1);
        memcpy(copy, file.bytes, length);
        const struct lib_source source = source_of(copy, length);
        ck_assert(isa_npy_read(&memory, &source, NULL, true, &diags) == NULL);
        ck_assert_msg(strncmp(test_take_error(&diags), "byte ", 5) == 0, "%zu", length);
        free(copy);
    }
    lib_text_free(&file);
}
END_TEST

START_TEST(sizes_are_refused_before_memory_is_taken)
{
    memory.limit = 31;
    check_npy(
        1, HEADER("<f8", "False", "(2, 2)"), 4, 8, NULL,
        "a tensor of real[2, 2] takes 32 bytes; 0 of 31 bytes for tensors are taken");
    ck_assert(memory.used == 0 && memory.peak == 0);
    const struct lib_source source = source_of("1,2\n3,4", 7);
    ck_assert(isa_csv_read(&memory, &source, NULL, true, &diags) == NULL);
    ck_assert_str_eq(
        test_take_error(&diags),
        "a tensor of real[2, 2] takes 32 bytes; 0 of 31 bytes for tensors are taken");
}
END_TEST

START_TEST(what_is_written_is_read)
{
    static const struct isa_shape shapes[] = {
        {ISA_ELEMENT_REAL, 0, {0}},         {ISA_ELEMENT_REAL, 1, {5}},
        {ISA_ELEMENT_REAL32, 2, {3, 4}},    {ISA_ELEMENT_REAL, 4, {2, 1, 3, 2}},
        {ISA_ELEMENT_REAL32, 3, {2, 0, 4}}, {ISA_ELEMENT_REAL, 4, {1000, 1, 1, 1}},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct isa_tensor *a = isa_tensor_new(&memory, &shapes[s]);
        for (uint64_t i = 0; i < a->count; i++)
            isa_tensor_set(a, i,
                           i == 1   ? NAN
                           : i == 2 ? -INFINITY
                           : i == 3 ? -0.0
                                    : 1 / (1.0 + (double)i));
        isa_tensor_seal(a, true);
        struct lib_text npy = {0}, csv = {0};
        isa_npy_write(&npy, a);
        ck_assert_uint_eq((npy.length - a->bytes) % 64, 0);
        struct lib_source source = source_of(npy.bytes, npy.length);
        struct isa_tensor *b = isa_npy_read(&memory, &source, NULL, true, &diags),
                          *c = NULL;
        ck_assert(b && b->word == a->word);
        if (a->shape.rank <= 2) {
            test_csv_write(&csv, a);
            source = source_of(csv.bytes, csv.length);
            c = isa_csv_read(&memory, &source, &a->shape, true, &diags);
            ck_assert(c && c->word == a->word);
        }
        isa_tensor_free(&memory, a);
        isa_tensor_free(&memory, b);
        isa_tensor_free(&memory, c);
        lib_text_free(&npy);
        lib_text_free(&csv);
    }
}
END_TEST

/* The bytes that numpy.save writes of numpy.array([[1.5, -2.0]]): its version 1.0. */
START_TEST(npy_is_written_as_numpy_does)
{
    static const struct isa_shape shape = {ISA_ELEMENT_REAL, 2, {1, 2}};
    static const char expected[] =
        "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, "
        "'shape': (1, 2), }";
    struct isa_tensor *a = isa_tensor_new(&memory, &shape);
    struct lib_text file = {0};
    a->reals[0] = 1.5;
    a->reals[1] = -2;
    isa_tensor_seal(a, false);
    isa_npy_write(&file, a);
    ck_assert_uint_eq(file.length, 128 + 16);
    ck_assert_mem_eq(file.bytes, expected, sizeof expected - 1);
    for (size_t i = sizeof expected - 1; i < 128; i++)
        ck_assert_int_eq(file.bytes[i], i == 127 ? '\n' : ' ');
    ck_assert_mem_eq(file.bytes + 128, a->data, 16);
    isa_tensor_free(&memory, a);
    lib_text_free(&file);
}
END_TEST

/* --- comma-separated values ------------------------------------------------------ */

static void check_csv(const char *text, const struct isa_shape *expected,
                      const char *result)
{
    const struct lib_source source = source_of(text, strlen(text));
    struct isa_tensor *tensor = isa_csv_read(&memory, &source, expected, true, &diags);
    struct lib_text found = {0};
    if (tensor) {
        isa_shape_write(&found, &tensor->shape);
        lib_text_puts(&found, " ");
        isa_tensor_write(&found, tensor);
    } else
        lib_text_puts(&found, test_take_error(&diags));
    ck_assert_str_eq(lib_text_get(&found), result);
    isa_tensor_free(&memory, tensor);
    lib_text_free(&found);
}

START_TEST(csv_is_read)
{
    static const struct isa_shape vector = {ISA_ELEMENT_REAL32, 1, {ISA_UNKNOWN}},
                                  number = {0};
    check_csv("1,2\n3,4\n", NULL, "real[2, 2] [[1.0, 2.0], [3.0, 4.0]]");
    check_csv("x, y\r\n\r\n 1 ,\t-2.5e-3\r\n", NULL, "real[1, 2] [[1.0, -0.0025]]");
    check_csv("nan,Inf,-INF,1E3", NULL, "real[1, 4] [[nan, inf, -inf, 1000.0]]");
    check_csv("1,2,0.1", &vector, "real32[3] [1.0, 2.0, 0.10000000149011612]");
    check_csv("1\n2\n", &vector, "real32[2] [1.0, 2.0]");
    check_csv("7\n", &number, "real 7.0");
}
END_TEST

START_TEST(mistakes_in_csv_have_their_place)
{
    static const struct isa_shape vector = {ISA_ELEMENT_REAL, 1, {3}};
    check_csv("", NULL, "expected rows of numbers; there is none");
    check_csv("a,b\n", NULL, "expected rows of numbers; there is none");
    check_csv("1,2\n3\n", NULL, "2:1: a row of 1 field; the rows above have 2");
    check_csv("1,2\n3, four\n", NULL, "2:4: expected a number; found `four`");
    check_csv("1,2\n\n3,,4\n", NULL, "3:3: expected a number; the field is empty");
    check_csv("1,2,\n", NULL, "1:5: expected a number; the field is empty");
    check_csv("1;2,3\n", NULL, "1:1: expected a number; found `1;2`");
    check_csv("1,1e999\n", NULL,
              "1:3: expected a number up to about 1.8e308; found `1e999`");
    check_csv("1,2\n3,4\n", &vector, "real[2, 2] was found; expected real[3]");
    check_csv("1,2\n", &vector, "real[2] was found; expected real[3]");
}
END_TEST

/* --- trees -------------------------------------------------------------------------- */

static void check_trees(const char *text, size_t most, const char *result)
{
    const struct lib_source source = source_of(text, strlen(text));
    struct lib_arena *arena = lib_arena_new();
    struct isa_trees trees;
    struct lib_text found = {0};
    if (isa_trees_read(&trees, arena, &source, most, &diags)) {
        for (size_t i = 0; i < trees.count; i++)
            lib_text_printf(&found, "%lld,%lld,%lld,%lld ", (long long)trees.left[i],
                            (long long)trees.right[i], (long long)trees.word[i],
                            (long long)trees.label[i]);
        lib_text_puts(&found, "roots");
        for (size_t i = 0; i < trees.root_count; i++)
            lib_text_printf(&found, " %lld", (long long)trees.roots[i]);
        lib_text_puts(&found, " words");
        for (size_t i = 0; i < trees.word_count; i++)
            lib_text_printf(&found, " %s", trees.words[i]);
    } else
        lib_text_puts(&found, test_take_error(&diags));
    ck_assert_str_eq(lib_text_get(&found), result);
    lib_text_free(&found);
    lib_arena_free(arena);
}

START_TEST(trees_are_read)
{
    check_trees("(3 (2 It) (4 (2 's) (1 It)))\n(0 word)", 10,
                "-1,-1,0,2 -1,-1,1,2 -1,-1,0,1 1,2,-1,4 0,3,-1,3 -1,-1,2,0 "
                "roots 4 5 words It 's word");
    check_trees("(1(2 a)\n\t(3 b))", 3, "-1,-1,0,2 -1,-1,1,3 0,1,-1,1 roots 2 words a b");
}
END_TEST

START_TEST(mistakes_in_trees_have_their_place)
{
    check_trees("", 10, "expected trees in brackets; there is none");
    check_trees("(3 (2 It)\n (4 x)", 10,
                "1:1: this node is not closed: expected `)`; the text ends");
    check_trees("(3 It))", 10, "1:7: expected `(`; found `)`, and no node is open");
    check_trees("It", 10, "1:1: expected `(`; found `It`");
    check_trees("(NP It)", 10,
                "1:2: expected a label, a whole number from 0 on; found `NP`");
    check_trees("(3 (2 a)\n (2 b)\n (2 c))", 10,
                "3:2: a node has two children; this is a third one");
    check_trees("(3 (2 a))", 10,
                "1:9: a node has one word or two children; found one child");
    check_trees("(3)", 10, "1:3: a node has one word or two children; found neither");
    check_trees("(3 a b)", 10, "1:6: a node has one word; this is a second one");
    check_trees("(3 a (2 b))", 10,
                "1:6: a node has one word or two children; this child is beside a word");
    check_trees("(3 (2 b) a)", 10,
                "1:10: a node has one word or two children; this word is beside a child");
    check_trees("(3", 10, "1:1: this node is not closed: expected `)`; the text ends");
    check_trees("(", 10, "1:1: expected a label; the text ends");
    check_trees(
        "(99999999999999999999 a)", 10,
        "1:2: expected a label, a whole number from 0 on; found `99999999999999999999`");
    check_trees("(1 a) (2 b)", 1, "2 nodes; 1 are the most");
}
END_TEST

START_TEST(trees_may_be_deep)
{
    enum { DEEP = 100000 };
    struct lib_text text = {0};
    for (int i = 0; i < DEEP; i++)
        lib_text_puts(&text, "(1 (0 a) ");
    lib_text_puts(&text, "(0 b)");
    for (int i = 0; i < DEEP; i++)
        lib_text_puts(&text, ")");
    const struct lib_source source = source_of(text.bytes, text.length);
    struct lib_arena *arena = lib_arena_new();
    struct isa_trees trees;
    ck_assert(isa_trees_read(&trees, arena, &source, 2 * DEEP + 1, &diags));
    ck_assert(trees.count == 2 * DEEP + 1 && trees.root_count == 1 &&
              trees.word_count == 2);
    ck_assert(trees.roots[0] == 2 * DEEP && trees.left[2 * DEEP] == 0);
    lib_arena_free(arena);
    lib_text_free(&text);
}
END_TEST

static void start(void)
{
    memory = (struct isa_tensor_memory){0};
    diags = (struct lib_diags){0};
}

static void finish(void)
{
    ck_assert_uint_eq(memory.used, 0);
    ck_assert_uint_eq(diags.count, 0);
    isa_tensor_memory_free(&memory);
}

int main(void)
{
    TCase *tcase = tcase_create("tensor_files");
    tcase_add_checked_fixture(tcase, start, finish);
    tcase_add_test(tcase, npy_is_read);
    tcase_add_test(tcase, mistakes_in_npy_have_their_byte);
    tcase_add_test(tcase, files_that_end_early_are_no_npy);
    tcase_add_test(tcase, sizes_are_refused_before_memory_is_taken);
    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, npy_is_written_as_numpy_does);
    tcase_add_test(tcase, csv_is_read);
    tcase_add_test(tcase, mistakes_in_csv_have_their_place);
    tcase_add_test(tcase, trees_are_read);
    tcase_add_test(tcase, mistakes_in_trees_have_their_place);
    tcase_add_test(tcase, trees_may_be_deep);
    return test_main("tensor_files", tcase);
}
