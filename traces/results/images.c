#include "traces/results/images.h"

bool traces_images_make_tables(struct traces_database *store)
{
    return traces_database_do(store, "CREATE TABLE IF NOT EXISTS images (\n"
                                     "    digest TEXT PRIMARY KEY,\n"
                                     "    bytes  BLOB NOT NULL\n"
                                     ") STRICT;\n"
                                     "CREATE TABLE IF NOT EXISTS files (\n"
                                     "    digest TEXT PRIMARY KEY,\n"
                                     "    bytes  BLOB NOT NULL\n"
                                     ") STRICT;\n"
                                     "CREATE TABLE IF NOT EXISTS energies (\n"
                                     "    name TEXT PRIMARY KEY,\n"
                                     "    text TEXT NOT NULL\n"
                                     ") STRICT;\n"
                                     "CREATE TABLE IF NOT EXISTS exact_inputs (\n"
                                     "    run   INTEGER NOT NULL REFERENCES runs (id) ON "
                                     "DELETE CASCADE,\n"
                                     "    name  TEXT NOT NULL,\n"
                                     "    value TEXT NOT NULL,\n"
                                     "    PRIMARY KEY (run, name)\n"
                                     ") STRICT, WITHOUT ROWID;\n"
                                     "CREATE TABLE IF NOT EXISTS sources (\n"
                                     "    run  INTEGER NOT NULL REFERENCES runs (id) ON "
                                     "DELETE CASCADE,\n"
                                     "    part INTEGER NOT NULL,\n"
                                     "    name TEXT NOT NULL,\n"
                                     "    file TEXT NOT NULL,\n"
                                     "    PRIMARY KEY (run, part)\n"
                                     ") STRICT, WITHOUT ROWID;\n");
}

static bool add_row(struct traces_database *store, const char *sql, const char *digest,
                    const void *bytes, size_t length)
{
    struct traces_query query;
    bool good = traces_query_start(&query, store, sql,
                                   TRACES_CELLS(traces_cell_text(digest))) &&
                traces_query_bind_bytes(&query, 2, bytes, length) &&
                traces_query_do(&query);
    traces_query_free(&query);
    return good;
}

bool traces_images_add(struct traces_database *store, const char *digest,
                       const void *bytes, size_t length)
{
    return add_row(store, "INSERT OR IGNORE INTO images VALUES (?1, ?2)", digest, bytes,
                   length);
}

bool traces_images_add_file(struct traces_database *store, const char *digest,
                            const void *bytes, size_t length)
{
    return add_row(store, "INSERT OR IGNORE INTO files VALUES (?1, ?2)", digest, bytes,
                   length);
}

bool traces_images_add_energy(struct traces_database *store, const char *name,
                              const char *text)
{
    return traces_database_run(
        store, "REPLACE INTO energies VALUES (?1, ?2)",
        TRACES_CELLS(traces_cell_text(name), traces_cell_text(text)));
}

/* Older databases lack some tables. */
static bool has_table(struct traces_database *store, const char *schema, const char *name)
{
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql,
                    "SELECT count(*) FROM %s.sqlite_schema WHERE type = 'table' "
                    "AND name = '%s'",
                    schema, name);
    const int64_t count = traces_database_ask(store, sql.bytes, 0);
    return count > 0;
}

bool traces_images_copy(struct traces_database *store)
{
    if (!has_table(store, "shard", "images"))
        return store->fault == LIB_FAULT_NONE;
    if (has_table(store, "shard", "files") &&
        !traces_database_do(store, "INSERT OR IGNORE INTO main.files "
                                   "SELECT digest, bytes FROM shard.files"))
        return false;
    return traces_database_do(store, "INSERT OR IGNORE INTO main.images "
                                     "SELECT digest, bytes FROM shard.images") &&
           traces_database_do(store, "INSERT OR IGNORE INTO main.energies "
                                     "SELECT name, text FROM shard.energies");
}

bool traces_images_find(struct traces_database *store, const char *digest,
                        struct lib_text *bytes)
{
    struct traces_query query = {0};
    bool found = has_table(store, "main", "images") &&
                 traces_query_start(&query, store,
                                    "SELECT bytes FROM images WHERE digest = ?1",
                                    TRACES_CELLS(traces_cell_text(digest))) &&
                 traces_query_next(&query);
    lib_text_clear(bytes);
    if (found) {
        size_t length;
        const char *stored = traces_query_bytes(&query, 0, &length);
        lib_text_add(bytes, stored ? stored : "", length);
    }
    traces_query_free(&query);
    return found;
}

bool traces_images_each_file(struct traces_database *store,
                             void (*take)(const void *bytes, size_t length,
                                          void *context),
                             void *context)
{
    struct traces_query query = {0};
    if (!has_table(store, "main", "files"))
        return store->fault == LIB_FAULT_NONE;
    if (traces_query_new(&query, store, "SELECT bytes FROM files ORDER BY digest"))
        while (traces_query_next(&query)) {
            size_t length;
            const char *bytes = traces_query_bytes(&query, 0, &length);
            take(bytes ? bytes : "", length, context);
        }
    return traces_query_end(&query);
}
