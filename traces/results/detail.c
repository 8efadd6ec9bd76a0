#include "traces/results/detail.h"

#include <string.h>

#include "traces/profile.h"
#include "traces/results/epochs.h"
#include "traces/series.h"
#include "traces/stats.h"

const char *const traces_detail_names[TRACES_DETAIL_COUNT] = {"series", "profile", "pe",
                                                              "links", "epochs"};

/* Columns of PEs, links and epochs are added one by one, as later versions have more. */
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS series (\n"
    "    run   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
    "    name  TEXT NOT NULL,\n"
    "    cycle INTEGER NOT NULL,\n"
    "    value INTEGER NOT NULL,\n"
    "    PRIMARY KEY (run, name, cycle)\n"
    ") STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS profile (\n"
    "    run     INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
    "    name    TEXT NOT NULL,\n"
    "    place   INTEGER NOT NULL,\n"
    "    width   INTEGER NOT NULL,\n"
    "    firings INTEGER NOT NULL,\n"
    "    PRIMARY KEY (run, name, place)\n"
    ") STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS pe (\n"
    "    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
    "    pe  INTEGER NOT NULL,\n"
    "    PRIMARY KEY (run, pe)\n"
    ") STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS links (\n"
    "    run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
    "    link   INTEGER NOT NULL,\n"
    "    port   TEXT NOT NULL,\n"
    "    port_number INTEGER NOT NULL,\n"
    "    source INTEGER,\n"
    "    target INTEGER,\n"
    "    PRIMARY KEY (run, link)\n"
    ") STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS epochs (\n"
    "    run   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
    "    epoch INTEGER NOT NULL,\n"
    "    step  INTEGER NOT NULL,\n"
    "    PRIMARY KEY (run, epoch)\n"
    ") STRICT, WITHOUT ROWID;\n";

/* Lists the columns, except `run`, that a table has in both databases: ", a, b" and, with table
 * `s`, ", s.a, s.b". Empty if the other database lacks the table. */
static bool list_common(struct traces_database *store, const char *table,
                        struct lib_text *names, struct lib_text *of_s)
{
    struct traces_query query;
    if (traces_query_start(&query, store,
                           "SELECT name FROM pragma_table_info(?1, 'shard') "
                           "WHERE name <> 'run' AND name IN "
                           "(SELECT name FROM pragma_table_info(?1, 'main'))",
                           TRACES_CELLS(traces_cell_text(table))))
        while (traces_query_next(&query)) {
            const char *name = traces_query_cell(&query, 0).text;
            lib_text_puts(names, ", ");
            lib_text_puts(of_s, ", s.");
            traces_database_add_name(names, name);
            traces_database_add_name(of_s, name);
        }
    return traces_query_end(&query);
}

bool traces_detail_copy_table(struct traces_database *store, const char *table)
{
    LIB_TEXT_OWN names = {0}, of_s = {0};
    bool good = list_common(store, table, &names, &of_s);
    if (good && names.length)
        good = traces_database_dof(store,
                                   "INSERT INTO main.%s (run%s) SELECT m.id%s "
                                   "FROM fresh JOIN main.runs m USING (identity) "
                                   "JOIN shard.%s s ON s.run = fresh.id",
                                   table, names.bytes, of_s.bytes, table);
    return good;
}

bool traces_detail_copy(struct traces_database *store)
{
    bool good = true;
    for (enum traces_detail d = 0; good && d < TRACES_DETAIL_COUNT; d++)
        good = traces_detail_copy_table(store, traces_detail_names[d]);
    return good;
}

bool traces_detail_has_table(struct traces_database *store, enum traces_detail detail)
{
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql,
                    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                    "name = '%s'",
                    traces_detail_names[detail]);
    return traces_database_ask(store, sql.bytes, 0) > 0;
}

bool traces_detail_is_kept(struct traces_database *store, enum traces_detail detail)
{
    const char *table = traces_detail_names[detail];
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql,
                    "SELECT EXISTS (SELECT 1 FROM points JOIN runs USING (identity) "
                    "JOIN %s ON %s.run = runs.id)",
                    table, table);
    return traces_detail_has_table(store, detail) &&
           traces_database_ask(store, sql.bytes, 0) > 0;
}

#define COLUMN(name_, type_, unit_, meaning_)                                            \
    {.name = name_,                                                                      \
     .kind = TRACES_COLUMN_STATISTIC,                                                    \
     .type = TRACES_TYPE_##type_,                                                        \
     .unit = unit_,                                                                      \
     .meaning = meaning_},

static const struct traces_column series_columns[] = {
    COLUMN("cycle", INT, "", "time")
#define SUM(key, unit, help) COLUMN(#key, REAL, unit, help)
#define STATE(key, unit, help) COLUMN(#key, REAL, unit, help)
        TRACES_SERIES_COLUMNS(SUM, STATE)
#undef STATE
#undef SUM
};

static const struct traces_column profile_columns[] = {
    COLUMN("place", INT, "", "a cycle; of the ideal one a depth less 1")
#define HISTOGRAM(key, help) COLUMN(#key, REAL, "", help)
        TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
};

static const struct traces_column columns_of_pe[] = {COLUMN("pe", INT, "", "from 0")
#define COUNT(key, help) COLUMN(#key, INT, "", help)
#define RATIO(key, part, help) COLUMN(#key, REAL, "", help)
                                                         TRACES_PE_COUNTS(COUNT)
                                                             TRACES_PE_RATIOS(RATIO)
#undef RATIO
#undef COUNT
};

static const struct traces_column columns_of_links[] = {
    COLUMN("link", INT, "",
           "from 0: output ports, input ports, then links between routers")
#define COUNT(key, help) COLUMN(#key, INT, "", help)
#define RATIO(key, part, whole, help) COLUMN(#key, REAL, "", help)
        TRACES_LINK_SUMS(COUNT) TRACES_LINK_RATIOS(RATIO)
#undef RATIO
#undef COUNT
};

static const struct traces_column columns_of_epochs[] = {
    COLUMN("epoch", INT, "", "from 1") COLUMN("step", INT, "", "its last one")
#define NUMBER(key, meaning) COLUMN(#key, REAL, "", meaning)
        TRACES_EPOCH_NUMBERS(NUMBER)
#undef NUMBER
};

/* Removes const; lists are not changed. `first`: number of columns to omit. */
#define LIST(array, first)                                                               \
    {                                                                                    \
        .list = {                                                                        \
            .items = (struct traces_column *)array + first,                              \
            .count = sizeof array / sizeof *array - first                                \
        }                                                                                \
    }
#define LISTS(first)                                                                     \
    {                                                                                    \
        [TRACES_DETAIL_SERIES] = LIST(series_columns, first),                            \
        [TRACES_DETAIL_PROFILE] = LIST(profile_columns, first),                          \
        [TRACES_DETAIL_PE] = LIST(columns_of_pe, first),                                 \
        [TRACES_DETAIL_LINKS] = LIST(columns_of_links, first),                           \
        [TRACES_DETAIL_EPOCHS] = LIST(columns_of_epochs, first),                         \
    }

const struct traces_columns *traces_detail_columns(enum traces_detail detail)
{
    static const struct traces_columns lists[TRACES_DETAIL_COUNT] = LISTS(0);
    return &lists[detail];
}

const struct traces_columns *traces_detail_values(enum traces_detail detail)
{
    static const struct traces_columns lists[TRACES_DETAIL_COUNT] = LISTS(1);
    return &lists[detail];
}

/* Details with a row for each item: the columns of the item and those beside it, and the first of
 * traces_detail_columns that is added to the table by itself. */
static const struct {
    const char *key, *beside;
    size_t first;
} items[TRACES_DETAIL_COUNT] = {
    [TRACES_DETAIL_PE] = {"pe", "", 1},
    [TRACES_DETAIL_LINKS] = {"link", ",port,port_number,source,target", 1},
    [TRACES_DETAIL_EPOCHS] = {"epoch", ",step", 2},
};

/* Calls `visit` for each column that is added by itself, until it returns false. */
static bool each_added(struct traces_database *store,
                       bool (*visit)(struct traces_database *store, const char *table,
                                     const struct traces_column *column))
{
    bool good = true;
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT; d++)
        for (size_t i = items[d].first;
             good && items[d].key && i < traces_detail_columns(d)->list.count; i++)
            good = visit(store, traces_detail_names[d],
                         &traces_detail_columns(d)->list.items[i]);
    return good;
}

static bool add_column(struct traces_database *store, const char *table,
                       const struct traces_column *column)
{
    return traces_database_need_column(
        store, table, column->name, column->type == TRACES_TYPE_INT ? "INTEGER" : "REAL");
}

bool traces_detail_make_tables(struct traces_database *store)
{
    return traces_database_do(store, tables) && each_added(store, add_column);
}

/* Checks one column of statistics. A column that is missing, without one of almost its name, is one
 * that another version did not have. */
static bool check_column(struct traces_database *store, const char *table,
                         const struct traces_column *column)
{
    LIB_TEXT_OWN found = {0};
    struct traces_query query;
    if (traces_query_start(
            &query, store,
            "SELECT name FROM pragma_table_info(?1) WHERE name = ?2 COLLATE NOCASE",
            TRACES_CELLS(traces_cell_text(table), traces_cell_text(column->name))) &&
        traces_query_next(&query))
        lib_text_puts(&found, traces_query_cell(&query, 0).text);
    traces_query_free(&query);
    const bool good = !found.length || strcmp(found.bytes, column->name) == 0;
    return store->fault == LIB_FAULT_NONE &&
           (good || traces_database_refuse(store, store->path,
                                           "damaged: the table `%s` has a column `%s`, "
                                           "but no column `%s`",
                                           table, found.bytes, column->name));
}

bool traces_detail_check(struct traces_database *store)
{
    return each_added(store, check_column);
}

#define OF_RUNS(table)                                                                   \
    "points JOIN runs USING (identity) JOIN " table " d ON d.run = runs.id "

/* Writes "SELECT number, column, from, width, value" for one column. A row of a series covers the
 * cycles since the row before. */
static void write_query(enum traces_detail detail, size_t column, struct lib_text *sql)
{
    const char *name = traces_detail_columns(detail)->list.items[column].name;
    if (detail == TRACES_DETAIL_SERIES)
        lib_text_printf(
            sql,
            "SELECT number, %zu, cycle - width, width, value%s FROM "
            "(SELECT number, cycle, value, cycle - lag(cycle, 1, 0) "
            "OVER (PARTITION BY number ORDER BY cycle) AS width "
            "FROM " OF_RUNS("series") "WHERE d.name = '%s') WHERE width > 0",
            column, traces_series_table[column - 1].is_sum ? " * 1.0 / width" : "", name);
    else if (detail == TRACES_DETAIL_PROFILE)
        lib_text_printf(sql,
                        "SELECT number, %zu, place, width, d.firings * 1.0 / width "
                        "FROM " OF_RUNS("profile") "WHERE d.name = '%s'",
                        column, name);
    else
        lib_text_printf(sql, "SELECT number, %zu, d.%s, 1, d.%s FROM " OF_RUNS("%s"),
                        column, items[detail].key, name, traces_detail_names[detail]);
}

void traces_detail_write_all(enum traces_detail detail, struct lib_text *head,
                             struct lib_text *sql)
{
    const struct traces_columns *columns = traces_detail_columns(detail);
    const char *key = items[detail].key ? items[detail].key : "cycle";
    if (detail == TRACES_DETAIL_PROFILE) {
        lib_text_puts(head, "number,name,place,width,firings\n");
        lib_text_puts(sql, "SELECT number, d.name, place, width, d.firings "
                           "FROM " OF_RUNS("profile") "ORDER BY number, d.name, place");
        return;
    }
    lib_text_printf(head, "number,%s", key);
    lib_text_printf(sql, "SELECT number,%s", key);
    if (items[detail].key) {
        lib_text_puts(head, items[detail].beside);
        lib_text_puts(sql, items[detail].beside);
    }
    for (size_t i = items[detail].key ? items[detail].first : 1; i < columns->list.count;
         i++) {
        const char *name = columns->list.items[i].name;
        lib_text_printf(head, ",%s", name);
        lib_text_printf(
            sql, items[detail].key ? ", d.%s" : ", max(value) FILTER (WHERE name = '%s')",
            name);
    }
    lib_text_puts(head, "\n");
    lib_text_printf(sql, " FROM " OF_RUNS("%s") "%sORDER BY number, %s",
                    traces_detail_names[detail],
                    items[detail].key ? "" : "GROUP BY number, cycle ", key);
}

static bool read_column(struct traces_database *store, enum traces_detail detail,
                        size_t column,
                        void (*take)(const struct traces_detail_row *row, void *context),
                        void *context)
{
    LIB_TEXT_OWN sql = {0};
    struct traces_query query;
    write_query(detail, column, &sql);
    lib_text_puts(&sql, " ORDER BY number, 3");
    if (traces_query_new(&query, store, sql.bytes))
        while (traces_query_next(&query)) {
            const struct traces_cell value = traces_query_cell(&query, 4);
            const struct traces_detail_row row = {
                .number = traces_query_cell(&query, 0).integer,
                .column = column,
                .from = (uint64_t)traces_query_cell(&query, 2).integer,
                .width = (uint64_t)traces_query_cell(&query, 3).integer,
                .value = traces_cell_number(&value),
            };
            take(&row, context);
        }
    return traces_query_end(&query);
}

bool traces_detail_read(struct traces_database *store, enum traces_detail detail,
                        const bool *wanted,
                        void (*take)(const struct traces_detail_row *row, void *context),
                        void *context)
{
    bool good = true;
    if (!traces_detail_has_table(store, detail))
        return store->fault == LIB_FAULT_NONE;
    for (size_t i = 1; good && i < traces_detail_columns(detail)->list.count; i++)
        good = !wanted[i] || read_column(store, detail, i, take, context);
    return good;
}
