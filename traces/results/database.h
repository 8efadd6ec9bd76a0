/* A database of results, and questions to it: SQLite, with every error told.
 *
 * Cells go in and come out as they are; a bool comes out as a whole number, because
 * SQLite has no bools. */
#ifndef TRACES_RESULTS_DATABASE_H
#define TRACES_RESULTS_DATABASE_H

#include "lib/diag.h"
#include "traces/results/column.h"

struct sqlite3;
struct sqlite3_stmt;

struct traces_database {
    struct sqlite3 *db;      /* owned; NULL: not open */
    const char *path;        /* borrowed */
    struct lib_diags *diags; /* borrowed: where errors go */
    enum lib_fault fault;    /* of the first error */
    bool is_read;            /* and not written */
    bool is_thrown_away;     /* the file, if it cannot be written to its end */
};

enum traces_database_mode {
    TRACES_DATABASE_READ,  /* an existing one */
    TRACES_DATABASE_WRITE, /* an existing one, or a new one */
};

/* false after an error. Give back with traces_database_close in either case. */
bool traces_database_open(struct traces_database *store, const char *path,
                          enum traces_database_mode mode, struct lib_diags *diags);
void traces_database_close(struct traces_database *store);

/* From now on waits for other processes, instead of failing. */
bool traces_database_be_patient(struct traces_database *store);

/* Runs statements that return nothing. */
bool traces_database_do(struct traces_database *store, const char *sql);

/* Statements with values are made with printf: what is not a number goes through
 * traces_database_add_name or traces_query_bind. */
bool traces_database_dof(struct traces_database *store, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a column to a table that may have it already: it comes with a later layout. */
bool traces_database_need_column(struct traces_database *store, const char *table,
                                 const char *name, const char *type);

/* Adds a name as SQL wants it: "pe.count", in double quotes. */
void traces_database_add_name(struct lib_text *sql, const char *name);

/* A prepared statement. */
struct traces_query {
    struct traces_database *store;
    struct sqlite3_stmt *statement; /* owned */
};

bool traces_query_new(struct traces_query *query, struct traces_database *store,
                      const char *sql);
void traces_query_free(struct traces_query *query);

/* Sets the parameter `place`, from 1. The text of a cell is copied. */
bool traces_query_bind(struct traces_query *query, int place, struct traces_cell cell);

enum traces_step { TRACES_STEP_ROW, TRACES_STEP_END, TRACES_STEP_FAILED };

/* The next row. */
enum traces_step traces_query_step(struct traces_query *query);

/* A cell of the row, by its place from 0; text is valid until the next step. */
struct traces_cell traces_query_cell(const struct traces_query *query, int place);

/* The same of bytes, which are copied; and their length. NULL where there are none. */
bool traces_query_bind_bytes(struct traces_query *query, int place, const void *bytes,
                             size_t length);
const char *traces_query_bytes(const struct traces_query *query, int place,
                               size_t *length);

/* Runs a statement that returns nothing, once more: binds stay. */
bool traces_query_do(struct traces_query *query);

/* Ready to be run again. */
void traces_query_reset(struct traces_query *query);

/* The whole number that a statement returns, or `otherwise` where it returns none. */
int64_t traces_database_ask(struct traces_database *store, const char *sql,
                            int64_t otherwise);

#endif
