/* A database of results, and questions to it: SQLite, with every error told.
 *
 * Cells go in and come out as they are; a bool comes out as a whole number, because
 * SQLite has no bools. */
#ifndef SIM_STORE_H
#define SIM_STORE_H

#include "lib/diag.h"
#include "sim/column.h"

struct sqlite3;
struct sqlite3_stmt;

struct sim_store {
    struct sqlite3 *db;      /* owned; NULL: not open */
    const char *path;        /* borrowed */
    struct lib_diags *diags; /* borrowed: where errors go */
    enum lib_fault fault;    /* of the first error */
};

enum sim_store_mode {
    SIM_STORE_READ,  /* an existing one */
    SIM_STORE_WRITE, /* an existing one, or a new one */
};

/* false after an error. Give back with sim_store_close in either case. */
bool sim_store_open(struct sim_store *store, const char *path, enum sim_store_mode mode,
                    struct lib_diags *diags);
void sim_store_close(struct sim_store *store);

/* From now on waits for other processes, instead of failing. */
bool sim_store_be_patient(struct sim_store *store);

/* Runs statements that return nothing. */
bool sim_store_do(struct sim_store *store, const char *sql);

/* Statements with values are made with printf: what is not a number goes through
 * sim_store_add_name or sim_query_bind. */
bool sim_store_dof(struct sim_store *store, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a name as SQL wants it: "pe.count", in double quotes. */
void sim_store_add_name(struct lib_text *sql, const char *name);

/* A prepared statement. */
struct sim_query {
    struct sim_store *store;
    struct sqlite3_stmt *statement; /* owned */
};

bool sim_query_new(struct sim_query *query, struct sim_store *store, const char *sql);
void sim_query_free(struct sim_query *query);

/* Sets the parameter `place`, from 1. The text of a cell is copied. */
bool sim_query_bind(struct sim_query *query, int place, struct sim_cell cell);

enum sim_step { SIM_STEP_ROW, SIM_STEP_END, SIM_STEP_FAILED };

/* The next row. */
enum sim_step sim_query_step(struct sim_query *query);

/* A cell of the row, by its place from 0; text is valid until the next step. */
struct sim_cell sim_query_cell(const struct sim_query *query, int place);

/* Runs a statement that returns nothing, once more: binds stay. */
bool sim_query_do(struct sim_query *query);

/* Ready to be run again. */
void sim_query_reset(struct sim_query *query);

/* The whole number that a statement returns, or `otherwise` where it returns none. */
int64_t sim_store_ask(struct sim_store *store, const char *sql, int64_t otherwise);

#endif
