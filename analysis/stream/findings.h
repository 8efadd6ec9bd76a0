/* Findings of an analysis: numbers by name, and tables. All analyses use this form, which is
 * written here as text, JSON and comma-separated values. */
#ifndef ANALYSIS_STREAM_FINDINGS_H
#define ANALYSIS_STREAM_FINDINGS_H

#include "lib/arena.h"
#include "lib/json.h"
#include "lib/memory.h"

#include <math.h>

struct analysis_cell {
    enum { ANALYSIS_CELL_COUNT, ANALYSIS_CELL_REAL, ANALYSIS_CELL_WORD } kind;
    union {
        uint64_t count;
        double real; /* NaN if it has no meaning: null in JSON, empty in CSV */
        const char *word;
    };
};

typedef LIB_VEC(struct analysis_cell) analysis_cells;

/* A table. `cells` has the cells of a row, one per column, then those of the next row. */
struct analysis_findings_table {
    const char *key, *help;
    LIB_VEC(const char *) columns;
    analysis_cells cells;
    size_t bar; /* column that bars show in a text, or 0 */
    /* Rows of a table that is too long to keep, or NULL. */
    struct analysis_made_rows *made;
};

/* Rows that are computed when they are written, each from its number. */
struct analysis_made_rows {
    size_t count;
    void (*make)(void *context, size_t row, struct analysis_cell *cells);
    void *context;
    size_t row; /* row that is in `cells`, or SIZE_MAX */
    struct analysis_cell *cells;
};

struct analysis_number {
    const char *key, *help;
    struct analysis_cell cell;
};

/* The findings of one analysis. Keys and helps are constants, or live in the arena. */
struct analysis_findings {
    const char *name;
    struct lib_arena *arena; /* owned */
    LIB_VEC(struct analysis_number) numbers;
    LIB_VEC(struct analysis_findings_table) tables;
    size_t most;     /* most ranges of a table over time or depth */
    bool for_people; /* for a text: long tables for programs are left out */

    /* Called while JSON or comma-separated values are written; may empty `out`. Can be NULL. */
    void (*drain)(void *context, struct lib_text *out);
    void *drain_context;
};

void analysis_findings_start(struct analysis_findings *findings, const char *name,
                             bool for_people);
void analysis_findings_free(struct analysis_findings *findings);

void analysis_findings_count(struct analysis_findings *findings, const char *key,
                             uint64_t value, const char *help);
void analysis_findings_real(struct analysis_findings *findings, const char *key,
                            double value, const char *help);
void analysis_findings_word(struct analysis_findings *findings, const char *key,
                            const char *value, const char *help);

/* Returns a new table, which is valid until the next one is made. */
struct analysis_findings_table *
analysis_findings_table(struct analysis_findings *findings, const char *key,
                        const char *help);

/* Add to a table: all columns first, then the cells, row by row. */
void analysis_table_column(struct analysis_findings_table *table, const char *key);
void analysis_table_count(struct analysis_findings_table *table, uint64_t value);
void analysis_table_real(struct analysis_findings_table *table, double value);
void analysis_table_word(struct analysis_findings_table *table, const char *value);

/* Gives a table that has its columns `rows` computed rows instead of cells. `context` must outlive
 * the findings. */
void analysis_table_make(struct analysis_findings *findings,
                         struct analysis_findings_table *table, size_t rows,
                         void (*make)(void *context, size_t row,
                                      struct analysis_cell *cells),
                         void *context);

/* Returns the number in a cell; NaN for a word. */
static inline double analysis_cell_number(const struct analysis_cell *cell)
{
    return cell->kind == ANALYSIS_CELL_COUNT  ? (double)cell->count
           : cell->kind == ANALYSIS_CELL_REAL ? cell->real
                                              : NAN;
}

static inline size_t analysis_table_rows(const struct analysis_findings_table *table)
{
    return table->made            ? table->made->count
           : table->columns.count ? table->cells.count / table->columns.count
                                  : 0;
}

/* Returns a cell of a table, computed if necessary. It is valid until a cell of another row is
 * asked for. */
const struct analysis_cell *
analysis_table_cell(const struct analysis_findings_table *table, size_t row,
                    size_t column);

/* Returns the table of a key, or NULL. `findings` may be NULL. */
const struct analysis_findings_table *
analysis_findings_find(const struct analysis_findings *findings, const char *key);

/* Returns the column of a key, which the table must have. */
size_t analysis_table_find(const struct analysis_findings_table *table, const char *key);

/* Returns part / whole, or NaN if `whole` is 0. */
static inline double analysis_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* --- writing ------------------------------------------------------------------------- */

/* Adds the numbers and the tables. `only` is the key of one table, "" for the numbers alone, or
 * NULL for all. */
void analysis_findings_write_text(const struct analysis_findings *findings,
                                  const char *only, struct lib_text *out);
void analysis_findings_write_json(const struct analysis_findings *findings,
                                  const char *only, struct lib_json *json);

/* Adds each table, with a line "# NAME.KEY" before it if `titled`. The numbers are a table of two
 * columns, "# NAME". */
void analysis_findings_write_csv(const struct analysis_findings *findings,
                                 const char *only, bool titled, struct lib_text *out);

#endif
