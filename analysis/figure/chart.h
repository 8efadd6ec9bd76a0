/* A chart: the content of a figure, independent of the source of its numbers. It has data, kinds of
 * marks, axes, a legend and reference lines, but no runs or keys.
 *
 *     cube (results)  --cube_chart.h---+
 *     findings        --found_chart.h--+--> chart --plot.h--> script and data --gnuplot.h--> pdf
 *     gains           --gains_chart.h--+ */
#ifndef ANALYSIS_FIGURE_CHART_H
#define ANALYSIS_FIGURE_CHART_H

#include "analysis/view/view_spec.h"

enum { ANALYSIS_CHART_CURVES = 16 }; /* curves that can be distinguished in one panel */

/* A point of a curve. Places on an axis of names are counted from 0. */
struct analysis_point {
    double x, y, z;      /* y is the median for a box; z is for heat maps only */
    double low, high;    /* spread, or ends of a box; NaN: none */
    double quartiles[2]; /* only for boxes */
    size_t runs;         /* number of runs behind the point */
};

/* Look of a curve, as numbers from 0 on: its colour; its dash and point, or its hatching. */
struct analysis_look {
    size_t colour, style;
};

/* Meaning of one property of curves, their colours or their styles: a key, with a name for each
 * number of the property. */
struct analysis_legend_key {
    const char *title; /* name of the key, or "" */
    const char *const *names;
    size_t count;
};

struct analysis_curve {
    LIB_VEC(struct analysis_point) points; /* owned; in the order of x */
};

/* A place where runs failed: a gap in a curve, with a mark. */
struct analysis_failed {
    double x;
    size_t curve;
};

struct analysis_axis;
struct analysis_panel {
    const char *title; /* "" if there is only one panel */
    struct analysis_curve *curves;
    LIB_VEC(struct analysis_failed) failed; /* owned; per curve, in the order of x */
    const char *x_label, *y_label;          /* NULL: those of the chart */
    const char *x_note;
    /* the panel's own x axis, or NULL: that of the chart */
    const struct analysis_axis *x;

    /* Names and number of the panel's own curves, shown above it if there are several. NULL: those
     * of the chart. */
    const char *const *curve_names;
    size_t curve_count;
};

/* Wanted properties of an axis. */
struct analysis_axis {
    const char *label;
    const char *note; /* text after label and factor, or "" */
    enum analysis_scale scale;
    struct analysis_range range;
    bool is_chosen;     /* numbers were chosen, not measured: ticks are at each */
    bool ends_at_data;  /* the axis ends at the last number, even without a tick there */
    size_t place_count; /* number of named places; 0: an axis of numbers */
    const char *const *places;
    bool has_numbers;   /* the names of places are numbers */
    bool is_count;      /* the places are 0, 1, 2, ... */
    double place_width; /* width of a place on an axis from 0 on; 0: places are names */
};

/* A chart. All strings and arrays live in the arena. */
struct analysis_chart {
    struct lib_arena *arena;
    const char *name, *caption; /* name of the chart's files; caption, or "" */
    const char *data;
    enum analysis_figure_kind kind;
    enum analysis_axes axes;
    enum analysis_legend legend;
    bool has_spread;
    bool has_own_x; /* each panel has its own x axis */
    double width;   /* cm; 0: that of a column, or of a page if panels are side by side */
    double height;  /* height of a heat map in cm; 0: by the number of its rows */
    size_t beside;  /* panels side by side; 0: 1 if up to three panels, else 2 */
    struct analysis_axis x, y, z;
    size_t panel_count,
        curve_count; /* number of panels; of curves, or rows of a heat map, in each */
    struct analysis_panel *panels;
    const char *const *curve_names;
    const char *const
        *data_names;          /* names of curves in the data file; NULL: curve_names */
    const char *legend_title; /* key whose values the curve names are, or "" */
    /* [curve_count]; NULL: each curve has its own look */
    const struct analysis_look *looks;
    /* colours and styles, if all combinations have curves */
    struct analysis_legend_key keys[2];
    analysis_reference_list references; /* borrowed */
    size_t hidden; /* number of points that a logarithmic axis cannot show */
};

/* Starts a chart with empty panels and curves. The caller sets the other members. */
void analysis_chart_start(struct analysis_chart *chart, size_t panels, size_t curves);
void analysis_chart_free(struct analysis_chart *chart);

/* Returns a chart of one panel that has its own names. It borrows from `chart`: do not free it. */
struct analysis_chart analysis_chart_of_panel(const struct analysis_chart *chart,
                                              size_t panel);

/* Returns the note of an x axis with steps of `width` places, if the finest data has steps of
 * `finest` places: ", in steps of 64 (means)". Lives in the arena. */
const char *analysis_chart_steps_note(struct lib_arena *arena, uint64_t width,
                                      uint64_t finest, enum analysis_thin thin);

/* Adds a point, unless an axis cannot show it. */
void analysis_chart_add(struct analysis_chart *chart, size_t panel, size_t curve,
                        const struct analysis_point *point);

/* Adds a place where runs failed, unless the x axis cannot show it. */
void analysis_chart_add_failed(struct analysis_chart *chart, size_t panel, size_t curve,
                               double x);

/* Stacks the curves of stacked bars, after all points were added: the bar of a point then extends
 * from `low` to y. */
void analysis_chart_stack(struct analysis_chart *chart);

/* Turns points into shares, before analysis_chart_stack. In each group of `curves` curves the last
 * one is the whole, by which the others are divided; it becomes the remainder. */
void analysis_chart_share(struct analysis_chart *chart, size_t curves);

/* Returns the wanted properties of a panel's x axis. */
static inline const struct analysis_axis *
analysis_chart_x(const struct analysis_chart *chart, size_t panel)
{
    return chart->panels[panel].x ? chart->panels[panel].x : &chart->x;
}

/* Whether a chart has bars, side by side or stacked. */
static inline bool analysis_chart_has_bars(const struct analysis_chart *chart)
{
    return chart->kind == ANALYSIS_FIGURE_BARS || chart->kind == ANALYSIS_FIGURE_STACKED;
}

/* Returns the value of a point: z in a heat map, else y. */
double analysis_chart_value(const struct analysis_chart *chart,
                            const struct analysis_point *point);

/* Writes NAME.dat: a block per curve, with two empty lines between blocks, in the order of panels
 * and curves. A line has:
 *
 *     boxes          x, least, quartile, median, quartile, greatest, number of runs
 *     heat maps      x, y, z, number of runs
 *     stacked bars   x, end of the part, begin of the part, high, number of runs
 *     others         x, value, low, high, number of runs
 *
 * The value is NaN where all runs failed, which breaks the curve. */
void analysis_chart_write_data(const struct analysis_chart *chart, struct lib_text *out);

#endif
