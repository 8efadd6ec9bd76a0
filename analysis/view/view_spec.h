/* Specifications of the tables and figures of an experiment, read and checked (doc/experiments.md,
 * Tables and figures). */
#ifndef ANALYSIS_VIEW_VIEW_SPEC_H
#define ANALYSIS_VIEW_VIEW_SPEC_H

#include "analysis/summary.h"
#include "analysis/condition/condition.h"
#include "analysis/view/labels.h"
#include "analysis/view/reference.h"
#include "lib/fields.h"
#include "traces/results/detail.h"

/* Comparison of a value with its base (analysis/view/baseline.h). */
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
    ANALYSIS_FIGURE_STEPS,   /* each value extends to the next x */
    ANALYSIS_FIGURE_STACKED, /* bars of stacked parts */
};

enum analysis_scale { ANALYSIS_SCALE_LINEAR, ANALYSIS_SCALE_LOG2, ANALYSIS_SCALE_LOG10 };

/* What a step of a figure over time shows of the cycles it covers: their mean, or their maximum. */
enum analysis_thin { ANALYSIS_THIN_MEAN, ANALYSIS_THIN_MAX };

/* Axes that each panel has for itself: none; that of values and colours; that of time; both. */
enum analysis_axes {
    ANALYSIS_AXES_SHARED,
    ANALYSIS_AXES_OWN,
    ANALYSIS_AXES_OWN_X,
    ANALYSIS_AXES_OWN_XY
};

enum analysis_legend {
    ANALYSIS_LEGEND_AUTO,
    ANALYSIS_LEGEND_DIRECT, /* names at the ends of lines */
    ANALYSIS_LEGEND_INSIDE,
    ANALYSIS_LEGEND_RIGHT,
    ANALYSIS_LEGEND_BELOW,
    ANALYSIS_LEGEND_NONE,
};

/* Ends of an axis; NaN: chosen from the data. */
struct analysis_range {
    double least, greatest;
};

typedef LIB_VEC(const struct traces_column *) analysis_column_list;

/* Properties that tables and figures have in common. */
struct analysis_view_spec {
    const char *name, *caption; /* `caption` may be "" */
    struct lib_pos pos;
    analysis_column_list values; /* columns of numbers to show; y of a figure */
    unsigned of, spread;         /* enum analysis_of, enum analysis_spread */
    bool has_of; /* the file has `of`: runs behind a number may differ in parameters */
    struct analysis_condition *where; /* runs to show; NULL: all */
    struct analysis_condition *base;  /* runs to compare with; NULL: no comparison */
    unsigned relative;                /* enum analysis_relative */
    analysis_column_list per; /* at most one column, by which values are divided */
    bool is_detailed;         /* `values` are columns of `detail`, not of runs */
    enum traces_detail detail;
    unsigned thin;                 /* enum analysis_thin */
    struct analysis_labels labels; /* own labels; `outer` are those of all outputs */
};

/* Headings of CSV: names and values as in the results, or their labels. */
enum analysis_heads { ANALYSIS_HEADS_NAMES, ANALYSIS_HEADS_LABELS };

/* Labels in LaTeX: plain text, whose special characters are escaped, or LaTeX code. */
enum analysis_latex { ANALYSIS_LATEX_ESCAPED, ANALYSIS_LATEX_RAW };

struct analysis_table_spec {
    struct analysis_view_spec common;
    analysis_column_list rows, columns; /* `columns` may be empty */
    LIB_VEC(unsigned) below;            /* an enum analysis_of per row below the others */
    uint64_t digits;
    unsigned heads; /* enum analysis_heads */
    unsigned latex; /* enum analysis_latex */
};

struct analysis_figure {
    struct analysis_view_spec common;
    unsigned kind;             /* enum analysis_figure_kind */
    analysis_column_list x, z; /* one column each; `z` only for heat maps */
    analysis_column_list by, panels;
    analysis_column_list whole; /* height of stacked bars, which is also the last value */
    const char *x_label, *y_label, *z_label; /* NULL: name and unit of the column */
    unsigned x_scale, y_scale, z_scale;      /* enum analysis_scale */
    struct analysis_range x_range, y_range, z_range;
    double width;    /* cm; 0: as wide as the panels need */
    uint64_t beside; /* panels side by side; 0: the usual number */
    unsigned axes;   /* enum analysis_axes */
    unsigned legend; /* enum analysis_legend */
    analysis_reference_list references;
};

struct analysis_view_specs {
    LIB_VEC(struct analysis_table_spec) tables;
    LIB_VEC(struct analysis_figure) figures;
    const struct traces_columns *columns; /* columns that can be shown; borrowed */
    struct analysis_labels *labels; /* labels of all outputs, in the arena; or NULL */
};

/* The keys of a table, and of a figure, in an experiment file. */
extern const struct lib_field_table analysis_table_keys, analysis_figure_keys;

/* Reads the key `labels`, entry `i` of the file. It must be read before tables and figures. */
void analysis_view_specs_read_labels(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs);

/* Read the key `tables` or `figures`, entry `i` of the file. `outputs->columns` must be set. */
void analysis_view_specs_read_tables(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs);
void analysis_view_specs_read_figures(struct lib_fields *r, size_t i,
                                      struct analysis_view_specs *outputs);

/* Whether the x axis has a place per value instead of a numeric scale. */
bool analysis_figure_has_places(const struct analysis_figure *figure);

void analysis_view_specs_free(struct analysis_view_specs *outputs);

#endif
