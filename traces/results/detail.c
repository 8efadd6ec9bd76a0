#include "traces/results/detail.h"

#include <string.h>

#include "traces/stats.h"

const char *const traces_detail_names[TRACES_DETAIL_COUNT] = {"series", "profile", "pe"};

/* --- tables ------------------------------------------------------------------------- */

/* A new statistic of PEs is a new column: so those of `pe` are added one by one. */
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
    ") STRICT, WITHOUT ROWID;\n";

static const struct {
    const char *name, *type;
} pe_columns[] = {
#define COUNT(key, help) {#key, "INTEGER"},
#define RATIO(key, part, help) {#key, "REAL"},
    TRACES_PE_COUNTS(COUNT) TRACES_PE_RATIOS(RATIO)
#undef RATIO
#undef COUNT
};

static bool add_pe_columns(struct traces_database *store)
{
    struct traces_query query;
    bool good = traces_query_new(&query, store,
                                 "SELECT 1 FROM pragma_table_info('pe') WHERE name = ?1");
    for (size_t i = 0; good && i < sizeof pe_columns / sizeof *pe_columns; i++) {
        good = traces_query_bind(&query, 1, traces_cell_text(pe_columns[i].name));
        enum traces_step step = good ? traces_query_step(&query) : TRACES_STEP_FAILED;
        traces_query_reset(&query);
        good = step == TRACES_STEP_ROW ||
               (step == TRACES_STEP_END &&
                traces_database_dof(store, "ALTER TABLE pe ADD COLUMN %s %s",
                                    pe_columns[i].name, pe_columns[i].type));
    }
    traces_query_free(&query);
    return good;
}

bool traces_detail_make_tables(struct traces_database *store)
{
    return traces_database_do(store, tables) && add_pe_columns(store);
}

/* --- copying ------------------------------------------------------------------------ */

/* The columns of a table but for `run` that both databases have: ", a, b", and the same of the
 * table `s`: ", s.a, s.b"; none where the other has no such table. */
static bool list_common(struct traces_database *store, const char *table,
                        struct lib_text *names, struct lib_text *of_s)
{
    struct traces_query query;
    enum traces_step step = TRACES_STEP_FAILED;
    if (traces_query_new(&query, store,
                         "SELECT name FROM pragma_table_info(?1, 'shard') "
                         "WHERE name <> 'run' AND name IN "
                         "(SELECT name FROM pragma_table_info(?1, 'main'))") &&
        traces_query_bind(&query, 1, traces_cell_text(table)))
        while ((step = traces_query_step(&query)) == TRACES_STEP_ROW) {
            const char *name = traces_query_cell(&query, 0).text;
            lib_text_puts(names, ", ");
            lib_text_puts(of_s, ", s.");
            traces_database_add_name(names, name);
            traces_database_add_name(of_s, name);
        }
    traces_query_free(&query);
    return step == TRACES_STEP_END;
}

bool traces_detail_copy(struct traces_database *store)
{
    bool good = true;
    for (enum traces_detail d = 0; good && d < TRACES_DETAIL_COUNT; d++) {
        const char *table = traces_detail_names[d];
        struct lib_text names = {0}, of_s = {0};
        good = list_common(store, table, &names, &of_s);
        if (good && names.length)
            good = traces_database_dof(store,
                                       "INSERT INTO main.%s (run%s) SELECT m.id%s "
                                       "FROM fresh JOIN main.runs m USING (identity) "
                                       "JOIN shard.%s s ON s.run = fresh.id",
                                       table, names.bytes, of_s.bytes, table);
        lib_text_free(&names);
        lib_text_free(&of_s);
    }
    return good;
}

/* --- whether there is any ----------------------------------------------------------- */

bool traces_detail_has_table(struct traces_database *store, enum traces_detail detail)
{
    struct lib_text sql = {0};
    lib_text_printf(&sql,
                    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                    "name = '%s'",
                    traces_detail_names[detail]);
    bool there = traces_database_ask(store, sql.bytes, 0) > 0;
    lib_text_free(&sql);
    return there;
}

bool traces_detail_is_kept(struct traces_database *store, enum traces_detail detail)
{
    const char *table = traces_detail_names[detail];
    struct lib_text sql = {0};
    lib_text_printf(&sql,
                    "SELECT EXISTS (SELECT 1 FROM points JOIN runs USING (identity) "
                    "JOIN %s ON %s.run = runs.id)",
                    table, table);
    bool kept = traces_detail_has_table(store, detail) &&
                traces_database_ask(store, sql.bytes, 0) > 0;
    lib_text_free(&sql);
    return kept;
}
