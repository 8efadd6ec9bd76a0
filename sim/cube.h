/* A cube: what a table or figure shows, grouped and summed up. Runs have a place by three
 * keys - panel, series, row - and in each place there is a summary per value.
 *
 * A table has one panel, and its columns are the series; in a figure rows are places on the
 * x axis. */
#ifndef SIM_CUBE_H
#define SIM_CUBE_H

#include "analysis/summary.h"
#include "sim/keys.h"

enum sim_dimension { SIM_PANEL, SIM_SERIES, SIM_ROW, SIM_DIMENSIONS };

/* What is to be shown; everything is borrowed. */
struct sim_view {
    const struct sim_output *output; /* name, of, spread, where, ... */
    const analysis_column_list *dimensions[SIM_DIMENSIONS]; /* may be empty */
    const analysis_column_list *values;
};

struct sim_place {
    LIB_VEC(double) numbers; /* sorted once they are summed up; owned */
    struct analysis_summary summary;
};

struct sim_cube {
    const struct sim_view *view;
    struct lib_arena *arena;
    struct sim_keys keys[SIM_DIMENSIONS];
    struct sim_place *places;
    size_t shown;   /* runs */
    size_t failed;  /* left out: not completed */
    size_t no_base; /* left out: there is nothing to compare them with */
};

/* The views of outputs. A figure can also be seen as a table: series are columns. */
struct sim_view sim_view_of_table(const struct sim_table_output *table);
struct sim_view sim_view_of_figure(const struct sim_figure *figure);

/* Says which columns the view needs: before traces_reader_load. */
void sim_view_want(const struct sim_view *view, struct traces_reader *frame);

/* false: there would be more than SIM_CUBE_MOST places, and the cube is empty. Give back
 * with sim_cube_free in either case. */
enum { SIM_CUBE_MOST = 1 << 22 };
bool sim_cube_make(struct sim_cube *cube, const struct sim_view *view,
                   const struct traces_reader *frame);
void sim_cube_free(struct sim_cube *cube);

const struct sim_place *sim_cube_place(const struct sim_cube *cube, size_t panel,
                                       size_t series, size_t row, size_t value);

/* Where a value is relative to a base: what it is then. "" or " (speedup)". */
const char *sim_view_suffix(const struct sim_view *view);

/* Adds how many runs are left out, and why; nothing if there are none: "left out: 2 that
 * failed". */
void sim_cube_write_left_out(const struct sim_cube *cube,
                             const struct traces_reader *frame, struct lib_text *text);

#endif
