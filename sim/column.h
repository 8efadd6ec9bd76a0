/* What stands in results: columns, whose names are those of parameters and statistics
 * everywhere, in experiments, conditions, databases and files (doc/results.md); and cells. */
#ifndef SIM_COLUMN_H
#define SIM_COLUMN_H

#include "lib/memory.h"
#include "traces/stats.h"

enum sim_column_kind {
    SIM_COLUMN_LABEL, /* number, program, strategy, machine, repetition, seed */
    SIM_COLUMN_SETTING,
    SIM_COLUMN_INPUT,
    SIM_COLUMN_OUTCOME, /* status, reason, result */
    SIM_COLUMN_STATISTIC,
    SIM_COLUMN_DIGEST, /* image_digest, identity, version */
    SIM_COLUMN_KIND_COUNT,
};

enum sim_column_type {
    SIM_TYPE_INT,
    SIM_TYPE_REAL,
    SIM_TYPE_BOOL,
    SIM_TYPE_TEXT,
    SIM_TYPE_ANY, /* an input to which programs give different types */
    SIM_TYPE_COUNT,
};

/* The labels, outcomes and digests; each has a column. */
enum sim_fact {
    SIM_FACT_NUMBER,
    SIM_FACT_PROGRAM,
    SIM_FACT_STRATEGY,
    SIM_FACT_MACHINE,
    SIM_FACT_REPETITION,
    SIM_FACT_SEED,
    SIM_FACT_STATUS,
    SIM_FACT_REASON,
    SIM_FACT_RESULT,
    SIM_FACT_IMAGE_DIGEST,
    SIM_FACT_IDENTITY,
    SIM_FACT_VERSION,
    SIM_FACT_NONE, /* a setting, an input or a statistic */
};

struct sim_column {
    const char *name;
    enum sim_column_kind kind;
    enum sim_column_type type;
    const char *unit, *meaning;
    enum sim_fact fact;
    const char *choices;            /* of a setting, "a|b"; or NULL */
    const struct traces_stat *stat; /* or NULL */
    const char *input;              /* its name in the program, or NULL */
};

/* In the order of results. */
struct sim_columns {
    LIB_VEC(struct sim_column) list; /* owned */
};

void sim_columns_free(struct sim_columns *columns);

/* NULL: there is none. */
const struct sim_column *sim_columns_find(const struct sim_columns *columns,
                                          const char *name);
/* The nearest name to a wrong one, among those of the kinds in `kinds` (bits), or NULL. */
const char *sim_columns_nearest(const struct sim_columns *columns, const char *wrong,
                                unsigned kinds);

/* "setting", "int". */
const char *sim_column_kind_name(enum sim_column_kind kind);
const char *sim_column_type_name(enum sim_column_type type);

/* --- what stands in a column -------------------------------------------------------- */

enum sim_cell_type {
    SIM_CELL_NULL,
    SIM_CELL_INT,
    SIM_CELL_REAL,
    SIM_CELL_BOOL, /* in `integer` */
    SIM_CELL_TEXT,
};

struct sim_cell {
    enum sim_cell_type type;
    int64_t integer;
    double real;
    const char *text; /* borrowed */
};

static inline struct sim_cell sim_cell_int(int64_t value)
{
    return (struct sim_cell){.type = SIM_CELL_INT, .integer = value};
}

static inline struct sim_cell sim_cell_text(const char *text)
{
    return (struct sim_cell){.type = text ? SIM_CELL_TEXT : SIM_CELL_NULL, .text = text};
}

/* A NaN is no value. */
static inline struct sim_cell sim_cell_real(double value)
{
    return (struct sim_cell){.type = value == value ? SIM_CELL_REAL : SIM_CELL_NULL,
                             .real = value};
}

#endif
