/* Tables and figures as specified in an experiment file, read and checked (doc/experiments.md,
 * Tables and figures). */
#ifndef ANALYSIS_VIEW_VIEW_SPEC_H
#define ANALYSIS_VIEW_VIEW_SPEC_H

#include "analysis/summary.h"
#include "analysis/condition/condition.h"
#include "analysis/view/labels.h"
#include "analysis/view/reference.h"
#include "lib/fields.h"
#include "traces/results/detail.h"

/* Comparison of a value with the value of another run, the base (analysis/view/baseline.h). */
enum analysis_relative {
    ANALYSIS_RELATIVE_RATIO,   /* value / base */
    ANALYSIS_RELATIVE_SPEEDUP, /* base / value */
    ANALYSIS_RELATIVE_PERCENT, /* 100 * (base - value) / base */
};

enum analysis_figure_kind {
    ANALYSIS_FIGURE_LINES,
    ANALYSIS_FIGURE_POINTS,
    ANALYSIS_FIGURE_BARS,
    ANALYSIS_FIGURE_BOXES,
    ANALYSIS_FIGURE_HEAT,
    ANALYSIS_FIGURE_STEPS,   /* a curve in which each value extends to the next x */
    ANALYSIS_FIGURE_STACKED, /* bars that consist of stacked parts */
};

enum analysis_scale { ANALYSIS_SCALE_LINEAR, ANALYSIS_SCALE_LOG2, ANALYSIS_SCALE_LOG10 };

/* Value of a step of a figure over time: the mean of its cycles, or their maximum. */
enum analysis_thin { ANALYSIS_THIN_MEAN, ANALYSIS_THIN_MAX };

/* Axes that are not shared by all panels: none; y (or colours); x; both. */
enum analysis_axes {
    ANALYSIS_AXES_SHARED,
    ANALYSIS_AXES_OWN,
    ANALYSIS_AXES_OWN_X,
    ANALYSIS_AXES_OWN_XY
};

enum analysis_legend {
    ANALYSIS_LEGEND_AUTO,
    ANALYSIS_LEGEND_DIRECT, /* each name is at the end of a line */
    ANALYSIS_LEGEND_INSIDE,
    ANALYSIS_LEGEND_RIGHT,
    ANALYSIS_LEGEND_BELOW,
    ANALYSIS_LEGEND_NONE,
};

/* Ends of an axis. An end that is NaN is chosen from the data. */
struct analysis_range {
    double least, greatest;
};

typedef LIB_VEC(const struct traces_column *) analysis_column_list;

/* Properties that both tables and figures have. */
struct analysis_view_spec {
    const char *name, *caption; /* `caption` may be "" */
    struct lib_pos pos;
    analysis_column_list values; /* columns of numbers to show; the y axis of a figure */
    unsigned of, spread; /* summary and spread: enum analysis_of, enum analysis_spread */
    /* whether the file specifies `of`; if so, numbers may be means over parameters */
    bool has_of;
    struct analysis_condition *where; /* runs to show; NULL: all */
    struct analysis_condition *base;  /* runs to compare with; NULL: no comparison */
    unsigned relative;                /* how to compare: enum analysis_relative */
    /* column by which values are divided; empty: none */
    analysis_column_list per;
    /* whether `values` are columns of details (such as time steps), not of runs */
    bool is_detailed;
    enum traces_detail detail;
    unsigned thin; /* what a step over time shows: enum analysis_thin */
    /* labels of this table or figure; their member `outer` has the labels of all outputs */
    struct analysis_labels labels;
};

/* Headings of CSV: names and values as in the results, or labels instead. */
enum analysis_heads { ANALYSIS_HEADS_NAMES, ANALYSIS_HEADS_LABELS };

/* Form of labels in LaTeX: plain text with special characters escaped, or LaTeX code. */
enum analysis_latex { ANALYSIS_LATEX_ESCAPED, ANALYSIS_LATEX_RAW };

struct analysis_table_spec {
    struct analysis_view_spec common;
    /* columns whose values are keys of rows and of columns; `columns` may be empty */
    analysis_column_list rows, columns;
    /* an enum analysis_of for each summary row at the bottom of the table */
    LIB_VEC(unsigned) below;
    uint64_t digits;
    unsigned heads; /* headings of CSV: enum analysis_heads */
    unsigned latex; /* how labels become LaTeX: enum analysis_latex */
};

struct analysis_figure {
    struct analysis_view_spec common;
    unsigned kind;             /* enum analysis_figure_kind */
    analysis_column_list x, z; /* one column each; `z`, the colour, only for heat maps */
    analysis_column_list by, panels;
    /* total height of stacked bars; also the last of `values` */
    analysis_column_list whole;
    /* labels of the axes; NULL: name and unit of the column */
    const char *x_label, *y_label, *z_label;
    unsigned x_scale, y_scale, z_scale; /* enum analysis_scale */
    struct analysis_range x_range, y_range, z_range;
    double width;    /* width in cm; 0: as wide as the panels need */
    uint64_t beside; /* number of panels side by side; 0: chosen automatically */
    unsigned axes;   /* enum analysis_axes */
    unsigned legend; /* enum analysis_legend */
    analysis_reference_list references;
};

struct analysis_view_specs {
    LIB_VEC(struct analysis_table_spec) tables;
    LIB_VEC(struct analysis_figure) figures;
    /* columns that tables and figures can show; borrowed */
    const struct traces_columns *columns;
    /* labels for all tables and figures; in the arena of the reader; or NULL */
    struct analysis_labels *labels;
};

/* The keys of a table and of a figure in an experiment file. */
extern const struct lib_field_table analysis_table_keys, analysis_figure_keys;

/* Reads the labels for all tables and figures from entry `i` of the file, the key `labels`. Call
 * this before tables and figures are read. */
void analysis_view_specs_read_labels(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs);

/* Read the tables or figures from entry `i` of the file, the key `tables` or `figures`.
 * `outputs->columns` must be set. */
void analysis_view_specs_read_tables(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs);
void analysis_view_specs_read_figures(struct lib_fields *r, size_t i,
                                      struct analysis_view_specs *outputs);

/* Whether each value of x has its own place on the x axis, instead of a numeric scale. */
bool analysis_figure_has_places(const struct analysis_figure *figure);

void analysis_view_specs_free(struct analysis_view_specs *outputs);

#endif
