/* What an analysis has found: numbers by name, and tables. Every analysis tells its findings in
 * this one form, and they are written here as text, JSON and comma-separated values. */
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
        double real; /* NaN: it has no meaning; null in JSON, and empty */
        const char *word;
    };
};

typedef LIB_VEC(struct analysis_cell) analysis_cells;

/* A table. Each row has a cell per column, one after the other. */
struct analysis_findings_table {
    const char *key, *help;
    LIB_VEC(const char *) columns;
    analysis_cells cells;
    size_t bar;                      /* in text, the column that bars show; 0: none */
    struct analysis_made_rows *made; /* of a table that is too long to be kept; or NULL */
};

/* Rows that are made when they are written: each from its number. */
struct analysis_made_rows {
    size_t count;
    void (*make)(void *context, size_t row, struct analysis_cell *cells);
    void *context;
    size_t row; /* that is in `cells`; SIZE_MAX: none */
    struct analysis_cell *cells;
};

struct analysis_number {
    const char *key, *help;
    struct analysis_cell cell;
};

/* Of one analysis. Keys and helps are constants, or live in the arena. */
struct analysis_findings {
    const char *name;
    struct lib_arena *arena; /* owned */
    LIB_VEC(struct analysis_number) numbers;
    LIB_VEC(struct analysis_findings_table) tables;
    size_t most; /* ranges into which a table over time or depth is divided, at most */
    bool
        for_people; /* a text: what is for programs may be left out, and is where it is long */
    /* Of JSON and comma-separated values, what was written so far may be taken; or NULL. */
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

/* A new table; it is valid until the next one is made. */
struct analysis_findings_table *
analysis_findings_table(struct analysis_findings *findings, const char *key,
                        const char *help);
/* Columns first, then cells, row by row. */
void analysis_table_column(struct analysis_findings_table *table, const char *key);
void analysis_table_count(struct analysis_findings_table *table, uint64_t value);
void analysis_table_real(struct analysis_findings_table *table, double value);
void analysis_table_word(struct analysis_findings_table *table, const char *value);
/* Columns first; then no cells, but so many rows that are made. `context` outlives the findings. */
void analysis_table_make(struct analysis_findings *findings,
                         struct analysis_findings_table *table, size_t rows,
                         void (*make)(void *context, size_t row,
                                      struct analysis_cell *cells),
                         void *context);

/* What stands in a cell; NaN of a word. */
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

/* A cell of a table, made if need be; valid until one of another row is asked for. */
const struct analysis_cell *
analysis_table_cell(const struct analysis_findings_table *table, size_t row,
                    size_t column);

/* The table of that key; NULL: there is none, as `findings` may be. */
const struct analysis_findings_table *
analysis_findings_find(const struct analysis_findings *findings, const char *key);

/* The column of that key, which the table has. */
size_t analysis_table_find(const struct analysis_findings_table *table, const char *key);

/* A part of a whole; NaN where that is 0. */
static inline double analysis_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* --- writing ------------------------------------------------------------------------- */

/* Adds the numbers and the tables; `only`: one table, or "" the numbers alone; NULL: all. */
void analysis_findings_write_text(const struct analysis_findings *findings,
                                  const char *only, struct lib_text *out);
void analysis_findings_write_json(const struct analysis_findings *findings,
                                  const char *only, struct lib_json *json);

/* Adds each table behind a line "# NAME.KEY" with its name, if `titled`. The numbers are a table of
 * two columns, "# NAME". */
void analysis_findings_write_csv(const struct analysis_findings *findings,
                                 const char *only, bool titled, struct lib_text *out);

#endif
