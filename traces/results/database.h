/* Database of results, and queries of it. SQLite's errors are reported to `diags`. Cells read back
 * as they were written, except that bools read back as ints, because SQLite has no bools. */
#ifndef TRACES_RESULTS_DATABASE_H
#define TRACES_RESULTS_DATABASE_H

#include "lib/diag.h"
#include "traces/results/column.h"

struct sqlite3;
struct sqlite3_stmt;

struct traces_database {
    struct sqlite3 *db; /* owned; NULL if the database is not open */
    const char *path;   /* borrowed */
    const char *label;  /* borrowed; name in messages of SQLite; NULL: `path` */
    /* Borrowed; path of a database that is copied into this one: messages name it unless the host
     * is to blame. NULL: none. */
    const char *source;
    struct lib_diags *diags; /* borrowed; errors are added to it */
    enum lib_fault fault;    /* who is to blame for the first error */
    bool is_read;            /* opened for reading only */
    bool is_locked;          /* no other command may write it (lib/guard.h) */
    bool is_thrown_away;     /* the caller deletes the file if it cannot be completed */
};

enum traces_database_mode {
    TRACES_DATABASE_READ,  /* an existing database, for reading */
    TRACES_DATABASE_WRITE, /* an existing database, or a new one */
};

/* Opens a database, for one thread at a time. Returns false after an error, also if another command
 * writes the database. Call traces_database_close even then. */
bool traces_database_open(struct traces_database *store, const char *path,
                          enum traces_database_mode mode, struct lib_diags *diags);
void traces_database_close(struct traces_database *store);

/* Makes later calls wait, instead of fail, while other processes use the database. */
bool traces_database_be_patient(struct traces_database *store);

/* Runs SQL statements that return nothing. */
bool traces_database_do(struct traces_database *store, const char *sql);

/* Like traces_database_do, with a format. Insert only numbers and constant words: other names need
 * traces_database_add_name, other values traces_query_bind. */
bool traces_database_dof(struct traces_database *store, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the error that `format` says of the file at `path`, a database which is at fault. Returns
 * false. */
bool traces_database_refuse(struct traces_database *store, const char *path,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a table has a column; false, too, after an error. */
bool traces_database_has_column(struct traces_database *store, const char *table,
                                const char *name);

bool traces_database_need_column(struct traces_database *store, const char *table,
                                 const char *name, const char *type);

/* Returns the id of the row that was inserted last. */
int64_t traces_database_last_id(const struct traces_database *store);

/* Adds a name to an SQL statement, in double quotes: "pe.count". */
void traces_database_add_name(struct lib_text *sql, const char *name);

/* Adds a string to an SQL statement, in single quotes: 'static'. */
void traces_database_add_text(struct lib_text *sql, const char *text);

/* Prepared SQL statement. */
struct traces_query {
    struct traces_database *store;
    struct sqlite3_stmt *statement; /* owned */
    bool has_ended;                 /* traces_query_next has returned all rows */
};

bool traces_query_new(struct traces_query *query, struct traces_database *store,
                      const char *sql);

/* Like traces_query_new, with cells as the parameters from 1 on: TRACES_CELLS(...). */
bool traces_query_start(struct traces_query *query, struct traces_database *store,
                        const char *sql, const struct traces_cell *cells, size_t count);
void traces_query_free(struct traces_query *query);

/* Sets parameter `place` of an SQL statement, from 1. The text of the cell is copied. */
bool traces_query_bind(struct traces_query *query, int place, struct traces_cell cell);

/* Iterate over rows. traces_query_next moves to the next row, and returns false after the last row
 * or an error. traces_query_end frees the query, and returns false if there was an error. */
bool traces_query_next(struct traces_query *query);
bool traces_query_end(struct traces_query *query);

/* Returns cell `place` of the current row, from 0. Its text is valid until traces_query_next. */
struct traces_cell traces_query_cell(const struct traces_query *query, int place);

/* Return the number of columns of a query, and the title of a column, valid as long as the
 * query. */
int traces_query_width(const struct traces_query *query);
const char *traces_query_head(const struct traces_query *query, int place);

/* Sets parameter `place` (from 1) of a query to bytes, which are copied. */
bool traces_query_bind_bytes(struct traces_query *query, int place, const void *bytes,
                             size_t length);
/* Returns the bytes of cell `place` (from 0) of the current row, and sets *length to their number.
 * Returns NULL if the cell is empty. The bytes are valid until traces_query_next. */
const char *traces_query_bytes(const struct traces_query *query, int place,
                               size_t *length);

/* Runs a query that returns nothing, and resets it. Parameters keep their values. */
bool traces_query_do(struct traces_query *query);

/* Like traces_query_do, after it has set the parameters from 1 on: TRACES_CELLS(...). */
bool traces_query_run(struct traces_query *query, const struct traces_cell *cells,
                      size_t count);

/* Arguments `cells` and `count` of the functions that take both. */
#define TRACES_CELLS(...)                                                                \
    (const struct traces_cell[]){__VA_ARGS__},                                           \
        sizeof((const struct traces_cell[]){__VA_ARGS__}) / sizeof(struct traces_cell)

/* Makes a query ready to run again. */
void traces_query_reset(struct traces_query *query);

/* Runs an SQL statement that returns nothing, with its parameters: TRACES_CELLS(...). */
bool traces_database_run(struct traces_database *store, const char *sql,
                         const struct traces_cell *cells, size_t count);

/* Returns the integer in the first cell that an SQL query yields. Returns `otherwise` if there is
 * none, or after an error. */
int64_t traces_database_ask(struct traces_database *store, const char *sql,
                            int64_t otherwise);

#endif
