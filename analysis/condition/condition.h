/* Conditions on the columns of a run: "pe.count * 2 <= inputs.n and machine != 'ideal'"
 * (doc/experiments.md, Conditions).
 *
 *   or      := and { "or" and }          compare := sum [ ("==" | "!=" | "<" ...) sum ]
 *   and     := not { "and" not }         sum     := product { ("+" | "-") product }
 *   not     := { "not" } compare         product := sign { ("*" | "/" | "%") sign }
 *   sign    := { "-" } atom              atom    := number | text | name | "(" or ")"
 *
 * Types are checked when a condition is read, so that one that was read can be decided:
 * what is missing (NULL) or has no number makes a comparison false. */
#ifndef ANALYSIS_CONDITION_CONDITION_H
#define ANALYSIS_CONDITION_CONDITION_H

#include "lib/arena.h"
#include "lib/diag.h"
#include "traces/results/column.h"

struct analysis_condition;

/* Which columns a condition may name: kinds (bits), and of the labels only those that
 * `may` allows (NULL: all). */
struct analysis_names {
    const struct traces_columns *columns;
    unsigned kinds;
    bool (*may)(const struct traces_column *column);
};

/* Whether these names have a column; and the nearest one that they have. */
const struct traces_column *analysis_names_find(const struct analysis_names *names,
                                                const char *name);
const char *analysis_names_nearest(const struct analysis_names *names, const char *wrong);

/* Reads a condition, which stands in `source` at `pos`. What is returned lives in the
 * arena, and as long as the columns. NULL after a diagnostic. */
struct analysis_condition *
analysis_condition_read(struct lib_arena *arena, const struct analysis_names *names,
                        const char *text, const struct lib_source *source,
                        struct lib_pos pos, struct lib_diags *diags);

/* Whether it holds, where `cell` says what stands in a column. NULL is no condition: it
 * holds, and names nothing. */
bool analysis_condition_holds(
    const struct analysis_condition *condition,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context);

/* The columns that it names: the i-th, or NULL behind the last. */
const struct traces_column *
analysis_condition_column(const struct analysis_condition *condition, size_t i);
bool analysis_condition_names(const struct analysis_condition *condition,
                              const struct traces_column *column);

#endif
