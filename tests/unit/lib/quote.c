/* Texts of users in other languages: all bytes from 1 to 127 and UTF-8 pass through each function
 * that quotes, and then through the program that reads the language, or an independent decoder. */
#include "lib/findings.h"
#include "lib/quote.h"
#include "tests/unit/main.h"
#include "traces/results/database.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UTF_8 "é ☃ 漢 \U0001f600"
#define LOST "\xef\xbf\xbd" /* U+FFFD */
/* Texts that would run a command in one of the languages. */
#define ATTACKS                                                                          \
    "`touch pwned` $(touch pwned) ';touch pwned;' \";touch pwned;\" @touch #{} %d\\"

static char folder[] = "/tmp/hiaton-quote-XXXXXX";

static void enter(void)
{
    ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave(void)
{
    ck_assert_int_ne(access("pwned", F_OK), 0);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert(chdir("/") == 0 && system(command) == 0);
}

/* Returns all bytes from `first` to 127 except those of `without`, then attacks and UTF-8. */
static const char *all_bytes(int first, const char *without)
{
    static char text[512];
    size_t length = 0;
    for (int c = first; c < 128; c++)
        if (!strchr(without, c))
            text[length++] = (char)c;
    strcpy(text + length, ATTACKS UTF_8);
    return text;
}

static void put_file(const char *path, const struct lib_text *text)
{
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(text->bytes, file) >= 0 && fclose(file) == 0);
}

static const char *get_file(const char *path)
{
    static char bytes[65536];
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s was not written", path);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    return bytes;
}

static bool has(const char *program)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

START_TEST(a_word_of_the_shell_is_the_text)
{
    struct lib_text script = {0};
    const char *text = all_bytes(1, "");
    lib_text_puts(&script, "printf %s ");
    lib_quote_shell(&script, text);
    lib_text_puts(&script, " >out\n");
    put_file("in", &script);
    ck_assert_int_eq(system("sh in"), 0);
    ck_assert_str_eq(get_file("out"), text);
    lib_text_clear(&script);
    lib_quote_shell(&script, "");
    ck_assert_str_eq(script.bytes, "''");
    lib_text_clear(&script);
    lib_quote_shell(&script, "a-b_c.d/e%f");
    ck_assert_str_eq(script.bytes, "a-b_c.d/e%f");
    lib_text_free(&script);
}
END_TEST

static void check_make(const char *text)
{
    struct lib_text script = {0};
    lib_text_puts(&script, "export V = ");
    lib_quote_make(&script, text);
    lib_text_puts(&script, "\nW = 1\nall:\n\t@printenv V >out; test '$(W)' = 1\n");
    put_file("in", &script);
    ck_assert_int_eq(system("make -s -f in"), 0);
    const char *found = get_file("out");
    ck_assert_int_eq(strncmp(found, text, strlen(text)), 0);
    ck_assert_str_eq(found + strlen(text), "\n");
    lib_text_free(&script);
}

START_TEST(a_variable_of_make_is_the_text)
{
    if (!has("make"))
        return;
    check_make(all_bytes('!', ""));
    check_make(all_bytes(1, "\n\t\v\f\r "));
    check_make("a\\");
    check_make("a\\\\#b\\#c#d");
    check_make("a # b $(touch pwned) `touch pwned` $$");
}
END_TEST

START_TEST(names_that_make_can_use_are_used_as_they_are)
{
    struct lib_text script = {0}, names = {0};
    const char *bad = all_bytes(1, "");
    ck_assert(lib_quote_find_bad_make("-f") && lib_quote_find_bad_make("a b") &&
              lib_quote_find_bad_make("a\nb") && lib_quote_find_bad_make("`a`") &&
              lib_quote_find_bad_make("{a,b}") && !lib_quote_find_bad_make("é.df"));
    ck_assert_ptr_eq(lib_quote_find_bad_make(bad), bad);
    for (int c = 1; c < 128; c++) {
        const char name[] = {'a', 'l', 'l', (char)c, '\0'};
        if (c != '/' && !lib_quote_find_bad_make(name))
            lib_text_printf(&names, " %s", name);
    }
    lib_text_printf(&script, "N =%s é\n.PHONY: run\nrun: $(N)\n$(N):\n\ttouch $@\n",
                    lib_text_get(&names));
    if (has("make")) {
        put_file("in", &script);
        ck_assert_int_eq(system("make -s -f in && rm é"), 0);
        for (char *name = strtok(names.bytes, " "); name; name = strtok(NULL, " "))
            ck_assert_msg(access(name, F_OK) == 0, "%s", name);
    }
    lib_text_free(&script);
    lib_text_free(&names);
}
END_TEST

START_TEST(a_string_of_gnuplot_is_the_text)
{
    struct lib_text script = {0}, expected = {0};
    if (!has("gnuplot"))
        return;
    lib_text_puts(&script,
                  "set encoding utf8\nset print \"out\"\ndo for [i in \"a\"] {\nprint ");
    lib_quote_gnuplot(&script, all_bytes(1, ""));
    lib_text_puts(&script, "\n}\n");
    put_file("in", &script);
    ck_assert_int_eq(system("gnuplot --default-settings in"), 0);
    lib_text_puts(&expected, "\n"); /* of the control characters only that is left */
    lib_text_puts(&expected, all_bytes(' ', "\x7f"));
    lib_text_puts(&expected, "\n");
    ck_assert_str_eq(get_file("out"), expected.bytes);
    lib_text_clear(&script);
    lib_quote_gnuplot(&script, "a\xff'b");
    ck_assert_str_eq(script.bytes, "'a" LOST "''b'");
    lib_text_free(&script);
    lib_text_free(&expected);
}
END_TEST

/* Decodes character references; adds U+FFFD as it is. */
static void decode_html(const char *html, struct lib_text *out)
{
    static const char *const references[][2] = {
        {"&lt;", "<"},  {"&gt;", ">"},  {"&amp;", "&"},  {"&quot;", "\""},
        {"&#39;", "'"}, {"&#45;", "-"}, {"&#160;", " "}, {"&apos;", "'"}};
    while (*html) {
        size_t i = 0;
        while (i < 8 && strncmp(html, references[i][0], strlen(references[i][0])) != 0)
            i++;
        ck_assert_msg(!strchr("<>\"'", *html), "%s", html);
        ck_assert_msg(*html != '&' || i < 8, "%s", html);
        if (i < 8)
            lib_text_puts(out, references[i][1]);
        else
            lib_text_add(out, html, 1);
        html += i < 8 ? strlen(references[i][0]) : 1;
    }
}

START_TEST(html_decodes_to_the_text)
{
    struct lib_text html = {0}, decoded = {0}, expected = {0};
    const char *text = all_bytes(1, "");
    lib_text_html(&html, text, strlen(text));
    decode_html(html.bytes, &decoded);
    for (const char *p = text; *p; p++)
        if ((*p < ' ' && *p > 0 && *p != '\n' && *p != '\t') || *p == 0x7f)
            lib_text_puts(&expected, LOST);
        else
            lib_text_add(&expected, p, 1);
    ck_assert_str_eq(decoded.bytes, expected.bytes);
    LIB_TEXT_FREE(&html, &decoded, &expected);
}
END_TEST

/* Adds a text without blanks. */
static void squeeze(const char *text, struct lib_text *out)
{
    for (; *text; text++)
        if (*text != ' ')
            lib_text_add(out, text, 1);
}

START_TEST(a_label_of_dot_shows_the_text)
{
    struct lib_text script = {0}, shown = {0}, decoded = {0}, expected = {0};
    const char *text = all_bytes(' ', "\x7f");
    if (!has("dot"))
        return;
    lib_text_puts(&script, "digraph { n [label=<");
    lib_text_html(&script, text, strlen(text));
    lib_text_puts(&script, ">] }\n");
    put_file("in", &script);
    ck_assert_int_eq(system("dot -Tsvg in >out"), 0);
    for (char *p = strstr(get_file("out"), "<text"); p; p = strstr(p, "<text")) {
        char *start = strchr(p, '>') + 1, *end = strchr(start, '<');
        lib_text_add(&shown, start, (size_t)(end - start));
        p = end;
    }
    decode_html(lib_text_get(&shown), &decoded);
    lib_text_clear(&shown);
    for (char *p; (p = strstr(decoded.bytes, "\xc2\xa0"));)
        p[0] = p[1] = ' ';
    squeeze(decoded.bytes, &shown);
    squeeze(text, &expected);
    ck_assert_str_eq(lib_text_get(&shown), expected.bytes);
    LIB_TEXT_FREE(&script, &shown, &decoded, &expected);
}
END_TEST

static void decode_latex(const char *latex, struct lib_text *out)
{
    static const char *const words[][2] = {
        {"\\textbackslash{}", "\\"},
        {"\\textasciitilde{}", "~"},
        {"\\textasciicircum{}", "^"},
        {"\\textless{}", "<"},
        {"\\textgreater{}", ">"},
        {"\\textbar{}", "|"},
        {"\\textquotedbl{}", "\""},
        {"\\&", "&"},
        {"\\%", "%"},
        {"\\$", "$"},
        {"\\#", "#"},
        {"\\_", "_"},
        {"\\{", "{"},
        {"\\}", "}"},
    };
    enum { WORDS = sizeof words / sizeof *words };
    while (*latex) {
        size_t i = 0;
        while (i < WORDS && strncmp(latex, words[i][0], strlen(words[i][0])) != 0)
            i++;
        /* a special character that no word explains acts as code */
        ck_assert_msg(i < WORDS || !strchr("\\{}$&#^_~%", *latex), "%s", latex);
        if (i < WORDS)
            lib_text_puts(out, words[i][1]);
        else
            lib_text_add(out, latex, 1);
        latex += i < WORDS ? strlen(words[i][0]) : 1;
    }
}

START_TEST(latex_decodes_to_the_text)
{
    struct lib_text latex = {0}, decoded = {0}, expected = {0};
    const char *text = all_bytes(1, "");
    lib_latex_text(&latex, text);
    decode_latex(latex.bytes, &decoded);
    for (const char *p = text; *p; p++)
        if (*p == '\n')
            lib_text_puts(&expected, " ");
        else if ((*p < ' ' && *p > 0 && *p != '\t') || *p == 0x7f)
            lib_text_puts(&expected, LOST);
        else
            lib_text_add(&expected, p, 1);
    ck_assert_str_eq(decoded.bytes, expected.bytes);
    lib_text_clear(&latex);
    lib_text_clear(&decoded);
    lib_latex_number(&latex, "\\input{x}#");
    decode_latex(latex.bytes, &decoded);
    ck_assert_str_eq(decoded.bytes, "\\input{x}#");
    LIB_TEXT_FREE(&latex, &decoded, &expected);
}
END_TEST

START_TEST(sql_reads_the_text)
{
    struct lib_text sql = {0};
    const char *text = all_bytes(1, "");
    sqlite3 *db;
    sqlite3_stmt *query;
    lib_text_puts(&sql, "SELECT ");
    traces_database_add_text(&sql, text);
    lib_text_puts(&sql, " AS ");
    traces_database_add_name(&sql, text);
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql.bytes, -1, &query, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(query, 0), text);
    ck_assert_str_eq(sqlite3_column_name(query, 0), text);
    sqlite3_finalize(query);
    sqlite3_close(db);
    lib_text_free(&sql);
}
END_TEST

/* Reads the first field of a line of CSV, as RFC 4180 says. */
static void decode_csv(const char *csv, struct lib_text *out)
{
    const bool is_quoted = *csv == '"';
    for (csv += is_quoted; *csv; csv++) {
        if (is_quoted && *csv == '"' && *++csv != '"')
            break;
        if (!is_quoted && strchr(",\r\n", *csv))
            break;
        lib_text_add(out, csv, 1);
    }
    ck_assert_str_eq(csv, ",next\n");
}

START_TEST(csv_reads_back_as_the_text)
{
    const char *const texts[] = {
        all_bytes(1, ""), "=1+1", "-1", "@SUM(A1)", "+x", "\"", "a,b", "a\rb", UTF_8};
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        struct lib_text csv = {0}, decoded = {0};
        (i % 2 ? lib_csv_word : lib_csv_quoted)(&csv, texts[i / 2]);
        lib_text_puts(&csv, ",next\n");
        decode_csv(csv.bytes, &decoded);
        ck_assert_str_eq(decoded.bytes, texts[i / 2]);
        LIB_TEXT_FREE(&csv, &decoded);
    }
}
END_TEST

START_TEST(slurm_reads_the_text)
{
    struct lib_text line = {0};
    for (int c = 1; c < 128; c++) {
        const char name[] = {'a', (char)c, 'b', '\0'};
        if (lib_quote_find_bad_slurm(name))
            continue;
        lib_text_clear(&line);
        lib_quote_slurm(&line, name);
        /* sbatch splits at blanks and ends at # outside of quotes; in quotes only the
         * quote and the backslash are special. */
        const bool is_quoted = *line.bytes == '"';
        ck_assert(is_quoted || !strchr(" #'\t\n\"\\", c));
        ck_assert(c >= ' ' && c != 0x7f && !strchr("\"\\", c));
        ck_assert_int_eq(strncmp(line.bytes + is_quoted, name, 3), 0);
        ck_assert_str_eq(line.bytes + is_quoted + 3, is_quoted ? "\"" : "");
    }
    ck_assert(lib_quote_find_bad_slurm("a\nb") && !lib_quote_find_bad_slurm(UTF_8));
    lib_text_free(&line);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("quote");
    tcase_add_checked_fixture(tcase, enter, leave);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_word_of_the_shell_is_the_text);
    tcase_add_test(tcase, a_variable_of_make_is_the_text);
    tcase_add_test(tcase, names_that_make_can_use_are_used_as_they_are);
    tcase_add_test(tcase, a_string_of_gnuplot_is_the_text);
    tcase_add_test(tcase, html_decodes_to_the_text);
    tcase_add_test(tcase, a_label_of_dot_shows_the_text);
    tcase_add_test(tcase, latex_decodes_to_the_text);
    tcase_add_test(tcase, sql_reads_the_text);
    tcase_add_test(tcase, csv_reads_back_as_the_text);
    tcase_add_test(tcase, slurm_reads_the_text);
    return test_main("quote", tcase);
}
