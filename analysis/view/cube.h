/* Cube: the numbers of a table or figure, grouped and summarised. Each run belongs to a cell, found
 * by three keys: panel, series and row. A cell has a summary per value (shown column of numbers).
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

/* Specification of a table or figure. All pointers are borrowed. */
struct analysis_view {
    const struct analysis_view_spec *output; /* name, summary, condition and so on */
    const analysis_column_list *dimensions
        /* columns whose values are the keys of each dimension */
        [ANALYSIS_DIMENSIONS];
    const analysis_column_list *values;
    bool marks_failed;    /* failed runs also have keys, and their cells are marked */
    bool shows_each;      /* shows each number of a cell, not a summary */
    bool shows_quartiles; /* shows quartiles, not the summary output->of */
    /* keys that add a dimension: "`rows` or `columns`" */
    const char *shown_by;
};

/* A cell of the cube for one value. */
struct analysis_place {
    LIB_VEC(double) numbers; /* owned; sorted when summarised */
    struct analysis_summary summary;
    size_t failed; /* number of failed runs, if marked; only for the first value */
};

struct analysis_cube {
    const struct analysis_view *view;
    struct lib_arena *arena;
    LIB_VEC(size_t) runs; /* owned; completed runs that satisfy `where`, in order */
    LIB_VEC(size_t) failed_runs; /* owned; failed runs, if the view marks them */
    struct analysis_keys keys[ANALYSIS_DIMENSIONS];
    struct analysis_place *places;
    /* owned; rows of details to show instead of runs; or NULL */
    struct analysis_details *details;
    size_t shown;   /* number of runs, or rows of details, shown */
    size_t failed;  /* number of runs left out as they did not complete */
    size_t no_base; /* number of runs left out as they have no base */
    /* Columns in which a run without base differs from the nearest one; or "". */
    const char *apart;
    analysis_column_list across; /* owned; inputs in which runs differ from their bases */
    struct analysis_hidden hidden; /* owned; parameters over which numbers are means */
    const char *hidden_text;       /* names of `hidden` with some values, or "" */
};

/* Return the view of a table or figure; for a figure as a table, series become columns. */
struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table);
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure);

/* Requests the columns that a view needs, before traces_reader_load. */
void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame);

/* Makes a cube from loaded results. Returns false, with an empty cube, if it would have more than
 * ANALYSIS_CUBE_MAX cells. Free the cube with analysis_cube_free in either case. */
enum { ANALYSIS_CUBE_MAX = 1 << 22 };
bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame);

/* Like analysis_cube_make, for rows of details, which it reads. Returns false also if the database
 * fails. */
bool analysis_cube_make_of_details(struct analysis_cube *cube,
                                   const struct analysis_view *view,
                                   struct traces_reader *runs);
void analysis_cube_free(struct analysis_cube *cube);

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value);

/* Whether a number summarises runs with different parameters although `of` was not specified. Such
 * a cube must not be shown. */
bool analysis_cube_hides(const struct analysis_cube *cube);

/* Adds advice about hidden parameters: "`times`: a number would be the mean over `n` (1, 2); add
 * ...". */
void analysis_cube_write_hidden(const struct analysis_cube *cube, struct lib_text *text);

/* Returns the text after the name of a value: its divisor, its comparison and the parameters over
 * which it is a mean: "", " (speedup)", " (speedup, geometric mean over program)", or " (ratio,
 * across n)" if bases have another n. `labels` may be NULL. The text lives in the arena. */
const char *analysis_cube_suffix(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);
/* Returns the inputs in which runs differ from their bases as text: ", across n", or "". */
const char *analysis_cube_across(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);

/* Returns the parameters over which numbers are means as text: "geometric mean over program", "mean
 * of 4 repetitions", or "". */
const char *analysis_cube_over(const struct analysis_cube *cube,
                               const struct analysis_labels *labels,
                               struct lib_arena *arena);

/* Summarises a value of a series over all rows. Returns NaN if a row lacks the value. */
double analysis_cube_below(const struct analysis_cube *cube, size_t series, size_t value,
                           enum analysis_of of);

/* Adds how many runs were left out and why: "left out: 2 that failed". Adds nothing if there are
 * none. */
void analysis_cube_write_left_out(const struct analysis_cube *cube,
                                  const struct traces_reader *frame,
                                  struct lib_text *text);

/* --- steps of making a cube, also used for bases (analysis/view/baseline.h) ------------------ */

/* Chooses the runs to show and finds their keys. */
void analysis_cube_start(struct analysis_cube *cube, const struct analysis_view *view,
                         const struct traces_reader *frame);

/* Makes empty cells, after all keys are known. */
void analysis_cube_lay_out(struct analysis_cube *cube);

/* Returns the index of a run's cell for the first value; those of the others follow. */
size_t analysis_cube_find(const struct analysis_cube *cube,
                          const struct traces_reader *frame, size_t run);

/* Returns the number of a run in a column, divided by that in the column `per`, or NaN if it has
 * none. */
double analysis_cube_number(const struct analysis_view_spec *output,
                            const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

/* Adds a number to the cell `place`, unless it is NaN. */
void analysis_cube_put(struct analysis_cube *cube, size_t place, double number);

size_t analysis_cube_place_count(const struct analysis_cube *cube);

void analysis_cube_sum_up(struct analysis_cube *cube);

#endif
