/* What stands in results: columns, whose names are those of parameters and statistics
 * everywhere, in experiments, conditions, databases and files (doc/results.md); and cells. */
#ifndef TRACES_RESULTS_COLUMN_H
#define TRACES_RESULTS_COLUMN_H

#include "lib/memory.h"
#include "lib/text.h"
#include "traces/stats.h"

enum traces_column_kind {
    TRACES_COLUMN_LABEL, /* what tells runs apart, besides settings and inputs */
    TRACES_COLUMN_SETTING,
    TRACES_COLUMN_INPUT,
    TRACES_COLUMN_OUTCOME, /* how a run ended */
    TRACES_COLUMN_STATISTIC,
    TRACES_COLUMN_DIGEST, /* what a run can be recognised by */
    TRACES_COLUMN_KIND_COUNT,
};

enum traces_column_type {
    TRACES_TYPE_INT,
    TRACES_TYPE_REAL,
    TRACES_TYPE_BOOL,
    TRACES_TYPE_TEXT,
    TRACES_TYPE_ANY, /* an input to which programs give different types */
    TRACES_TYPE_COUNT,
};

struct traces_column {
    const char *name;
    enum traces_column_kind kind;
    enum traces_column_type type;
    const char *unit, *meaning;
    unsigned fact; /* which label, outcome or digest, as its maker counts them; else 0 */
    const char *choices;            /* of a setting or label, "a|b"; or NULL */
    const struct traces_stat *stat; /* or NULL */
    const char *input;              /* its name in the program, or NULL */
    unsigned measure; /* which number of an analysis, as its maker counts them; else 0 */
    unsigned option;  /* which option of training, as its maker counts them; else 0 */
};

/* In the order of results. */
struct traces_columns {
    LIB_VEC(struct traces_column) list; /* owned */
};

void traces_columns_free(struct traces_columns *columns);

/* NULL: there is none. */
const struct traces_column *traces_columns_find(const struct traces_columns *columns,
                                                const char *name);
/* The nearest name to a wrong one, among those of the kinds in `kinds` (bits), or NULL. */
const char *traces_columns_nearest(const struct traces_columns *columns,
                                   const char *wrong, unsigned kinds);

/* "setting", "int". */
const char *traces_column_kind_name(enum traces_column_kind kind);
const char *traces_column_type_name(enum traces_column_type type);

/* Whether its texts are names that may look like numbers: results, digests and identities.
 * Readers of comma-separated values must be told, and they stand in quotes there. */
bool traces_column_is_name(const char *kind, const char *type, const char *name);

/* --- what stands in a column -------------------------------------------------------- */

enum traces_cell_type {
    TRACES_CELL_NULL,
    TRACES_CELL_INT,
    TRACES_CELL_REAL,
    TRACES_CELL_BOOL, /* in `integer` */
    TRACES_CELL_TEXT,
};

struct traces_cell {
    enum traces_cell_type type;
    int64_t integer;
    double real;
    const char *text; /* borrowed */
};

static inline struct traces_cell traces_cell_int(int64_t value)
{
    return (struct traces_cell){.type = TRACES_CELL_INT, .integer = value};
}

/* UINT64_MAX is no value. */
static inline struct traces_cell traces_cell_cycle(uint64_t value)
{
    return (struct traces_cell){.type = value == UINT64_MAX ? TRACES_CELL_NULL
                                                            : TRACES_CELL_INT,
                                .integer = (int64_t)value};
}

static inline struct traces_cell traces_cell_text(const char *text)
{
    return (struct traces_cell){.type = text ? TRACES_CELL_TEXT : TRACES_CELL_NULL,
                                .text = text};
}

/* A NaN is no value. */
static inline struct traces_cell traces_cell_real(double value)
{
    return (struct traces_cell){
        .type = value == value ? TRACES_CELL_REAL : TRACES_CELL_NULL, .real = value};
}

/* The number in a cell; NaN where there is none. */
double traces_cell_number(const struct traces_cell *cell);

/* Adds what stands in a cell: a real in the fewest digits that read back as the same
 * double, nothing where there is no value. */
void traces_cell_write(const struct traces_cell *cell, struct lib_text *text);

/* The digest at the end of NAME@DIGEST, as a column has a file of a setting, or NULL. */
const char *traces_text_digest(const char *text);
/* Whether both are the same, or one the name of the file that the other is in full. */
bool traces_text_is_same(const char *a, const char *b);

/* The same, but of a machine only the name of its file, and of a file of a setting its name. */
void traces_cell_write_short(const struct traces_column *column,
                             const struct traces_cell *cell, struct lib_text *text);

#endif
