/* Conditions on the columns of a run, such as "pe.count * 2 <= inputs.n and machine != 'ideal'"
 * (doc/experiments.md, Conditions).
 *
 *   or      := and { "or" and }          compare := sum [ ("==" | "!=" | "<" ...) sum ]
 *   and     := not { "and" not }         sum     := product { ("+" | "-") product }
 *   not     := { "not" } compare         product := sign { ("*" | "/" | "%") sign }
 *   sign    := { "-" } atom              atom    := number | text | name | "(" or ")"
 *
 * Types are checked when a condition is read, so that its evaluation cannot fail. A comparison
 * with a missing value (NULL), or without a number, is false. */
#ifndef ANALYSIS_CONDITION_CONDITION_H
#define ANALYSIS_CONDITION_CONDITION_H

#include "lib/arena.h"
#include "lib/diag.h"
#include "traces/results/column.h"

struct analysis_condition;

/* The columns that a condition may name: columns of an enum traces_column_kind K for which bit K of
 * `kinds` is set. If `may` is not NULL, it is called for each column of kind label; the condition
 * may name only those for which it returns true. */
struct analysis_names {
    const struct traces_columns *columns;
    unsigned kinds;
    bool (*may)(const struct traces_column *column);
};

/* Returns the column called `name`. Returns NULL if none exists or if a condition may not name
 * it. */
const struct traces_column *analysis_names_find(const struct analysis_names *names,
                                                const char *name);

/* Returns the name of the column most similar to a wrong name. */
const char *analysis_names_nearest(const struct analysis_names *names, const char *wrong);

/* Reads the condition `text`, which is at `pos` of `source`. The result belongs to the arena and
 * borrows the columns. Returns NULL and adds a diagnostic on errors. */
struct analysis_condition *
analysis_condition_read(struct lib_arena *arena, const struct analysis_names *names,
                        const char *text, const struct lib_source *source,
                        struct lib_pos pos, struct lib_diags *diags);

/* Like analysis_condition_read, but reads a formula: an expression whose value is a number, such as
 * `cycles / inputs.batch`. */
struct analysis_condition *
analysis_formula_read(struct lib_arena *arena, const struct analysis_names *names,
                      const char *text, const struct lib_source *source,
                      struct lib_pos pos, struct lib_diags *diags);

/* Evaluates a formula. `cell` is called for the value of a column in a run, with `context`. Returns
 * a number; or a cell of type TRACES_CELL_NULL if a column of the formula has no number. */
struct traces_cell analysis_formula_value(
    const struct analysis_condition *formula,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context);

/* Evaluates a condition. `cell` is called for the value of a column in a run, with `context`.
 * Returns true if `condition` is NULL. */
bool analysis_condition_holds(
    const struct analysis_condition *condition,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context);

/* Returns the column with index `i` among those in a condition; NULL after the last. */
const struct traces_column *
analysis_condition_column(const struct analysis_condition *condition, size_t i);

/* Whether a condition contains a column. A NULL condition contains none. */
bool analysis_condition_names(const struct analysis_condition *condition,
                              const struct traces_column *column);

#endif
