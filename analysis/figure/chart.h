/* A chart: a figure as it is drawn, wherever its numbers come from - columns of data, the marks
 * that show them, axes, legend, reference lines. It knows nothing of runs or keys: who has
 * numbers fills one (analysis/figure/cube_chart.h), and analysis/figure/plot.h draws it. */
#ifndef ANALYSIS_FIGURE_CHART_H
#define ANALYSIS_FIGURE_CHART_H

#include "analysis/view/view_spec.h"

enum { ANALYSIS_CHART_CURVES = 16 }; /* that can be told apart in one panel */

/* A line of data. Where x is a place, it is counted from 0; of a heat map y is too. */
struct analysis_point {
    double x, y, z;   /* y of boxes: the median; z of heat maps only */
    double low, high; /* of the spread, of boxes the least and the greatest; NaN: none */
    double quartiles[2]; /* of boxes only */
    size_t runs;         /* that are summed up in it */
};

struct analysis_curve {
    LIB_VEC(struct analysis_point) points; /* owned, in the order of x */
};

/* A place where runs failed: a gap in a curve, and a mark. */
struct analysis_failed {
    double x;
    size_t curve;
};

struct analysis_panel {
    const char *title; /* "" of a single one */
    struct analysis_curve *curves;
    LIB_VEC(struct analysis_failed) failed; /* owned, of each curve in the order of x */
    const char *x_label, *y_label;          /* NULL: those of the chart */
    const char *x_note;
    /* What its curves are called, and how many of them it has; NULL: as all panels. Else they
     * are named over the panel, where they are several. */
    const char *const *curve_names;
    size_t curve_count;
};

/* What an axis shall be. */
struct analysis_axis {
    const char *label;
    const char
        *note; /* behind the label, and the power that numbers are divided by; or "" */
    enum analysis_scale scale;
    struct analysis_range range;
    bool is_chosen;     /* its numbers were chosen, not measured: ticks stand at them */
    size_t place_count; /* of an axis of places */
    const char *const *places;
    bool has_numbers;   /* as names of places */
    bool is_count;      /* the places are 0, 1, 2, ... */
    double place_width; /* a place is so much of an axis from 0 on; 0: it is a name */
};

/* All texts and arrays are the arena's. */
struct analysis_chart {
    struct lib_arena *arena;
    const char *name, *caption; /* of its files; caption: "" if there is none */
    const char *data;           /* the name of the file of data */
    enum analysis_figure_kind kind;
    enum analysis_axes axes;
    enum analysis_legend legend;
    bool has_spread;
    bool has_own_x; /* each panel has an x axis of its own */
    struct analysis_axis x, y, z;
    size_t panel_count, curve_count; /* curves: of each panel; of a heat map its rows */
    struct analysis_panel *panels;
    const char *const *curve_names;
    const char *legend_title;           /* what the names are values of, or "" */
    analysis_reference_list references; /* borrowed */
    size_t hidden; /* points that a logarithmic axis cannot show, left out */
};

/* With an arena and room for so many panels and curves, all else to be filled in. */
void analysis_chart_start(struct analysis_chart *chart, size_t panels, size_t curves);
void analysis_chart_free(struct analysis_chart *chart);

/* The chart that a panel of its own names makes alone: to be looked at, and not freed. */
struct analysis_chart analysis_chart_of_panel(const struct analysis_chart *chart,
                                              size_t panel);

/* The note of an x axis whose numbers are steps, each of `width` places, where some of what is
 * shown is `finest` places apart: ", in steps of 64 (means)". The arena's. */
const char *analysis_chart_steps_note(struct lib_arena *arena, uint64_t width,
                                      uint64_t finest, enum analysis_thin thin);

/* Adds a point that its axes can show. */
void analysis_chart_add(struct analysis_chart *chart, size_t panel, size_t curve,
                        const struct analysis_point *point);

/* Adds a place of runs that failed, if the x axis can show it. */
void analysis_chart_add_failed(struct analysis_chart *chart, size_t panel, size_t curve,
                               double x);

/* Of stacked bars: puts each curve on those before it, when all points are there. `low` is then
 * where its part begins, and y where that ends. */
void analysis_chart_stack(struct analysis_chart *chart);

/* Before that: makes the points shares. Of each `curves` curves that follow each other the last
 * one is the whole of which the others are parts, and becomes what remains of it. */
void analysis_chart_share(struct analysis_chart *chart, size_t curves);

/* Whether bars stand on the axis: one beside the other, or one on the other. */
static inline bool analysis_chart_has_bars(const struct analysis_chart *chart)
{
    return chart->kind == ANALYSIS_FIGURE_BARS || chart->kind == ANALYSIS_FIGURE_STACKED;
}

/* What is drawn of a point on the axis of values: z of a heat map, else y. */
double analysis_chart_value(const struct analysis_chart *chart,
                            const struct analysis_point *point);

/* NAME.dat: a block per curve, two empty lines between, in the order of panels and curves. A
 * line is x, value, low, high, number of runs; of boxes x, least, quartile, median, quartile,
 * greatest, number of runs; of a heat map x, y, z, number of runs; of stacked bars value is where
 * a part ends, and low where it begins. Where all
 * runs failed the value is NaN, which breaks the line. */
void analysis_chart_write_data(const struct analysis_chart *chart, struct lib_text *out);

#endif
