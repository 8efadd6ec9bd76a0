/* Reader of results: the columns of a database (doc/results.md), and the cells of the wanted
 * columns, in the order of the experiment.
 *
 * Everything is allocated in the frame's arena. */
#ifndef TRACES_RESULTS_READER_H
#define TRACES_RESULTS_READER_H

#include "lib/arena.h"
#include "traces/results/detail.h"

/* Adds the columns of a database of results. Texts live in the arena. Returns false after an
 * error. */
bool traces_columns_read(struct traces_columns *columns, struct lib_arena *arena,
                         struct traces_database *store);

/* The rows of a query, cell by cell. Bools, which SQLite does not have, are read back as they
 * were. */
struct traces_rows {
    struct traces_query query;
    int width;
    /* The column of each cell: that named by its head, or by what is behind the last point of the
     * head ("static.cycles"); or NULL. Owned; columns are borrowed. */
    const struct traces_column **columns;
};

/* Opens the rows of a query. Returns false, without rows, after an error. The caller calls
 * traces_rows_end in either case. */
bool traces_rows_open(struct traces_rows *rows, struct traces_database *store,
                      const struct traces_columns *columns, const char *sql);

/* As traces_query_next and traces_query_end. */
bool traces_rows_next(struct traces_rows *rows);
bool traces_rows_end(struct traces_rows *rows);

/* Returns a cell of the row, by its place from 0 on. Text is valid until the next step. */
struct traces_cell traces_rows_cell(const struct traces_rows *rows, int place);

struct traces_reader {
    struct lib_arena *arena;
    struct traces_database store;    /* database, with the status of errors */
    const char *name, *title, *text; /* of the experiment; "" if unknown */
    const char *text_name;           /* file that `text` is from */
    const char *overridden;          /* keys that a command line replaced; or "" */
    uint64_t asked;                  /* runs of the experiment, also those not made yet */
    struct traces_columns columns;
    struct traces_cell **cells; /* cells per column; NULL if not wanted */
    size_t run_count;
    LIB_VEC(const struct traces_column *) varying; /* see traces_reader_want_varying */
    bool has_varying;                              /* `varying` is set */

    /* A frame of details, whose rows are parts of runs: the frame of the runs, the run of each row,
     * and the cells of the detail's own columns, row by row. */
    const struct traces_reader *runs; /* NULL if rows are runs */
    enum traces_detail detail;
    size_t *run_of;
    struct traces_cell *details;
};

/* Opens a database of results and reads everything except runs. Returns false after an error, whose
 * status is in `store`. The caller calls traces_reader_close in either case. */
bool traces_reader_open(struct traces_reader *frame, const char *path,
                        struct lib_diags *diags);

/* The same, of an experiment that the database keeps beside its newest one
 * (traces/results/kept.h); of the newest one if `experiment` is NULL. */
bool traces_reader_open_of(struct traces_reader *frame, const char *path,
                           const char *experiment, struct lib_diags *diags);
void traces_reader_close(struct traces_reader *frame);

/* Starts a frame of details without rows, whose columns are those of `runs` and of the detail. The
 * caller sets `run_of`, `details` and `run_count`, and frees its arena. */
void traces_reader_start_details(struct traces_reader *frame,
                                 const struct traces_reader *runs,
                                 enum traces_detail detail);

/* Returns the column of a name, which the layout guarantees. */
const struct traces_column *traces_reader_column(const struct traces_reader *frame,
                                                 const char *name);

/* Marks a column as wanted. NULL and columns of a detail are allowed. */
void traces_reader_want(struct traces_reader *frame, const struct traces_column *column);

/* Finds and wants the parameters in which runs differ, failed runs too: program, strategy, machine,
 * window, table of energies, settings and inputs, in the order of results. An error is kept in
 * `store`. */
void traces_reader_want_varying(struct traces_reader *frame);

/* Reads the runs. Returns false after an error. */
bool traces_reader_load(struct traces_reader *frame);

/* Returns a cell of a wanted column. */
struct traces_cell traces_reader_cell(const struct traces_reader *frame, size_t run,
                                      const struct traces_column *column);

/* Returns the number in a cell of a wanted column, or NaN if it has none. */
double traces_reader_number(const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

#endif
