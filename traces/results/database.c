#include "traces/results/database.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/guard.h"

/* Time to wait for the lock of another process; readers hold one for a moment only. */
enum { PATIENCE = 60000 }; /* milliseconds */

/* Max KB of pages that a writer keeps. Rows of runs are found by random digests, so each of them
 * changes a random page of an index, of 5 MB per 100,000 runs. */
#define CACHE_KB "32768"

/* Returns who is to blame for an error of SQLite: the host if it cannot write, or if hiaton misuses
 * SQLite; else the database, which is damaged or locked, or whose tables are not those of hiaton.
 */
static enum lib_fault fault_of(const struct traces_database *store, int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_INTERNAL:
    case SQLITE_MISUSE:
        return LIB_FAULT_HOST;
    case SQLITE_IOERR:
        return code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ
                   ? LIB_FAULT_INPUT
                   : LIB_FAULT_HOST;
    case SQLITE_CANTOPEN:
        return store->db ? lib_file_fault(sqlite3_system_errno(store->db))
                         : LIB_FAULT_INPUT;
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
        return store->is_thrown_away && !store->source ? LIB_FAULT_HOST : LIB_FAULT_INPUT;
    default:
        return LIB_FAULT_INPUT;
    }
}

static const char *hint_of(const struct traces_database *store, int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return store->is_thrown_away
                   ? ""
                   : "; what was written before is kept: make room, and start again";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "; another process is writing it";
    case SQLITE_NOTADB:
        return "; name another file with --output";
    default:
        return "";
    }
}

static bool failed(struct traces_database *store, int code)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        lib_mem_exhausted(0);
    const char *text = store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(code);
    LIB_TEXT_OWN hint = {0};
    if ((code & 0xff) == SQLITE_CANTOPEN)
        lib_file_hint(&hint, store->path, store->is_read);
    if ((code & 0xff) == SQLITE_CANTOPEN && !hint.length && store->is_read &&
        access(store->path, F_OK) != 0)
        lib_text_puts(&hint, "; the file does not exist");
    const enum lib_fault fault = fault_of(store, code);
    const bool is_host = fault == LIB_FAULT_HOST;
    const char *name = store->source && !is_host ? store->source
                       : store->label            ? store->label
                                                 : store->path;
    lib_diag_plain(store->diags, is_host ? LIB_DIAG_HOST : LIB_DIAG_FILE, "%s: %s%s%s",
                   name, text, hint_of(store, code), lib_text_get(&hint));
    if (store->fault == LIB_FAULT_NONE)
        store->fault = fault;
    return false;
}

static int code_of(const struct traces_database *store)
{
    return sqlite3_extended_errcode(store->db);
}

bool traces_database_open(struct traces_database *store, const char *path,
                          enum traces_database_mode mode, struct lib_diags *diags)
{
    *store = (struct traces_database){
        .path = path, .diags = diags, .is_read = mode == TRACES_DATABASE_READ};
    int flags = mode == TRACES_DATABASE_READ ? SQLITE_OPEN_READONLY
                                             : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const bool is_file = *path && strcmp(path, ":memory:") != 0;
    const bool is_written = is_file && mode == TRACES_DATABASE_WRITE;
    if ((is_file && mode == TRACES_DATABASE_READ &&
         !lib_guard_read_database(path, diags)) ||
        (is_written &&
         (!lib_guard_write_database(path, diags) || !lib_guard_lock(path, diags)))) {
        store->fault = LIB_FAULT_INPUT;
        return false;
    }
    store->is_locked = is_written;
    int code = sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK)
        return failed(store, code);
    sqlite3_extended_result_codes(store->db, 1);
    /* Writing the cache before the transaction ends would lock out readers. */
    return (mode == TRACES_DATABASE_WRITE || traces_database_be_patient(store)) &&
           traces_database_do(store,
                              "PRAGMA foreign_keys = ON; PRAGMA cache_spill = OFF;") &&
           (mode == TRACES_DATABASE_READ ||
            traces_database_do(store, "PRAGMA cache_size = -" CACHE_KB)) &&
           traces_database_do(store, "SELECT count(*) FROM sqlite_schema");
}

void traces_database_close(struct traces_database *store)
{
    if (store->db && sqlite3_close(store->db) != SQLITE_OK)
        failed(store, code_of(store));
    store->db = NULL;
    if (store->is_locked)
        lib_guard_unlock(store->path);
    store->is_locked = false;
}

bool traces_database_do(struct traces_database *store, const char *sql)
{
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || failed(store, code);
}

bool traces_database_dof(struct traces_database *store, const char *format, ...)
{
    LIB_TEXT_OWN sql = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&sql, format, ap);
    va_end(ap);
    return traces_database_do(store, sql.bytes);
}

bool traces_database_refuse(struct traces_database *store, const char *path,
                            const char *format, ...)
{
    LIB_TEXT_OWN why = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&why, format, ap);
    va_end(ap);
    lib_diag_plain(store->diags, LIB_DIAG_FILE, "%s: %s", path, why.bytes);
    store->fault = LIB_FAULT_INPUT;
    return false;
}

bool traces_database_be_patient(struct traces_database *store)
{
    int code = sqlite3_busy_timeout(store->db, PATIENCE);
    return code == SQLITE_OK || failed(store, code);
}

static void add_quoted(struct lib_text *sql, char quote, const char *text)
{
    lib_text_add(sql, &quote, 1);
    for (const char *p = text; *p; p++)
        lib_text_add(sql, (const char[]){*p, quote}, *p == quote ? 2 : 1);
    lib_text_add(sql, &quote, 1);
}

void traces_database_add_name(struct lib_text *sql, const char *name)
{
    add_quoted(sql, '"', name);
}

void traces_database_add_text(struct lib_text *sql, const char *text)
{
    add_quoted(sql, '\'', text);
}

bool traces_query_new(struct traces_query *query, struct traces_database *store,
                      const char *sql)
{
    *query = (struct traces_query){.store = store};
    int code = sqlite3_prepare_v2(store->db, sql, -1, &query->statement, NULL);
    return code == SQLITE_OK || failed(store, code);
}

static bool bind_all(struct traces_query *query, const struct traces_cell *cells,
                     size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = traces_query_bind(query, (int)i + 1, cells[i]);
    return good;
}

bool traces_query_start(struct traces_query *query, struct traces_database *store,
                        const char *sql, const struct traces_cell *cells, size_t count)
{
    return traces_query_new(query, store, sql) && bind_all(query, cells, count);
}

void traces_query_free(struct traces_query *query)
{
    sqlite3_finalize(query->statement); /* the error was reported before */
    query->statement = NULL;
}

bool traces_query_bind(struct traces_query *query, int place, struct traces_cell cell)
{
    sqlite3_stmt *s = query->statement;
    int code;
    switch (cell.type) {
    case TRACES_CELL_INT:
    case TRACES_CELL_BOOL:
        code = sqlite3_bind_int64(s, place, cell.integer);
        break;
    case TRACES_CELL_REAL:
        code = sqlite3_bind_double(s, place, cell.real);
        break;
    case TRACES_CELL_TEXT:
        code = sqlite3_bind_text(s, place, cell.text, -1, SQLITE_TRANSIENT);
        break;
    default:
        code = sqlite3_bind_null(s, place);
    }
    return code == SQLITE_OK || failed(query->store, code);
}

bool traces_query_next(struct traces_query *query)
{
    const int code = query->statement ? sqlite3_step(query->statement) : SQLITE_MISUSE;
    query->has_ended = code == SQLITE_DONE;
    if (query->statement && code != SQLITE_ROW && code != SQLITE_DONE)
        failed(query->store, code);
    return code == SQLITE_ROW;
}

bool traces_query_end(struct traces_query *query)
{
    traces_query_free(query);
    return query->has_ended;
}

struct traces_cell traces_query_cell(const struct traces_query *query, int place)
{
    sqlite3_stmt *s = query->statement;
    switch (sqlite3_column_type(s, place)) {
    case SQLITE_INTEGER:
        return traces_cell_int(sqlite3_column_int64(s, place));
    case SQLITE_FLOAT:
        return traces_cell_real(sqlite3_column_double(s, place));
    case SQLITE_NULL:
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    default:
        break;
    }
    const char *text = (const char *)sqlite3_column_text(s, place);
    if (!text)
        lib_mem_exhausted(0); /* SQLite has no other reason */
    return traces_cell_text(text);
}

int traces_query_width(const struct traces_query *query)
{
    return sqlite3_column_count(query->statement);
}

const char *traces_query_head(const struct traces_query *query, int place)
{
    return sqlite3_column_name(query->statement, place);
}

bool traces_query_bind_bytes(struct traces_query *query, int place, const void *bytes,
                             size_t length)
{
    int code = sqlite3_bind_blob64(query->statement, place, bytes, length,
                                   SQLITE_TRANSIENT);
    return code == SQLITE_OK || failed(query->store, code);
}

const char *traces_query_bytes(const struct traces_query *query, int place,
                               size_t *length)
{
    const void *bytes = sqlite3_column_blob(query->statement, place);
    *length = (size_t)sqlite3_column_bytes(query->statement, place);
    return bytes;
}

void traces_query_reset(struct traces_query *query)
{
    sqlite3_reset(query->statement); /* repeats the result of the last step */
}

bool traces_query_do(struct traces_query *query)
{
    const bool good = traces_query_next(query) || query->has_ended;
    traces_query_reset(query);
    return good;
}

bool traces_query_run(struct traces_query *query, const struct traces_cell *cells,
                      size_t count)
{
    return bind_all(query, cells, count) && traces_query_do(query);
}

bool traces_database_run(struct traces_database *store, const char *sql,
                         const struct traces_cell *cells, size_t count)
{
    struct traces_query query;
    const bool good = traces_query_start(&query, store, sql, cells, count) &&
                      traces_query_do(&query);
    traces_query_free(&query);
    return good;
}

int64_t traces_database_last_id(const struct traces_database *store)
{
    return sqlite3_last_insert_rowid(store->db);
}

int64_t traces_database_ask(struct traces_database *store, const char *sql,
                            int64_t otherwise)
{
    struct traces_query query;
    if (traces_query_new(&query, store, sql) && traces_query_next(&query)) {
        struct traces_cell cell = traces_query_cell(&query, 0);
        otherwise = cell.type == TRACES_CELL_INT ? cell.integer : otherwise;
    }
    traces_query_free(&query);
    return otherwise;
}

bool traces_database_has_column(struct traces_database *store, const char *table,
                                const char *name)
{
    struct traces_query query;
    const bool has = traces_query_start(
                         &query, store,
                         "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2",
                         TRACES_CELLS(traces_cell_text(table), traces_cell_text(name))) &&
                     traces_query_next(&query);
    traces_query_free(&query);
    return has;
}

bool traces_database_need_column(struct traces_database *store, const char *table,
                                 const char *name, const char *type)
{
    return traces_database_has_column(store, table, name) ||
           (store->fault == LIB_FAULT_NONE &&
            traces_database_dof(store, "ALTER TABLE %s ADD COLUMN %s %s", table, name,
                                type));
}
