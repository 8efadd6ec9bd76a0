/* Conditions on the columns of a run: "pe.count * 2 <= inputs.n and machine != 'ideal'"
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

/* The columns that a condition can name: those of `kinds` (bits); but labels only if `may` returns
 * true (NULL: all). */
struct analysis_names {
    const struct traces_columns *columns;
    unsigned kinds;
    bool (*may)(const struct traces_column *column);
};

/* Return the column of a name, or NULL; and the name most similar to a wrong one. */
const struct traces_column *analysis_names_find(const struct analysis_names *names,
                                                const char *name);
const char *analysis_names_nearest(const struct analysis_names *names, const char *wrong);

/* Reads a condition at `pos` of `source`. It lives in the arena, and must not outlive the columns.
 * Returns NULL and adds a diagnostic on errors. */
struct analysis_condition *
analysis_condition_read(struct lib_arena *arena, const struct analysis_names *names,
                        const char *text, const struct lib_source *source,
                        struct lib_pos pos, struct lib_diags *diags);

/* Reads a formula for a number, as `cycles / inputs.batch`, in the same way. */
struct analysis_condition *
analysis_formula_read(struct lib_arena *arena, const struct analysis_names *names,
                      const char *text, const struct lib_source *source,
                      struct lib_pos pos, struct lib_diags *diags);

/* Evaluates a formula. Returns NULL if a column that it names has no number. `cell` returns the
 * value of a column. */
struct traces_cell analysis_formula_value(
    const struct analysis_condition *formula,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context);

/* Evaluates a condition; NULL is true. `cell` returns the value of a column. */
bool analysis_condition_holds(
    const struct analysis_condition *condition,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context);

/* Returns the i-th column that a condition names, or NULL after the last. NULL names none. */
const struct traces_column *
analysis_condition_column(const struct analysis_condition *condition, size_t i);
bool analysis_condition_names(const struct analysis_condition *condition,
                              const struct traces_column *column);

#endif
