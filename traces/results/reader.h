/* Reader of results: the columns of a database (doc/results.md), and the cells of wanted columns,
 * in the order of the experiment. A reader is called a frame, as in data frame. Its memory is in
 * its arena. */
#ifndef TRACES_RESULTS_READER_H
#define TRACES_RESULTS_READER_H

#include "lib/arena.h"
#include "traces/results/detail.h"

/* Adds the columns of a database of results to `columns`. Strings live in the arena. Returns false
 * after an error. */
bool traces_columns_read(struct traces_columns *columns, struct lib_arena *arena,
                         struct traces_database *store);

/* Rows of a query. Unlike in struct traces_query, bools read back as bools. */
struct traces_rows {
    struct traces_query query;
    int width;
    /* For each cell of a row the column of results that it is a value of, or NULL. The cell's title
     * is the column's name, perhaps after a prefix with a point ("static.cycles"). The array is
     * owned, columns are borrowed. */
    const struct traces_column **columns;
};

/* Opens the rows of a query. Returns false, without rows, after an error. Call traces_rows_end even
 * then. */
bool traces_rows_open(struct traces_rows *rows, struct traces_database *store,
                      const struct traces_columns *columns, const char *sql);

/* Iterate over rows. traces_rows_next moves to the next row, and returns false after the last row
 * or an error. traces_rows_end frees the rows, and returns false if there was an error. */
bool traces_rows_next(struct traces_rows *rows);
bool traces_rows_end(struct traces_rows *rows);

/* Returns cell `place` (from 0) of the current row. Its text is valid until traces_rows_next. */
struct traces_cell traces_rows_cell(const struct traces_rows *rows, int place);

struct traces_reader {
    struct lib_arena *arena;
    struct traces_database store; /* the database, with the first error that occurred */
    /* Name and title of the experiment, and contents of its file; "" if unknown. */
    const char *name, *title, *text;
    const char *text_name; /* name of the file whose contents are `text` */
    /* options that changed the experiment: "--set pe.count=4 --input n=3"; "": none */
    const char *overridden;
    uint64_t asked; /* number of runs of the experiment, including missing ones */
    struct traces_columns columns;
    /* per column: a cell for each run; NULL if the column is not wanted */
    struct traces_cell **cells;
    size_t run_count;
    /* Columns of the parameters in which runs differ. */
    LIB_VEC(const struct traces_column *) varying;
    /* Columns in which runs differ of all that they are made from, repetition and seed too, also if
     * the values are equal numbers of different types. */
    LIB_VEC(const struct traces_column *) differing;
    bool has_varying; /* `varying` and `differing` have been computed */

    /* Only if rows are parts of runs (traces/results/detail.h): the reader of the runs, for each
     * row the index of its run, and the cells in the columns of the detail, row by row. */
    const struct traces_reader *runs; /* NULL: rows are whole runs */
    enum traces_detail detail;
    size_t *run_of;
    struct traces_cell *details;
};

/* Opens a database of results and reads everything except runs. Returns false after an error. Call
 * traces_reader_close even then. */
bool traces_reader_open(struct traces_reader *frame, const char *path,
                        struct lib_diags *diags);

/* Like traces_reader_open, for an older experiment in the database (traces/results/kept.h).
 * `experiment` NULL: the newest one. */
bool traces_reader_open_of(struct traces_reader *frame, const char *path,
                           const char *experiment, struct lib_diags *diags);
void traces_reader_close(struct traces_reader *frame);

/* Starts an empty reader of rows that are parts of runs, with the columns of `runs` and of the
 * detail. The caller sets `run_of`, `details` and `run_count`, and frees the arena. */
void traces_reader_start_details(struct traces_reader *frame,
                                 const struct traces_reader *runs,
                                 enum traces_detail detail);

/* Returns the column with a name, which must exist in every database. */
const struct traces_column *traces_reader_column(const struct traces_reader *frame,
                                                 const char *name);

/* Marks a column for traces_reader_load to read. Ignores NULL and columns of a detail. */
void traces_reader_want(struct traces_reader *frame, const struct traces_column *column);

/* Finds the parameters in which runs differ, even failed runs (program, strategy, machine, window,
 * energies, settings, inputs), and marks them as wanted. An error is recorded in `store`. */
void traces_reader_want_varying(struct traces_reader *frame);

/* The same for `differing`: repetitions and seeds, too. */
void traces_reader_want_differing(struct traces_reader *frame);

/* Reads the wanted columns of all runs. Returns false after an error. */
bool traces_reader_load(struct traces_reader *frame);

struct traces_cell traces_reader_cell(const struct traces_reader *frame, size_t run,
                                      const struct traces_column *column);

/* Returns the value of a run in a wanted column as a double; NaN if it is not a number. */
double traces_reader_number(const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

#endif
