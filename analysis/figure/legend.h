/* The legend of a chart: how large it is, and where it stands. Lengths are in cm. */
#ifndef ANALYSIS_FIGURE_LEGEND_H
#define ANALYSIS_FIGURE_LEGEND_H

#include "analysis/figure/room.h"

/* Names in columns, with the title in front of the only line, or in a line of its own. */
struct analysis_legend_form {
    size_t columns, lines;
    bool title_in_front;
    double column; /* width of one, with the gap behind it */
    double title;  /* width, with the gap behind it; 0: none */
    double width, height;
};

/* Of so many columns, from 1 on. */
struct analysis_legend_form analysis_legend_form(const struct analysis_chart *chart,
                                                 size_t columns);

/* Of as many columns as a width has room for. */
struct analysis_legend_form analysis_legend_fit(const struct analysis_chart *chart,
                                                double width);

/* The form and the place of a legend inside a panel. false: there is no room. */
bool analysis_legend_find(const struct analysis_chart *chart,
                          const struct analysis_room *room,
                          struct analysis_legend_form *form, struct analysis_box *box);

/* --- names at the ends of lines ----------------------------------------------------------- */

enum { ANALYSIS_LEGEND_ENDS = 6 }; /* at most */

/* Heights of the names in a panel, from below, of each curve; they are moved apart a little.
 * false: the lines do not end at one place, or too near to each other. */
bool analysis_legend_ends(const struct analysis_chart *chart, size_t panel,
                          const struct analysis_plot_axis *y, double *heights);

/* The width of the widest name, or of the title. */
double analysis_legend_ends_width(const struct analysis_chart *chart);

/* --- commands ----------------------------------------------------------------------------- */

/* The size of the figure, of which places are shares. */
struct analysis_sheet_size {
    double width, height;
};

/* With its upper left corner at a place of the figure, from its lower left corner. */
void analysis_legend_write(const struct analysis_chart *chart,
                           const struct analysis_legend_form *form,
                           const struct analysis_sheet_size *size, double left,
                           double top, struct lib_text *out);

/* Names beside a panel whose axes end at a place; of the first panel the title is over the
 * highest. */
void analysis_legend_write_ends(const struct analysis_chart *chart, size_t panel,
                                const double *heights,
                                const struct analysis_sheet_size *size, double left,
                                double bottom, struct lib_text *out);

#endif
