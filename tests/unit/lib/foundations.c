/* The foundations: numbers as text, nearest names, JSON strings, diagnostics, files. */
#include "tests/unit/support.h"

#include "lib/arena_map.h"
#include "lib/invisible.h"
#include "lib/cursor.h"
#include "lib/hash.h"
#include "lib/order.h"
#include "lib/random.h"
#include "lib/pack.h"
#include "lib/paged.h"
#include "lib/spill.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_real(double value, const char *expected)
{
    struct lib_text text = {0};
    lib_text_real(&text, value);
    ck_assert_str_eq(text.bytes, expected);
    lib_text_free(&text);
}

START_TEST(reals_are_printed_as_the_manual_says)
{
    check_real(0.1, "0.1");
    check_real(1.0, "1.0");
    check_real(-0.0, "-0.0");
    check_real(1e-4, "0.0001");
    check_real(1e-5, "1e-05");
    check_real(123456789012345680.0, "1.2345678901234568e+17");
    check_real(1e15, "1000000000000000.0");
    check_real(1e16, "1e+16");
    check_real(1.5e300, "1.5e+300");
    check_real(INFINITY, "inf");
    check_real(-INFINITY, "-inf");
    check_real(NAN, "nan");
    check_real(5e-324, "5e-324");
    check_real(1.7976931348623157e308, "1.7976931348623157e+308");
    check_real(0x1p-44, "5.684341886080802e-14"); /* the doubles are denser below it */
    check_real(9007199254740993.0, "9007199254740992.0");
    check_real(2.0 / 3, "0.6666666666666666");
}
END_TEST

/* Digits of a decimal without its zeros on the left and on the right. */
static int significant_digits(const char *text)
{
    int digits = 0, zeros = 0;
    for (const char *p = text; *p && *p != 'e'; p++) {
        if (*p < '0' || *p > '9' || (*p == '0' && digits == 0))
            continue;
        zeros = *p == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

/* Fewest digits: no shorter "%.*e" reads back. */
START_TEST(reals_read_back_from_the_fewest_digits)
{
    for (uint64_t i = 0; i < (test_is_quick() ? 500 : 20000); i++) {
        isa_value bits = lib_random_draw(1, LIB_RANDOM_PLACEMENT, i, 0);
        double value = isa_value_real(bits);
        if (isnan(value) || isinf(value))
            continue;
        struct lib_text text = {0};
        lib_text_real(&text, value);
        double back;
        ck_assert_msg(lib_text_to_real(text.bytes, &back), "%s", text.bytes);
        ck_assert_msg(back == value, "%s is not %a", text.bytes, value);
        int digits = significant_digits(text.bytes);
        char shorter[64];
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2 > 0 ? digits - 2 : 0, value);
        if (digits > 1)
            ck_assert_msg(strtod(shorter, NULL) != value, "%s does for %s", shorter,
                          text.bytes);
        lib_text_free(&text);
    }
}
END_TEST

static const char *int_text(int64_t value)
{
    static char kept[32];
    struct lib_text text = {0};
    lib_text_int(&text, value);
    snprintf(kept, sizeof kept, "%s", text.bytes);
    lib_text_free(&text);
    return kept;
}

static const char *count_text(double count)
{
    static char kept[32];
    struct lib_text text = {0};
    lib_text_count(&text, count);
    snprintf(kept, sizeof kept, "%s", text.bytes);
    lib_text_free(&text);
    return kept;
}

START_TEST(digests_are_printed)
{
    struct lib_text text = {0};
    lib_text_hex(&text, 0);
    lib_text_hex(&text, 0x0123456789abcdef);
    lib_text_hex(&text, UINT64_MAX);
    ck_assert_str_eq(text.bytes, "00000000000000000123456789abcdefffffffffffffffff");
    lib_text_free(&text);
}
END_TEST

START_TEST(whole_numbers_are_printed)
{
    ck_assert_str_eq(int_text(0), "0");
    ck_assert_str_eq(int_text(-10), "-10");
    ck_assert_str_eq(int_text(INT64_MAX), "9223372036854775807");
    ck_assert_str_eq(int_text(INT64_MIN), "-9223372036854775808");
    ck_assert_str_eq(count_text(1000001), "1000001");
    ck_assert_str_eq(count_text(2.5e22), "about 2.5e+22");
    ck_assert_str_eq(count_text((double)INFINITY), "endlessly many");
}
END_TEST

/* Texts lie side by side, objects where they may; what is cleared is as good as new. */
START_TEST(arenas_are_zeroed_and_aligned)
{
    struct lib_arena *arena = lib_arena_new();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 3000; i++) {
            char *text = lib_arena_printf(arena, "%zu", i);
            long double *number = LIB_ARENA_NEW(arena, long double);
            unsigned char *bytes = lib_arena_alloc(arena, i % 97);
            ck_assert((uintptr_t)number % _Alignof(long double) == 0);
            for (size_t k = 0; k < i % 97; k++)
                ck_assert_uint_eq(bytes[k], 0);
            memset(bytes, 0xff, i % 97);
            *number = 1;
            ck_assert_uint_eq((size_t)atoi(text), i);
        }
        char *longer = lib_arena_printf(arena, "%*d", 100000, round);
        ck_assert_uint_eq(strlen(longer), 100000);
        lib_arena_clear(arena);
    }
    lib_arena_free(arena);
}
END_TEST

/* Two lists in turn, so that each moves, and one alone, which grows in its place. */
START_TEST(lists_in_arenas_grow)
{
    struct lib_arena *arena = lib_arena_new();
    LIB_ARENA_LIST(uint32_t) lists[3] = {{0}};
    for (uint32_t i = 0; i < 30000; i++)
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t *item = LIB_ARENA_PUSH(arena, &lists[k]);
            ck_assert_uint_eq(*item, 0);
            *item = 2 * i + k;
        }
    for (uint32_t i = 0; i < 30000; i++)
        *LIB_ARENA_PUSH(arena, &lists[2]) = 2 * i;
    for (uint32_t i = 0; i < 30000; i++) {
        ck_assert_uint_eq(lists[0].items[i], 2 * i);
        ck_assert_uint_eq(lists[1].items[i], 2 * i + 1);
        ck_assert_uint_eq(lists[2].items[i], 2 * i);
    }
    lib_arena_free(arena);
}
END_TEST

START_TEST(small_tables_in_arenas)
{
    enum { KEYS = 1000 };
    struct lib_arena *arena = lib_arena_new();
    struct lib_arena_map map = {0};
    ck_assert_ptr_null(lib_arena_map_find(&map, 1));
    for (uint64_t k = 1; k <= KEYS; k++)
        ck_assert_uint_eq(*lib_arena_map_at(arena, &map, k << 33, (uint32_t)k), k);
    ck_assert_uint_eq(*lib_arena_map_at(arena, &map, UINT64_C(7) << 33, 0), 7);
    *lib_arena_map_find(&map, UINT64_C(7) << 33) = 70;
    ck_assert_uint_eq(map.count, KEYS);
    for (uint64_t k = 1; k <= KEYS; k++) {
        const uint32_t *value = lib_arena_map_find(&map, k << 33);
        ck_assert_ptr_nonnull(value);
        ck_assert_uint_eq(*value, k == 7 ? 70 : k);
        ck_assert_ptr_null(lib_arena_map_find(&map, (k << 33) + 1));
    }
    lib_arena_free(arena);
}
END_TEST

START_TEST(whole_numbers_only)
{
    int64_t i;
    double r;
    ck_assert(lib_text_to_int("-9223372036854775808", &i) && i == INT64_MIN);
    ck_assert(!lib_text_to_int("9223372036854775808", &i));
    ck_assert(!lib_text_to_int("", &i) && !lib_text_to_int("3x", &i));
    ck_assert(!lib_text_to_int(" 3", &i) && !lib_text_to_int("-", &i));
    ck_assert(lib_text_to_real("-2.5e3", &r) && r == -2500);
    ck_assert(lib_text_to_real("-inf", &r) && isinf(r));
    ck_assert(!lib_text_to_real("0x10", &r) && !lib_text_to_real("1e999", &r));
    ck_assert(!lib_text_to_real("infinity", &r) && !lib_text_to_real("1 ", &r));
}
END_TEST

static const char *word(size_t i, const void *context)
{
    return ((const char *const *)context)[i];
}

static void check_nearest(const char *wrong, const char *expected)
{
    static const char *const words[] = {"fact", "limits.cycles", "pe.count", "n",
                                        "run",  "sin",           "sum"};
    const char *found = lib_text_nearest(wrong, 7, word, words);
    ck_assert_msg(found == expected ||
                      (found && expected && strcmp(found, expected) == 0),
                  "%s: found %s, expected %s", wrong, found ? found : "nothing",
                  expected ? expected : "nothing");
}

START_TEST(nearest_names)
{
    check_nearest("fcat", "fact");
    check_nearest("facct", "fact");
    check_nearest("limit.cycle", "limits.cycles");
    check_nearest("pecount", "pe.count");
    check_nearest("rnu", "run");
    check_nearest("sun", "sum"); /* more letters in common at the beginning */
    check_nearest("tacc", NULL); /* of two edits one is in the first letter */
    check_nearest("network", NULL);
    check_nearest("x", NULL);
    check_nearest("", NULL);
}
END_TEST

/* One description of a field: what a text may be, and where its value goes. */
START_TEST(fields_are_set_as_they_say)
{
    struct values {
        bool given; /* the first member can be marked, too */
        uint64_t number;
        double share;
        unsigned choice;
        const char *text;
        struct lib_texts texts;
        bool flag;
    } v = {0};
#define AT(member) .at = offsetof(struct values, member)
    static const struct lib_field fields[] = {
        {.name = "number", .kind = LIB_FIELD_U64, AT(number), .least = 2, .most = 9},
        {.name = "share",
         .kind = LIB_FIELD_REAL,
         AT(share),
         .end = 1,
         .expected = "less"},
        {.name = "choice",
         .kind = LIB_FIELD_CHOICE,
         AT(choice),
         .least = 5,
         .value = "a|bc"},
        {.name = "text", .kind = LIB_FIELD_FILE, AT(text)},
        {.name = "texts", .kind = LIB_FIELD_TEXTS, AT(texts)},
        {.name = "flag",
         .kind = LIB_FIELD_FLAG,
         AT(flag),
         .given = LIB_GIVEN(offsetof(struct values, given))},
    };
    static const struct {
        unsigned field;
        const char *text, *wrong; /* NULL: it is right */
    } cases[] = {
        {0, "9", NULL},   {0, "10", "expected a number from 2 to 9, found `10`"},
        {0, "1", "2 to"}, {1, "0.5", NULL},
        {1, "1", "less"}, {1, "nan", "expected less, found `nan`"},
        {2, "bc", NULL},  {2, "b", "expected a or bc, found `b`"},
        {2, "a|bc", "a"}, {3, "x", NULL},
        {3, "-", "file"}, {3, "", "expected the name of a file, found ``"},
        {4, "y", NULL},   {4, "z", NULL},
        {5, "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lib_text why = {0};
        const bool good = lib_field_set(&fields[cases[i].field], &v, cases[i].text, &why);
        ck_assert_msg(good == !cases[i].wrong, "case %zu", i);
        ck_assert(good ? why.length == 0 : strstr(why.bytes, cases[i].wrong) != NULL);
        lib_text_free(&why);
    }
    ck_assert(v.number == 9 && v.share == 0.5 && v.choice == 6 && v.flag && v.given);
    ck_assert_str_eq(v.text, "x");
    ck_assert(v.texts.count == 2 && strcmp(v.texts.items[1], "z") == 0);
    LIB_VEC_FREE(&v.texts);
#undef AT
}
END_TEST

START_TEST(strings_are_always_json)
{
    struct lib_text text = {0};
    lib_text_json(&text, "a\"\\\n\x01\xc3\xa9\xff\xe2\x82");
    ck_assert_str_eq(text.bytes, "\"a\\\"\\\\\\n\\u0001\xc3\xa9"
                                 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    lib_text_free(&text);
}
END_TEST

START_TEST(diagnostics_show_the_place)
{
    struct lib_source source = {"a.df", "one\n\ttwo three\n", 15};
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    lib_diag_error(&diags, LIB_DIAG_TYPE, &source, (struct lib_pos){2, 6, 5}, "no %s",
                   "good");
    lib_diag_warning(&diags, LIB_DIAG_TYPE, NULL, (struct lib_pos){0}, "hm");
    lib_diags_write(&diags, &text);
    ck_assert_str_eq(text.bytes, "a.df:2:6: error: no good\n"
                                 "    2 |  two three\n"
                                 "      |      ^~~~~\n"
                                 "hiaton: warning: hm\n");
    ck_assert_uint_eq(diags.errors, 1);
    lib_text_free(&text);
    lib_diags_free(&diags);
}
END_TEST

/* Bytes that are not UTF-8 are shown as one character each, so that the caret is below its own. */
START_TEST(diagnostics_show_bytes_that_are_not_utf8)
{
    struct lib_source source = {"a.df", "\xff\x80\xc3\xa9 two", 8};
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    lib_diag_error(&diags, LIB_DIAG_SYNTAX, &source, (struct lib_pos){1, 6, 3}, "no");
    lib_diags_write(&diags, &text);
    ck_assert_str_eq(text.bytes, "a.df:1:6: error: no\n"
                                 "    1 | ?\?\xc3\xa9 two\n"
                                 "      |     ^~~\n");
    lib_text_free(&text);
    lib_diags_free(&diags);
}
END_TEST

START_TEST(invisible_characters_are_named)
{
    static const struct {
        const char *text, *named;
    } cases[] = {
        {"n\xc2\xa0= 5",
         "n<U+00A0>= 5; U+00A0 is a no-break space that nobody sees: write a "
         "blank"},
        {"\xe2\x80\x8bx\xef\xbb\xbf",
         "<U+200B>x<U+FEFF>; U+200B is a zero-width space that "
         "nobody sees: delete it"},
        {"\xf3\xa0\x80\xa0",
         "<U+E0020>; U+E0020 is a tag or variation selector that nobody "
         "sees: delete it"},
        {"a\tb \xc3\xa9\xe2\x88\x92\xf0\x9f\x98\x80", NULL},
        {"\xc2", NULL},
        {"\xa0\xc2\x20\xe2", NULL},
        {"\x1b[2Jx\r\x7f\n\t", "<0x1b>[2Jx<0x0d><0x7f>\n\t"},
        {"\x9b\xe2\x80\xc3\x9b", "<0x9b>\xe2<0x80>\xc3\x9b"},
    };
    struct lib_source source = {"a.df", "x \xc2\xa0y\xe2\x80\x8b\n", 9};
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lib_text_clear(&text);
        lib_text_puts(&text, cases[i].text);
        lib_invisible_name(&text);
        ck_assert_str_eq(text.bytes, cases[i].named ? cases[i].named : cases[i].text);
    }
    lib_text_clear(&text);
    lib_diag_error(&diags, LIB_DIAG_TYPE, &source, (struct lib_pos){1, 3, 2}, "no word");
    lib_diags_write(&diags, &text);
    ck_assert_str_eq(text.bytes,
                     "a.df:1:3: error: no word; U+00A0 is a no-break space that "
                     "nobody sees: write a blank\n"
                     "    1 | x ?y?\n"
                     "      |   ^\n");
    lib_diags_free(&diags);

    source = (struct lib_source){"a.df", "\xef\xbb\xbfx\n\0", 6};
    ck_assert_ptr_eq(lib_source_start(&source), source.bytes + 3);
    ck_assert(!lib_source_is_text(&source, &diags));
    lib_text_clear(&text);
    lib_diags_write(&diags, &text);
    ck_assert_str_eq(text.bytes, "a.df:2:1: error: expected a text, found byte 0x00\n"
                                 "    2 | ?\n"
                                 "      | ^\n");
    lib_diags_free(&diags);
    lib_diag_error(&diags, LIB_DIAG_TYPE, &source, (struct lib_pos){1, 4, 1}, "no word");
    lib_text_clear(&text);
    lib_diags_write(&diags, &text);
    ck_assert_str_eq(text.bytes, "a.df:1:4: error: no word\n"
                                 "    1 | x\n"
                                 "      | ^\n");
    lib_diags_free(&diags);
    source = (struct lib_source){"a.df", "\xff\xfex\0", 4};
    ck_assert(!lib_source_is_text(&source, &diags));
    ck_assert_str_eq(diags.items[0].text, "expected a text in UTF-8, found UTF-16");
    lib_diags_free(&diags);
    source = (struct lib_source){"a.df", "", 0};
    ck_assert(lib_source_is_text(&source, &diags) &&
              lib_source_start(&source) == source.bytes);
    lib_text_free(&text);
}
END_TEST

START_TEST(cursors_say_where_they_are)
{
    struct lib_source source = {"numbers.txt", "\n 3-x  # three\n", 14};
    struct lib_diags diags = {0};
    struct lib_text said = {0};
    struct lib_cursor c;
    uint64_t number;
    lib_cursor_start(&c, &source, &diags);
    ck_assert(lib_cursor_find_line(&c));
    ck_assert(lib_cursor_number(&c, "a number", 0, 3, &number) && number == 3);
    ck_assert(lib_cursor_expect(&c, "-") &&
              !lib_cursor_number(&c, "a PE", 0, 3, &number));
    ck_assert_uint_eq(diags.items[0].pos.line, 2);
    ck_assert_uint_eq(diags.items[0].pos.column, 4);
    ck_assert_str_eq(diags.items[0].text, "expected a PE from 0 to 3, found `x`");
    lib_diags_free(&diags);

    lib_cursor_on(&c, "7,12", "--pe: ", &said);
    ck_assert_uint_eq(lib_cursor_until(&c, ",").length, 1);
    ck_assert(lib_cursor_accept(&c, ",") &&
              !lib_cursor_number(&c, "a PE", 0, 3, &number));
    ck_assert_str_eq(
        said.bytes, "--pe: expected a PE from 0 to 3, found `12`, character 3 of `7,12`");
    lib_text_clear(&said);
    lib_cursor_on(&c, "18446744073709551616", NULL, &said);
    ck_assert(!lib_cursor_number(&c, "a cycle", 0, UINT64_MAX, &number));
    ck_assert_str_eq(said.bytes, "expected a cycle from 0 to 18446744073709551615, found "
                                 "`18446744073709551616`");
    lib_text_clear(&said);
    lib_cursor_on(&c, "", NULL, &said);
    ck_assert(lib_cursor_at_end(&c) && !lib_cursor_expect(&c, "x"));
    ck_assert_str_eq(said.bytes, "expected `x`, found nothing");
    lib_text_free(&said);
}
END_TEST

START_TEST(many_errors_are_counted_not_kept)
{
    struct lib_diags diags = {0};
    for (int i = 0; i < 1000; i++)
        lib_diag_error(&diags, LIB_DIAG_TYPE, NULL, (struct lib_pos){0}, "%d", i);
    ck_assert_uint_eq(diags.errors, 1000);
    ck_assert_uint_eq(diags.count, LIB_DIAG_MAX);
    ck_assert_uint_eq(diags.dropped, 1000 - LIB_DIAG_MAX);
    lib_diags_free(&diags);

    /* Warnings take no place from errors. */
    struct lib_text text = {0};
    for (uint32_t i = 1; i <= LIB_DIAG_MAX + 2; i++)
        lib_diag_warning(&diags, LIB_DIAG_TYPE, NULL, (struct lib_pos){0}, "warning %u",
                         i);
    lib_diag_plain(&diags, LIB_DIAG_TYPE, "the error");
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert_uint_eq(diags.dropped, 0);
    ck_assert_uint_eq(diags.dropped_warnings, 2);
    lib_diags_write(&diags, &text);
    ck_assert_ptr_nonnull(strstr(text.bytes, "hiaton: error: the error\n"));
    ck_assert_ptr_nonnull(strstr(text.bytes, "hiaton: 2 more warnings are not shown\n"));
    lib_text_clear(&text);
    lib_diags_write_dropped(&diags, false, &text);
    ck_assert_uint_eq(text.length, 0);
    lib_text_free(&text);
    lib_diags_free(&diags);
}
END_TEST

START_TEST(files_are_whole_or_not_there)
{
    char directory[] = "/tmp/hiaton-test-XXXXXX", path[64];
    ck_assert(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/file", directory);
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    ck_assert(lib_file_write(path, "abc\0def", 7, &diags));
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert(source && source->length == 7 && memcmp(source->bytes, "abc\0def", 8) == 0);
    unlink(path);
    rmdir(directory);
    ck_assert(!lib_file_write(path, "x", 1, &diags)); /* no such folder any more */
    ck_assert(!lib_file_read(arena, path, &diags));
    ck_assert_uint_eq(diags.errors, 2);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}
END_TEST

/* Digests and placements depend on these for ever. */
START_TEST(hashes_are_pinned)
{
    ck_assert_uint_eq(lib_hash_mix(1), UINT64_C(0x5692161d100b05e5));
    ck_assert_uint_eq(lib_hash_fold(UINT64_C(0x123456789abcdef), UINT64_MAX),
                      UINT64_C(0x123456789abcdee) ^ (0 - UINT64_C(0x123456789abcdef)));
    ck_assert_uint_eq(lib_random_draw(0, LIB_RANDOM_PLACEMENT, 1, 2),
                      lib_random_draw(0, LIB_RANDOM_PLACEMENT, 1, 2));
    ck_assert_uint_ne(lib_random_draw(0, LIB_RANDOM_PLACEMENT, 1, 2),
                      lib_random_draw(1, LIB_RANDOM_PLACEMENT, 1, 2));
}
END_TEST

/* The vectors of Random123 (kat_vectors, philox2x64 with 10 rounds): counter, key, words. */
START_TEST(random_words_are_those_of_random123)
{
    static const uint64_t vectors[][5] = {
        {0, 0, 0, UINT64_C(0xca00a0459843d731), UINT64_C(0x66c24222c9a845b5)},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_C(0x65b021d60cd8310f),
         UINT64_C(0x4d02f3222f86df20)},
        {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
         UINT64_C(0xa4093822299f31d0), UINT64_C(0x0a5e742c2997341c),
         UINT64_C(0xb0f883d38000de5d)},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint64_t words[2];
        lib_random_words(vectors[i][2], vectors[i][0], vectors[i][1], words);
        ck_assert_uint_eq(words[0], vectors[i][3]);
        ck_assert_uint_eq(words[1], vectors[i][4]);
    }
    ck_assert(lib_random_real(0) == 0 && lib_random_real(UINT64_MAX) == 1 - 0x1p-53);
}
END_TEST

/* Of items that do not fit, from both ends and anywhere; the last one can be changed. */
START_TEST(what_is_spilled_can_be_read)
{
    enum { COUNT = 100000 };
    struct lib_spill spill;
    lib_spill_start(&spill, sizeof(uint32_t[3]));
    ck_assert_ptr_null(lib_spill_last(&spill));
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *item = lib_spill_add(&spill);
        item[0] = i;
        item[2] = 7;
        item = lib_spill_last(&spill);
        item[2] += i;
    }
    ck_assert_uint_eq(spill.count, COUNT);
    ck_assert_uint_gt(spill.written, COUNT / 2);
    /* Counted, as libcheck notes each assertion, which takes longer than reading the item. */
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        const uint32_t number = i < COUNT       ? i
                                : i < 2 * COUNT ? 2 * COUNT - 1 - i
                                                : (uint32_t)((uint64_t)i * 7919 % COUNT);
        if (i >= 2 * COUNT && i % 1000)
            continue; /* a block is read for each */
        const uint32_t *item = lib_spill_get(&spill, number);
        wrong += item[0] != number || item[2] != number + 7;
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_int_eq(spill.error, 0);
    lib_spill_free(&spill);
}
END_TEST

/* The third part of a number that is drawn from `i`. */
static uint32_t drawn(uint32_t i)
{
    return (uint32_t)(lib_random_draw(0, LIB_RANDOM_PLACEMENT, i, 0) >> 34);
}

/* Of blocks that do not fit: what was changed is there, wherever it was in between. */
static void check_paged(struct lib_paged *paged, bool fits)
{
    enum { COUNT = 20 * LIB_PAGED_BLOCK + 5, STEPS = 3000 };
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *item = lib_paged_push(paged);
        item[0] = i;
        item[1] = 7;
        item = lib_paged_last(paged);
        item[1] += i;
    }
    ck_assert_uint_eq(paged->count, COUNT);
    ck_assert_int_eq(paged->file >= 0, !fits);
    for (uint32_t i = 0; i < STEPS; i++) {
        uint32_t *item = lib_paged_edit(paged, drawn(i) % COUNT);
        item[1]++;
        item = lib_paged_edit(paged, COUNT - 1);
        item[1] += 2;
    }
    for (uint32_t i = 0; i < STEPS; i++)
        ((uint32_t *)lib_paged_edit(paged, drawn(i) % COUNT))[1]--;
    uint32_t wrong = 0;
    for (uint32_t i = COUNT; i-- > 0;) {
        const uint32_t *item = lib_paged_get(paged, i);
        wrong += item[0] != i || item[1] != i + 7 + (i == COUNT - 1 ? 2 * STEPS : 0);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_int_eq(paged->error, 0);
}

START_TEST(pages_keep_what_is_changed)
{
    struct lib_paged paged;
    lib_paged_start(&paged, sizeof(uint32_t[2]), 0);
    check_paged(&paged, false);
    ck_assert_uint_eq(paged.made, 4);
    lib_paged_clear(&paged);
    ck_assert_uint_eq(paged.count, 0);
    check_paged(&paged, false);
    ck_assert_uint_eq(paged.made, 4);
    lib_paged_free(&paged);
    lib_paged_start(&paged, sizeof(uint32_t[2]), 100);
    check_paged(&paged, true);
    lib_paged_free(&paged);
}
END_TEST

/* Where there is no folder for files all stays in memory. */
START_TEST(without_a_folder_pages_and_stashes_stay_in_memory)
{
    struct lib_paged paged;
    struct lib_stash stash;
    char *bytes = lib_mem_new(1 << 20);
    setenv("TMPDIR", "/there/is/none", 1);
    lib_paged_start(&paged, sizeof(uint32_t[2]), 0);
    check_paged(&paged, true);
    ck_assert_uint_gt(paged.made, 4);
    lib_paged_free(&paged);
    lib_stash_start(&stash);
    for (int i = 0; i < 4; i++) {
        memset(bytes, i + 1, 1 << 20);
        lib_stash_add(&stash, bytes, 1 << 20);
    }
    lib_stash_end(&stash);
    unsetenv("TMPDIR");
    ck_assert(stash.is_full && stash.written == 0);
    ck_assert_uint_eq(lib_stash_length(&stash), 4 << 20);
    ck_assert(lib_stash_get(&stash, (1 << 20) - 1, bytes, 2));
    ck_assert(bytes[0] == 1 && bytes[1] == 2);
    lib_stash_free(&stash);
    lib_mem_free(bytes);
}
END_TEST

/* Bytes of packs, few and many, large items and small ones. */
START_TEST(what_is_stashed_can_be_read)
{
    for (uint32_t count = 1; count <= 1000000; count *= 100) {
        struct lib_stash stash;
        LIB_VEC(uint32_t) all = {0}, found = {0};
        uint32_t number = 0;
        for (uint32_t i = 0; i < count; i++)
            *LIB_VEC_PUSH(&all) = drawn(i);
        lib_stash_start(&stash);
        struct lib_pack pack = lib_pack_stash_writer(&stash);
        LIB_PACK_VEC(&pack, &all);
        for (uint32_t i = 0; i < count; i++)
            LIB_PACK(&pack, i);
        LIB_PACK_VEC(&pack, &all);
        lib_stash_end(&stash);
        ck_assert_int_eq(stash.written > 0, count == 1000000);
        ck_assert_uint_eq(stash.rest.length > 0, count < 1000000);
        for (int again = 0; again < 2; again++) {
            pack = lib_pack_stash_reader(&stash);
            LIB_PACK_VEC(&pack, &found);
            ck_assert_uint_eq(found.count, count);
            ck_assert_mem_eq(found.items, all.items, count * sizeof *all.items);
            uint32_t wrong = 0;
            for (uint32_t i = 0; i < count; i++) {
                LIB_PACK(&pack, number);
                wrong += number != i;
            }
            ck_assert_uint_eq(wrong, 0);
            LIB_PACK_VEC(&pack, &found);
            ck_assert_mem_eq(found.items, all.items, count * sizeof *all.items);
            ck_assert(lib_pack_is_whole(&pack));
            LIB_PACK(&pack, number);
            ck_assert(pack.failed);
        }
        lib_stash_free(&stash);
        LIB_VEC_FREE(&all);
        LIB_VEC_FREE(&found);
    }
}
END_TEST

START_TEST(several_are_packed_and_freed_in_order)
{
    LIB_TEXT_OWN text = {0};
    struct lib_text other = {0}, kept = {0};
    struct lib_arena *arena = lib_arena_new();
    uint32_t a = 1, b = 2;
    uint64_t c = 3, d[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    LIB_VEC(uint32_t) x = {0}, y = {0};
    *LIB_VEC_PUSH(&x) = 4;
    struct lib_pack pack = lib_pack_writer(&text);
    LIB_PACK(&pack, a, b, c);
    LIB_PACK(&pack, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
    LIB_PACK_VEC(&pack, &x, &y);
    LIB_VEC_FREE(&x, &y);
    ck_assert_ptr_null(x.items);
    a = b = 0;
    c = 0;
    memset(d, 0, sizeof d);
    pack = lib_pack_reader(text.bytes, text.length);
    LIB_PACK(&pack, a, b, c);
    LIB_PACK(&pack, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
    LIB_PACK_VEC(&pack, &x, &y);
    ck_assert(lib_pack_is_whole(&pack));
    ck_assert(a == 1 && b == 2 && c == 3 && x.count == 1 && x.items[0] == 4 && !y.count);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(d[i], i + 1);
    lib_text_puts(&kept, "kept");
    ck_assert_str_eq(lib_arena_keep(arena, &kept), "kept");
    ck_assert_str_eq(lib_arena_keep(arena, &kept), "");
    ck_assert_ptr_null(kept.bytes);
    lib_text_puts(&other, "other");
    LIB_TEXT_FREE(&other, &kept);
    ck_assert_ptr_null(other.bytes);
    ck_assert_int_eq(LIB_ORDER(1, 2) ?: LIB_ORDER(2, 1), -1);
    ck_assert_int_eq(LIB_ORDER(d[1], d[0] + 1) ?: LIB_ORDER(2, 1), 1);
    LIB_VEC_FREE(&x, &y);
    LIB_MEM_FREE(lib_mem_new(1), lib_mem_new(2), NULL);
    lib_arena_free(arena);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("lib");
    tcase_add_test(tcase, reals_are_printed_as_the_manual_says);
    tcase_add_test(tcase, reals_read_back_from_the_fewest_digits);
    tcase_add_test(tcase, digests_are_printed);
    tcase_add_test(tcase, whole_numbers_are_printed);
    tcase_add_test(tcase, arenas_are_zeroed_and_aligned);
    tcase_add_test(tcase, lists_in_arenas_grow);
    tcase_add_test(tcase, small_tables_in_arenas);
    tcase_add_test(tcase, whole_numbers_only);
    tcase_add_test(tcase, nearest_names);
    tcase_add_test(tcase, fields_are_set_as_they_say);
    tcase_add_test(tcase, strings_are_always_json);
    tcase_add_test(tcase, diagnostics_show_the_place);
    tcase_add_test(tcase, diagnostics_show_bytes_that_are_not_utf8);
    tcase_add_test(tcase, invisible_characters_are_named);
    tcase_add_test(tcase, cursors_say_where_they_are);
    tcase_add_test(tcase, many_errors_are_counted_not_kept);
    tcase_add_test(tcase, files_are_whole_or_not_there);
    tcase_add_test(tcase, hashes_are_pinned);
    tcase_add_test(tcase, random_words_are_those_of_random123);
    tcase_add_test(tcase, what_is_spilled_can_be_read);
    tcase_add_test(tcase, pages_keep_what_is_changed);
    tcase_add_test(tcase, what_is_stashed_can_be_read);
    tcase_add_test(tcase, several_are_packed_and_freed_in_order);
    tcase_add_test(tcase, without_a_folder_pages_and_stashes_stay_in_memory);
    return test_main("lib", tcase);
}
