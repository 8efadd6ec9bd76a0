/* A cube: what a table or figure shows, grouped and summed up. Runs have a place by three
 * keys - panel, series, row - and in each place there is a summary per value.
 *
 * A table has one panel, and its columns are the series; in a figure rows are places on the
 * x axis. */
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

/* What is to be shown; everything is borrowed. */
struct analysis_view {
    const struct analysis_view_spec *output; /* name, of, spread, where, ... */
    const analysis_column_list *dimensions[ANALYSIS_DIMENSIONS]; /* may be empty */
    const analysis_column_list *values;
    bool marks_failed;    /* failed runs have keys too, and their places are marked */
    bool shows_each;      /* each number of a place is shown, not their summary */
    bool shows_quartiles; /* instead of what `of` says */
    const char *shown_by; /* the keys that add a dimension: "`rows` or `columns`" */
};

struct analysis_place {
    LIB_VEC(double) numbers; /* sorted once they are summed up; owned */
    struct analysis_summary summary;
    size_t failed; /* failed runs, if the view marks them; kept at the first value */
};

struct analysis_cube {
    const struct analysis_view *view;
    struct lib_arena *arena;
    LIB_VEC(size_t) runs; /* owned: completed ones for which `where` holds, in order */
    LIB_VEC(size_t) failed_runs; /* owned: failed ones, if the view marks them */
    struct analysis_keys keys[ANALYSIS_DIMENSIONS];
    struct analysis_place *places;
    struct analysis_details *details; /* owned; NULL: a row is a run */
    size_t shown;                     /* runs, or parts of them */
    size_t failed;                    /* left out: not completed */
    size_t no_base; /* left out: there is nothing to compare them with */
    const char
        *apart; /* columns in which one of no_base differs from the nearest base; or "" */
    analysis_column_list across; /* owned: inputs in which runs differ from their bases */
    struct analysis_hidden hidden; /* owned: parameters that the numbers are means over */
    const char *hidden_text;       /* those with some of their values; or "" */
};

/* The views of outputs. A figure can also be seen as a table: series are columns. */
struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table);
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure);

/* Says which columns the view needs: before traces_reader_load. */
void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame);

/* false: there would be more than ANALYSIS_CUBE_MAX places, and the cube is empty. Give
 * back with analysis_cube_free in either case. */
enum { ANALYSIS_CUBE_MAX = 1 << 22 };
bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame);
/* The same of the rows of a view of details, which are read; false also after an error of the
 * store. */
bool analysis_cube_make_of_details(struct analysis_cube *cube,
                                   const struct analysis_view *view,
                                   struct traces_reader *runs);
void analysis_cube_free(struct analysis_cube *cube);

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value);

/* Whether runs with different parameters come to one number, and no `of` asks for it. Such a cube
 * must not be shown. */
bool analysis_cube_hides(const struct analysis_cube *cube);

/* Adds what such a cube hides, and what to do about it: "`times`: a number would be the mean over
 * `n` (1, 2); add ...". */
void analysis_cube_write_hidden(const struct analysis_cube *cube, struct lib_text *text);

/* Returns the text behind the name of a value: what it is per, how it is compared, and which
 * parameters it is a mean over. "", " (speedup)", " (speedup, geometric mean over program)", "
 * (ratio, across n)" where bases have another n. `labels` may be NULL. The text is the
 * arena's. */
const char *analysis_cube_suffix(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);
/* Returns the inputs in which runs differ from their bases: ", across n", or "". */
const char *analysis_cube_across(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena);
/* Returns what the numbers are means over: "geometric mean over program", "mean of 4 repetitions",
 * or "". */
const char *analysis_cube_over(const struct analysis_cube *cube,
                               const struct analysis_labels *labels,
                               struct lib_arena *arena);

/* Sums up a value of a series over all rows. Returns NaN unless each row has the value. */
double analysis_cube_below(const struct analysis_cube *cube, size_t series, size_t value,
                           enum analysis_of of);

/* Adds how many runs are left out, and why; nothing if there are none: "left out: 2 that
 * failed". */
void analysis_cube_write_left_out(const struct analysis_cube *cube,
                                  const struct traces_reader *frame,
                                  struct lib_text *text);

/* --- its steps, of which bases (analysis/view/baseline.h) are made too
 * -------------------------------- */

/* Chooses runs and finds their keys. */
void analysis_cube_start(struct analysis_cube *cube, const struct analysis_view *view,
                         const struct traces_reader *frame);

/* Makes empty places, once the keys are there. */
void analysis_cube_lay_out(struct analysis_cube *cube);

/* The place of the first value of a run that was chosen; the other values follow. */
size_t analysis_cube_find(const struct analysis_cube *cube,
                          const struct traces_reader *frame, size_t run);

/* The number of a run in a column, divided by what the output shows it per; NaN if there is
 * none. */
double analysis_cube_number(const struct analysis_view_spec *output,
                            const struct traces_reader *frame, size_t run,
                            const struct traces_column *column);

/* Adds a number to a place; NaN is none. */
void analysis_cube_put(struct analysis_cube *cube, size_t place, double number);

size_t analysis_cube_place_count(const struct analysis_cube *cube);

void analysis_cube_sum_up(struct analysis_cube *cube);

#endif
