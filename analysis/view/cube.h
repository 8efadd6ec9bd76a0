/* A cube: the content of a table or figure, grouped and summarised. Each run belongs to a place
 * with three keys (panel, series and row), and a place has a summary per value.
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

/* A specification of what to show. All pointers are borrowed. */
struct analysis_view {
    const struct analysis_view_spec *output; /* name, of, spread, where, ... */
    const analysis_column_list *dimensions[ANALYSIS_DIMENSIONS]; /* may be empty */
    const analysis_column_list *values;
    bool marks_failed;    /* failed runs also have keys, and their places get marks */
    bool shows_each;      /* shows each number of a place, not a summary */
    bool shows_quartiles; /* shows quartiles, not the summary `of` */
    const char *shown_by; /* keys that add a dimension: "`rows` or `columns`" */
};

struct analysis_place {
    LIB_VEC(double) numbers; /* sorted by the summary; owned */
    struct analysis_summary summary;
    size_t failed; /* failed runs, if the view marks them; only for the first value */
};

struct analysis_cube {
    const struct analysis_view *view;
    struct lib_arena *arena;
    LIB_VEC(size_t) runs; /* completed runs for which `where` holds, in order; owned */
    LIB_VEC(size_t) failed_runs; /* failed ones, if the view marks them; owned */
    struct analysis_keys keys[ANALYSIS_DIMENSIONS];
    struct analysis_place *places;
    struct analysis_details *details; /* owned; NULL if a row is a run */
    size_t shown;                     /* runs shown, or parts of runs */
    size_t failed;                    /* runs left out because they did not complete */
    size_t no_base;                   /* runs left out because they have no base */
    /* Columns in which one of these differs from the nearest base; or "". */
    const char *apart;
    analysis_column_list across; /* inputs in which runs differ from their bases; owned */
    struct analysis_hidden hidden; /* parameters over which numbers are means; owned */
    const char *hidden_text; /* names of `hidden` with some of their values, or "" */
};

/* Return the view of a table or figure. A figure can also be shown as a table, with its series as
 * columns. */
struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table);
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure);

/* Requests the columns that a view needs, before traces_reader_load. */
void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame);

/* Makes the cube of a view. Returns false, with an empty cube, if it would have more than
 * ANALYSIS_CUBE_MAX places. Free the cube with analysis_cube_free in either case. */
enum { ANALYSIS_CUBE_MAX = 1 << 22 };
bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame);

/* Makes the cube of a view of details, and reads their rows. Returns false also after an error of
 * the database. */
bool analysis_cube_make_of_details(struct analysis_cube *cube,
                                   const struct analysis_view *view,
                                   struct traces_reader *runs);
void analysis_cube_free(struct analysis_cube *cube);

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value);

/* Returns true if a number summarises runs with different parameters although no `of` was given.
 * Such a cube must not be shown. */
bool analysis_cube_hides(const struct analysis_cube *cube);

/* Adds the hidden parameters of such a cube, with advice: "`times`: a number would be the mean over
 * `n` (1, 2); add ...". */
void analysis_cube_write_hidden(const struct analysis_cube *cube, struct lib_text *text);

/* Returns the text after the name of a value, with its divisor, its comparison and the parameters
 * over which it is a mean: "", " (speedup)", " (speedup, geometric mean over program)", or "
 * (ratio, across n)" if bases have another n. `labels` may be NULL. The text lives in the arena. */
const char *analysis_cube_suffix(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);
/* Returns the inputs in which runs differ from their bases: ", across n", or "". */
const char *analysis_cube_across(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);

/* Returns the parameters over which numbers are means: "geometric mean over program", "mean of 4
 * repetitions", or "". */
const char *analysis_cube_over(const struct analysis_cube *cube,
                               const struct analysis_labels *labels,
                               struct lib_arena *arena);

/* Returns a summary of a value of a series over all rows, or NaN if a row lacks the value. */
double analysis_cube_below(const struct analysis_cube *cube, size_t series, size_t value,
                           enum analysis_of of);

/* Adds the number of runs left out, with reasons: "left out: 2 that failed". Adds nothing if there
 * are none. */
void analysis_cube_write_left_out(const struct analysis_cube *cube,
                                  const struct traces_reader *frame,
                                  struct lib_text *text);

/* --- the steps of making a cube; bases (analysis/view/baseline.h) use them too --------------- */

/* Chooses runs and finds their keys. */
void analysis_cube_start(struct analysis_cube *cube, const struct analysis_view *view,
                         const struct traces_reader *frame);

/* Makes empty places, after all keys. */
void analysis_cube_lay_out(struct analysis_cube *cube);

/* Returns the place of the first value of a chosen run; the other values follow. */
size_t analysis_cube_find(const struct analysis_cube *cube,
                          const struct traces_reader *frame, size_t run);

/* Returns the number of a run in a column, divided by that in the column `per`; NaN without one. */
double analysis_cube_number(const struct analysis_view_spec *output,
                            const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

/* Adds a number to a place, unless it is NaN. */
void analysis_cube_put(struct analysis_cube *cube, size_t place, double number);

size_t analysis_cube_place_count(const struct analysis_cube *cube);

void analysis_cube_sum_up(struct analysis_cube *cube);

#endif
