/* A database of results, and queries: SQLite, with every error reported to `diags`.
 *
 * Cells read back as they were written, except that bools read back as ints, because SQLite has no
 * bools. */
#ifndef TRACES_RESULTS_DATABASE_H
#define TRACES_RESULTS_DATABASE_H

#include "lib/diag.h"
#include "traces/results/column.h"

struct sqlite3;
struct sqlite3_stmt;

struct traces_database {
    struct sqlite3 *db;      /* owned; NULL: not open */
    const char *path;        /* borrowed */
    struct lib_diags *diags; /* borrowed; gets the errors */
    enum lib_fault fault;    /* cause of the first error */
    bool is_read;            /* opened for reading only */
    bool is_thrown_away;     /* the file is discarded if it cannot be completed */
};

enum traces_database_mode {
    TRACES_DATABASE_READ,  /* an existing database */
    TRACES_DATABASE_WRITE, /* an existing database, or a new one */
};

/* Opens a database. Returns false after an error. The caller calls traces_database_close in either
 * case. */
bool traces_database_open(struct traces_database *store, const char *path,
                          enum traces_database_mode mode, struct lib_diags *diags);
void traces_database_close(struct traces_database *store);

/* Makes further calls wait for other processes instead of failing. */
bool traces_database_be_patient(struct traces_database *store);

/* Runs statements that return nothing. */
bool traces_database_do(struct traces_database *store, const char *sql);

/* As traces_database_do, with a statement made by printf. Only numbers may be inserted this way;
 * names need traces_database_add_name, other values traces_query_bind. */
bool traces_database_dof(struct traces_database *store, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a column to a table, unless the table has it already. */
bool traces_database_need_column(struct traces_database *store, const char *table,
                                 const char *name, const char *type);

/* Adds a name for SQL, in double quotes: "pe.count". */
void traces_database_add_name(struct lib_text *sql, const char *name);

/* Adds a text for SQL, in single quotes: 'static'. */
void traces_database_add_text(struct lib_text *sql, const char *text);

/* A prepared statement. */
struct traces_query {
    struct traces_database *store;
    struct sqlite3_stmt *statement; /* owned */
    bool has_ended;                 /* traces_query_next was behind the last row */
};

bool traces_query_new(struct traces_query *query, struct traces_database *store,
                      const char *sql);
void traces_query_free(struct traces_query *query);

/* Sets parameter `place`, from 1 on. The text of a cell is copied. */
bool traces_query_bind(struct traces_query *query, int place, struct traces_cell cell);

/* Walks the rows of a query: traces_query_next moves to the next row, and returns false at the end,
 * after an error, or if the query could not be made. traces_query_end frees the query, and returns
 * whether that was the end. */
bool traces_query_next(struct traces_query *query);
bool traces_query_end(struct traces_query *query);

/* Returns a cell of the row, by its place from 0 on. Text is valid until the next step. */
struct traces_cell traces_query_cell(const struct traces_query *query, int place);

/* Return the number of cells in a row, and the head of one, which is valid as long as the query. */
int traces_query_width(const struct traces_query *query);
const char *traces_query_head(const struct traces_query *query, int place);

/* Set a parameter to bytes, which are copied; and return the bytes and length of a cell, NULL if it
 * is empty. */
bool traces_query_bind_bytes(struct traces_query *query, int place, const void *bytes,
                             size_t length);
const char *traces_query_bytes(const struct traces_query *query, int place,
                               size_t *length);

/* Runs a statement that returns nothing, and resets it. Parameters keep their values. */
bool traces_query_do(struct traces_query *query);

/* Makes a statement ready to run again. */
void traces_query_reset(struct traces_query *query);

/* Returns the integer that a statement returns, or `otherwise` if it returns none. */
int64_t traces_database_ask(struct traces_database *store, const char *sql,
                            int64_t otherwise);

#endif
