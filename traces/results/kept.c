#include "traces/results/kept.h"

#include <string.h>

#define POINTS                                                                           \
    "number, identity, program, strategy, machine, repetition, seed, window, "           \
    "energy_table"
#define UNITS "position, name, kind, type, unit, meaning"

static const char make_tables[] =
    "CREATE TABLE IF NOT EXISTS kept_experiment (experiment TEXT NOT NULL, key TEXT NOT "
    "NULL, value ANY, PRIMARY KEY (experiment, key)) STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS kept_units (experiment TEXT NOT NULL, position INTEGER "
    "NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL, unit TEXT NOT "
    "NULL, meaning TEXT NOT NULL, PRIMARY KEY (experiment, position)) STRICT, WITHOUT "
    "ROWID;\n"
    "CREATE TABLE IF NOT EXISTS kept_points (experiment TEXT NOT NULL, number INTEGER "
    "NOT NULL, identity TEXT NOT NULL, program TEXT NOT NULL, strategy TEXT NOT NULL, "
    "machine TEXT NOT NULL, repetition INTEGER NOT NULL, seed INTEGER NOT NULL, window "
    "TEXT, energy_table TEXT, PRIMARY KEY (experiment, number)) STRICT, WITHOUT ROWID;\n";

static bool has_tables(struct traces_database *store)
{
    return traces_database_ask(
               store, "SELECT count(*) FROM sqlite_schema WHERE name = 'kept_experiment'",
               0) == 1;
}

static bool forget(struct traces_database *store, const char *a, const char *b)
{
    static const char *const tables[] = {"experiment", "units", "points"};
    bool good = true;
    for (size_t i = 0; good && i < sizeof tables / sizeof *tables; i++) {
        LIB_TEXT_OWN sql = {0};
        lib_text_printf(&sql, "DELETE FROM kept_%s WHERE experiment IN (?1, ?2)",
                        tables[i]);
        good = traces_database_run(
            store, sql.bytes, TRACES_CELLS(traces_cell_text(a), traces_cell_text(b)));
    }
    return good;
}

static bool keep(struct traces_database *store, const char *name)
{
    static const char *const copies[] = {
        "INSERT INTO kept_experiment SELECT ?1, key, value FROM experiment",
        "INSERT INTO kept_units SELECT ?1, " UNITS " FROM units",
        "INSERT INTO kept_points SELECT ?1, " POINTS " FROM points"};
    bool good = true;
    for (size_t i = 0; good && i < sizeof copies / sizeof *copies; i++)
        good = traces_database_run(store, copies[i],
                                   TRACES_CELLS(traces_cell_text(name)));
    return good;
}

bool traces_kept_keep(struct traces_database *store, const char *next)
{
    struct traces_query query = {0};
    LIB_TEXT_OWN name = {0};
    bool good = traces_query_new(&query, store,
                                 "SELECT value FROM experiment WHERE key = 'name'");
    if (good && traces_query_next(&query))
        lib_text_puts(&name, traces_query_cell(&query, 0).text);
    traces_query_free(&query);
    if (good && name.length && strcmp(name.bytes, next) != 0)
        good = traces_database_do(store, make_tables) &&
               traces_database_need_column(store, "points", "window", "TEXT") &&
               traces_database_need_column(store, "points", "energy_table", "TEXT") &&
               forget(store, name.bytes, next) && keep(store, name.bytes);
    else if (good && has_tables(store))
        good = forget(store, next, next);
    return good;
}

/* Adds the columns of the view. Labels are columns of points. */
static bool add_columns(struct traces_database *store, struct lib_text *sql,
                        const char *name)
{
    struct traces_query query = {0};
    const char *before = "";
    bool good = traces_query_start(
        &query, store,
        "SELECT name, kind FROM kept_units WHERE experiment = ?1 ORDER BY position",
        TRACES_CELLS(traces_cell_text(name)));
    while (good && traces_query_next(&query)) {
        const bool is_label = strcmp(traces_query_cell(&query, 1).text, "label") == 0;
        lib_text_printf(sql, "%s%s", before, is_label ? "points." : "");
        traces_database_add_name(sql, traces_query_cell(&query, 0).text);
        lib_text_puts(sql, " AS ");
        traces_database_add_name(sql, traces_query_cell(&query, 0).text);
        before = ", ";
    }
    traces_query_free(&query);
    return good && *before;
}

static void add_table(struct lib_text *sql, const char *table, const char *columns,
                      const char *name)
{
    lib_text_printf(
        sql, "CREATE TEMP TABLE %s AS SELECT %s FROM kept_%s WHERE experiment = ", table,
        columns, table);
    traces_database_add_text(sql, name);
    lib_text_puts(sql, ";\n");
}

bool traces_kept_use(struct traces_database *store, const char *name)
{
    LIB_TEXT_OWN sql = {0};
    if (!has_tables(store))
        return false;
    add_table(&sql, "experiment", "key, value", name);
    add_table(&sql, "units", UNITS, name);
    add_table(&sql, "points", POINTS, name);
    lib_text_puts(&sql, "CREATE TEMP VIEW results AS SELECT ");
    bool good = add_columns(store, &sql, name);
    lib_text_puts(&sql, " FROM points JOIN runs USING (identity) ORDER BY number;");
    good = good && traces_database_do(store, sql.bytes);
    return good;
}

const char *traces_kept_name(struct traces_database *store, size_t i,
                             struct lib_arena *arena)
{
    struct traces_query query = {0};
    const char *name = NULL;
    if (has_tables(store) &&
        traces_query_start(&query, store,
                           "SELECT DISTINCT experiment FROM kept_experiment ORDER BY "
                           "experiment LIMIT 1 OFFSET ?1",
                           TRACES_CELLS(traces_cell_int((int64_t)i))) &&
        traces_query_next(&query)) {
        const char *text = traces_query_cell(&query, 0).text;
        name = lib_arena_copy(arena, text, strlen(text));
    }
    traces_query_free(&query);
    return name;
}
