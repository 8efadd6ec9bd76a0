#include "lib/findings_html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void lib_html_text(struct lib_text *out, const char *text)
{
    lib_text_html(out, text, strlen(text));
}

void lib_html_real(struct lib_text *out, double value)
{
    if (!isfinite(value))
        lib_text_puts(out, "-");
    else
        lib_text_printf(out, "%.*f", fabs(value) < 10 ? 3 : 2, value);
}

static void put_value(struct lib_text *out, const struct lib_value *value)
{
    LIB_TEXT_OWN text = {0};
    if (value->kind == LIB_VALUE_REAL) {
        lib_html_real(out, value->real);
        return;
    }
    lib_value_write(value, LIB_STYLE_PLAIN, &text);
    lib_html_text(out, lib_text_get(&text));
}

/* Writes a key for people: "peak queue" for "peak_queue". */
static void put_head(struct lib_text *out, const char *key)
{
    for (; *key; key++)
        if (*key == '_')
            lib_text_puts(out, " ");
        else
            lib_text_html(out, key, 1);
}

static void put_cell(struct lib_text *out, const struct lib_value *cell, bool is_line)
{
    const bool is_word = cell->kind == LIB_VALUE_WORD;
    lib_text_puts(out, is_word ? "<td>" : "<td class=\"n\">");
    if (is_line && !is_word && cell->count)
        lib_text_printf(out, "<a href=\"#L%" PRIu64 "\">%" PRIu64 "</a>", cell->count,
                        cell->count);
    else
        put_value(out, cell);
    lib_text_puts(out, "</td>");
}

static bool is_shown(const struct lib_table *t, size_t column)
{
    return !(t->columns.items[column].hidden & LIB_NOT_IN_HTML) &&
           !t->columns.items[column].is_group;
}

static void put_heads(struct lib_text *out, const struct lib_table *t, size_t rows)
{
    lib_text_puts(out, "<thead><tr>");
    for (size_t c = 0; c < t->columns.count; c++) {
        const bool is_word = rows && lib_table_cell(t, 0, c)->kind == LIB_VALUE_WORD;
        if (!is_shown(t, c))
            continue;
        lib_text_printf(out, "<th scope=\"col\"%s>", is_word ? "" : " class=\"n\"");
        put_head(out, t->columns.items[c].key);
        lib_text_puts(out, "</th>");
    }
    lib_text_puts(out, "</tr></thead>\n");
}

void lib_html_wide(struct lib_text *out, const char *of, const char *about)
{
    lib_text_puts(out,
                  "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    if (of) {
        lib_html_text(out, of);
        lib_text_puts(out, ": ");
    }
    lib_html_text(out, about);
    lib_text_puts(out, "\">");
}

void lib_html_table(struct lib_text *out, const struct lib_table *t,
                    const struct lib_html_table *how)
{
    const size_t rows = lib_table_rows(t);
    const size_t shown = how->most && rows > how->most ? how->most : rows;
    lib_html_wide(out, how->of, t->help);
    lib_text_puts(out, "\n<table");
    if (how->id)
        lib_text_printf(out, " id=\"%s\"", how->id);
    lib_text_puts(out, ">\n<caption>");
    lib_html_text(out, t->help);
    if (shown < rows)
        lib_text_printf(out, " (the first %zu of %zu rows)", shown, rows);
    lib_text_puts(out, "</caption>\n");
    put_heads(out, t, rows);
    lib_text_puts(out, "<tbody>\n");
    for (size_t r = 0; r < shown; r++) {
        lib_text_puts(out, "<tr>");
        for (size_t c = 0; c < t->columns.count; c++)
            if (is_shown(t, c))
                put_cell(out, lib_table_cell(t, r, c),
                         how->line_link &&
                             strcmp(t->columns.items[c].key, how->line_link) == 0);
        lib_text_puts(out, "</tr>\n");
    }
    lib_text_puts(out, "</tbody>\n</table></div>\n");
}

static void put_numbers(struct lib_text *out, const struct lib_findings *f)
{
    lib_html_wide(out, f->name, "numbers");
    lib_text_puts(out, "<table class=\"numbers\">\n<caption>Numbers</caption>\n"
                       "<thead><tr><th scope=\"col\">number</th>"
                       "<th scope=\"col\" class=\"n\">value</th>"
                       "<th scope=\"col\">meaning</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < lib_findings_numbers(f); i++) {
        const struct lib_item *item = lib_findings_number(f, i);
        if (!item->key || lib_value_is_compound(&item->value))
            continue;
        lib_text_puts(out, "<tr><th scope=\"row\">");
        put_head(out, item->key);
        lib_text_puts(out, "</th><td class=\"n\">");
        put_value(out, &item->value);
        lib_text_puts(out, "</td><td>");
        lib_html_text(out, item->help);
        lib_text_puts(out, "</td></tr>\n");
    }
    lib_text_puts(out, "</tbody>\n</table></div>\n");
}

void lib_findings_write_html(const struct lib_findings *f, const char *only,
                             struct lib_text *out)
{
    if ((!only || !*only) && lib_findings_numbers(f))
        put_numbers(out, f);
    for (size_t i = 0; i < f->tables.count; i++)
        if (!only || strcmp(only, f->tables.items[i]->key) == 0)
            lib_html_table(out, f->tables.items[i],
                           &(struct lib_html_table){.of = f->name});
}
