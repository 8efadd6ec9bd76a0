/* A cube: what a table or figure shows, grouped and summed up. Runs have a place by three
 * keys - panel, series, row - and in each place there is a summary per value.
 *
 * A table has one panel, and its columns are the series; in a figure rows are places on the
 * x axis. */
#ifndef ANALYSIS_VIEW_CUBE_H
#define ANALYSIS_VIEW_CUBE_H

#include "analysis/summary.h"
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
};

struct analysis_place {
    LIB_VEC(double) numbers; /* sorted once they are summed up; owned */
    struct analysis_summary summary;
};

struct analysis_cube {
    const struct analysis_view *view;
    struct lib_arena *arena;
    struct analysis_keys keys[ANALYSIS_DIMENSIONS];
    struct analysis_place *places;
    size_t shown;   /* runs */
    size_t failed;  /* left out: not completed */
    size_t no_base; /* left out: there is nothing to compare them with */
};

/* The views of outputs. A figure can also be seen as a table: series are columns. */
struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table);
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure);

/* Says which columns the view needs: before traces_reader_load. */
void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame);

/* false: there would be more than ANALYSIS_CUBE_MOST places, and the cube is empty. Give
 * back with analysis_cube_free in either case. */
enum { ANALYSIS_CUBE_MOST = 1 << 22 };
bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame);
void analysis_cube_free(struct analysis_cube *cube);

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value);

/* Where a value is relative to a base: what it is then. "" or " (speedup)". */
const char *analysis_view_suffix(const struct analysis_view *view);

/* Adds how many runs are left out, and why; nothing if there are none: "left out: 2 that
 * failed". */
void analysis_cube_write_left_out(const struct analysis_cube *cube,
                                  const struct traces_reader *frame,
                                  struct lib_text *text);

#endif
