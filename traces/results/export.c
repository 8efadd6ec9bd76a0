#include "traces/results/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/json.h"
#include "traces/results/epochs.h"
#include "traces/series.h"

/* Properties of a column. */
struct column {
    char *name; /* owned */
    bool is_bool, is_name;
};

typedef LIB_VEC(struct column) column_list;

static char *copy_of(const char *text)
{
    struct lib_text copy = {0};
    lib_text_puts(&copy, text);
    return copy.bytes;
}

static void free_columns(column_list *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        lib_mem_free(columns->items[i].name);
    LIB_VEC_FREE(columns);
}

static bool read_columns(struct traces_database *store, column_list *columns)
{
    struct traces_query query;
    enum traces_step step = TRACES_STEP_FAILED;
    if (traces_query_new(&query, store,
                         "SELECT name, type, kind FROM units ORDER BY position")) {
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            struct column *c = LIB_VEC_PUSH(columns);
            c->name = copy_of(traces_query_cell(&query, 0).text);
            const char *type = traces_query_cell(&query, 1).text;
            c->is_bool = strcmp(type, "bool") == 0;
            c->is_name = traces_column_is_name(traces_query_cell(&query, 2).text, type,
                                               c->name);
        }
    }
    traces_query_free(&query);
    return step == TRACES_STEP_END;
}

/* Returns the cell of a result in a column. The database keeps bools as ints. */
static struct traces_cell result_cell(const struct traces_query *query,
                                      const column_list *columns, size_t column)
{
    struct traces_cell cell = traces_query_cell(query, (int)column);
    if (columns->items[column].is_bool && cell.type == TRACES_CELL_INT)
        cell.type = TRACES_CELL_BOOL;
    return cell;
}

/* --- comma-separated values --------------------------------------------------------- */

void traces_export_field(struct lib_text *out, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")])
        traces_export_name(out, text);
    else
        lib_text_puts(out, text);
}

void traces_export_name(struct lib_text *out, const char *text)
{
    if (!*text)
        return; /* there is none */
    lib_text_puts(out, "\"");
    for (; *text; text++) {
        lib_text_add(out, "\"", *text == '"');
        lib_text_add(out, text, 1);
    }
    lib_text_puts(out, "\"");
}

static void add_cell(struct lib_text *out, const struct traces_cell *cell)
{
    if (cell->type == TRACES_CELL_BOOL)
        lib_text_puts(out, cell->integer ? "true" : "false");
    else if (cell->type == TRACES_CELL_INT)
        lib_text_printf(out, "%" PRId64, cell->integer);
    else if (cell->type == TRACES_CELL_REAL)
        lib_text_real(out, cell->real);
    else if (cell->type == TRACES_CELL_TEXT)
        traces_export_field(out, cell->text);
}

bool traces_export_csv(struct traces_database *store, struct lib_text *out)
{
    column_list columns = {0};
    struct traces_query query = {0};
    enum traces_step step = TRACES_STEP_FAILED;
    if (read_columns(store, &columns) &&
        traces_query_new(&query, store, "SELECT * FROM results")) {
        for (size_t i = 0; i < columns.count; i++) {
            lib_text_puts(out, i ? "," : "");
            traces_export_field(out, columns.items[i].name);
        }
        lib_text_puts(out, "\n");
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            for (size_t i = 0; i < columns.count; i++) {
                struct traces_cell cell = result_cell(&query, &columns, i);
                lib_text_puts(out, i ? "," : "");
                if (columns.items[i].is_name && cell.type == TRACES_CELL_TEXT)
                    traces_export_name(out, cell.text);
                else
                    add_cell(out, &cell);
            }
            lib_text_puts(out, "\n");
        }
    }
    traces_query_free(&query);
    free_columns(&columns);
    return step == TRACES_STEP_END;
}

/* Names of the columns and query of the rows of each detail, in the order of the experiment. */
#define FROM(table)                                                                      \
    " FROM points JOIN runs USING (identity) JOIN " table " ON " table ".run = runs.id "

#define SERIES_NAME(key, unit, help) "," #key
#define SERIES_CELL(key, unit, help) ", max(value) FILTER (WHERE name = '" #key "')"
#define PE_NAME(key, help) "," #key
#define PE_RATIO_NAME(key, part, help) "," #key
#define PE_CELL(key, help) ", pe." #key
#define PE_RATIO_CELL(key, part, help) ", pe." #key
#define LINK_NAME(key, ...) "," #key
#define LINK_CELL(key, ...) ", links." #key
#define EPOCH_NAME(key, meaning) "," #key
#define EPOCH_CELL(key, meaning) ", epochs." #key
static const struct {
    const char *head, *query;
} details[TRACES_DETAIL_COUNT] = {
    [TRACES_DETAIL_SERIES] =
        {"number,cycle" TRACES_SERIES_COLUMNS(SERIES_NAME, SERIES_NAME) "\n",
         "SELECT number, cycle" TRACES_SERIES_COLUMNS(SERIES_CELL, SERIES_CELL)
             FROM("series") "GROUP BY number, cycle ORDER BY number, cycle"},
    [TRACES_DETAIL_PROFILE] = {"number,name,place,width,firings\n",
                               "SELECT number, name, place, width, profile.firings" FROM(
                                   "profile") "ORDER BY number, name, place"},
    [TRACES_DETAIL_PE] = {"number,pe" TRACES_PE_COUNTS(PE_NAME)
                              TRACES_PE_RATIOS(PE_RATIO_NAME) "\n",
                          "SELECT number, pe" TRACES_PE_COUNTS(PE_CELL) TRACES_PE_RATIOS(
                              PE_RATIO_CELL) FROM("pe") "ORDER BY number, pe"},
    [TRACES_DETAIL_LINKS] =
        {"number,link,port,port_number,source,target" TRACES_LINK_SUMS(LINK_NAME)
             TRACES_LINK_RATIOS(LINK_NAME) "\n",
         "SELECT number, link, port, port_number, source, target" TRACES_LINK_SUMS(
             LINK_CELL) TRACES_LINK_RATIOS(LINK_CELL)
             FROM("links") "ORDER BY number, link"},
    [TRACES_DETAIL_EPOCHS] = {"number,epoch,step" TRACES_EPOCH_NUMBERS(EPOCH_NAME) "\n",
                              "SELECT number, epoch, step" TRACES_EPOCH_NUMBERS(
                                  EPOCH_CELL) FROM("epochs") "ORDER BY number, epoch"},
};
#undef EPOCH_CELL
#undef EPOCH_NAME
#undef LINK_CELL
#undef LINK_NAME
#undef PE_RATIO_CELL
#undef PE_CELL
#undef PE_RATIO_NAME
#undef PE_NAME
#undef SERIES_CELL
#undef SERIES_NAME

bool traces_export_detail(struct traces_database *store, enum traces_detail detail,
                          struct lib_text *out)
{
    struct traces_query query;
    enum traces_step step = TRACES_STEP_FAILED;
    int columns = 1;
    for (const char *p = details[detail].head; *p; p++)
        columns += *p == ',';
    lib_text_puts(out, details[detail].head);
    if (!traces_detail_has_table(store, detail))
        return store->fault == LIB_FAULT_NONE;
    if (traces_query_new(&query, store, details[detail].query)) {
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            for (int i = 0; i < columns; i++) {
                struct traces_cell cell = traces_query_cell(&query, i);
                lib_text_puts(out, i ? "," : "");
                add_cell(out, &cell);
            }
            lib_text_puts(out, "\n");
        }
    }
    traces_query_free(&query);
    return step == TRACES_STEP_END;
}

/* --- JSON --------------------------------------------------------------------------- */

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
    enum traces_step step = TRACES_STEP_FAILED;
    lib_json_open(json, "experiment", '{');
    if (traces_query_new(
            &query, store,
            "SELECT key, value FROM experiment WHERE key IN "
            "('name', 'title', 'description', 'overridden', 'version', 'runs') "
            "ORDER BY key"))
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            struct traces_cell value = traces_query_cell(&query, 1);
            traces_export_cell(json, traces_query_cell(&query, 0).text, &value);
        }
    traces_query_free(&query);
    lib_json_close(json);
    return step == TRACES_STEP_END;
}

static bool write_columns(struct traces_database *store, struct lib_json *json)
{
    static const char *const keys[] = {"name", "kind", "type", "unit", "meaning"};
    struct traces_query query;
    enum traces_step step = TRACES_STEP_FAILED;
    lib_json_open(json, "columns", '[');
    if (traces_query_new(
            &query, store,
            "SELECT name, kind, type, unit, meaning FROM units ORDER BY position"))
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            lib_json_open_line(json, NULL, '{');
            for (int i = 0; i < 5; i++)
                lib_json_string(json, keys[i], traces_query_cell(&query, i).text);
            lib_json_close(json);
        }
    traces_query_free(&query);
    lib_json_close(json);
    return step == TRACES_STEP_END;
}

/* Writes the columns of the host, which follow those of the results. */
static void write_host(struct lib_json *json, const struct traces_query *query,
                       size_t first)
{
    static const char *const keys[] = {"wall_seconds", "firings_per_second",
                                       "peak_rss_bytes", "cpu"};
    lib_json_open_line(json, "host", '{');
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct traces_cell cell = traces_query_cell(query, (int)(first + i));
        traces_export_cell(json, keys[i], &cell);
    }
    lib_json_close(json);
}

static bool write_runs(struct traces_database *store, enum traces_export_host host,
                       struct lib_json *json)
{
    column_list columns = {0};
    struct traces_query query = {0};
    enum traces_step step = TRACES_STEP_FAILED;
    const bool with_host = host == TRACES_EXPORT_WITH_HOST;
    const char *sql = with_host ? "SELECT results.*, wall_seconds, firings_per_second, "
                                  "peak_rss_bytes, cpu FROM results "
                                  "JOIN runs USING (identity) "
                                  "LEFT JOIN host ON host.run = runs.id ORDER BY number"
                                : "SELECT * FROM results";
    lib_json_open(json, "runs", '[');
    if (read_columns(store, &columns) && traces_query_new(&query, store, sql)) {
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            lib_json_open_line(json, NULL, '{');
            for (size_t i = 0; i < columns.count; i++) {
                struct traces_cell cell = result_cell(&query, &columns, i);
                traces_export_cell(json, columns.items[i].name, &cell);
            }
            if (with_host)
                write_host(json, &query, columns.count);
            lib_json_close(json);
        }
    }
    lib_json_close(json);
    traces_query_free(&query);
    free_columns(&columns);
    return step == TRACES_STEP_END;
}

bool traces_export_json(struct traces_database *store, enum traces_export_host host,
                        struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    bool good = write_experiment(store, &json) && write_columns(store, &json) &&
                write_runs(store, host, &json);
    lib_json_close(&json);
    return good;
}
