/* Columns and cells of results. A column has the name of a parameter or statistic, and is called by
 * it in experiments, conditions, databases and files (doc/results.md). */
#ifndef TRACES_RESULTS_COLUMN_H
#define TRACES_RESULTS_COLUMN_H

#include "lib/memory.h"
#include "lib/text.h"
#include "traces/stats.h"

enum traces_column_kind {
    TRACES_COLUMN_LABEL, /* parameter of a run that is neither a setting nor an input */
    TRACES_COLUMN_SETTING,
    TRACES_COLUMN_INPUT,
    TRACES_COLUMN_OUTCOME, /* how a run ended */
    TRACES_COLUMN_STATISTIC,
    TRACES_COLUMN_DIGEST, /* hash that identifies a run or its results */
    TRACES_COLUMN_KIND_COUNT,
};

enum traces_column_type {
    TRACES_TYPE_INT,
    TRACES_TYPE_REAL,
    TRACES_TYPE_BOOL,
    TRACES_TYPE_TEXT,
    TRACES_TYPE_ANY, /* an input, whose type depends on the program */
    TRACES_TYPE_COUNT,
};

struct traces_column {
    const char *name;
    enum traces_column_kind kind;
    enum traces_column_type type;
    const char *unit, *meaning;
    unsigned fact;       /* which label, outcome or digest it is; 0 for other kinds */
    const char *choices; /* valid words of a setting or label, "a|b"; or NULL */
    const struct traces_stat *stat;
    const char *input; /* name of the input in the program, or NULL */
    unsigned measure;  /* which result of an analysis the column has; 0: none */
    unsigned option;   /* which option of a training the column has; 0: none */
    unsigned
        setting; /* which setting the column has, if that is known; 0: find it by `name` */
    /* The column is computed from others (analysis/view/derived.h), not stored. */
    bool is_derived;
};

/* All columns of results, in order. */
struct traces_columns {
    LIB_VEC(struct traces_column) list; /* owned */
};

void traces_columns_free(struct traces_columns *columns);

const struct traces_column *traces_columns_find(const struct traces_columns *columns,
                                                const char *name);

/* Returns the name of a column most similar to `wrong`, or NULL. `kinds` has a bit for each kind of
 * column to consider. */
const char *traces_columns_nearest(const struct traces_columns *columns,
                                   const char *wrong, unsigned kinds);

/* Return the name of a kind of column ("setting") or of a type ("int"). */
const char *traces_column_kind_name(enum traces_column_kind kind);
const char *traces_column_type_name(enum traces_column_type type);

/* Whether cells of a column are strings that may look like numbers: results of programs, digests,
 * identities. CSV quotes them, so that readers do not convert them. */
bool traces_column_is_name(const struct traces_column *column);

/* --- cells -------------------------------------------------------------------------- */

enum traces_cell_type {
    TRACES_CELL_NULL,
    TRACES_CELL_INT,
    TRACES_CELL_REAL,
    TRACES_CELL_BOOL, /* the value is in `integer` */
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

/* Returns a cell with a cycle, or an empty cell for UINT64_MAX. */
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

/* Returns a cell with a real, or an empty cell for NaN. */
static inline struct traces_cell traces_cell_real(double value)
{
    return (struct traces_cell){
        .type = value == value ? TRACES_CELL_REAL : TRACES_CELL_NULL, .real = value};
}

/* Returns the number in a cell, or NaN if it is not a number. */
double traces_cell_number(const struct traces_cell *cell);

/* Adds a cell as text: nothing if empty, a real with the fewest digits that read back as the same
 * double. */
void traces_cell_write(const struct traces_cell *cell, struct lib_text *text);

/* Returns the digest in "NAME@DIGEST", by which results refer to a file; NULL for other strings. */
const char *traces_text_digest(const char *text);

/* Whether two strings are equal. NAME and NAME@DIGEST count as equal. */
bool traces_text_is_same(const char *a, const char *b);

/* Like traces_cell_write, but in columns of machines and settings writes NAME@DIGEST as NAME. */
void traces_cell_write_short(const struct traces_column *column,
                             const struct traces_cell *cell, struct lib_text *text);

#endif
