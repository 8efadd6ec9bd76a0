/* A chart is the content of a figure: data, kinds of marks, axes, a legend and reference lines. It
 * does not know where its numbers come from.
 *
 *     cube (results)  --cube_chart.h---+
 *     findings        --found_chart.h--+--> chart --plot.h--> script and data --gnuplot.h--> pdf
 *     gains           --gains_chart.h--+ */
#ifndef ANALYSIS_FIGURE_CHART_H
#define ANALYSIS_FIGURE_CHART_H

#include "analysis/view/view_spec.h"

/* maximum number of distinguishable curves in a panel */
enum { ANALYSIS_CHART_CURVES = 16 };

/* A point of a curve. On an axis of places with names instead of numbers, x or y is the index of a
 * place. */
struct analysis_point {
    double x, y, z;      /* in a box plot, y is the median; z is used by heat maps only */
    double low, high;    /* ends of the spread or of a box; NaN: none */
    double quartiles[2]; /* lower and upper quartile of a box; else unused */
    size_t runs;         /* number of runs that the point summarises */
};

/* The look of a curve: index of its colour, and index of its style (dash and point, or
 * hatching). */
struct analysis_look {
    size_t colour, style;
};

/* A part of the legend that names what the colours of curves mean, or what their styles mean. */
struct analysis_legend_key {
    const char *title; /* title over the names; "": none */
    const char *const *names;
    size_t count;
};

struct analysis_curve {
    LIB_VEC(struct analysis_point) points; /* owned; sorted by x */
};

/* An x at which runs of a curve failed. The curve has a gap there, and a cross is drawn. */
struct analysis_failed {
    double x;
    size_t curve;
};

struct analysis_axis;
struct analysis_panel {
    const char *title; /* title of the panel; "" if the chart has one panel */
    struct analysis_curve *curves;
    LIB_VEC(struct analysis_failed) failed; /* owned; sorted by curve, then by x */
    /* labels of the axes; NULL: the labels of the chart */
    const char *x_label, *y_label;
    const char *x_note;
    /* x axis of this panel; NULL: the x axis of the chart */
    const struct analysis_axis *x;

    /* Names of the curves of this panel, shown above it if there are several. NULL: curve_names of
     * the chart. */
    const char *const *curve_names;
    size_t curve_count;
};

/* Specification of an axis: its label, range, scale and places. */
struct analysis_axis {
    const char *label;
    const char *note; /* text after label and factor; may be "" */
    enum analysis_scale scale;
    struct analysis_range range;
    /* whether the numbers are chosen values of a setting or input; each then gets a tick */
    bool is_chosen;
    /* whether the axis ends at the greatest number, not at the next tick */
    bool ends_at_data;
    /* number of places with names; 0: the axis is a scale of numbers */
    size_t place_count;
    const char *const *places;
    bool has_numbers; /* whether the names of places are numbers */
    bool is_count;    /* whether the names of places are 0, 1, 2, ... */
    /* width of each place if they divide a scale that begins at 0; 0: they have names */
    double place_width;
};

/* A chart. All strings and arrays belong to `arena`. */
struct analysis_chart {
    struct lib_arena *arena;
    const char *name, *caption; /* base name of the chart's files; caption, may be "" */
    const char *data;
    enum analysis_figure_kind kind;
    enum analysis_axes axes;
    enum analysis_legend legend;
    bool has_spread;
    bool has_own_x; /* whether each panel has its own x axis */
    /* width in cm; 0: a column of a paper, or a page if panels are side by side */
    double width;
    double height; /* height of a heat map in cm; 0: by its number of rows */
    /* number of panels side by side; 0: 1 for up to three panels, else 2 */
    size_t beside;
    struct analysis_axis x, y, z;
    /* number of panels; of curves (or rows of a heat map) in each */
    size_t panel_count, curve_count;
    struct analysis_panel *panels;
    const char *const *curve_names;
    const char *const
        *data_names;          /* names of curves in the data file; NULL: curve_names */
    const char *legend_title; /* title over the names of curves in the legend, or "" */
    /* colour and style of each curve; NULL: each has its own */
    const struct analysis_look *looks;
    /* Meanings of colours and of styles; set if each combination of both has a curve. */
    struct analysis_legend_key keys[2];
    analysis_reference_list references; /* borrowed */
    /* number of points omitted because an axis cannot show them, such as 0 on a logarithmic axis */
    size_t hidden;
};

/* Initialises a chart with empty panels and curves. The caller sets all other members. */
void analysis_chart_start(struct analysis_chart *chart, size_t panels, size_t curves);
void analysis_chart_free(struct analysis_chart *chart);

/* Returns a chart of one panel, which borrows from `chart` and is not freed. */
struct analysis_chart analysis_chart_of_panel(const struct analysis_chart *chart,
                                              size_t panel);

/* Returns a note for an x axis of time. Each point stands for `width` cycles (or levels of depth);
 * `finest` is the smallest width for which there is data. The note belongs to the arena. It is:
 *
 *     ""                             if `width` is 1, else
 *     ", in steps of 64"             if `width` is at most `finest`, else
 *     ", in steps of 64 (greatest)"  if `thin` is ANALYSIS_THIN_MAX, else
 *     ", in steps of 64 (means)" */
const char *analysis_chart_steps_note(struct lib_arena *arena, uint64_t width,
                                      uint64_t finest, enum analysis_thin thin);

/* Adds a point to a curve, unless an axis cannot show it. */
void analysis_chart_add(struct analysis_chart *chart, size_t panel, size_t curve,
                        const struct analysis_point *point);

/* Marks that runs failed at x, unless the x axis cannot show it. */
void analysis_chart_add_failed(struct analysis_chart *chart, size_t panel, size_t curve,
                               double x);

/* Stacks bars, after all points were added. The bar of a point then extends from `low` to y. */
void analysis_chart_stack(struct analysis_chart *chart);

/* Replaces values by shares of a total. In each group of `curves` curves, the last one is the total
 * of which the others are parts. Afterwards the others are shares of it, and the last one is the
 * rest. Call this before analysis_chart_stack. */
void analysis_chart_share(struct analysis_chart *chart, size_t curves);

/* Returns the specification of the x axis of a panel. */
static inline const struct analysis_axis *
analysis_chart_x(const struct analysis_chart *chart, size_t panel)
{
    return chart->panels[panel].x ? chart->panels[panel].x : &chart->x;
}

/* Whether the curves of a chart are bars, side by side or stacked. */
static inline bool analysis_chart_has_bars(const struct analysis_chart *chart)
{
    return chart->kind == ANALYSIS_FIGURE_BARS || chart->kind == ANALYSIS_FIGURE_STACKED;
}

/* Returns the value of a point: z in a heat map, else y. */
double analysis_chart_value(const struct analysis_chart *chart,
                            const struct analysis_point *point);

/* Writes NAME.dat: a block for each curve of each panel, with two empty lines between blocks. A
 * line has:
 *
 *     boxes          x, least, quartile, median, quartile, greatest, number of runs
 *     heat maps      x, y, z, number of runs
 *     stacked bars   x, end of the part, begin of the part, high, number of runs
 *     others         x, value, low, high, number of runs
 *
 * The value is NaN where all runs failed, which breaks the curve. */
void analysis_chart_write_data(const struct analysis_chart *chart, struct lib_text *out);

#endif
