#include "traces/results/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/findings.h"

enum { LONG_TEXT = 1 << 16 }; /* bytes after which a text is put */

struct results {
    struct lib_arena *arena;
    struct traces_columns columns;
    struct traces_rows rows;
};

static bool open_results(struct results *r, struct traces_database *store,
                         const char *sql)
{
    *r = (struct results){.arena = lib_arena_new()};
    return traces_columns_read(&r->columns, r->arena, store) &&
           traces_rows_open(&r->rows, store, &r->columns, sql);
}

static bool close_results(struct results *r)
{
    traces_columns_free(&r->columns);
    lib_arena_free(r->arena);
    return traces_rows_end(&r->rows);
}

void traces_export_value(struct lib_text *out, const struct traces_column *column,
                         const struct traces_cell *cell)
{
    if (cell->type != TRACES_CELL_TEXT)
        traces_cell_write(cell, out);
    else if (column && traces_column_is_name(column))
        lib_csv_quoted(out, cell->text);
    else
        lib_csv_word(out, cell->text);
}

static void put_if_long(const struct traces_export *out)
{
    if (out->put && out->text->length >= LONG_TEXT)
        out->put(out->context, out->text);
}

static void write_cells(struct traces_rows *rows, const struct traces_export *out)
{
    struct lib_text *text = out->text;
    while (traces_rows_next(rows)) {
        for (int i = 0; i < rows->width; i++) {
            const struct traces_cell cell = traces_rows_cell(rows, i);
            lib_text_puts(text, i ? "," : "");
            traces_export_value(text, rows->columns[i], &cell);
        }
        lib_text_puts(text, "\n");
        put_if_long(out);
    }
}

void traces_export_rows(struct traces_rows *rows, const struct traces_export *out)
{
    for (int i = 0; i < rows->width; i++) {
        lib_text_puts(out->text, i ? "," : "");
        lib_csv_word(out->text, traces_query_head(&rows->query, i));
    }
    lib_text_puts(out->text, "\n");
    write_cells(rows, out);
}

bool traces_export_csv(struct traces_database *store, const struct traces_export *out)
{
    struct results results;
    if (open_results(&results, store, "SELECT * FROM results"))
        traces_export_rows(&results.rows, out);
    return close_results(&results);
}

bool traces_export_detail(struct traces_database *store, enum traces_detail detail,
                          const struct traces_export *out)
{
    const struct traces_columns none = {0};
    struct traces_rows rows;
    LIB_TEXT_OWN sql = {0};
    traces_detail_write_all(detail, out->text, &sql);
    if (!traces_detail_has_table(store, detail))
        return store->fault == LIB_FAULT_NONE;
    if (traces_rows_open(&rows, store, &none, lib_text_get(&sql)))
        write_cells(&rows, out);
    return traces_rows_end(&rows);
}

void traces_export_cell(struct lib_json *json, const char *key,
                        const struct traces_cell *cell)
{
    if (cell->type == TRACES_CELL_BOOL)
        lib_json_bool(json, key, cell->integer != 0);
    else if (cell->type == TRACES_CELL_INT)
        lib_json_int(json, key, cell->integer);
    else if (cell->type == TRACES_CELL_REAL && !isfinite(cell->real))
        lib_json_string(json, key, cell->real > 0 ? "inf" : "-inf");
    else if (cell->type == TRACES_CELL_REAL)
        lib_json_real(json, key, cell->real);
    else if (cell->type == TRACES_CELL_TEXT)
        lib_json_string(json, key, cell->text);
    else
        lib_json_null(json, key);
}

static bool write_experiment(struct traces_database *store, struct lib_json *json)
{
    struct traces_query query;
    lib_json_open(json, "experiment", '{');
    if (traces_query_new(
            &query, store,
            "SELECT key, value FROM experiment WHERE key IN ('name', 'title', "
            "'description', 'overridden', 'version', 'runs') ORDER BY key"))
        while (traces_query_next(&query)) {
            struct traces_cell value = traces_query_cell(&query, 1);
            traces_export_cell(json, traces_query_cell(&query, 0).text, &value);
        }
    lib_json_close(json);
    return traces_query_end(&query);
}

static void write_columns(const struct traces_columns *columns, struct lib_json *json)
{
    lib_json_open(json, "columns", '[');
    for (size_t i = 0; i < columns->list.count; i++) {
        const struct traces_column *column = &columns->list.items[i];
        lib_json_open_line(json, NULL, '{');
        lib_json_string(json, "name", column->name);
        lib_json_string(json, "kind", traces_column_kind_name(column->kind));
        lib_json_string(json, "type", traces_column_type_name(column->type));
        lib_json_string(json, "unit", column->unit);
        lib_json_string(json, "meaning", column->meaning);
        lib_json_close(json);
    }
    lib_json_close(json);
}

void traces_export_nested(struct lib_json *json, const struct traces_rows *rows)
{
    const char *open = ""; /* title of the cell before, which says what is open */
    for (int i = 0; i <= rows->width; i++) {
        const char *head = i < rows->width ? traces_query_head(&rows->query, i) : "";
        size_t same = 0; /* bytes of the names of objects that stay open */
        for (size_t k = 0; head[k] && head[k] == open[k]; k++)
            same = head[k] == '.' ? k + 1 : same;
        for (const char *p = open + same; (p = strchr(p, '.')); p++)
            lib_json_close(json);
        const char *name = head + same;
        for (const char *point; (point = strchr(name, '.')); name = point + 1) {
            LIB_TEXT_OWN key = {0};
            lib_text_add(&key, name, (size_t)(point - name));
            lib_json_open(json, key.bytes, '{');
        }
        open = head;
        if (i == rows->width)
            break;
        const struct traces_cell cell = traces_rows_cell(rows, i);
        traces_export_cell(json, name, &cell);
    }
}

/* Columns of the host, which follow those of results. */
#define HOST "wall_seconds, firings_per_second, peak_rss_bytes, cpu"
enum { HOST_COLUMNS = 4 };

static void write_runs(struct traces_rows *rows, int of_host, struct lib_json *json,
                       const struct traces_export *out)
{
    lib_json_open(json, "runs", '[');
    while (traces_rows_next(rows)) {
        lib_json_open_line(json, NULL, '{');
        for (int i = 0; i < rows->width; i++) {
            const struct traces_cell cell = traces_rows_cell(rows, i);
            if (i == rows->width - of_host)
                lib_json_open_line(json, "host", '{');
            traces_export_cell(json, traces_query_head(&rows->query, i), &cell);
        }
        if (of_host)
            lib_json_close(json);
        lib_json_close(json);
        put_if_long(out);
    }
    lib_json_close(json);
}

bool traces_export_json(struct traces_database *store, enum traces_export_host host,
                        const struct traces_export *out)
{
    const bool with_host = host == TRACES_EXPORT_WITH_HOST;
    struct lib_json json = {.out = out->text};
    struct results results;
    bool good = open_results(&results, store,
                             with_host ? "SELECT results.*, " HOST
                                         " FROM results JOIN runs USING (identity) LEFT "
                                         "JOIN host ON host.run = runs.id ORDER BY number"
                                       : "SELECT * FROM results");
    lib_json_open(&json, NULL, '{');
    good = good && write_experiment(store, &json);
    write_columns(&results.columns, &json);
    write_runs(&results.rows, with_host ? HOST_COLUMNS : 0, &json, out);
    lib_json_close(&json);
    return close_results(&results) && good;
}
