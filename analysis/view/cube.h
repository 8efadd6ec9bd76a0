/* A cube holds the numbers of a table or figure, grouped and summarised. Each run belongs to a
 * cell, found by three keys: panel, series and row. A cell has a summary per value (shown column of
 * numbers).
 *
 *                 series A                 series B
 *     row 1   numbers --> summary      numbers --> summary
 *     row 2   numbers --> summary      numbers --> summary        (one panel)
 *
 * A table has one panel, and its columns are the series. In a figure, rows are places on the x
 * axis. */
#ifndef ANALYSIS_VIEW_CUBE_H
#define ANALYSIS_VIEW_CUBE_H

#include "analysis/summary.h"
#include "analysis/view/details.h"
#include "analysis/view/hidden.h"
#include "analysis/view/keys.h"

enum analysis_dimension {
    ANALYSIS_PANEL,
    ANALYSIS_SERIES,
    ANALYSIS_ROW,
    ANALYSIS_DIMENSIONS
};

/* The columns of results that a table or figure shows, and how. All pointers are borrowed. */
struct analysis_view {
    const struct analysis_view_spec *output; /* name, summary, condition and so on */
    const analysis_column_list *dimensions
        /* for each enum analysis_dimension, the columns whose values are its keys */
        [ANALYSIS_DIMENSIONS];
    const analysis_column_list *values;
    /* whether failed runs get cells too, in which the output marks the failure */
    bool marks_failed;
    /* whether the numbers of a cell are shown one by one, not their summary */
    bool shows_each;
    /* whether the quartiles of a cell are shown, not the summary output->of */
    bool shows_quartiles;
    /* Keys of the file, for messages, to which the user can add a parameter: "`rows` or
     * `columns`". */
    const char *shown_by;
};

/* The numbers that runs have in one shown column, in one cell of a cube. */
struct analysis_place {
    LIB_VEC(double) numbers; /* owned; sorted when they are summarised */
    struct analysis_summary summary;
    /* number of failed runs in the cell; set for the first shown column only */
    size_t failed;
};

struct analysis_cube {
    const struct analysis_view *view;
    struct lib_arena *arena;
    LIB_VEC(size_t) runs; /* owned; completed runs that satisfy `where`, in order */
    LIB_VEC(size_t) failed_runs; /* owned; failed runs, if the view marks them */
    struct analysis_keys keys[ANALYSIS_DIMENSIONS];
    struct analysis_place *places;
    /* Owned; rows of details (such as time steps) shown instead of runs; NULL: none. */
    struct analysis_details *details;
    size_t shown;   /* number of runs or rows of details that are shown */
    size_t failed;  /* number of runs left out because they did not complete */
    size_t no_base; /* number of runs left out for lack of a base to compare with */
    /* Columns in which a run without a base to compare with differs from the most similar base. */
    const char *apart;
    /* owned; inputs in which runs differ from the bases they are compared with */
    analysis_column_list across;
    /* owned; parameters that differ among the runs behind one number */
    struct analysis_hidden hidden;
    /* names of the parameters in `hidden`, with some values; or "" */
    const char *hidden_text;
};

/* Return the view of a table or figure: which columns are panels, series, rows and values. The
 * columns of a table are its series. */
struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table);
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure);

/* Requests the columns that a view needs. Call this before traces_reader_load. */
void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame);

enum { ANALYSIS_CUBE_MAX = 1 << 22 }; /* maximum number of cells of a cube */

/* Makes a cube from loaded results. Returns false and an empty cube if there would be more than
 * ANALYSIS_CUBE_MAX cells. Free the cube with analysis_cube_free in either case. */
bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame);

/* Like analysis_cube_make, but reads and shows rows of details (such as time steps). Returns false
 * also if the database fails. */
bool analysis_cube_make_of_details(struct analysis_cube *cube,
                                   const struct analysis_view *view,
                                   struct traces_reader *runs);
void analysis_cube_free(struct analysis_cube *cube);

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value);

/* Whether a number summarises runs with different parameters, although the file does not specify a
 * summary (`of`). Such a cube must not be shown. */
bool analysis_cube_hides(const struct analysis_cube *cube);

/* Appends to `text` an error message for a cube that must not be shown (analysis_cube_hides), with
 * advice: "`times`: a number would be the mean over `n` (1, 2); add ...". */
void analysis_cube_write_hidden(const struct analysis_cube *cube, struct lib_text *text);

/* Returns the text after the name of a shown column: its divisor; how it is compared, only if
 * `names_relative`; over which parameters it is a mean. Examples: "", " (speedup, geometric mean
 * over program)", " (ratio, across n)". `labels` may be NULL. The text belongs to the arena. */
const char *analysis_cube_suffix(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 bool names_relative, struct lib_arena *arena);
/* Returns the inputs in which runs differ from the bases they are compared with: ", across n", or
 * "". */
const char *analysis_cube_across(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);

/* Returns what each number summarises: "geometric mean over program", "median of 4 repetitions", or
 * "" for single runs. */
const char *analysis_cube_over(const struct analysis_cube *cube,
                               const struct analysis_labels *labels,
                               struct lib_arena *arena);

/* Returns the number of a summary row below a table: the summary `of` over all rows, for a series
 * and a shown column. Returns NaN if a row lacks the number. */
double analysis_cube_below(const struct analysis_cube *cube, size_t series, size_t value,
                           enum analysis_of of);

/* Appends how many runs were left out and why: "left out: 2 that failed". Appends nothing if none
 * were. */
void analysis_cube_write_left_out(const struct analysis_cube *cube,
                                  const struct traces_reader *frame,
                                  struct lib_text *text);

/* --- the steps of analysis_cube_make, also used for bases (analysis/view/baseline.h) --------- */

/* Chooses the runs to show, and collects their keys in each dimension: panel, series and row. */
void analysis_cube_start(struct analysis_cube *cube, const struct analysis_view *view,
                         const struct traces_reader *frame);

/* Makes an empty cell for each combination of keys. Call this after all keys were added. */
void analysis_cube_lay_out(struct analysis_cube *cube);

/* Returns the index into `places` of the cell of a run, for the first shown column. The other
 * columns follow. */
size_t analysis_cube_find(const struct analysis_cube *cube,
                          const struct traces_reader *frame, size_t run);

/* Returns the number of a run in a column, divided by that in the column `output->per` if any.
 * Returns NaN if a number is missing. */
double analysis_cube_number(const struct analysis_view_spec *output,
                            const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

/* Appends a number to the list places[place].numbers, unless it is NaN. */
void analysis_cube_put(struct analysis_cube *cube, size_t place, double number);

size_t analysis_cube_place_count(const struct analysis_cube *cube);

void analysis_cube_sum_up(struct analysis_cube *cube);

#endif
