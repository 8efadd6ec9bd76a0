/* The tables and figures that an experiment asks for: read and checked; made by whoever
 * shows results (doc/experiments.md, Tables and figures). */
#ifndef ANALYSIS_VIEW_VIEW_SPEC_H
#define ANALYSIS_VIEW_VIEW_SPEC_H

#include "analysis/summary.h"
#include "analysis/condition/condition.h"
#include "analysis/view/labels.h"
#include "analysis/view/reference.h"
#include "lib/fields.h"
#include "traces/results/detail.h"

/* Values relative to those of the runs for which a condition holds. */
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
    ANALYSIS_FIGURE_STEPS,   /* each value holds up to the next x */
    ANALYSIS_FIGURE_STACKED, /* bars of parts, one on the other */
};

enum analysis_scale { ANALYSIS_SCALE_LINEAR, ANALYSIS_SCALE_LOG2, ANALYSIS_SCALE_LOG10 };

/* What a step of a figure shows of the cycles that it stands for. */
enum analysis_thin { ANALYSIS_THIN_MEAN, ANALYSIS_THIN_MAX, ANALYSIS_THIN_COUNT };
extern const char *const analysis_thin_names[ANALYSIS_THIN_COUNT];

/* Whether all panels have one scale of values and colours, or each its own. */
enum analysis_axes { ANALYSIS_AXES_SHARED, ANALYSIS_AXES_OWN };

enum analysis_legend {
    ANALYSIS_LEGEND_AUTO,
    ANALYSIS_LEGEND_DIRECT, /* names at the ends of lines */
    ANALYSIS_LEGEND_INSIDE,
    ANALYSIS_LEGEND_RIGHT,
    ANALYSIS_LEGEND_BELOW,
    ANALYSIS_LEGEND_NONE,
};

/* The ends of an axis; NaN: as the data needs. */
struct analysis_range {
    double least, greatest;
};

/* Columns, in the order given. */
typedef LIB_VEC(const struct traces_column *) analysis_column_list;

/* What tables and figures have in common. */
struct analysis_view_spec {
    const char *name, *caption; /* caption: "" if not given */
    struct lib_pos pos;
    analysis_column_list values;      /* y of a figure; numbers */
    unsigned of, spread;              /* enum analysis_of, enum analysis_spread */
    bool has_of;                      /* `of` was given: runs may differ in parameters */
    struct analysis_condition *where; /* or NULL: all */
    struct analysis_condition *base;  /* or NULL: values are shown as they are */
    unsigned relative;                /* enum analysis_relative */
    analysis_column_list
        per; /* at most one: the values of a run are divided by its number there */
    bool is_detailed; /* values are of a detail, and places beside runs */
    enum traces_detail detail;
    unsigned thin;                 /* enum analysis_thin */
    struct analysis_labels labels; /* of columns and values; within those of all */
};

/* What CSV shows: names and values as in the results, or labels. */
enum analysis_heads { ANALYSIS_HEADS_NAMES, ANALYSIS_HEADS_LABELS };

struct analysis_table_spec {
    struct analysis_view_spec common;
    analysis_column_list rows, columns; /* columns may be empty */
    LIB_VEC(unsigned) below;            /* enum analysis_of: rows below the others */
    uint64_t digits;
    unsigned heads; /* enum analysis_heads */
};

struct analysis_figure {
    struct analysis_view_spec common;
    unsigned kind;             /* enum analysis_figure_kind */
    analysis_column_list x, z; /* one each; z of a heat map only */
    analysis_column_list by, panels;
    analysis_column_list whole; /* one, of stacked bars; then also the last value */
    const char *x_label, *y_label, *z_label; /* NULL: name and unit */
    unsigned x_scale, y_scale;               /* enum analysis_scale */
    struct analysis_range x_range, y_range, z_range;
    unsigned axes;   /* enum analysis_axes */
    unsigned legend; /* enum analysis_legend */
    analysis_reference_list references;
};

struct analysis_view_specs {
    LIB_VEC(struct analysis_table_spec) tables;
    LIB_VEC(struct analysis_figure) figures;
    const struct traces_columns *columns; /* borrowed: what may be shown */
    struct analysis_labels *labels;       /* of all of them; the arena's; NULL: none */
};

/* The keys of a table, and of a figure. */
extern const struct lib_field_table analysis_table_keys, analysis_figure_keys;
/* Reads the value of `labels`, entry `i`, which stands before tables and figures are read. */
void analysis_view_specs_read_labels(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs);

/* Reads the value of `tables` or `figures`, entry `i`. `outputs->columns` is set. */
void analysis_view_specs_read_tables(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs);
void analysis_view_specs_read_figures(struct lib_fields *r, size_t i,
                                      struct analysis_view_specs *outputs);
/* Whether x is a place of its own for each value, not a number. */
bool analysis_figure_has_places(const struct analysis_figure *figure);

void analysis_view_specs_free(struct analysis_view_specs *outputs);

#endif
