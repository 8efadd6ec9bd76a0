#include "traces/results/seal.h"

#include <string.h>
#include <xxhash.h>

#include "traces/results/kept.h"
#include "traces/results/layout.h"

#define KEY "seal"

/* Tables that are sealed, with the order of their rows. Points of older versions have no seeds: the
 * last row is not for them. */
static const struct sealed {
    const char *columns, *table, *rows, *order;
} sealed[] = {
    {"key, value", "experiment", "key <> '" KEY "'", "key"},
    {"position, name, kind, type, unit, meaning", "units", "true", "position"},
    {"number, identity, program, strategy, machine, repetition, window, energy_table",
     "points", "true", "number"},
    {"seed", "points", "true", "number"},
};

/* Adds a cell as "TYPE LENGTH VALUE\n", so that no two lists of cells have the same bytes.
 * `text` is room. */
static void add_cell(XXH3_state_t *state, const struct traces_cell *cell,
                     struct lib_text *text)
{
    lib_text_clear(text);
    traces_cell_write(cell, text);
    const size_t length = text->length;
    lib_text_puts(text, "\n");
    const size_t head = text->length;
    lib_text_int(text, (int64_t)cell->type);
    lib_text_puts(text, " ");
    lib_text_int(text, (int64_t)length);
    lib_text_puts(text, " ");
    XXH3_128bits_update(state, text->bytes + head, text->length - head);
    XXH3_128bits_update(state, text->bytes, head);
}

static bool add_table(struct traces_database *store, const char *sql, XXH3_state_t *state)
{
    struct traces_query query;
    LIB_TEXT_OWN text = {0};
    if (traces_query_new(&query, store, sql))
        while (traces_query_next(&query))
            for (int i = 0, width = traces_query_width(&query); i < width; i++) {
                const struct traces_cell cell = traces_query_cell(&query, i);
                add_cell(state, &cell, &text);
            }
    XXH3_128bits_update(state, "\n", 1);
    return traces_query_end(&query);
}

/* Appends the digest of the tables, or of the rows that are kept of the older experiment `kept`. */
static bool write_digest(struct traces_database *store, const char *kept,
                         struct lib_text *digest)
{
    bool good = true;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        lib_mem_exhausted(0);
    XXH3_128bits_reset(state);
    const bool has_seeds = kept || traces_database_has_column(store, "points", "seed");
    const size_t count = sizeof sealed / sizeof *sealed - !has_seeds;
    for (size_t i = 0; good && i < count; i++) {
        LIB_TEXT_OWN sql = {0};
        lib_text_printf(&sql, "SELECT %s FROM %s%s WHERE %s", sealed[i].columns,
                        kept ? "kept_" : "", sealed[i].table, sealed[i].rows);
        if (kept) {
            lib_text_puts(&sql, " AND experiment = ");
            traces_database_add_text(&sql, kept);
        }
        lib_text_printf(&sql, " ORDER BY %s", sealed[i].order);
        good = add_table(store, sql.bytes, state);
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    lib_text_hex(digest, hash.high64);
    lib_text_hex(digest, hash.low64);
    return good;
}

bool traces_seal_write(struct traces_database *store)
{
    LIB_TEXT_OWN digest = {0};
    return write_digest(store, NULL, &digest) &&
           traces_database_run(store, "REPLACE INTO experiment VALUES ('" KEY "', ?1)",
                               TRACES_CELLS(traces_cell_text(digest.bytes)));
}

/* Seals the rows that are kept of an older experiment as they are. */
static bool seal_kept(struct traces_database *store, const char *name)
{
    LIB_TEXT_OWN digest = {0};
    return write_digest(store, name, &digest) &&
           traces_database_run(
               store, "INSERT INTO kept_experiment VALUES (?1, '" KEY "', ?2)",
               TRACES_CELLS(traces_cell_text(name), traces_cell_text(digest.bytes)));
}

bool traces_seal_complete_kept(struct traces_database *store)
{
    struct lib_arena *arena = lib_arena_new();
    const char *name;
    bool good = true;
    for (size_t i = 0; good && (name = traces_kept_name(store, i, arena)); i++) {
        struct traces_query query = {0};
        good = traces_query_start(
            &query, store,
            "SELECT 1 FROM kept_experiment WHERE experiment = ?1 AND key = '" KEY "'",
            TRACES_CELLS(traces_cell_text(name)));
        const bool has_seal = good && traces_query_next(&query);
        traces_query_free(&query);
        good = good && (has_seal || seal_kept(store, name));
    }
    lib_arena_free(arena);
    return good && store->fault == LIB_FAULT_NONE;
}

bool traces_seal_holds(struct traces_database *store)
{
    LIB_TEXT_OWN digest = {0};
    struct traces_query query = {0};
    bool holds = true;
    if (!traces_query_new(&query, store,
                          "SELECT value FROM experiment WHERE key = '" KEY "'")) {
    } else if (!traces_query_next(&query)) {
        holds = !query.has_ended || traces_database_ask(store, "PRAGMA user_version", 0) <
                                        TRACES_LAYOUT_SEALED;
    } else if (write_digest(store, NULL, &digest)) {
        const struct traces_cell seal = traces_query_cell(&query, 0);
        holds = seal.type == TRACES_CELL_TEXT && strcmp(seal.text, digest.bytes) == 0;
    }
    traces_query_free(&query);
    return holds;
}

bool traces_seal_check(struct traces_database *store)
{
    if (traces_seal_holds(store))
        return store->fault == LIB_FAULT_NONE;
    return traces_database_refuse(
        store, store->path,
        "damaged: the experiment, its columns or its points are not those that were "
        "written; `hiaton results rerun %s --all` checks the rows",
        store->path);
}
