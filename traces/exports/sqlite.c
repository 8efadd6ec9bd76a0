/* Database of SQLite with the events, activations and program (layout: doc/replay.md). */
#include "isa/op_columns.h"
#include "traces/exports/columns.h"
#include "traces/results/database.h"

/* Events per transaction, whose changes SQLite keeps in memory; version of the layout. */
enum { EVENTS_AT_ONCE = 1 << 16, LAYOUT = 1 };

struct sqlite {
    struct export_columns columns;
    struct traces_database store;
    struct traces_query event, made, copied, gone;
};

static const char layout[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE kinds (event TEXT PRIMARY KEY, level TEXT, meaning TEXT) WITHOUT ROWID;"
    "CREATE TABLE functions (function INTEGER PRIMARY KEY, name TEXT, is_loop INTEGER);"
    "CREATE TABLE sites (site INTEGER PRIMARY KEY, caller INTEGER, callee INTEGER, "
    "line INTEGER, \"column\" INTEGER);"
    "CREATE TABLE instructions (node INTEGER PRIMARY KEY, opcode TEXT, unit TEXT, "
    "function INTEGER, site INTEGER, line INTEGER, \"column\" INTEGER);"
    "CREATE TABLE activations (serial INTEGER PRIMARY KEY, tag INTEGER, parent INTEGER, "
    "function INTEGER, site INTEGER, iteration INTEGER, depth INTEGER, pe INTEGER, "
    "made INTEGER, gone INTEGER, is_call INTEGER);"
    "CREATE VIEW named_events AS SELECT e.*, i.opcode, f.name AS function, i.line, "
    "i.\"column\" FROM events e LEFT JOIN instructions i USING (node) "
    "LEFT JOIN functions f USING (function);";

static struct traces_cell number(uint64_t value)
{
    return traces_cell_int((int64_t)value);
}

static struct traces_cell nothing(void)
{
    return (struct traces_cell){.type = TRACES_CELL_NULL};
}

static struct traces_cell fed(const struct export_cell *cell)
{
    return cell->type == ISA_REAL ? traces_cell_real(isa_value_real(cell->number))
                                  : number(cell->number);
}

static struct traces_cell index_of(uint32_t value)
{
    return value == TRACES_NONE ? nothing() : number(value);
}

static void bind_all(struct traces_query *query, const struct traces_cell *cells,
                     int count)
{
    bool good = query->store->fault == LIB_FAULT_NONE;
    for (int i = 0; i < count && good; i++)
        good = traces_query_bind(query, i + 1, cells[i]);
    if (good)
        traces_query_do(query);
}

#define ROW(query, ...)                                                                  \
    bind_all(query, (const struct traces_cell[]){__VA_ARGS__},                           \
             (int)(sizeof((const struct traces_cell[]){__VA_ARGS__}) /                   \
                   sizeof(struct traces_cell)))

static bool put_functions(struct sqlite *s, const struct isa_graph *graph)
{
    struct traces_query query;
    bool good = traces_query_new(&query, &s->store,
                                 "INSERT INTO functions VALUES (?, ?, ?)");
    for (uint32_t i = 0; i < graph->function_count && good; i++)
        ROW(&query, number(i), traces_cell_text(graph->functions[i].name),
            number(graph->functions[i].is_loop));
    traces_query_free(&query);
    return good;
}

static bool put_sites(struct sqlite *s, const struct isa_graph *graph)
{
    struct traces_query query;
    bool good = traces_query_new(&query, &s->store,
                                 "INSERT INTO sites VALUES (?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < graph->site_count && good; i++) {
        const struct isa_site *site = &graph->sites[i];
        const bool has_pos = site->pos.line != 0;
        ROW(&query, number(i), number(site->caller), number(site->callee),
            has_pos ? number(site->pos.line) : nothing(),
            has_pos ? number(site->pos.column) : nothing());
    }
    traces_query_free(&query);
    return good;
}

static bool put_instructions(struct sqlite *s, const struct isa_graph *graph)
{
    struct traces_query query;
    LIB_TEXT_OWN opcode = {0};
    bool good = traces_query_new(&query, &s->store,
                                 "INSERT INTO instructions VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < graph->node_count && good; i++) {
        const struct isa_node *node = &graph->nodes[i];
        const bool has_pos = node->pos.line != 0;
        const bool has_site = isa_op_does[node->op].attributes >= ISA_ATTR_SITE &&
                              isa_op_does[node->op].attributes <= ISA_ATTR_SITE_HELD;
        lib_text_clear(&opcode);
        isa_node_write_opcode(node, &opcode);
        ROW(&query, number(i), traces_cell_text(lib_text_get(&opcode)),
            traces_cell_text(isa_unit_name(isa_op_table[node->op].unit)),
            number(node->function), has_site ? number(node->site) : nothing(),
            has_pos ? number(node->pos.line) : nothing(),
            has_pos ? number(node->pos.column) : nothing());
    }
    traces_query_free(&query);
    return good;
}

static bool put_meta(const struct traces_exporter *x, struct sqlite *s)
{
    struct traces_query meta, kinds = {0};
    bool good = traces_query_new(&meta, &s->store, "INSERT INTO meta VALUES (?, ?)") &&
                traces_query_new(&kinds, &s->store, "INSERT INTO kinds VALUES (?, ?, ?)");
    if (good) {
        ROW(&meta, traces_cell_text("layout"), number(LAYOUT));
        ROW(&meta, traces_cell_text("level"),
            traces_cell_text(traces_level_table[x->request->level].text));
        ROW(&meta, traces_cell_text("from"), number(x->request->from));
        ROW(&meta, traces_cell_text("source"),
            traces_cell_text(x->request->graph->source));
    }
    for (size_t i = 0; i < TRACES_EVENT_COUNT && good; i++) {
        const struct traces_event_row *row = &traces_event_table[i];
        ROW(&kinds, traces_cell_text(row->text),
            traces_cell_text(traces_level_table[row->level].text),
            traces_cell_text(row->help));
    }
    traces_query_free(&meta);
    traces_query_free(&kinds);
    return good;
}

static bool make_events(struct sqlite *s)
{
    const struct export_columns *c = &s->columns;
    LIB_TEXT_OWN table = {0}, insert = {0};
    lib_text_puts(&table, "CREATE TABLE events (seq INTEGER PRIMARY KEY, cycle INTEGER, "
                          "event TEXT, serial INTEGER");
    lib_text_puts(&insert, "INSERT INTO events VALUES (?, ?, ?, ?");
    for (size_t i = 0; i < c->count; i++) {
        lib_text_puts(&table, ", ");
        traces_database_add_name(&table, c->items[i].name);
        lib_text_puts(&table, c->items[i].is_text ? " TEXT" : " INTEGER");
        lib_text_puts(&insert, ", ?");
    }
    lib_text_puts(&table, ");");
    lib_text_puts(&insert, ")");
    return traces_database_do(&s->store, table.bytes) &&
           traces_database_do(&s->store, layout) &&
           traces_query_new(&s->event, &s->store, insert.bytes);
}

static bool sqlite_start(struct traces_exporter *x)
{
    struct sqlite *s = x->own;
    const struct isa_graph *graph = x->request->graph;
    export_columns_make(&s->columns);
    if (!traces_database_open(&s->store, x->file.aside.bytes, TRACES_DATABASE_WRITE,
                              x->diags))
        return false;
    /* For messages. As another path it also keeps the lock of PATH.part, which would end when the
     * database is closed, until the file has been renamed. */
    s->store.path = x->request->path;
    s->store.is_thrown_away = true;
    return traces_database_do(&s->store,
                              "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                              "BEGIN") &&
           make_events(s) &&
           traces_query_new(&s->made, &s->store,
                            "INSERT INTO activations VALUES "
                            "(?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)") &&
           traces_query_new(
               &s->copied, &s->store,
               "UPDATE activations SET is_call = 1, pe = ?2 WHERE serial = ?1") &&
           traces_query_new(&s->gone, &s->store,
                            "UPDATE activations SET gone = ?2 WHERE serial = ?1") &&
           put_meta(x, s) && put_functions(s, graph) && put_sites(s, graph) &&
           put_instructions(s, graph) && s->store.fault == LIB_FAULT_NONE;
}

static void take_activation(const struct traces_exporter *x, struct sqlite *s,
                            const struct traces_event *e,
                            const struct traces_live_tag *tag)
{
    const struct traces_live_tags *tags = &x->scene.tags;
    const struct traces_live_tag *parent = traces_live_tags_find(tags, tag->parent);
    const struct traces_live_tag_more *more = traces_live_tags_more(tags, tag);
    switch (e->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        ROW(&s->made, number(more->serial), number(tag->tag),
            parent ? number(traces_live_tags_more(tags, parent)->serial) : nothing(),
            number(traces_live_tags_function(tags, tag)),
            parent ? number(tag->site) : nothing(), number(more->iteration),
            number(tag->depth), index_of(more->pe), number(tag->made),
            number(tag->is_call));
        break;
    case TRACES_EVENT_COPY:
        ROW(&s->copied, number(more->serial), index_of(more->pe));
        break;
    case TRACES_EVENT_GONE:
        ROW(&s->gone, number(more->serial), number(e->cycle));
        break;
    default:
        break;
    }
}

static void sqlite_take(struct traces_exporter *x, const struct traces_event *e)
{
    enum { FIRST = 4 };
    struct sqlite *s = x->own;
    struct export_cell fields[EXPORT_MAX_COLUMNS];
    struct traces_cell cells[FIRST + EXPORT_MAX_COLUMNS];
    const struct traces_live_tag *tag = export_tag_of(x, e);
    export_columns_get(&s->columns, x, e, fields);
    cells[0] = number(x->events);
    cells[1] = number(e->cycle);
    cells[2] = traces_cell_text(traces_event_table[e->kind].text);
    cells[3] = tag ? number(traces_live_tags_more(&x->scene.tags, tag)->serial)
                   : nothing();
    for (size_t i = 0; i < s->columns.count; i++)
        cells[FIRST + i] = !fields[i].is_there ? nothing()
                           : fields[i].text    ? traces_cell_text(fields[i].text)
                           : fields[i].is_fed  ? fed(&fields[i])
                                               : number(fields[i].number);
    bind_all(&s->event, cells, (int)(FIRST + s->columns.count));
    if (tag)
        take_activation(x, s, e, tag);
    if (x->events % EVENTS_AT_ONCE == EVENTS_AT_ONCE - 1)
        traces_database_do(&s->store, "COMMIT; BEGIN");
    x->has_failed = s->store.fault != LIB_FAULT_NONE;
}

static void end_queries(struct sqlite *s)
{
    traces_query_free(&s->event);
    traces_query_free(&s->made);
    traces_query_free(&s->copied);
    traces_query_free(&s->gone);
}

static bool sqlite_finish(struct traces_exporter *x)
{
    struct sqlite *s = x->own;
    if (s->store.fault == LIB_FAULT_NONE)
        traces_database_do(&s->store, "COMMIT");
    end_queries(s);
    traces_database_close(&s->store);
    return s->store.fault == LIB_FAULT_NONE;
}

static void free_sqlite(struct traces_exporter *x)
{
    struct sqlite *s = x->own;
    end_queries(s);
    traces_database_close(&s->store);
}

const struct export_writer export_sqlite = {
    .format = {"sqlite", false, NULL},
    .writes = EXPORT_FILE_BY_OTHERS,
    .own_size = sizeof(struct sqlite),
    .start = sqlite_start,
    .take = sqlite_take,
    .finish = sqlite_finish,
    .free = free_sqlite,
};
