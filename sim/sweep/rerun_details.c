/* Compares the details of stored runs (series, profiles, PEs, links, epochs) with those of their
 * repetitions. A repetition's details are written into a database in memory by the writer of
 * sweeps, so both have the same tables, and every column is compared. */
#include <inttypes.h>
#include <string.h>

#include "sim/sweep/rerun_internal.h"

/* The only run of the database in memory. */
enum { FRESH_RUN = 1 };

/* --- preparing ------------------------------------------------------------------------- */

/* The experiment says which details it keeps, even if its programs are not at hand. */
static bool find_kept(struct sim_rerun *r)
{
    struct traces_database *store = &r->reader.store;
    if (!r->has_looked)
        rerun_look_beside(r);
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT; d++)
        r->keeps[d] = traces_detail_has_table(store, d) &&
                      (r->beside.keeps[d] || traces_detail_is_kept(store, d));
    return store->fault == LIB_FAULT_NONE;
}

bool rerun_details_open(struct sim_rerun *r, struct lib_diags *diags)
{
    return find_kept(r) &&
           traces_database_open(&r->fresh, ":memory:", TRACES_DATABASE_WRITE, diags) &&
           traces_database_do(&r->fresh, "CREATE TABLE runs (id INTEGER PRIMARY KEY); "
                                         "INSERT INTO runs VALUES (1)") &&
           traces_detail_make_tables(&r->fresh) &&
           sim_result_writer_begin_details(&r->fresh_writer, &r->fresh);
}

void rerun_details_close(struct sim_rerun *r)
{
    if (r->fresh_writer.arena)
        sim_result_writer_end(&r->fresh_writer);
    traces_database_close(&r->fresh);
}

/* --- comparing ------------------------------------------------------------------------- */

/* Columns of a table without `run`: first those of its key, which order its rows. */
struct columns {
    LIB_VEC(const char *) names;
    int keys; /* number of columns of the key */
};

/* Lists the columns that this version writes and the stored table has. */
static bool list_columns(struct sim_rerun *r, const char *table, struct columns *columns)
{
    struct traces_query query;
    if (traces_query_new(&query, &r->fresh,
                         "SELECT name, pk FROM pragma_table_info(?1) WHERE name <> 'run' "
                         "ORDER BY pk = 0, pk, cid") &&
        traces_query_bind(&query, 1, traces_cell_text(table)))
        while (traces_query_next(&query)) {
            const char *name = traces_query_cell(&query, 0).text;
            if (!traces_database_has_column(&r->reader.store, table, name))
                continue;
            *LIB_VEC_PUSH(&columns->names) = lib_arena_copy(r->arena, name, strlen(name));
            columns->keys += traces_query_cell(&query, 1).integer > 0;
        }
    return traces_query_end(&query) && r->reader.store.fault == LIB_FAULT_NONE;
}

static bool open_rows(struct traces_query *query, struct traces_database *store,
                      const char *table, const struct columns *columns, int64_t run)
{
    LIB_TEXT_OWN sql = {0};
    lib_text_puts(&sql, "SELECT ");
    for (size_t i = 0; i < columns->names.count; i++)
        lib_text_printf(&sql, "%s%s", i ? ", " : "", columns->names.items[i]);
    lib_text_printf(&sql, " FROM %s WHERE run = ?1 ORDER BY ", table);
    for (int i = 0; i < columns->keys; i++)
        lib_text_printf(&sql, "%s%d", i ? ", " : "", i + 1);
    return traces_query_new(query, store, sql.bytes) &&
           traces_query_bind(query, 1, traces_cell_int(run));
}

static const char *cell_of(struct sim_rerun *r, const struct traces_query *row, int place)
{
    const struct traces_cell cell = traces_query_cell(row, place);
    return rerun_text_of(r, &cell);
}

/* Writes the cells of a row's key: "firings, 100". */
static const char *key_of(struct sim_rerun *r, const struct traces_query *row,
                          const struct columns *columns)
{
    struct lib_text text = {0};
    for (int i = 0; i < columns->keys; i++) {
        lib_text_puts(&text, i ? ", " : "");
        lib_text_puts(&text, cell_of(r, row, i));
    }
    return lib_arena_keep(r->arena, &text);
}

static bool is_same(const struct traces_query *a, const struct traces_query *b, int place)
{
    const struct traces_cell x = traces_query_cell(a, place),
                             y = traces_query_cell(b, place);
    return rerun_is_same_cell(&x, &y);
}

/* Adds the first difference of two rows, either of which may be missing. Returns whether there is
 * one. */
static bool compare_rows(struct sim_rerun *r, const char *table,
                         const struct columns *columns, const struct traces_query *stored,
                         const struct traces_query *now, changes *found)
{
    int place = 0;
    const int count = (int)columns->names.count;
    while (stored && now && place < count && is_same(stored, now, place))
        place++;
    if (stored && now && place == count)
        return false;
    const bool is_other = !stored || !now || place < columns->keys;
    const char *key = key_of(r, now ? now : stored, columns);
    *LIB_VEC_PUSH(found) = (struct sim_replay_change){
        is_other ? lib_arena_printf(r->arena, "%s (%s)", table, key)
                 : lib_arena_printf(r->arena, "%s (%s), %s", table, key,
                                    columns->names.items[place]),
        is_other ? (stored ? key_of(r, stored, columns) : "nothing")
                 : cell_of(r, stored, place),
        is_other ? (now ? key : "nothing") : cell_of(r, now, place)};
    return true;
}

static bool compare_table(struct sim_rerun *r, int64_t run, const char *table,
                          changes *found)
{
    struct columns columns = {0};
    struct traces_query stored = {0}, now = {0};
    bool good = list_columns(r, table, &columns) &&
                open_rows(&stored, &r->reader.store, table, &columns, run) &&
                open_rows(&now, &r->fresh, table, &columns, FRESH_RUN);
    bool has_stored = good, has_now = good, differs = false;
    while (!differs && (has_stored || has_now)) {
        has_stored = has_stored && traces_query_next(&stored);
        has_now = has_now && traces_query_next(&now);
        if (has_stored || has_now)
            differs = compare_rows(r, table, &columns, has_stored ? &stored : NULL,
                                   has_now ? &now : NULL, found);
    }
    traces_query_free(&stored);
    traces_query_free(&now);
    LIB_VEC_FREE(&columns.names);
    return good && r->reader.store.fault == LIB_FAULT_NONE &&
           r->fresh.fault == LIB_FAULT_NONE;
}

/* Sets *run to the id that a stored run has in the details. */
static bool find_run(struct sim_rerun *r, const struct sim_rerun_row *row, int64_t *run)
{
    struct traces_query query;
    const bool good = traces_query_new(&query, &r->reader.store,
                                       "SELECT id FROM runs WHERE identity = ?1") &&
                      traces_query_bind(
                          &query, 1,
                          traces_reader_cell(&r->reader, row->run, r->identity)) &&
                      traces_query_next(&query);
    *run = good ? traces_query_cell(&query, 0).integer : -1;
    traces_query_free(&query);
    return good;
}

bool rerun_compare_details(struct sim_rerun *r, const struct sim_rerun_row *row,
                           const struct sim_outcome *outcome, changes *found)
{
    int64_t run;
    bool good = find_run(r, row, &run);
    for (enum traces_detail d = 0; good && d < TRACES_DETAIL_COUNT; d++)
        good = traces_database_dof(&r->fresh, "DELETE FROM %s", traces_detail_names[d]);
    good = good && traces_database_do(&r->fresh, "BEGIN") &&
           sim_result_writer_add_details(&r->fresh_writer, FRESH_RUN, outcome) &&
           traces_database_do(&r->fresh, "COMMIT");
    for (enum traces_detail d = 0; good && d < TRACES_DETAIL_COUNT; d++)
        if (r->keeps[d])
            good = compare_table(r, run, traces_detail_names[d], found);
    return good;
}
