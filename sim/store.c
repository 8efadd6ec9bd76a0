#include "sim/store.h"

#include <sqlite3.h>

/* Readers hold a lock for a moment only; so a writer waits for them. */
enum { PATIENCE = 60000 }; /* milliseconds */

/* --- errors ------------------------------------------------------------------------- */

/* What an error means: the fault of the disk, or of what was asked for. */
static enum lib_fault fault_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_INTERNAL:
    case SQLITE_MISUSE:
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
        return LIB_FAULT_HOST;
    default:
        return LIB_FAULT_INPUT;
    }
}

static const char *hint_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return "; what was written before is kept: make room, and start again";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "; another process is writing it";
    case SQLITE_NOTADB:
        return "; name another file with --output";
    default:
        return "";
    }
}

static bool failed(struct sim_store *store, int code)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        lib_mem_exhausted(0);
    const char *text = store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(code);
    lib_diag_error(store->diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0}, "%s: %s%s",
                   store->path, text, hint_of(code));
    if (store->fault == LIB_FAULT_NONE)
        store->fault = fault_of(code);
    return false;
}

static int code_of(const struct sim_store *store)
{
    return sqlite3_extended_errcode(store->db);
}

/* --- the database ------------------------------------------------------------------- */

bool sim_store_open(struct sim_store *store, const char *path, enum sim_store_mode mode,
                    struct lib_diags *diags)
{
    *store = (struct sim_store){.path = path, .diags = diags};
    int flags = mode == SIM_STORE_READ ? SQLITE_OPEN_READONLY
                                       : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = sqlite3_open_v2(path, &store->db, flags, NULL);
    if (code != SQLITE_OK)
        return failed(store, code);
    sqlite3_extended_result_codes(store->db, 1);
    /* The cache must not be written before a transaction ends: that would lock out
     * readers. */
    return (mode == SIM_STORE_WRITE || sim_store_be_patient(store)) &&
           sim_store_do(store, "PRAGMA foreign_keys = ON; PRAGMA cache_spill = OFF;") &&
           sim_store_do(store, "SELECT count(*) FROM sqlite_schema");
}

void sim_store_close(struct sim_store *store)
{
    if (store->db && sqlite3_close(store->db) != SQLITE_OK)
        failed(store, code_of(store));
    store->db = NULL;
}

bool sim_store_do(struct sim_store *store, const char *sql)
{
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || failed(store, code);
}

bool sim_store_dof(struct sim_store *store, const char *format, ...)
{
    struct lib_text sql = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&sql, format, ap);
    va_end(ap);
    bool good = sim_store_do(store, sql.bytes);
    lib_text_free(&sql);
    return good;
}

bool sim_store_be_patient(struct sim_store *store)
{
    int code = sqlite3_busy_timeout(store->db, PATIENCE);
    return code == SQLITE_OK || failed(store, code);
}

void sim_store_add_name(struct lib_text *sql, const char *name)
{
    lib_text_puts(sql, "\"");
    for (const char *p = name; *p; p++)
        lib_text_printf(sql, "%s%c", *p == '"' ? "\"" : "", *p);
    lib_text_puts(sql, "\"");
}

/* --- statements --------------------------------------------------------------------- */

bool sim_query_new(struct sim_query *query, struct sim_store *store, const char *sql)
{
    *query = (struct sim_query){.store = store};
    int code = sqlite3_prepare_v2(store->db, sql, -1, &query->statement, NULL);
    return code == SQLITE_OK || failed(store, code);
}

void sim_query_free(struct sim_query *query)
{
    sqlite3_finalize(query->statement); /* what failed was told when it failed */
    query->statement = NULL;
}

bool sim_query_bind(struct sim_query *query, int place, struct sim_cell cell)
{
    sqlite3_stmt *s = query->statement;
    int code;
    switch (cell.type) {
    case SIM_CELL_INT:
    case SIM_CELL_BOOL:
        code = sqlite3_bind_int64(s, place, cell.integer);
        break;
    case SIM_CELL_REAL:
        code = sqlite3_bind_double(s, place, cell.real);
        break;
    case SIM_CELL_TEXT:
        code = sqlite3_bind_text(s, place, cell.text, -1, SQLITE_TRANSIENT);
        break;
    default:
        code = sqlite3_bind_null(s, place);
    }
    return code == SQLITE_OK || failed(query->store, code);
}

enum sim_step sim_query_step(struct sim_query *query)
{
    int code = sqlite3_step(query->statement);
    if (code == SQLITE_ROW)
        return SIM_STEP_ROW;
    if (code == SQLITE_DONE)
        return SIM_STEP_END;
    failed(query->store, code);
    return SIM_STEP_FAILED;
}

struct sim_cell sim_query_cell(const struct sim_query *query, int place)
{
    sqlite3_stmt *s = query->statement;
    switch (sqlite3_column_type(s, place)) {
    case SQLITE_INTEGER:
        return sim_cell_int(sqlite3_column_int64(s, place));
    case SQLITE_FLOAT:
        return sim_cell_real(sqlite3_column_double(s, place));
    case SQLITE_NULL:
        return (struct sim_cell){.type = SIM_CELL_NULL};
    default:
        break;
    }
    const char *text = (const char *)sqlite3_column_text(s, place);
    if (!text)
        lib_mem_exhausted(0); /* the only reason that there is */
    return sim_cell_text(text);
}

void sim_query_reset(struct sim_query *query)
{
    sqlite3_reset(query->statement); /* says again how the last step went */
}

bool sim_query_do(struct sim_query *query)
{
    enum sim_step step = sim_query_step(query);
    sim_query_reset(query);
    return step != SIM_STEP_FAILED;
}

int64_t sim_store_ask(struct sim_store *store, const char *sql, int64_t otherwise)
{
    struct sim_query query;
    if (sim_query_new(&query, store, sql) && sim_query_step(&query) == SIM_STEP_ROW) {
        struct sim_cell cell = sim_query_cell(&query, 0);
        otherwise = cell.type == SIM_CELL_INT ? cell.integer : otherwise;
    }
    sim_query_free(&query);
    return otherwise;
}
