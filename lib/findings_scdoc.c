#include <string.h>

#include "lib/findings.h"

void lib_scdoc_text(struct lib_text *out, const char *text)
{
    /* where characters such as `-` and `.` would begin lists and tables */
    const char *start = text;
    for (const char *p = text; *p; p++) {
        if (strchr("\\*_`", *p) || (p == start && strchr("-.#|[]:", *p)))
            lib_text_puts(out, "\\");
        lib_text_add(out, p, 1);
    }
}

static bool is_shown(const struct lib_column *column)
{
    return !(column->hidden & LIB_NOT_IN_SCDOC) && !column->is_group;
}

/* Writes an entry of a manual page: the first column is its head; then come labels and values, and
 * below them the last column. */
static void put_row(const struct lib_table *t, size_t row, struct lib_text *out)
{
    const size_t last = t->columns.count - 1;
    bool is_first = true;
    LIB_TEXT_OWN text = {0};
    for (size_t c = 0; c <= last; c++) {
        const struct lib_column *column = &t->columns.items[c];
        if (!is_shown(column))
            continue;
        lib_text_clear(&text);
        lib_value_write(lib_table_cell(t, row, c), column->style, &text);
        if (!is_first && c != last && text.length)
            lib_scdoc_text(out, column->label ? column->label : " ");
        lib_text_puts(out, is_first ? "*" : c == last ? "\n\t" : "");
        lib_scdoc_text(out, lib_text_get(&text));
        lib_text_puts(out, is_first ? "*" : c == last ? "\n\n" : "");
        is_first = false;
    }
}

void lib_findings_write_scdoc(const struct lib_findings *f, const char *only,
                              struct lib_text *out)
{
    for (size_t i = 0; i < f->tables.count; i++) {
        const struct lib_table *t = f->tables.items[i];
        if (only && strcmp(only, t->key) != 0)
            continue;
        if (*t->help)
            lib_text_printf(out, "## %s\n\n", t->help);
        for (size_t r = 0; r < lib_table_rows(t); r++) {
            const char *group = lib_table_group(t, r);
            if (group && *group) {
                lib_text_puts(out, "## ");
                lib_scdoc_text(out, group);
                lib_text_puts(out, "\n\n");
            }
            put_row(t, r, out);
        }
    }
}
