/* A figure on its way to gnuplot: a file of data and a script that draws it, at the width
 * of a column of a paper. Both depend on the results alone.
 *
 * The data: a block per curve, two empty lines between, in the order of panels, series and
 * values. A line is x, value, low, high, number of runs; of boxes x, least, quartile,
 * median, quartile, greatest, number of runs; of a heat map x, y, z, number of runs. Where x
 * is no number, or bars stand there, x is a place, from 0, whose name is in the script. */
#ifndef ANALYSIS_FIGURE_PLOT_H
#define ANALYSIS_FIGURE_PLOT_H

#include "analysis/view/cube.h"

enum { ANALYSIS_PLOT_CURVES = 16 }; /* that can be told apart in one panel */

/* Columns of data of one panel: curves are series times values. */
struct analysis_plot {
    const struct analysis_figure *figure;
    const struct analysis_cube *cube;
    struct lib_arena *arena;
    bool has_places;  /* x is a place, not a number */
    size_t *rows;     /* in the order of x */
    size_t *series;   /* of a heat map in the order of y, else as they are */
    size_t hidden;    /* values that a logarithmic axis cannot show */
    const char *data; /* the name of the file of data */
};

/* Puts the data in order. `plot` borrows all but the arena. */
void analysis_plot_start(struct analysis_plot *plot, const struct analysis_figure *figure,
                         const struct analysis_cube *cube);
void analysis_plot_end(struct analysis_plot *plot);

size_t analysis_plot_panels(const struct analysis_plot *plot);
size_t analysis_plot_curves(const struct analysis_plot *plot);
/* The summary at a place of a curve: rows in the order of x. */
const struct analysis_place *analysis_plot_place(const struct analysis_plot *plot,
                                                 size_t panel, size_t curve, size_t row);
/* Where row stands on the x axis. */
double analysis_plot_x(const struct analysis_plot *plot, size_t row);
/* Whether its axes can show a place; if not, it is not drawn. */
bool analysis_plot_shows(const struct analysis_plot *plot, size_t row,
                         const struct analysis_place *place);

void analysis_plot_write_data(struct analysis_plot *plot, struct lib_text *out);
/* The script: draws NAME.pdf and NAME.svg from NAME.dat in its folder. */
void analysis_plot_write_script(const struct analysis_plot *plot, struct lib_text *out);

#endif
