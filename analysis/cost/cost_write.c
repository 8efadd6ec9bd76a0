#include "analysis/cost/cost_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void analysis_costs_write_line(const struct lib_source *source, uint32_t number,
                               size_t most, struct lib_text *out)
{
    size_t length;
    const char *line = lib_source_line(source, number, &length);
    while (length && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    const bool is_cut = length > most;
    if (is_cut)
        for (length = most; length && ((unsigned char)line[length] & 0xc0) == 0x80;)
            length--; /* not within a character of UTF-8 */
    lib_text_add(out, line, length);
    if (is_cut)
        lib_text_puts(out, "...");
}

static uint64_t sum_of_busy(const struct analysis_costs *costs)
{
    uint64_t busy = 0;
    for (size_t i = 0; i < costs->row_count; i++)
        busy += costs->rows[i].busy;
    return busy;
}

/* --- JSON --------------------------------------------------------------------------- */

static void write_name(const struct analysis_costs *costs,
                       const struct analysis_cost *row, const struct lib_source *source,
                       struct lib_json *json)
{
    const char *key = analysis_cost_by_key(costs->by);
    struct lib_text text = {0};
    if (costs->by != ANALYSIS_COST_BY_LINE) {
        char buffer[ANALYSIS_COST_NAME];
        lib_json_string(json, key, analysis_cost_name(costs, row, buffer));
        return;
    }
    lib_json_uint(json, key, row->number);
    if (source && row->number) {
        analysis_costs_write_line(source, row->number, SIZE_MAX, &text);
        lib_json_string(json, "text", lib_text_get(&text));
    } else {
        lib_json_null(json, "text");
    }
    lib_text_free(&text);
}

void analysis_costs_write_json(const struct analysis_costs *costs,
                               const struct lib_source *source, struct lib_json *json)
{
    const double all = (double)sum_of_busy(costs);
    char key[32];
    snprintf(key, sizeof key, "by_%s", analysis_cost_by_key(costs->by));
    lib_json_open(json, key, '[');
    for (size_t i = 0; i < costs->row_count; i++) {
        const struct analysis_cost *row = &costs->rows[i];
        lib_json_open_line(json, NULL, '{');
        write_name(costs, row, source, json);
        lib_json_real(json, "share", all > 0 ? (double)row->busy / all : NAN);
#define COUNT(key, stat, label, help) lib_json_uint(json, #key, row->key);
        ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
        lib_json_close(json);
    }
    lib_json_close(json);
}

/* --- text ---------------------------------------------------------------------------- */

enum { SHOWN_OF_LINE = 48, GAP = 2 };

/* A column of counts. */
struct column {
    const char *label;
    size_t offset;  /* in struct analysis_cost */
    uint64_t total; /* of the run */
    int width;      /* 0: it is not shown */
};

enum {
#define COUNT(key, stat, label, help) +1
    COLUMNS = 0 ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
};

static uint64_t count_in(const struct analysis_cost *row, const struct column *column)
{
    uint64_t value;
    memcpy(&value, (const char *)row + column->offset, sizeof value);
    return value;
}

static int digits(uint64_t value)
{
    return snprintf(NULL, 0, "%" PRIu64, value);
}

/* Sets the width of a column to that of its widest text. */
static void measure(struct column *column, const struct analysis_costs *costs)
{
    int widest = digits(column->total);
    uint64_t any = 0;
    for (size_t i = 0; i < costs->row_count; i++) {
        const uint64_t value = count_in(&costs->rows[i], column);
        any |= value;
        widest = digits(value) > widest ? digits(value) : widest;
    }
    const int label = (int)strlen(column->label);
    column->width = any == 0 ? 0 : GAP + (widest > label ? widest : label);
}

static int width_of_names(const struct analysis_costs *costs)
{
    int widest = (int)strlen(analysis_cost_by_key(costs->by));
    char buffer[ANALYSIS_COST_NAME];
    for (size_t i = 0; i < costs->row_count; i++) {
        const int width = (int)strlen(analysis_cost_name(costs, &costs->rows[i], buffer));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void write_share(uint64_t part, uint64_t all, struct lib_text *out)
{
    if (all)
        lib_text_printf(out, "  %5.1f %%", 100 * (double)part / (double)all);
    else
        lib_text_puts(out, "        -");
}

/* A table that is being written. */
struct table {
    const struct analysis_costs *costs;
    struct column columns[COLUMNS];
    int names; /* width of the first column */
    uint64_t busy;
    struct lib_text *out;
};

static void write_head(const struct table *t)
{
    lib_text_printf(t->out, "\n  %-*s    share", t->names,
                    analysis_cost_by_key(t->costs->by));
    for (size_t i = 0; i < COLUMNS; i++)
        if (t->columns[i].width)
            lib_text_printf(t->out, "%*s", t->columns[i].width, t->columns[i].label);
    lib_text_puts(t->out, "\n");
}

/* Writes a row, or the row of the whole run for NULL. */
static void write_row(const struct table *t, const struct analysis_cost *row)
{
    char buffer[ANALYSIS_COST_NAME];
    const char *name = row ? analysis_cost_name(t->costs, row, buffer) : "all";
    lib_text_printf(t->out, "  %-*s", t->names, name);
    write_share(row ? row->busy : t->busy, t->busy, t->out);
    for (size_t i = 0; i < COLUMNS; i++) {
        const struct column *column = &t->columns[i];
        const uint64_t value = row ? count_in(row, column) : column->total;
        if (column->width)
            lib_text_printf(t->out, "%*" PRIu64, column->width, value);
    }
}

void analysis_costs_write_table(const struct analysis_costs *costs,
                                const struct lib_source *source,
                                const struct traces_stats *stats, struct lib_text *out)
{
    struct table table = {
        .costs = costs,
        .columns =
            {
#define COUNT(key, stat, label, help)                                                    \
    {label, offsetof(struct analysis_cost, key), stats->stat, 0},
                ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
            },
        .names = width_of_names(costs),
        .busy = sum_of_busy(costs),
        .out = out,
    };
    for (size_t i = 0; i < COLUMNS; i++)
        measure(&table.columns[i], costs);
    write_head(&table);
    for (size_t i = 0; i < costs->row_count; i++) {
        const struct analysis_cost *row = &costs->rows[i];
        write_row(&table, row);
        if (costs->by == ANALYSIS_COST_BY_LINE && source && row->number) {
            lib_text_puts(out, "  ");
            analysis_costs_write_line(source, row->number, SHOWN_OF_LINE, out);
        }
        lib_text_puts(out, "\n");
    }
    write_row(&table, NULL);
    lib_text_puts(out, "\n");
}
