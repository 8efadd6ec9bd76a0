#include "traces/results/seal.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#define KEY "seal"

/* Each query returns all rows of a table, in a fixed order. */
static const char *const sealed[] = {
    "SELECT key, value FROM experiment WHERE key <> '" KEY "' ORDER BY key",
    "SELECT position, name, kind, type, unit, meaning FROM units ORDER BY position",
    "SELECT number, identity, program, strategy, machine, repetition, window, "
    "energy_table "
    "FROM points ORDER BY number",
    "SELECT seed FROM points ORDER BY number",
};

/* Adds a cell with its type and length, so that no two lists of cells have the same bytes. */
static void add_cell(XXH3_state_t *state, const struct traces_cell *cell)
{
    LIB_TEXT_OWN text = {0}, all = {0};
    traces_cell_write(cell, &text);
    lib_text_printf(&all, "%d %zu %s\n", (int)cell->type, text.length,
                    lib_text_get(&text));
    XXH3_128bits_update(state, all.bytes, all.length);
}

static bool add_table(struct traces_database *store, const char *sql, XXH3_state_t *state)
{
    struct traces_query query;
    if (traces_query_new(&query, store, sql))
        while (traces_query_next(&query))
            for (int i = 0; i < traces_query_width(&query); i++) {
                const struct traces_cell cell = traces_query_cell(&query, i);
                add_cell(state, &cell);
            }
    XXH3_128bits_update(state, "\n", 1);
    return traces_query_end(&query);
}

/* Appends the digest of the tables. */
static bool write_digest(struct traces_database *store, struct lib_text *digest)
{
    bool good = true;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        lib_mem_exhausted(0);
    XXH3_128bits_reset(state);
    /* Points of older versions have no seeds: the last query is not for them. */
    const size_t count = sizeof sealed / sizeof *sealed -
                         !traces_database_has_column(store, "points", "seed");
    for (size_t i = 0; good && i < count; i++)
        good = add_table(store, sealed[i], state);
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    lib_text_printf(digest, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
                    (uint64_t)hash.low64);
    return good;
}

bool traces_seal_write(struct traces_database *store)
{
    LIB_TEXT_OWN digest = {0};
    struct traces_query query = {0};
    const bool good = write_digest(store, &digest) &&
                      traces_query_new(&query, store,
                                       "REPLACE INTO experiment VALUES ('" KEY
                                       "', ?1)") &&
                      traces_query_bind(&query, 1, traces_cell_text(digest.bytes)) &&
                      traces_query_do(&query);
    traces_query_free(&query);
    return good;
}

bool traces_seal_holds(struct traces_database *store)
{
    LIB_TEXT_OWN digest = {0};
    struct traces_query query = {0};
    bool holds = true;
    if (traces_query_new(&query, store,
                         "SELECT value FROM experiment WHERE key = '" KEY "'") &&
        traces_query_next(&query) && write_digest(store, &digest)) {
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
    lib_diag_plain(
        store->diags, LIB_DIAG_FILE,
        "%s: damaged: the experiment, its columns or its points are not those that "
        "were written; `hiaton results rerun %s --all` checks the rows",
        store->path, store->path);
    store->fault = LIB_FAULT_INPUT;
    return false;
}
