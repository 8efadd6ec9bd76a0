#include "analysis/report/html.h"

#include <inttypes.h>
#include <string.h>

void analysis_html_text(struct lib_text *out, const char *text)
{
    lib_text_html(out, text, strlen(text));
}

void analysis_html_real(struct lib_text *out, double value)
{
    if (!isfinite(value))
        lib_text_puts(out, "-");
    else
        lib_text_printf(out, "%.*f", fabs(value) < 10 ? 3 : 2, value);
}

void analysis_html_cell(struct lib_text *out, const struct analysis_cell *cell)
{
    switch (cell->kind) {
    case ANALYSIS_CELL_COUNT:
        lib_text_printf(out, "%" PRIu64, cell->count);
        break;
    case ANALYSIS_CELL_REAL:
        analysis_html_real(out, cell->real);
        break;
    case ANALYSIS_CELL_WORD:
        analysis_html_text(out, cell->word);
        break;
    }
}

/* --- tables ------------------------------------------------------------------------------ */

/* "peak_queue" as people read it. */
static void put_head(struct lib_text *out, const char *key)
{
    for (; *key; key++)
        if (*key == '_')
            lib_text_puts(out, " ");
        else
            lib_text_html(out, key, 1);
}

static void put_cell(struct lib_text *out, const struct analysis_cell *cell, bool is_line)
{
    const bool is_word = cell->kind == ANALYSIS_CELL_WORD;
    lib_text_puts(out, is_word ? "<td>" : "<td class=\"n\">");
    if (is_line && !is_word && cell->count)
        lib_text_printf(out, "<a href=\"#L%" PRIu64 "\">%" PRIu64 "</a>", cell->count,
                        cell->count);
    else
        analysis_html_cell(out, cell);
    lib_text_puts(out, "</td>");
}

static void put_heads(struct lib_text *out, const struct analysis_findings_table *t,
                      size_t rows)
{
    lib_text_puts(out, "<thead><tr>");
    for (size_t c = 0; c < t->columns.count; c++) {
        const bool is_word = rows &&
                             analysis_table_cell(t, 0, c)->kind == ANALYSIS_CELL_WORD;
        lib_text_printf(out, "<th scope=\"col\"%s>", is_word ? "" : " class=\"n\"");
        put_head(out, t->columns.items[c]);
        lib_text_puts(out, "</th>");
    }
    lib_text_puts(out, "</tr></thead>\n");
}

void analysis_html_wide(struct lib_text *out, const char *of, const char *about)
{
    lib_text_puts(out,
                  "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    if (of) {
        analysis_html_text(out, of);
        lib_text_puts(out, ": ");
    }
    analysis_html_text(out, about);
    lib_text_puts(out, "\">");
}

void analysis_html_table(struct lib_text *out, const struct analysis_findings_table *t,
                         const struct analysis_html_table *how)
{
    const size_t rows = analysis_table_rows(t);
    const size_t shown = how->most && rows > how->most ? how->most : rows;
    analysis_html_wide(out, how->of, t->help);
    lib_text_puts(out, "\n<table");
    if (how->id)
        lib_text_printf(out, " id=\"%s\"", how->id);
    lib_text_puts(out, ">\n<caption>");
    analysis_html_text(out, t->help);
    if (shown < rows)
        lib_text_printf(out, " (the first %zu of %zu rows)", shown, rows);
    lib_text_puts(out, "</caption>\n");
    put_heads(out, t, rows);
    lib_text_puts(out, "<tbody>\n");
    for (size_t r = 0; r < shown; r++) {
        lib_text_puts(out, "<tr>");
        for (size_t c = 0; c < t->columns.count; c++)
            put_cell(out, analysis_table_cell(t, r, c),
                     how->line_link && strcmp(t->columns.items[c], how->line_link) == 0);
        lib_text_puts(out, "</tr>\n");
    }
    lib_text_puts(out, "</tbody>\n</table></div>\n");
}

void analysis_html_numbers(struct lib_text *out, const struct analysis_findings *f)
{
    if (!f->numbers.count)
        return;
    analysis_html_wide(out, f->name, "numbers");
    lib_text_puts(out, "<table class=\"numbers\">\n<caption>Numbers</caption>\n"
                       "<thead><tr><th scope=\"col\">number</th>"
                       "<th scope=\"col\" class=\"n\">value</th>"
                       "<th scope=\"col\">meaning</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < f->numbers.count; i++) {
        lib_text_puts(out, "<tr><th scope=\"row\">");
        put_head(out, f->numbers.items[i].key);
        lib_text_puts(out, "</th><td class=\"n\">");
        analysis_html_cell(out, &f->numbers.items[i].cell);
        lib_text_puts(out, "</td><td>");
        analysis_html_text(out, f->numbers.items[i].help);
        lib_text_puts(out, "</td></tr>\n");
    }
    lib_text_puts(out, "</tbody>\n</table></div>\n");
}

/* --- drawings of other programs ------------------------------------------------------------ */

static bool starts(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

/* Returns the end of an element without children of its name, after "</name>"; or NULL. */
static const char *behind(const char *at, const char *close)
{
    const char *end = strstr(at, close);
    return end ? end + strlen(close) : NULL;
}

/* Copies a tag, "<...>"; names in it get the prefix. Returns what follows. */
static const char *copy_tag(struct lib_text *out, const char *at, const char *prefix)
{
    static const char *const names[] = {" id=\"",
                                        " id='",
                                        "href=\"#",
                                        "href='#",
                                        "url(#",
                                        " aria-labelledby=\"",
                                        " aria-labelledby='"};
    char quote = 0;
    do {
        size_t length = 1;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (starts(at, names[i]))
                length = strlen(names[i]);
        for (size_t i = 0; i < length; i++) /* where the tag ends is not within quotes */
            quote = quote == at[i]                                  ? 0
                    : quote == 0 && (at[i] == '"' || at[i] == '\'') ? at[i]
                                                                    : quote;
        lib_text_add(out, at, length);
        if (length > 1)
            lib_text_puts(out, prefix);
        at += length;
    } while (*at && (quote || at[-1] != '>'));
    return at;
}

bool analysis_html_svg(struct lib_text *out, const struct lib_text *svg,
                       const char *prefix, const char *title, const char *about)
{
    const char *at = strstr(lib_text_get(svg), "<svg"), *end;
    if (!at || !strstr(at, "</svg>"))
        return false;
    lib_text_printf(out, "<svg role=\"img\" aria-labelledby=\"%stitle %sabout\"", prefix,
                    prefix);
    at = copy_tag(out, at + strlen("<svg"), prefix);
    lib_text_printf(out, "<title id=\"%stitle\">", prefix);
    analysis_html_text(out, title);
    lib_text_printf(out, "</title><desc id=\"%sabout\">", prefix);
    analysis_html_text(out, about);
    lib_text_puts(out, "</desc>");
    while (*at) {
        if (starts(at, "<!--"))
            end = behind(at, "-->");
        else if (starts(at, "<title>Gnuplot"))
            end = behind(at, "</title>");
        else if (starts(at, "<desc>Produced by GNUPLOT"))
            end = behind(at, "</desc>");
        else if (*at == '<')
            end = copy_tag(out, at, prefix);
        else
            end = at + 1;
        if (!end)
            break;
        if (*at != '<')
            lib_text_add(out, at, 1);
        at = end;
    }
    lib_text_puts(out, "\n");
    return true;
}
