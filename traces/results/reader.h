/* Results as they are read: the columns of a database (doc/results.md), and, of those that
 * are wanted, what stands there, column by column, in the order of the experiment.
 *
 * Everything lives in the frame's arena, and columns as long as the frame. */
#ifndef TRACES_RESULTS_READER_H
#define TRACES_RESULTS_READER_H

#include "lib/arena.h"
#include "traces/results/detail.h"

struct traces_reader {
    struct lib_arena *arena;
    struct traces_database store;    /* its status says how reading went */
    const char *name, *title, *text; /* of the experiment; "" where there is none */
    const char *text_name;           /* the file that `text` is from */
    const char *overridden;          /* what a command line said instead; or "" */
    uint64_t asked;                  /* runs of the experiment, also those not made yet */
    struct traces_columns columns;
    struct traces_cell **cells; /* by column; NULL: not wanted */
    size_t run_count;
    LIB_VEC(const struct traces_column *)
    varying;          /* owned: see traces_reader_want_varying */
    bool has_varying; /* they were looked for */

    /* Of a frame of details, whose rows are parts of runs: the frame of the runs, which run a row
     * is of, and row by row the cells of the detail's own columns. */
    const struct traces_reader *runs; /* or NULL: rows are runs */
    enum traces_detail detail;
    size_t *run_of;
    struct traces_cell *details;
};

/* Opens a database of results and reads what there is, but no runs. false after an error,
 * with its status in `store`. Give back with traces_reader_close in either case. */
bool traces_reader_open(struct traces_reader *frame, const char *path,
                        struct lib_diags *diags);
void traces_reader_close(struct traces_reader *frame);

/* A frame of details without rows, whose columns are those of `runs`, and its own: `run_of`,
 * `details` and `run_count` are filled in by who has an arena of it to free. */
void traces_reader_start_details(struct traces_reader *frame,
                                 const struct traces_reader *runs,
                                 enum traces_detail detail);

/* The column of that name, which the layout promises. */
const struct traces_column *traces_reader_column(const struct traces_reader *frame,
                                                 const char *name);

/* Says that a column will be looked at; NULL is allowed, and so is one of a detail. */
void traces_reader_want(struct traces_reader *frame, const struct traces_column *column);

/* Finds and wants the parameters in which runs differ, failed runs too: program, strategy, machine,
 * window, table of energies, settings and inputs, in the order of results. An error is kept in
 * `store`. */
void traces_reader_want_varying(struct traces_reader *frame);

/* Reads the runs. false after an error. */
bool traces_reader_load(struct traces_reader *frame);

/* What stands in a column that was wanted. */
struct traces_cell traces_reader_cell(const struct traces_reader *frame, size_t run,
                                      const struct traces_column *column);

/* The number that stands there; NaN where there is none. */
double traces_reader_number(const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

#endif
