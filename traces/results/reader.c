#include "traces/results/reader.h"

#include <assert.h>
#include <string.h>

#include "traces/results/kept.h"
#include "traces/results/layout.h"

static bool each_row(struct traces_reader *frame, const char *sql,
                     void (*take)(struct traces_reader *frame,
                                  const struct traces_query *row))
{
    struct traces_query query;
    if (traces_query_new(&query, &frame->store, sql))
        while (traces_query_next(&query))
            take(frame, &query);
    return traces_query_end(&query);
}

static const char *copy_of(struct lib_arena *arena, const char *text)
{
    return text ? lib_arena_copy(arena, text, strlen(text)) : "";
}

static const char *text_at(const struct traces_query *row, int place)
{
    struct traces_cell cell = traces_query_cell(row, place);
    return cell.type == TRACES_CELL_TEXT ? cell.text : "";
}

/* Returns the column called `head`, or like its part after the last point; or NULL. */
static const struct traces_column *column_of(const struct traces_columns *columns,
                                             const char *head)
{
    const char *point = strrchr(head, '.');
    const struct traces_column *column = traces_columns_find(columns, head);
    return column || !point ? column : traces_columns_find(columns, point + 1);
}

bool traces_rows_open(struct traces_rows *rows, struct traces_database *store,
                      const struct traces_columns *columns, const char *sql)
{
    *rows = (struct traces_rows){0};
    if (!traces_query_new(&rows->query, store, sql))
        return false;
    rows->width = traces_query_width(&rows->query);
    rows->columns = lib_mem_new(((size_t)rows->width + 1) * sizeof *rows->columns);
    for (int i = 0; i < rows->width; i++)
        rows->columns[i] = column_of(columns, traces_query_head(&rows->query, i));
    return true;
}

bool traces_rows_next(struct traces_rows *rows)
{
    return traces_query_next(&rows->query);
}

bool traces_rows_end(struct traces_rows *rows)
{
    lib_mem_free(rows->columns);
    return traces_query_end(&rows->query);
}

struct traces_cell traces_rows_cell(const struct traces_rows *rows, int place)
{
    struct traces_cell cell = traces_query_cell(&rows->query, place);
    const struct traces_column *column = rows->columns[place];
    if (cell.type == TRACES_CELL_INT && column && column->type == TRACES_TYPE_BOOL)
        cell.type = TRACES_CELL_BOOL;
    return cell;
}

static void take_fact(struct traces_reader *frame, const struct traces_query *row)
{
    const char *key = text_at(row, 0), *value = text_at(row, 1);
    if (strcmp(key, "name") == 0)
        frame->name = copy_of(frame->arena, value);
    else if (strcmp(key, "title") == 0)
        frame->title = copy_of(frame->arena, value);
    else if (strcmp(key, "overridden") == 0)
        frame->overridden = copy_of(frame->arena, value);
    else if (strcmp(key, "text") == 0)
        frame->text = copy_of(frame->arena, value);
    else if (strcmp(key, "runs") == 0)
        frame->asked = (uint64_t)traces_query_cell(row, 1).integer;
}

static enum traces_column_kind kind_of(const char *name)
{
    enum traces_column_kind kind = 0;
    while (kind + 1 < TRACES_COLUMN_KIND_COUNT &&
           strcmp(traces_column_kind_name(kind), name) != 0)
        kind++;
    return kind;
}

/* Returns the type with a name. A column whose rows have different types is a text. */
static enum traces_column_type type_of(const char *name)
{
    enum traces_column_type type = 0;
    while (type + 1 < TRACES_TYPE_COUNT &&
           strcmp(traces_column_type_name(type), name) != 0)
        type++;
    return type;
}

bool traces_columns_read(struct traces_columns *columns, struct lib_arena *arena,
                         struct traces_database *store)
{
    struct traces_query row;
    if (traces_query_new(&row, store,
                         "SELECT name, kind, type, unit, meaning FROM units "
                         "ORDER BY position"))
        while (traces_query_next(&row))
            *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
                .name = copy_of(arena, text_at(&row, 0)),
                .kind = kind_of(text_at(&row, 1)),
                .type = type_of(text_at(&row, 2)),
                .unit = copy_of(arena, text_at(&row, 3)),
                .meaning = copy_of(arena, text_at(&row, 4)),
            };
    return traces_query_end(&row);
}

static bool check_columns(struct traces_reader *frame)
{
    static const char *const names[] = {"program", "repetition", "status"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!traces_reader_column(frame, names[i]))
            return traces_database_refuse(&frame->store, frame->store.path,
                                          "the column `%s` is missing", names[i]);
    return true;
}

/* Reads an older experiment instead of the newest one. */
static bool use_kept(struct traces_reader *frame, const char *experiment,
                     struct lib_diags *diags)
{
    if (traces_kept_use(&frame->store, experiment))
        return true;
    if (frame->store.fault == LIB_FAULT_NONE) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "%s keeps no experiment `%s`, and there is no such file",
                       frame->store.path, experiment);
        frame->store.fault = LIB_FAULT_INPUT;
    }
    return false;
}

bool traces_reader_open(struct traces_reader *frame, const char *path,
                        struct lib_diags *diags)
{
    return traces_reader_open_of(frame, path, NULL, diags);
}

bool traces_reader_open_of(struct traces_reader *frame, const char *path,
                           const char *experiment, struct lib_diags *diags)
{
    *frame = (struct traces_reader){
        .arena = lib_arena_new(), .name = "", .title = "", .overridden = "", .text = ""};
    if (!traces_database_open(&frame->store, path, TRACES_DATABASE_READ, diags) ||
        !traces_database_be_patient(&frame->store) ||
        !traces_database_do(&frame->store, "BEGIN") ||
        !traces_layout_check(&frame->store) ||
        (experiment && !use_kept(frame, experiment, diags)) ||
        !each_row(frame, "SELECT key, value FROM experiment", take_fact) ||
        !traces_columns_read(&frame->columns, frame->arena, &frame->store) ||
        !check_columns(frame))
        return false;
    frame->text_name = lib_arena_printf(frame->arena, "%s.yaml", frame->name);
    frame->cells = LIB_ARENA_ARRAY(frame->arena, struct traces_cell *,
                                   frame->columns.list.count + 1);
    return true;
}

void traces_reader_close(struct traces_reader *frame)
{
    traces_database_close(&frame->store);
    traces_columns_free(&frame->columns);
    LIB_VEC_FREE(&frame->varying, &frame->differing);
    lib_arena_free(frame->arena);
}

const struct traces_column *traces_reader_column(const struct traces_reader *frame,
                                                 const char *name)
{
    return traces_columns_find(frame->runs ? &frame->runs->columns : &frame->columns,
                               name);
}

static size_t place_of(const struct traces_reader *frame,
                       const struct traces_column *column)
{
    return (size_t)(column - frame->columns.list.items);
}

void traces_reader_want(struct traces_reader *frame, const struct traces_column *column)
{
    /* never read or written: marks a wanted column until there are runs */
    static struct traces_cell wanted;
    for (size_t c = 0; column && c < frame->columns.list.count; c++)
        if (column == &frame->columns.list.items[c])
            frame->cells[c] = &wanted;
}

/* Whether a column is a parameter of runs, other than number, repetition and seed. */
static bool is_parameter(const struct traces_column *column)
{
    static const char *const others[] = {"number", "repetition", "seed"};
    bool is = column->kind <= TRACES_COLUMN_INPUT;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is &= strcmp(column->name, others[i]) != 0;
    return is;
}

/* A column while rows are read: the value of the first row, and whether others are unequal to it,
 * or are equal numbers of another type. */
struct compared {
    const struct traces_column *column;
    struct traces_cell first;
    bool is_unequal, is_other;
};

static bool is_number(const struct traces_cell *cell)
{
    return cell->type == TRACES_CELL_INT || cell->type == TRACES_CELL_REAL;
}

static void compare_cell(struct compared *c, struct traces_cell cell)
{
    const struct traces_cell *first = &c->first;
    if (cell.type != first->type) {
        c->is_other = true;
        c->is_unequal |= !is_number(&cell) || !is_number(first) ||
                         traces_cell_number(&cell) != traces_cell_number(first);
    } else if (cell.type == TRACES_CELL_TEXT) {
        c->is_unequal = strcmp(cell.text, first->text) != 0;
    } else if (cell.type == TRACES_CELL_REAL) {
        c->is_unequal = cell.real != first->real;
    } else if (cell.type != TRACES_CELL_NULL) {
        c->is_unequal = cell.integer != first->integer;
    }
}

static void keep_first(struct compared *c, struct traces_cell cell,
                       struct lib_arena *arena)
{
    c->first = cell;
    if (cell.type == TRACES_CELL_TEXT)
        c->first.text = copy_of(arena, cell.text);
}

/* Compares all rows with the first, without keeping any. */
static void compare_rows(struct traces_reader *frame, const char *sql,
                         struct compared *all, int count)
{
    struct traces_query row;
    bool is_first = true;
    if (traces_query_new(&row, &frame->store, sql))
        for (; traces_query_next(&row); is_first = false)
            for (int i = 0; i < count; i++) {
                if (is_first)
                    keep_first(&all[i], traces_query_cell(&row, i), frame->arena);
                else if (!all[i].is_unequal)
                    compare_cell(&all[i], traces_query_cell(&row, i));
            }
    traces_query_end(&row);
}

/* Finds columns that have several values, one of which may be none. */
static void find_varying(struct traces_reader *frame)
{
    LIB_TEXT_OWN sql = {0};
    struct compared *all = lib_mem_new(frame->columns.list.count * sizeof *all);
    int count = 0;
    for (size_t c = 0; c < frame->columns.list.count; c++) {
        const struct traces_column *column = &frame->columns.list.items[c];
        if (column->kind > TRACES_COLUMN_INPUT || strcmp(column->name, "number") == 0)
            continue;
        lib_text_puts(&sql, count ? ", " : "SELECT ");
        traces_database_add_name(&sql, column->name);
        all[count++].column = column;
    }
    lib_text_puts(&sql, " FROM results");
    compare_rows(frame, lib_text_get(&sql), all, count);
    for (int i = 0; i < count; i++) {
        if (all[i].is_unequal && is_parameter(all[i].column))
            *LIB_VEC_PUSH(&frame->varying) = all[i].column;
        if (all[i].is_unequal || all[i].is_other)
            *LIB_VEC_PUSH(&frame->differing) = all[i].column;
    }
    lib_mem_free(all);
    frame->has_varying = true;
}

void traces_reader_want_varying(struct traces_reader *frame)
{
    if (!frame->has_varying)
        find_varying(frame);
    for (size_t i = 0; i < frame->varying.count; i++)
        traces_reader_want(frame, frame->varying.items[i]);
}

void traces_reader_want_differing(struct traces_reader *frame)
{
    if (!frame->has_varying)
        find_varying(frame);
    for (size_t i = 0; i < frame->differing.count; i++)
        traces_reader_want(frame, frame->differing.items[i]);
}

/* Returns a shared copy of a text, usually that of the run before. */
static const char *share_text(struct traces_reader *frame, size_t c, const char *text)
{
    const struct traces_cell *cells = frame->cells[c];
    const struct traces_cell *before = frame->run_count ? &cells[frame->run_count - 1]
                                                        : NULL;
    bool same = before && before->type == TRACES_CELL_TEXT &&
                strcmp(before->text, text) == 0;
    return same ? before->text : copy_of(frame->arena, text);
}

static void take_run(struct traces_reader *frame, const struct traces_rows *rows)
{
    int i = 0;
    for (size_t c = 0; c < frame->columns.list.count; c++) {
        if (!frame->cells[c])
            continue;
        struct traces_cell *cell = &frame->cells[c][frame->run_count];
        *cell = traces_rows_cell(rows, i++);
        if (cell->type == TRACES_CELL_TEXT)
            cell->text = share_text(frame, c, cell->text);
    }
    frame->run_count++;
}

/* Writes "SELECT "pe.count", "cycles" FROM results" for the wanted columns. */
static void write_query(const struct traces_reader *frame, struct lib_text *sql)
{
    const char *before = "SELECT ";
    for (size_t c = 0; c < frame->columns.list.count; c++) {
        if (!frame->cells[c])
            continue;
        lib_text_puts(sql, before);
        traces_database_add_name(sql, frame->columns.list.items[c].name);
        before = ", ";
    }
    lib_text_puts(sql, " FROM results ORDER BY number");
}

bool traces_reader_load(struct traces_reader *frame)
{
    LIB_TEXT_OWN sql = {0};
    /* At least the number of results. Those SQLite would count with all their columns. */
    const int64_t count = traces_database_ask(&frame->store,
                                              "SELECT count(*) FROM points", 0);
    traces_reader_want(frame, traces_reader_column(frame, "status"));
    for (size_t c = 0; c < frame->columns.list.count; c++)
        if (frame->cells[c])
            frame->cells[c] = LIB_ARENA_ARRAY(frame->arena, struct traces_cell,
                                              (size_t)count + 1);
    write_query(frame, &sql);
    struct traces_rows rows = {0};
    if (frame->store.fault == LIB_FAULT_NONE &&
        traces_rows_open(&rows, &frame->store, &frame->columns, lib_text_get(&sql)))
        while (traces_rows_next(&rows))
            take_run(frame, &rows);
    return traces_rows_end(&rows);
}

void traces_reader_start_details(struct traces_reader *frame,
                                 const struct traces_reader *runs,
                                 enum traces_detail detail)
{
    *frame = (struct traces_reader){
        .arena = lib_arena_new(),
        .name = runs->name,
        .title = runs->title,
        .text = runs->text,
        .text_name = runs->text_name,
        .asked = runs->asked,
        .runs = runs,
        .detail = detail,
    };
}

static struct traces_cell detail_cell(const struct traces_reader *frame, size_t row,
                                      const struct traces_column *column)
{
    const struct traces_columns *own = traces_detail_columns(frame->detail);
    const size_t count = own->list.count;
    assert(row < frame->run_count);
    for (size_t i = 0; i < count; i++)
        if (column == &own->list.items[i])
            return frame->details[row * count + i];
    return traces_reader_cell(frame->runs, frame->run_of[row], column);
}

struct traces_cell traces_reader_cell(const struct traces_reader *frame, size_t run,
                                      const struct traces_column *column)
{
    if (frame->runs)
        return detail_cell(frame, run, column);
    const struct traces_cell *cells = frame->cells[place_of(frame, column)];
    assert(cells && run < frame->run_count);
    return cells[run];
}

double traces_reader_number(const struct traces_reader *frame, size_t run,
                            const struct traces_column *column)
{
    struct traces_cell cell = traces_reader_cell(frame, run, column);
    return traces_cell_number(&cell);
}
