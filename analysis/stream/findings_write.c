#include "analysis/stream/findings.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { ROWS_SHOWN = 40, BAR_LENGTH = 30, INDENT = 2 };

/* Whether a table, or "" the numbers, is wanted. */
static bool is_wanted(const char *only, const char *key)
{
    return !only || strcmp(only, key) == 0;
}

/* --- text ------------------------------------------------------------------------------ */

static void add_cell(const struct analysis_cell *cell, struct lib_text *out)
{
    switch (cell->kind) {
    case ANALYSIS_CELL_COUNT:
        lib_text_printf(out, "%" PRIu64, cell->count);
        break;
    case ANALYSIS_CELL_REAL:
        if (isnan(cell->real))
            lib_text_puts(out, "-");
        else
            lib_text_printf(out, "%.*f", cell->real < 10 ? 3 : 2, cell->real);
        break;
    case ANALYSIS_CELL_WORD:
        lib_text_puts(out, cell->word);
        break;
    }
}

static size_t cell_width(const struct analysis_cell *cell)
{
    struct lib_text text = {0};
    add_cell(cell, &text);
    const size_t width = text.length;
    lib_text_free(&text);
    return width;
}

/* Adds a text with padding: words are left-aligned, numbers right-aligned. */
static void add_padded(const char *text, size_t length, size_t width, bool left,
                       bool is_last, struct lib_text *out)
{
    const int blanks = (int)(width - length);
    lib_text_printf(out, "%*s", INDENT + (left ? 0 : blanks), "");
    lib_text_add(out, text, length);
    if (left && !is_last)
        lib_text_printf(out, "%*s", blanks, "");
}

static void add_row(const struct analysis_findings_table *t, const size_t *widths,
                    size_t row, struct lib_text *out)
{
    struct lib_text text = {0};
    for (size_t c = 0; c < t->columns.count; c++) {
        const struct analysis_cell *cell = analysis_table_cell(t, row, c);
        lib_text_clear(&text);
        add_cell(cell, &text);
        add_padded(lib_text_get(&text), text.length, widths[c],
                   cell->kind == ANALYSIS_CELL_WORD, c + 1 == t->columns.count && !t->bar,
                   out);
    }
    lib_text_free(&text);
}

/* At least one mark where there is anything. */
static void add_bar(double value, double greatest, struct lib_text *out)
{
    static const char marks[] = "##############################";
    static_assert(sizeof marks == BAR_LENGTH + 1, "the longest bar");
    if (value > 0)
        lib_text_printf(out, "  %.*s", (int)fmax(1, round(value / greatest * BAR_LENGTH)),
                        marks);
}

static void find_widths(const struct analysis_findings_table *t, size_t rows,
                        size_t *widths)
{
    for (size_t c = 0; c < t->columns.count; c++) {
        widths[c] = strlen(t->columns.items[c]);
        for (size_t r = 0; r < rows; r++) {
            const size_t width = cell_width(analysis_table_cell(t, r, c));
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
}

static double greatest_in(const struct analysis_findings_table *t, size_t rows)
{
    double greatest = 0;
    for (size_t r = 0; t->bar && r < rows; r++)
        greatest = fmax(greatest,
                        analysis_cell_number(analysis_table_cell(t, r, t->bar)));
    return greatest;
}

static void add_heads(const struct analysis_findings_table *t, size_t rows,
                      const size_t *widths, struct lib_text *out)
{
    for (size_t c = 0; c < t->columns.count; c++) {
        const char *head = t->columns.items[c];
        const bool left = rows &&
                          analysis_table_cell(t, 0, c)->kind == ANALYSIS_CELL_WORD;
        add_padded(head, strlen(head), widths[c], left, c + 1 == t->columns.count, out);
    }
    lib_text_puts(out, "\n");
}

static void add_rows(const struct analysis_findings_table *t, size_t rows,
                     struct lib_text *out)
{
    size_t *widths = lib_mem_new((t->columns.count + 1) * sizeof *widths);
    const double greatest = greatest_in(t, rows);
    find_widths(t, rows, widths);
    add_heads(t, rows, widths, out);
    for (size_t r = 0; r < rows; r++) {
        add_row(t, widths, r, out);
        if (t->bar)
            add_bar(analysis_cell_number(analysis_table_cell(t, r, t->bar)), greatest,
                    out);
        lib_text_puts(out, "\n");
    }
    lib_mem_free(widths);
}

static void write_table(const struct analysis_findings *f,
                        const struct analysis_findings_table *t, struct lib_text *out)
{
    const size_t rows = analysis_table_rows(t);
    lib_text_printf(out, "\n%s.%s: %s\n", f->name, t->key, t->help);
    add_rows(t, rows < ROWS_SHOWN ? rows : ROWS_SHOWN, out);
    if (rows > ROWS_SHOWN)
        lib_text_printf(out, "  and %zu more rows, which --csv and --json have\n",
                        rows - ROWS_SHOWN);
}

static void write_numbers(const struct analysis_findings *f, struct lib_text *out)
{
    size_t key = 0, value = 0;
    for (size_t i = 0; i < f->numbers.count; i++) {
        const size_t length = strlen(f->numbers.items[i].key);
        const size_t width = cell_width(&f->numbers.items[i].cell);
        key = length > key ? length : key;
        value = width > value ? width : value;
    }
    lib_text_printf(out, "\n%s\n", f->name);
    for (size_t i = 0; i < f->numbers.count; i++) {
        const struct analysis_number *n = &f->numbers.items[i];
        struct lib_text text = {0};
        add_cell(&n->cell, &text);
        lib_text_printf(out, "  %-*s  %*s  %s\n", (int)key, n->key, (int)value,
                        lib_text_get(&text), n->help);
        lib_text_free(&text);
    }
}

void analysis_findings_write_text(const struct analysis_findings *f, const char *only,
                                  struct lib_text *out)
{
    if (is_wanted(only, "") && f->numbers.count)
        write_numbers(f, out);
    for (size_t i = 0; i < f->tables.count; i++)
        if (is_wanted(only, f->tables.items[i].key))
            write_table(f, &f->tables.items[i], out);
}

/* --- JSON ------------------------------------------------------------------------------ */

static void put_cell(const struct analysis_cell *cell, const char *key,
                     struct lib_json *json)
{
    switch (cell->kind) {
    case ANALYSIS_CELL_COUNT:
        lib_json_uint(json, key, cell->count);
        break;
    case ANALYSIS_CELL_REAL:
        lib_json_real(json, key, cell->real);
        break;
    case ANALYSIS_CELL_WORD:
        lib_json_string(json, key, cell->word);
        break;
    }
}

static void drain(const struct analysis_findings *f, struct lib_text *out)
{
    enum { MUCH = 1 << 16 };
    if (f->drain && out->length > MUCH)
        f->drain(f->drain_context, out);
}

static void put_table(const struct analysis_findings *f,
                      const struct analysis_findings_table *t, struct lib_json *json)
{
    lib_json_open(json, t->key, '[');
    for (size_t r = 0; r < analysis_table_rows(t); r++) {
        lib_json_open_line(json, NULL, '{');
        for (size_t c = 0; c < t->columns.count; c++)
            put_cell(analysis_table_cell(t, r, c), t->columns.items[c], json);
        lib_json_close(json);
        drain(f, json->out);
    }
    lib_json_close(json);
}

void analysis_findings_write_json(const struct analysis_findings *f, const char *only,
                                  struct lib_json *json)
{
    for (size_t i = 0; i < f->numbers.count && is_wanted(only, ""); i++)
        put_cell(&f->numbers.items[i].cell, f->numbers.items[i].key, json);
    for (size_t i = 0; i < f->tables.count; i++)
        if (is_wanted(only, f->tables.items[i].key))
            put_table(f, &f->tables.items[i], json);
}

/* --- comma-separated values -------------------------------------------------------------- */

static void add_value(const struct analysis_cell *cell, struct lib_text *out)
{
    if (cell->kind == ANALYSIS_CELL_COUNT) {
        lib_text_printf(out, "%" PRIu64, cell->count);
    } else if (cell->kind == ANALYSIS_CELL_REAL) {
        if (isfinite(cell->real))
            lib_text_real(out, cell->real);
    } else if (!strpbrk(cell->word, ",\"\r\n")) {
        lib_text_puts(out, cell->word);
    } else {
        lib_text_puts(out, "\"");
        for (const char *c = cell->word; *c; c++)
            lib_text_printf(out, *c == '"' ? "\"\"" : "%c", *c);
        lib_text_puts(out, "\"");
    }
}

/* The line before a table, and an empty one between two. */
static void add_title(const struct analysis_findings *f, const char *key,
                      struct lib_text *out)
{
    lib_text_printf(out, "%s# %s%s%s\n", out->length ? "\n" : "", f->name,
                    *key ? "." : "", key);
}

static void add_table(const struct analysis_findings *f,
                      const struct analysis_findings_table *t, struct lib_text *out)
{
    for (size_t c = 0; c < t->columns.count; c++)
        lib_text_printf(out, "%s%s", c ? "," : "", t->columns.items[c]);
    lib_text_puts(out, "\n");
    for (size_t r = 0; r < analysis_table_rows(t); r++) {
        for (size_t c = 0; c < t->columns.count; c++) {
            lib_text_puts(out, c ? "," : "");
            add_value(analysis_table_cell(t, r, c), out);
        }
        lib_text_puts(out, "\n");
        drain(f, out);
    }
}

void analysis_findings_write_csv(const struct analysis_findings *f, const char *only,
                                 bool titled, struct lib_text *out)
{
    if (is_wanted(only, "") && f->numbers.count) {
        if (titled)
            add_title(f, "", out);
        lib_text_puts(out, "key,value\n");
        for (size_t i = 0; i < f->numbers.count; i++) {
            lib_text_printf(out, "%s,", f->numbers.items[i].key);
            add_value(&f->numbers.items[i].cell, out);
            lib_text_puts(out, "\n");
        }
    }
    for (size_t i = 0; i < f->tables.count; i++)
        if (is_wanted(only, f->tables.items[i].key)) {
            if (titled)
                add_title(f, f->tables.items[i].key, out);
            add_table(f, &f->tables.items[i], out);
        }
}
