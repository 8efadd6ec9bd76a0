/* Columns and cells of results. Names of columns are those of parameters and statistics in
 * experiments, conditions, databases and files (doc/results.md). */
#ifndef TRACES_RESULTS_COLUMN_H
#define TRACES_RESULTS_COLUMN_H

#include "lib/memory.h"
#include "lib/text.h"
#include "traces/stats.h"

enum traces_column_kind {
    TRACES_COLUMN_LABEL, /* parameter of a run that is neither a setting nor an input */
    TRACES_COLUMN_SETTING,
    TRACES_COLUMN_INPUT,
    TRACES_COLUMN_OUTCOME, /* status of the end of a run */
    TRACES_COLUMN_STATISTIC,
    TRACES_COLUMN_DIGEST, /* identity of a run or of its values */
    TRACES_COLUMN_KIND_COUNT,
};

enum traces_column_type {
    TRACES_TYPE_INT,
    TRACES_TYPE_REAL,
    TRACES_TYPE_BOOL,
    TRACES_TYPE_TEXT,
    TRACES_TYPE_ANY, /* an input whose type depends on the program */
    TRACES_TYPE_COUNT,
};

struct traces_column {
    const char *name;
    enum traces_column_kind kind;
    enum traces_column_type type;
    const char *unit, *meaning;
    unsigned fact;                  /* number of the label, outcome or digest; else 0 */
    const char *choices;            /* choices of a setting or label, "a|b"; or NULL */
    const struct traces_stat *stat; /* statistic, or NULL */
    const char *input;              /* name of the input in the program, or NULL */
    unsigned measure;               /* number of the measure of an analysis; else 0 */
    unsigned option;                /* number of the option of training; else 0 */
    bool
        is_derived; /* computed of other columns (analysis/view/derived.h); in no database */
};

/* Columns in the order of results. */
struct traces_columns {
    LIB_VEC(struct traces_column) list; /* owned */
};

void traces_columns_free(struct traces_columns *columns);

/* Returns the column of a name, or NULL if the name is unknown. */
const struct traces_column *traces_columns_find(const struct traces_columns *columns,
                                                const char *name);

/* Returns the name that is nearest to a wrong one, among those of the kinds in `kinds` (bits), or
 * NULL. */
const char *traces_columns_nearest(const struct traces_columns *columns,
                                   const char *wrong, unsigned kinds);

/* Return the name of a kind, "setting", and of a type, "int". */
const char *traces_column_kind_name(enum traces_column_kind kind);
const char *traces_column_type_name(enum traces_column_type type);

/* Whether the texts of a column are names that may look like numbers: results, digests and
 * identities. In comma-separated values they are quoted, so that readers do not convert them. */
bool traces_column_is_name(const struct traces_column *column);

/* --- cells -------------------------------------------------------------------------- */

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

/* Returns the cell of a cycle; UINT64_MAX gives an empty cell. */
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

/* Returns the cell of a real; NaN gives an empty cell. */
static inline struct traces_cell traces_cell_real(double value)
{
    return (struct traces_cell){
        .type = value == value ? TRACES_CELL_REAL : TRACES_CELL_NULL, .real = value};
}

/* Returns the number in a cell, or NaN if it has none. */
double traces_cell_number(const struct traces_cell *cell);

/* Adds the text of a cell: nothing if it is empty, a real in the fewest digits that read back as
 * the same double. */
void traces_cell_write(const struct traces_cell *cell, struct lib_text *text);

/* Returns the digest at the end of NAME@DIGEST, the text for a file of a setting; or NULL. */
const char *traces_text_digest(const char *text);

/* Whether two texts are equal, or one is the NAME of the other, NAME@DIGEST. */
bool traces_text_is_same(const char *a, const char *b);

/* As traces_cell_write, with only the name of the file of a machine or of a setting. */
void traces_cell_write_short(const struct traces_column *column,
                             const struct traces_cell *cell, struct lib_text *text);

#endif
