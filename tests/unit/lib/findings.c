/* Findings: the same records, lists and tables in all forms. */
#include "lib/findings.h"
#include "tests/unit/main.h"

#include <string.h>

static void add_table(struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "rows", "by name");
    for (uint64_t i = 0; i < 2; i++) {
        lib_row(t, "name", lib_word(i ? "b, c" : "a"));
        lib_row(t, "share", lib_real(i ? NAN : 0.25))->style = LIB_STYLE_PERCENT;
        lib_row(t, "zero", lib_count(0))->hides_zeros = true;
        lib_row(t, "full", lib_flag(i))->hidden = LIB_NOT_IN_CSV;
        lib_row(t, "count", lib_count(9 + i))->label = "#";
        lib_row(t, "may", i ? lib_int(-3) : (struct lib_value){.kind = LIB_VALUE_ABSENT});
    }
    if (f->for_people) {
        lib_table_word(t, "all");
        lib_table_real(t, 1);
        lib_table_count(t, 0);
        lib_table_word(t, NULL);
        lib_table_count(t, 19);
        lib_table_word(t, NULL);
        t->sum_rows = 1;
    }
}

static void add(const void *context, struct lib_findings *f)
{
    (void)context;
    lib_findings_word(f, "what", "x", "its name");
    lib_findings_open(f, "only", NULL);
    lib_findings_count(f, "pe", 3, NULL);
    lib_findings_close(f);
    lib_findings_open_list(f, "inputs", NULL);
    lib_findings_word(f, NULL, "n=1", NULL);
    lib_findings_word(f, NULL, "m=2", NULL);
    lib_findings_close(f);
    lib_findings_word(f, "none", NULL, NULL);
    lib_findings_note(f, "a line for %s", "people");
    lib_findings_open_list(f, "list", "of records");
    lib_findings_open(f, NULL, NULL);
    lib_findings_real(f, "real", 1.5, NULL);
    lib_findings_close(f);
    lib_findings_close(f);
    add_table(f);
}

static void check(enum lib_form form, const char *expected)
{
    struct lib_text out = {0};
    lib_findings_write_from(form, "it", add, NULL, &out);
    ck_assert_str_eq(lib_text_get(&out), expected);
    lib_text_free(&out);
}

START_TEST(as_text)
{
    check(LIB_FORM_TEXT, "it\n"
                         "  what            x  its name\n"
                         "  only.pe         3\n"
                         "  inputs   n=1, m=2\n"
                         "  none            -\n"
                         "a line for people\n"
                         "\n"
                         "it.list: of records\n"
                         "  real  1.500\n"
                         "\n"
                         "it.rows: by name\n"
                         "  name    share  full   #  may\n"
                         "  a      25.0 %    no   9    -\n"
                         "  b, c        -   yes  10   -3\n"
                         "\n"
                         "  all   100.0 %     -  19    -\n");
}
END_TEST

START_TEST(as_json)
{
    check(LIB_FORM_JSON,
          "{\n"
          "  \"what\": \"x\",\n"
          "  \"only\": {\n"
          "    \"pe\": 3\n"
          "  },\n"
          "  \"inputs\": [\"n=1\", \"m=2\"],\n"
          "  \"none\": null,\n"
          "  \"list\": [\n"
          "    {\n"
          "      \"real\": 1.5\n"
          "    }\n"
          "  ],\n"
          "  \"rows\": [\n"
          "    {\"name\": \"a\", \"share\": 0.25, \"zero\": 0, \"full\": false, "
          "\"count\": 9},\n"
          "    {\"name\": \"b, c\", \"share\": null, \"zero\": 0, \"full\": true, "
          "\"count\": 10, \"may\": -3}\n"
          "  ]\n"
          "}\n");
}
END_TEST

START_TEST(as_csv)
{
    check(LIB_FORM_CSV, "# it\n"
                        "key,value\n"
                        "what,x\n"
                        "only.pe,3\n"
                        "inputs,\"n=1, m=2\"\n"
                        "none,\n"
                        "\n"
                        "# it.rows\n"
                        "name,share,zero,count,may\n"
                        "a,0.25,0,9,\n"
                        "\"b, c\",,0,10,-3\n");
}
END_TEST

START_TEST(as_html_and_latex)
{
    struct lib_text html = {0}, latex = {0};
    lib_findings_write_from(LIB_FORM_HTML, "it", add, NULL, &html);
    ck_assert_ptr_nonnull(strstr(html.bytes, "<caption>by name</caption>"));
    ck_assert_ptr_nonnull(strstr(html.bytes, "<td>b, c</td><td class=\"n\">-</td>"));
    lib_findings_write_from(LIB_FORM_LATEX, "it", add, NULL, &latex);
    ck_assert_ptr_nonnull(strstr(latex.bytes, "what & x & its name \\\\\n"));
    ck_assert_ptr_nonnull(
        strstr(latex.bytes, "    name & share & zero & full & \\# & may"));
    ck_assert_ptr_nonnull(
        strstr(latex.bytes, "    a & 25.0 \\% & 0 & no & 9 & -- \\\\\n"));
    lib_text_free(&html);
    lib_text_free(&latex);
}
END_TEST

/* Two keys, and two series of two values below a title that is longer than all four. */
static void add_levels(const void *context, struct lib_findings *f)
{
    static const char *levels[] = {
        NULL, NULL,      "one & two by three",
        "",   "",        "", /* over all series */
        NULL, NULL,      "fifo",
        "",   "longest", "",
    };
    (void)context;
    struct lib_table *t = lib_findings_table(f, "rows", f->for_people ? "" : "by name");
    LIB_TABLE_COLUMNS(t, "name", "PEs", "a", "b", "a", "b");
    for (size_t c = 0; c < 6; c++)
        t->columns.items[c].side = c ? LIB_SIDE_RIGHT : LIB_SIDE_LEFT;
    for (uint64_t i = 0; i < 6; i++)
        lib_table_add(t, i == 0 ? lib_word("x") : lib_count(i));
    t->levels = levels;
    t->level_count = 2;
    t->note = "n = 1";
}

START_TEST(heads_over_columns)
{
    struct lib_text text = {0}, latex = {0};
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add_levels, NULL, &text);
    ck_assert_str_eq(text.bytes, "      one & two by three\n"
                                 "           fifo  longest\n"
                                 "name  PEs  a  b  a     b\n"
                                 "x       1  2  3  4     5\n"
                                 "\n"
                                 "n = 1\n");
    lib_findings_write_from(LIB_FORM_LATEX, NULL, add_levels, NULL, &latex);
    ck_assert_ptr_nonnull(strstr(latex.bytes, "\\label{tab:rows}\n"));
    ck_assert_ptr_nonnull(strstr(
        latex.bytes, "    & & \\multicolumn{4}{c}{one \\& two by three} \\\\\n"
                     "    \\cmidrule(lr){3-6}\n"
                     "    & & \\multicolumn{2}{c}{fifo} & \\multicolumn{2}{c}{longest} "
                     "\\\\\n"
                     "    \\cmidrule(lr){3-4} \\cmidrule(lr){5-6}\n"
                     "    name & PEs & a & b & a & b \\\\\n"));
    ck_assert_ptr_nonnull(strstr(latex.bytes, "\\footnotesize n = 1\n\\end{table}\n"));
    lib_text_free(&text);
    lib_text_free(&latex);
}
END_TEST

/* Five columns with long heads, of which the text hides the third, under one head of all. */
static void add_wide(const void *context, struct lib_findings *f)
{
    static const char *const over[] = {NULL, "all of these", "", "", ""};
    (void)context;
    struct lib_table *t = lib_findings_table(f, "rows", "");
    LIB_TABLE_COLUMNS(t, "what", "greatest_number_of_all_tokens",
                      "greatest_number_of_all_calls", "greatest_number_of_all_firings",
                      "the least number of all that are counted in any one cycle");
    for (uint64_t i = 0; i < 5; i++)
        lib_table_count(t, 1000 + i);
    t->columns.items[2].hidden = LIB_NOT_IN_TEXT;
    t->levels = over;
    t->level_count = 1;
    t->note =
        "a note that is longer than a line of a text can be, so that it goes on in the "
        "next line, and only there";
}

/* Of a table that is wider than 100 columns heads are in several lines; notes are wrapped. */
START_TEST(wide_tables)
{
    struct lib_text text = {0};
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add_wide, NULL, &text);
    ck_assert_str_eq(text.bytes, "                   all of these\n"
                                 "      greatest_  greatest_  the least number\n"
                                 "        number_    number_   of all that are\n"
                                 "        of_all_    of_all_    counted in any\n"
                                 "what     tokens    firings         one cycle\n"
                                 "1000       1001       1003              1004\n"
                                 "\n"
                                 "a note that is longer than a line of a text can be, so "
                                 "that it goes on in the next line, and only\n"
                                 "there\n");
    lib_text_free(&text);
}
END_TEST

static void make_row(void *context, size_t row, struct lib_value *cells)
{
    ++*(unsigned *)context;
    cells[0] = lib_count(row);
}

static void drain(void *context, struct lib_text *out)
{
    *(size_t *)context += out->length;
    lib_text_clear(out);
}

/* Rows that are made when they are written leave no more behind than the writer lets stand. */
START_TEST(rows_that_are_made)
{
    enum { ROWS = 100000 };
    struct lib_findings f;
    struct lib_text out = {0};
    unsigned made = 0;
    size_t drained = 0;
    lib_findings_start(&f, "it", false);
    struct lib_table *t = lib_findings_table(&f, "rows", "");
    lib_table_column(t, "number");
    lib_table_make(&f, t, ROWS, make_row, &made);
    f.drain = drain;
    f.drain_context = &drained;
    lib_findings_write(&f, LIB_FORM_CSV, "rows", &out);
    ck_assert_uint_eq(made, ROWS);
    ck_assert_uint_eq(drained + out.length, strlen("# it.rows\nnumber\n") + 10 * 2 +
                                                90 * 3 + 900 * 4 + 9000 * 5 + 90000 * 6);
    ck_assert_uint_lt(out.capacity, 1 << 18);
    lib_text_free(&out);
    lib_findings_free(&f);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("findings");
    tcase_add_test(tcase, as_text);
    tcase_add_test(tcase, as_json);
    tcase_add_test(tcase, as_csv);
    tcase_add_test(tcase, as_html_and_latex);
    tcase_add_test(tcase, heads_over_columns);
    tcase_add_test(tcase, wide_tables);
    tcase_add_test(tcase, rows_that_are_made);
    return test_main("findings", tcase);
}
