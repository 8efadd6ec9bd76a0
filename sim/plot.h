/* A figure on its way to gnuplot: a file of data and a script that draws it, at the width
 * of a column of a paper. Both depend on the results alone.
 *
 * The data: a block per curve, two empty lines between, in the order of panels, series and
 * values. A line is x, value, low, high, number of runs; of boxes x, least, quartile,
 * median, quartile, greatest, number of runs; of a heat map x, y, z, number of runs. Where x
 * is no number, or bars stand there, x is a place, from 0, whose name is in the script. */
#ifndef SIM_PLOT_H
#define SIM_PLOT_H

#include "analysis/view/cube.h"

enum { SIM_PLOT_CURVES = 16 }; /* that can be told apart in one panel */

/* Columns of data of one panel: curves are series times values. */
struct sim_plot {
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
void sim_plot_start(struct sim_plot *plot, const struct analysis_figure *figure,
                    const struct analysis_cube *cube);
void sim_plot_end(struct sim_plot *plot);

size_t sim_plot_panels(const struct sim_plot *plot);
size_t sim_plot_curves(const struct sim_plot *plot);
/* The summary at a place of a curve: rows in the order of x. */
const struct analysis_place *sim_plot_place(const struct sim_plot *plot, size_t panel,
                                            size_t curve, size_t row);
/* Where row stands on the x axis. */
double sim_plot_x(const struct sim_plot *plot, size_t row);
/* Whether its axes can show a place; if not, it is not drawn. */
bool sim_plot_shows(const struct sim_plot *plot, size_t row,
                    const struct analysis_place *place);

void sim_plot_write_data(struct sim_plot *plot, struct lib_text *out);
/* The script: draws NAME.pdf and NAME.svg from NAME.dat in its folder. */
void sim_plot_write_script(const struct sim_plot *plot, struct lib_text *out);

#endif
