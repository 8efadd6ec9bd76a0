#include "traces/results/merge.h"

#include <string.h>

#include "traces/results/detail.h"
#include "traces/results/images.h"
#include "traces/results/layout.h"
#include "traces/results/seal.h"

/* Columns of every version; the identity covers the others. */
#define POINT "number, identity, program, strategy, machine, repetition"

/* Whether a database has a table with some columns. SQLite's message names a missing one. */
static bool has_columns(struct traces_database *store, const char *columns,
                        const char *table)
{
    struct traces_query query;
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql, "SELECT %s FROM %s", columns, table);
    const bool has = traces_query_new(&query, store, sql.bytes);
    traces_query_free(&query);
    return has;
}

bool traces_merge_check(struct traces_database *store)
{
    return traces_layout_check(store) && has_columns(store, "key, value", "experiment") &&
           has_columns(store, "position, name, kind, type, unit, meaning", "units") &&
           has_columns(store, POINT, "points") &&
           has_columns(store, "id, identity, status, version", "runs") &&
           has_columns(store, "run, wall_seconds", "host") &&
           traces_detail_check(store) && traces_seal_check(store);
}

/* Checks a database before anything is read from it. */
static bool check(struct traces_database *store, const char *path)
{
    struct traces_database other;
    bool good = traces_database_open(&other, path, TRACES_DATABASE_READ, store->diags) &&
                traces_merge_check(&other);
    store->fault = good ? store->fault : other.fault;
    traces_database_close(&other);
    return good;
}

static bool is_same(struct traces_database *store, const char *path)
{
    int64_t differences = traces_database_ask(
        store,
        "SELECT (SELECT count(*) FROM (SELECT " POINT
        " FROM main.points EXCEPT SELECT " POINT
        " FROM shard.points)) + (SELECT count(*) FROM (SELECT " POINT
        " FROM shard.points EXCEPT SELECT " POINT " FROM main.points))",
        -1);
    if (differences > 0)
        return traces_database_refuse(
            store, path,
            "these are results of another experiment, or of another version of it");
    return differences == 0;
}

/* Lists the columns of runs without the id: "a, b". `differ` gets "m.a IS NOT s.a OR ...", without
 * the version of hiaton. */
static bool list_columns(struct traces_database *store, struct lib_text *names,
                         struct lib_text *differ)
{
    struct traces_query query;
    if (traces_query_new(&query, store,
                         "SELECT name FROM pragma_table_info('runs') WHERE name <> 'id'"))
        while (traces_query_next(&query)) {
            LIB_TEXT_OWN name = {0};
            const char *text = traces_query_cell(&query, 0).text;
            traces_database_add_name(&name, text);
            lib_text_printf(names, "%s%s", names->length ? ", " : "", name.bytes);
            if (strcmp(text, "version") != 0)
                lib_text_printf(differ, "%sm.%s IS NOT s.%s",
                                differ->length ? " OR " : "", name.bytes, name.bytes);
        }
    return traces_query_end(&query);
}

#define FINAL(table) table ".status NOT IN " TRACES_LAYOUT_UNFINISHED

static int64_t count_differing(struct traces_database *store, const char *differ)
{
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql,
                    "SELECT count(*) FROM main.runs m JOIN shard.runs s USING (identity) "
                    "WHERE " FINAL("m") " AND " FINAL("s") " AND (%s)",
                    differ);
    return traces_database_ask(store, sql.bytes, -1);
}

static bool copy_rows(struct traces_database *store, const char *names)
{
    return traces_database_do(
               store,
               "DELETE FROM main.runs AS m WHERE m.status IN " TRACES_LAYOUT_UNFINISHED
               " AND m.identity IN (SELECT identity FROM shard.runs s WHERE " FINAL(
                   "s") ")") &&
           traces_database_do(
               store, "CREATE TEMP TABLE fresh AS SELECT id, identity FROM shard.runs "
                      "WHERE identity NOT IN (SELECT identity FROM main.runs)") &&
           traces_database_dof(store,
                               "INSERT INTO main.runs (%s) SELECT %s FROM shard.runs "
                               "WHERE id IN (SELECT id FROM fresh) ORDER BY id",
                               names, names) &&
           traces_detail_copy(store) && traces_detail_copy_table(store, "host") &&
           traces_detail_copy_table(store, "exact_inputs") &&
           traces_detail_copy_table(store, "sources") && traces_images_copy(store) &&
           traces_database_do(store, "DROP TABLE fresh");
}

bool traces_merge_add(struct traces_database *store, const char *path, int64_t *differing)
{
    LIB_TEXT_OWN names = {0}, differ = {0};
    bool good = check(store, path);
    store->source = path;
    good = good && traces_database_run(store, "ATTACH DATABASE ?1 AS shard",
                                       TRACES_CELLS(traces_cell_text(path)));
    if (good) {
        good = traces_database_do(store, "BEGIN") && traces_layout_complete(store) &&
               is_same(store, path) && list_columns(store, &names, &differ) &&
               (*differing = count_differing(store, differ.bytes)) >= 0 &&
               copy_rows(store, names.bytes) && traces_database_do(store, "COMMIT") &&
               traces_database_do(store, "DETACH DATABASE shard");
    }
    store->source = NULL;
    return good;
}
