/* The tables and figures that an experiment asks for: read and checked; made by whoever
 * shows results (doc/experiments.md, Tables and figures). */
#ifndef SIM_OUTPUTS_H
#define SIM_OUTPUTS_H

#include "analysis/summary.h"
#include "lib/fields.h"
#include "sim/condition.h"

/* Values relative to those of the runs for which a condition holds. */
enum sim_relative {
    SIM_RELATIVE_RATIO,   /* value / base */
    SIM_RELATIVE_SPEEDUP, /* base / value */
    SIM_RELATIVE_PERCENT, /* 100 * (base - value) / base */
};

enum sim_figure_kind {
    SIM_FIGURE_LINES,
    SIM_FIGURE_POINTS,
    SIM_FIGURE_BARS,
    SIM_FIGURE_BOXES,
    SIM_FIGURE_HEAT,
};

enum sim_scale { SIM_SCALE_LINEAR, SIM_SCALE_LOG2, SIM_SCALE_LOG10 };

/* Columns, in the order given. */
typedef LIB_VEC(const struct traces_column *) analysis_column_list;

/* What tables and figures have in common. */
struct sim_output {
    const char *name, *caption; /* caption: "" if not given */
    struct lib_pos pos;
    analysis_column_list values; /* y of a figure; numbers */
    unsigned of, spread;         /* enum analysis_of, enum analysis_spread */
    struct sim_condition *where; /* or NULL: all */
    struct sim_condition *base;  /* or NULL: values are shown as they are */
    unsigned relative;           /* enum sim_relative */
};

struct sim_table_output {
    struct sim_output common;
    analysis_column_list rows, columns; /* columns may be empty */
    uint64_t digits;
};

struct sim_figure {
    struct sim_output common;
    unsigned kind;             /* enum sim_figure_kind */
    analysis_column_list x, z; /* one each; z of a heat map only */
    analysis_column_list by, panels;
    const char *x_label, *y_label; /* NULL: name and unit */
    unsigned x_scale, y_scale;     /* enum sim_scale */
};

struct sim_outputs {
    LIB_VEC(struct sim_table_output) tables;
    LIB_VEC(struct sim_figure) figures;
    const struct traces_columns *columns; /* borrowed: what may be shown */
};

/* Reads the value of `tables` or `figures`, entry `i`. `outputs->columns` is set. */
void sim_outputs_read_tables(struct lib_fields *r, size_t i, struct sim_outputs *outputs);
void sim_outputs_read_figures(struct lib_fields *r, size_t i,
                              struct sim_outputs *outputs);
void sim_outputs_free(struct sim_outputs *outputs);

#endif
