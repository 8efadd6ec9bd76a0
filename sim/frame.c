#include "sim/frame.h"

#include <assert.h>
#include <string.h>

#include "sim/layout.h"

/* --- rows ------------------------------------------------------------------------------ */

/* Calls `take` for each row of a query; false after an error. */
static bool each_row(struct sim_frame *frame, const char *sql,
                     void (*take)(struct sim_frame *frame, const struct sim_query *row))
{
    struct sim_query query;
    enum sim_step step = SIM_STEP_FAILED;
    if (sim_query_new(&query, &frame->store, sql))
        while ((step = sim_query_step(&query)) == SIM_STEP_ROW)
            take(frame, &query);
    sim_query_free(&query);
    return step == SIM_STEP_END;
}

static const char *copy_of(struct sim_frame *frame, const char *text)
{
    return text ? lib_arena_copy(frame->arena, text, strlen(text)) : "";
}

/* The text in a cell of a row; "" where there is none. */
static const char *text_at(const struct sim_query *row, int place)
{
    struct sim_cell cell = sim_query_cell(row, place);
    return cell.type == SIM_CELL_TEXT ? cell.text : "";
}

/* --- opening --------------------------------------------------------------------------- */

static void take_fact(struct sim_frame *frame, const struct sim_query *row)
{
    const char *key = text_at(row, 0), *value = text_at(row, 1);
    if (strcmp(key, "name") == 0)
        frame->name = copy_of(frame, value);
    else if (strcmp(key, "title") == 0)
        frame->title = copy_of(frame, value);
    else if (strcmp(key, "text") == 0)
        frame->text = copy_of(frame, value);
    else if (strcmp(key, "runs") == 0)
        frame->asked = (uint64_t)sim_query_cell(row, 1).integer;
}

static enum sim_column_kind kind_of(const char *name)
{
    enum sim_column_kind kind = 0;
    while (kind + 1 < SIM_COLUMN_KIND_COUNT &&
           strcmp(sim_column_kind_name(kind), name) != 0)
        kind++;
    return kind;
}

/* What has a type of its own in each row is a text here. */
static enum sim_column_type type_of(const char *name)
{
    enum sim_column_type type = 0;
    while (type + 1 < SIM_TYPE_COUNT && strcmp(sim_column_type_name(type), name) != 0)
        type++;
    return type;
}

static void take_column(struct sim_frame *frame, const struct sim_query *row)
{
    *LIB_VEC_PUSH(&frame->columns.list) = (struct sim_column){
        .name = copy_of(frame, text_at(row, 0)),
        .kind = kind_of(text_at(row, 1)),
        .type = type_of(text_at(row, 2)),
        .unit = copy_of(frame, text_at(row, 3)),
        .meaning = copy_of(frame, text_at(row, 4)),
        .fact = SIM_FACT_NONE,
    };
}

/* Whether the columns are there that everything here looks at. */
static bool check_columns(struct sim_frame *frame, struct lib_diags *diags)
{
    static const char *const names[] = {"program", "repetition", "status"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!sim_frame_column(frame, names[i])) {
            lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                           "%s: the column `%s` is missing", frame->store.path, names[i]);
            frame->store.fault = LIB_FAULT_INPUT;
            return false;
        }
    return true;
}

bool sim_frame_open(struct sim_frame *frame, const char *path, struct lib_diags *diags)
{
    *frame = (struct sim_frame){
        .arena = lib_arena_new(), .name = "", .title = "", .text = ""};
    if (!sim_store_open(&frame->store, path, SIM_STORE_READ, diags) ||
        !sim_store_be_patient(&frame->store) || !sim_store_do(&frame->store, "BEGIN") ||
        !sim_schema_check(&frame->store) ||
        !each_row(frame, "SELECT key, value FROM experiment", take_fact) ||
        !each_row(frame,
                  "SELECT name, kind, type, unit, meaning FROM units ORDER BY position",
                  take_column) ||
        !check_columns(frame, diags))
        return false;
    frame->text_name = lib_arena_printf(frame->arena, "%s.yaml", frame->name);
    frame->cells = LIB_ARENA_ARRAY(frame->arena, struct sim_cell *,
                                   frame->columns.list.count + 1);
    return true;
}

void sim_frame_close(struct sim_frame *frame)
{
    sim_store_close(&frame->store);
    sim_columns_free(&frame->columns);
    lib_arena_free(frame->arena);
}

/* --- runs ------------------------------------------------------------------------------ */

const struct sim_column *sim_frame_column(const struct sim_frame *frame, const char *name)
{
    return sim_columns_find(&frame->columns, name);
}

static size_t place_of(const struct sim_frame *frame, const struct sim_column *column)
{
    return (size_t)(column - frame->columns.list.items);
}

void sim_frame_want(struct sim_frame *frame, const struct sim_column *column)
{
    static struct sim_cell wanted; /* never written: a mark until there are runs */
    if (column)
        frame->cells[place_of(frame, column)] = &wanted;
}

/* Most often the text is that of the run before. */
static const char *share_text(struct sim_frame *frame, size_t c, const char *text)
{
    const struct sim_cell *cells = frame->cells[c];
    const struct sim_cell *before = frame->run_count ? &cells[frame->run_count - 1]
                                                     : NULL;
    bool same = before && before->type == SIM_CELL_TEXT &&
                strcmp(before->text, text) == 0;
    return same ? before->text : copy_of(frame, text);
}

static struct sim_cell keep_cell(struct sim_frame *frame, size_t c, struct sim_cell cell)
{
    if (cell.type == SIM_CELL_TEXT)
        cell.text = share_text(frame, c, cell.text);
    if (cell.type == SIM_CELL_INT && frame->columns.list.items[c].type == SIM_TYPE_BOOL)
        cell.type = SIM_CELL_BOOL;
    return cell;
}

static void take_run(struct sim_frame *frame, const struct sim_query *row)
{
    int i = 0;
    for (size_t c = 0; c < frame->columns.list.count; c++)
        if (frame->cells[c])
            frame->cells[c][frame->run_count] = keep_cell(frame, c,
                                                          sim_query_cell(row, i++));
    frame->run_count++;
}

/* SELECT "pe.count", "cycles" FROM results: the wanted columns, in their order. */
static void write_query(const struct sim_frame *frame, struct lib_text *sql)
{
    const char *before = "SELECT ";
    for (size_t c = 0; c < frame->columns.list.count; c++) {
        if (!frame->cells[c])
            continue;
        lib_text_puts(sql, before);
        sim_store_add_name(sql, frame->columns.list.items[c].name);
        before = ", ";
    }
    lib_text_puts(sql, " FROM results ORDER BY number");
}

bool sim_frame_load(struct sim_frame *frame)
{
    struct lib_text sql = {0};
    int64_t count = sim_store_ask(&frame->store, "SELECT count(*) FROM results", 0);
    sim_frame_want(frame, sim_frame_column(frame, "status"));
    for (size_t c = 0; c < frame->columns.list.count; c++)
        if (frame->cells[c])
            frame->cells[c] = LIB_ARENA_ARRAY(frame->arena, struct sim_cell,
                                              (size_t)count + 1);
    write_query(frame, &sql);
    bool good = frame->store.fault == LIB_FAULT_NONE &&
                each_row(frame, lib_text_get(&sql), take_run);
    lib_text_free(&sql);
    return good;
}

struct sim_cell sim_frame_cell(const struct sim_frame *frame, size_t run,
                               const struct sim_column *column)
{
    const struct sim_cell *cells = frame->cells[place_of(frame, column)];
    assert(cells && run < frame->run_count);
    return cells[run];
}
