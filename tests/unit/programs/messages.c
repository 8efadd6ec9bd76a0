/* What the front end says of programs that are wrong: every message with its place. */
#include "lib/file.h"
#include "programs/compile.h"
#include "tests/unit/front_end.h"

#include <dirent.h>
#include <stdlib.h>

/* --- messages ---------------------------------------------------------------------------- */

/* Every tests/data/diagnostics/NAME.df is wrong as NAME.expected says. UPDATE_GOLDEN=1
 * writes what is said now; read it before you believe it. */
static int is_program(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".df") == 0;
}

static void check_golden(const char *directory, const char *name)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct lib_text found = {0};
    const char *path = lib_arena_printf(arena, "%s/%s", directory, name);
    const char *expected = lib_arena_printf(arena, "%s/%.*s.expected", directory,
                                            (int)strlen(name) - 3, name);
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert(source != NULL);
    struct program p = load_bytes(name, source->bytes, source->length, TYPED);
    const struct lib_source named = {name, source->bytes, source->length};
    if (p.diags.errors ==
        0) /* what only the graph builder finds; its diagnostics point to `named` */
        isa_graph_free(programs_compile(&named, &(struct programs_options){0},
                                        ISA_STAGE_FUNCTIONS, &p.diags));
    lib_diags_write(&p.diags, &found);
    ck_assert_msg(p.diags.errors > 0, "%s has no errors", name);
    if (getenv("UPDATE_GOLDEN"))
        ck_assert(lib_file_write(expected, found.bytes, found.length, &diags));
    source = lib_file_read(arena, expected, &diags);
    ck_assert_msg(source != NULL, "%s is missing", expected);
    ck_assert_msg(strcmp(found.bytes, source->bytes) == 0,
                  "%s:\nexpected:\n%s\nfound:\n%s", name, source->bytes, found.bytes);
    unload(&p);
    lib_text_free(&found);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}

START_TEST(golden)
{
    const char *root = getenv("SRCDIR");
    struct dirent **entries;
    struct lib_text directory = {0};
    lib_text_printf(&directory, "%s/tests/data/diagnostics", root ? root : ".");
    int count = scandir(directory.bytes, &entries, is_program, alphasort);
    ck_assert_int_ge(count, 40);
    for (int i = 0; i < count; i++) {
        check_golden(directory.bytes, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    lib_text_free(&directory);
}
END_TEST

#define CONVERTED(place, function, other, with)                                          \
    place ": argument 1 of `" function "`: an int becomes a real, since all uses of a "  \
          "function share its types, and in " other " `" with "` is used with a real"

#define UNNEEDED(place, cause, within)                                                   \
    place ": an int becomes a real, since in " cause " `" within                         \
          "` uses it as a real, though no output needs that"

/* What the folder does not show, or not alone: a source and its messages. */
static const char *const messages[][2] = {
    {"result = 1 +\r\nf(x) = x\r\n",
     "1:13: expected an expression, found the end of the equation"},
    {"\xef\xbb\xbfresult = 1 +",
     "1:16: expected an expression, found the end of the equation"},
    {"result = 1\n\xff\n", "2:1: unexpected byte 0xff"},
    {"result = 1 \xc3\xa9\xc3\xa9\xc3\xa9 2\nx = \xc3\xa9\n",
     "1:12: unexpected character `\xc3\xa9`, 2:5: unexpected character `\xc3\xa9`"},
    {"result = \xe2\x88\xa7\n", "1:10: unexpected character `\xe2\x88\xa7`; write `and`"},
    {"result = !true\n", "1:10: unexpected character `!`; write `not`"},
    {"result = 1 | 2", "1:12: expected an operator or the end of the equation, found "
                       "`|`; write `or`; of the "
                       "bits of ints, `bit_or(a, b)`"},
    {"result = a[1]", "1:10: unknown name `a`"},
    {"head = 1\nresult = head 2", "2:15: expected an operator or the end of the "
                                  "equation, found `2` (a call is written "
                                  "`head(...)`)"},
    {"result = head 2",
     "1:15: expected an operator or the end of the equation, found `2`; the "
     "first element of an array is `a[0]`"},
    {"result = while", "1:10: expected an expression, found `while`; a loop is written "
                       "`loop i = 0 while i < n "
                       "do i + 1`"},
    {"result = 1 do 2",
     "1:12: expected an operator or the end of the equation, found `do`"},
    {"x = return", "1:5: expected an expression, found `return`; write the value alone: "
                   "`f(x) = x + 1`"},
    {"result = 0 .. 3", "1:12: a range is part of a comprehension: `[i | i <- 0 .. 9]`"},
    {"result = [1 while", "1:13: expected `,` or `]`, found `while`"},
    {"result = let a = loop i = 0 while i < 3 do i in a", NULL},
    {"result = let a = loop i = 0 in a", "1:29: expected `,` or `while`, found `in`"},
    {"result = (let a = [1; b = 2 in a)", "1:21: expected `,` or `]`, found `;`"},
    {"result = [[1, 2][0]", "1:10: this `[` is not closed"},
    {"result = [a | a <- 0 .. b[1]; b = 3", "1:29: expected `,` or `]`, found `;`"},
    {"result = --# bound 3\n 1 + loop i = 0 while i < 3 do i + 1",
     "1:10: this pragma bounds no loop: expected on the line of a `loop`, after that "
     "word, or alone on the line before"},
    {"--# bound 3\r\nresult = loop i = 0 while i < 3 do i + 1\r\n", NULL},
    {"--# bound 3", "1:1: this pragma bounds no loop: expected on the line of a `loop`, "
                    "after that word, or alone on the line before"},
    {"(a) = 1\nresult = 2", "1:1: a tuple has at least two parts; write `a = ...`"},
    {"(a, 1) = 1", "1:5: expected a name, found `1`"},
    {"(a, b = 1", "1:7: expected `,` or `)`, found `=`"},
    {"(a, b", "1:1: this `(` is not closed"},
    {"f(a b) = 1", "1:5: expected `,` or `)`, found `b`"},
    {")", "1:1: this `)` closes no `(`"},
    {"3 = x", "1:1: expected a name to define, found `3`"},
    {"result = (1; 2)", "1:12: expected `,` or `)`, found `;`"},
    {"result = let x == 1 in x", "1:16: an equation is written with `=`; `==` compares"},
    {"result = let x = 1 y = 2 in x", "1:20: expected `;` or `in`, found `y`; a `let` is "
                                      "written `let x = 1; y = 2 in x + y`"},
    {"result = let in 1", "1:14: `in` is a reserved word and cannot be a name"},
    {"result = let x = 1;; in x", "1:20: expected a name, found `;`"},
    {"result = - not true", "1:12: `not` binds less tightly than `-`; write `(not ...)`"},
    {"result = averyveryveryveryveryveryveryveryveryverylongname 2",
     "1:60: expected an operator or the end of the equation, found `2` (a call is "
     "written "
     "`averyveryveryveryveryveryveryveryveryverylongname(...)`)"},
    {"f averyveryveryveryveryveryveryveryveryverylongname = 1",
     "1:3: expected `=`, or parameters in parentheses, found "
     "`averyveryveryveryveryveryveryveryveryver...`"},
    {"f(result) = 1\n",
     "0:0: no equation defines `result`, the output; one is written `result = ...`"},
    {"result = abs",
     "1:10: `abs` is a function, not a value; a call is written `abs(...)`, and "
     "functions cannot be passed on"},
    {"result = 1\nx = let y = x in y\n", "2:1: `x` depends on itself: x -> x"},
    {"result = 1\nf(x) = g(x) + c\ng(x) = f(x)\nc = d\nd = g(1)\n",
     "4:1: `c` depends on itself: c -> d -> g -> f -> c"},
    {"result = (true, 1) and (1, 2)\n",
     "1:10: expected bool, found (bool, int), 1:24: expected bool, found (int, int)"},
    {"f(a, b) = (a, b) == a\nresult = 1\n",
     "1:11: expected int, real or bool, found (any type, any type); an operator takes "
     "parts of tuples, which `let (x, y) = ... in ...` names"},
    {"result = f(1) + f(true)\nf(x) = x\n",
     "1:19: argument 1 of `f`: expected int, found bool; a function has one type, and "
     "`f` is "
     "used with int in 1:12"},
    {"result = f(2.5)\nf(n) = if n == 0 then true else f(n - 1) + 1\n",
     "2:33: both branches of `if` must have one type: expected bool, found int"},
    {"x = let y = x in 1\nresult = x + true\n", "2:14: expected a number, found bool"},
    {"result = (1, if true then 1 else\n false)\n",
     "2:2: both branches of `if` must have one type: expected int, found bool"},
    /* warnings: an int that becomes a real because of another use */
    {"h(x) = x / 2\nresult = h(3)\n", NULL},
    {"h(x) = x / 2\nresult = h(3)\nunused = h(1.5)\n",
     CONVERTED("2:12", "h", "3:10", "h")},
    {"h(x) = x / 2\nresult = h(3)\nunused = h(1) * 1.5\n",
     CONVERTED("2:12", "h", "3:10", "h")},
    {"h(x) = x / 2\nhalf(y) = h(y) * 1.5\nresult = h(3)\n",
     CONVERTED("3:12", "h", "2:11", "h")},
    {"h(x) = x / 2\ng(y) = h(y) + 1\nresult = g(3)\nunused = h(1.5)\n",
     CONVERTED("3:12", "g", "4:10", "h")},
    {"input n = 3\nresult = f([(n, true)])\nunused = f([(1.5, true)])\n"
     "f(a) = let (x, y) = a[0] in x / 2\n",
     CONVERTED("2:12", "f", "3:10", "f")},
    {"f(x) = x * x\nresult = f(3)\nunused = grad(f, 2.5)\n",
     CONVERTED("2:12", "f", "3:10", "f")},
    {"result = power(2, 3)\nunused = power(1.5, 3)\n"
     "power(x, n) = if n == 0 then 1 else x * power(x, n - 1)\n",
     CONVERTED("1:16", "power", "2:10", "power")},
    /* alone it would be a real too: the definition, another argument, or what is done with the
     * result says so */
    {"f(x) = 0.5 * x\nresult = f(3) + f(1.5)\n", NULL},
    {"f(x, y) = x + y\nresult = f(3, 1.5)\nunused = f(1.5, 2.5)\n", NULL},
    /* warnings: an int that becomes a real because of code that no output needs */
    {"input k = 7\nresult = 15 / k\nunused = k * 1.0\n",
     UNNEEDED("1:11", "3:10", "unused")},
    {"c = 7\nresult = 15 / c\nf(x) = x * c\nunused = f(1.5)\n",
     UNNEEDED("1:5", "4:10", "unused")},
    {"c = 7\nresult = 15 / c\ng(y) = y + c * 1.5\n", UNNEEDED("1:5", "3:12", "g")},
    {"f(x) = let u = x * 1.0 in x / 2\nresult = f(3)\n", UNNEEDED("1:31", "1:16", "u")},
    {"input k = 7\nresult = 1\nunused = k * 1.0\n", NULL},
    {"x = 3\nresult = (x + 1, x + 1.5)\nunused = x * 2.5\n", NULL},
    {"norm(x, y) = x * x + y * y\nresult = sqrt(norm(3, 4)) + norm(1.5, 2)\n", NULL},
    {"even(x, n) = if n == 0 then x else odd(x, n - 1)\n"
     "odd(x, n) = 2.0 * even(x, n - 1)\nresult = even(3, 4) + odd(1.5, 3)\n",
     NULL},
    {"param w : [2] = ones\nscale(t, x) = t * x\nresult = reduce_sum(scale(w, 2) + "
     "scale(w, "
     "1.5))\n",
     NULL},
    {"param w : [2] = ones\nh(x) = x / 2\nresult = (h(3), reduce_sum(w) * h(1.5))\n",
     CONVERTED("3:13", "h", "3:33", "h")},
};

START_TEST(message)
{
    struct program p = load(messages[_i][0], TYPED);
    struct lib_text text = {0};
    for (size_t i = 0; i < p.diags.count; i++)
        lib_text_printf(&text, "%s%u:%u: %s", i ? ", " : "", p.diags.items[i].pos.line,
                        p.diags.items[i].pos.column, p.diags.items[i].text);
    ck_assert_str_eq(lib_text_get(&text), messages[_i][1] ? messages[_i][1] : "");
    lib_text_free(&text);
    unload(&p);
}
END_TEST

/* Programs that come with Hiaton give no warnings. */
START_TEST(programs_are_silent)
{
    static const char *const folders[] = {"examples", "experiments", "training"};
    const char *root = getenv("SRCDIR");
    struct dirent **entries;
    for (size_t f = 0; f < 3; f++) {
        struct lib_text directory = {0};
        lib_text_printf(&directory, "%s/programs/%s", root ? root : ".", folders[f]);
        const int count = scandir(directory.bytes, &entries, is_program, alphasort);
        ck_assert_int_ge(count, 5);
        for (int i = 0; i < count; i++) {
            struct lib_arena *arena = lib_arena_new();
            struct lib_diags diags = {0};
            const struct lib_source *source = lib_file_read(
                arena,
                lib_arena_printf(arena, "%s/%s", directory.bytes, entries[i]->d_name),
                &diags);
            /* load_bytes reads no files, on which the types of these programs depend. */
            const bool has_file = memmem(source->bytes, source->length, "file(", 5);
            struct program p = load_bytes(source->name, source->bytes, source->length,
                                          has_file ? PARSED : TYPED);
            ck_assert_msg(p.diags.count == 0, "%s: %s", source->name,
                          p.diags.items[0].text);
            unload(&p);
            lib_arena_free(arena);
            free(entries[i]);
        }
        free(entries);
        lib_text_free(&directory);
    }
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tests = tcase_create("messages");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, message, 0, ROWS(messages));
    tcase_add_test(tests, golden);
    tcase_add_test(tests, programs_are_silent);
    return test_main("lang_messages", tests);
}
