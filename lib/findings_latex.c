#include "lib/findings.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *text, *latex;
} escapes[] = {
    {"±", "$\\pm$"},
    {"\\", "\\textbackslash{}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "\\textquotedbl{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"\n", " "},
};

enum { ESCAPE_COUNT = sizeof escapes / sizeof escapes[0] };

/* Adds the first character of `p`, in text; U+FFFD for one that LaTeX rejects. Returns the next
 * one. */
static const char *put_character(struct lib_text *out, const char *p)
{
    const size_t length = lib_text_shown(p, strlen(p));
    if (length)
        lib_text_add(out, p, length);
    else
        lib_text_puts(out, "\xef\xbf\xbd");
    return p + (length ? length : 1);
}

static const char *put_escaped(struct lib_text *out, const char *p)
{
    for (size_t i = 0; i < ESCAPE_COUNT; i++)
        if (strncmp(p, escapes[i].text, strlen(escapes[i].text)) == 0) {
            lib_text_puts(out, escapes[i].latex);
            return p + strlen(escapes[i].text);
        }
    return put_character(out, p);
}

void lib_latex_text(struct lib_text *out, const char *text)
{
    for (const char *p = text; *p;)
        p = put_escaped(out, p);
}

/* Adds a string of a table, in which parts may be LaTeX code. */
static void put_text(const struct lib_table *t, const char *text, struct lib_text *out)
{
    for (const char *p = text; *p;) {
        if (!t->has_latex || *p != *LIB_LATEX_RAW_BEGIN) {
            p = put_escaped(out, p);
            continue;
        }
        const size_t length = strcspn(++p, LIB_LATEX_RAW_END);
        lib_text_add(out, p, length);
        p += length + (p[length] != '\0');
    }
}

/* Adds a line of a comment. */
static void put_comment(const char *text, struct lib_text *out)
{
    lib_text_puts(out, "% ");
    for (const char *p = text; *p;) {
        const bool is_control = (unsigned char)*p < ' ';
        if (*p == '\n' || *p == '\r')
            lib_text_puts(out, " ");
        p = is_control ? p + 1 : put_character(out, p);
    }
    lib_text_puts(out, "\n");
}

void lib_latex_number(struct lib_text *out, const char *text)
{
    for (const char *p = text; *p;) {
        bool power = *p == 'e' && (p[1] == '+' || p[1] == '-');
        if (power) {
            const char *digits = p + 2 + strspn(p + 2, "0");
            size_t length = strspn(digits, "0123456789");
            lib_text_printf(out, "$\\times 10^{%s%.*s}$", p[1] == '-' ? "-" : "",
                            (int)length, digits);
            p = digits + length;
        } else if (*p == '-') {
            lib_text_puts(out, "$-$");
            p++;
        } else {
            p = put_escaped(out, p);
        }
    }
}

static bool is_shown(const struct lib_table *t, size_t c)
{
    return !(t->columns.items[c].hidden & LIB_NOT_IN_LATEX) &&
           !t->columns.items[c].is_group;
}

static bool is_left(const struct lib_table *t, size_t c)
{
    const enum lib_side side = t->columns.items[c].side;
    return side == LIB_SIDE_AUTO
               ? lib_table_rows(t) && lib_table_cell(t, 0, c)->kind == LIB_VALUE_WORD
               : side == LIB_SIDE_LEFT;
}

static void write_cell(const struct lib_table *t, size_t r, size_t c,
                       struct lib_text *out)
{
    const struct lib_value *cell = lib_table_cell(t, r, c);
    LIB_TEXT_OWN text = {0};
    if (cell->kind == LIB_VALUE_NONE || cell->kind == LIB_VALUE_ABSENT ||
        (cell->kind == LIB_VALUE_REAL && isnan(cell->real))) {
        lib_text_puts(out, "--");
        return;
    }
    lib_value_write(cell, t->columns.items[c].style, &text);
    if (is_left(t, c))
        put_text(t, lib_text_get(&text), out);
    else
        lib_latex_number(out, lib_text_get(&text));
}

/* Writes a row of cells; SIZE_MAX: the column titles. */
static void write_row(const struct lib_table *t, size_t row, struct lib_text *out)
{
    const char *before = "    ";
    for (size_t c = 0; c < t->columns.count; c++) {
        const struct lib_column *column = &t->columns.items[c];
        if (!is_shown(t, c))
            continue;
        lib_text_puts(out, before);
        if (row == SIZE_MAX)
            put_text(t, column->label ? column->label : column->key, out);
        else
            write_cell(t, row, c, out);
        before = " & ";
    }
    lib_text_puts(out, " \\\\\n");
}

/* Writes a line of titles over the columns, with a rule under each that covers several. */
static void write_level(const struct lib_table *t, size_t level, struct lib_text *out)
{
    LIB_TEXT_OWN rules = {0};
    size_t place = 0; /* index among the columns that are shown */
    for (size_t c = 0, end; c < t->columns.count; c = end) {
        const char *head = lib_table_over(t, level, c);
        const size_t first = place + 1;
        for (end = c + lib_table_covers(t, level, c); c < end; c++)
            place += is_shown(t, c);
        if (place < first)
            continue;
        lib_text_puts(out, first > 1 ? "& " : "    ");
        if (!head)
            continue;
        lib_text_printf(out, "\\multicolumn{%zu}{%c}{", place - first + 1,
                        place > first ? 'c' : 'r');
        put_text(t, head, out);
        lib_text_puts(out, "} ");
        if (place > first)
            lib_text_printf(&rules, " \\cmidrule(lr){%zu-%zu}", first, place);
    }
    lib_text_puts(out, "\\\\\n");
    if (rules.length)
        lib_text_printf(out, "   %s\n", lib_text_get(&rules));
}

static void write_tabular(const struct lib_table *t, struct lib_text *out)
{
    const size_t rows = lib_table_rows(t);
    lib_text_puts(out, "  \\begin{tabular}{");
    for (size_t c = 0; c < t->columns.count; c++)
        if (is_shown(t, c))
            lib_text_puts(out, is_left(t, c) ? "l" : "r");
    lib_text_puts(out, "}\n    \\toprule\n");
    for (size_t level = 0; level < t->level_count; level++)
        write_level(t, level, out);
    write_row(t, SIZE_MAX, out);
    lib_text_puts(out, "    \\midrule\n");
    for (size_t r = 0; r < rows + t->sum_rows; r++) {
        if (r == rows)
            lib_text_puts(out, "    \\midrule\n");
        write_row(t, r, out);
    }
    lib_text_puts(out, "    \\bottomrule\n  \\end{tabular}\n");
}

void lib_table_write_latex(const struct lib_table *t, struct lib_text *out)
{
    lib_text_puts(out, "% \\usepackage{booktabs}\n");
    if (t->note)
        put_comment(t->note, out);
    if (*t->help) {
        lib_text_puts(out, "\\begin{table}\n  \\centering\n  \\caption{");
        put_text(t, t->help, out);
        lib_text_printf(out, "}\n  \\label{tab:%s}\n", t->key);
    }
    write_tabular(t, out);
    if (*t->help && t->note) {
        lib_text_puts(out, "  \\par\\smallskip\\footnotesize ");
        put_text(t, t->note, out);
        lib_text_puts(out, "\n");
    }
    if (*t->help)
        lib_text_puts(out, "\\end{table}\n");
}

static void write_numbers(const struct lib_findings *f, struct lib_text *out)
{
    lib_text_puts(out,
                  "% \\usepackage{booktabs}\n  \\begin{tabular}{lrl}\n    \\toprule\n");
    for (size_t i = 0; i < lib_findings_numbers(f); i++) {
        const struct lib_item *item = lib_findings_number(f, i);
        LIB_TEXT_OWN value = {0};
        if (!item->key || lib_value_is_compound(&item->value) ||
            item->hidden & LIB_NOT_IN_LATEX)
            continue;
        lib_value_write(&item->value, LIB_STYLE_PLAIN, &value);
        lib_text_puts(out, "    ");
        lib_latex_text(out, item->key);
        lib_text_puts(out, " & ");
        lib_latex_text(out, lib_text_get(&value));
        lib_text_puts(out, " & ");
        lib_latex_text(out, item->help);
        lib_text_puts(out, " \\\\\n");
    }
    lib_text_puts(out, "    \\bottomrule\n  \\end{tabular}\n");
}

void lib_findings_write_latex(const struct lib_findings *f, const char *only,
                              struct lib_text *out)
{
    if ((!only || !*only) && lib_findings_numbers(f))
        write_numbers(f, out);
    for (size_t i = 0; i < f->tables.count; i++)
        if (!only || strcmp(only, f->tables.items[i]->key) == 0)
            lib_table_write_latex(f->tables.items[i], out);
}
