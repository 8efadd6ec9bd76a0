/* Derived columns: numbers that a table or figure computes from other columns of a run, such as
 * `cycles / inputs.batch`. They can only be values of tables and figures.
 *
 * The functions of traces_reader do not accept a derived column; those below accept any column. The
 * number is missing if a column that it names lacks one, and for a division by 0. */
#ifndef ANALYSIS_VIEW_DERIVED_H
#define ANALYSIS_VIEW_DERIVED_H

#include "lib/fields.h"
#include "traces/results/reader.h"

/* Whether a name that no column has is a formula, as it contains an operator. */
bool analysis_derived_is(const char *text);

/* Reads entry `i` of a file as a formula of `columns`. The column lives in the arena of `r`.
 * Returns NULL and adds a diagnostic if the formula is invalid. */
const struct traces_column *analysis_derived_read(struct lib_fields *r, size_t i,
                                                  const struct traces_columns *columns);

/* Marks a column as wanted, or, for a derived column, those in its formula. */
void analysis_column_want(struct traces_reader *frame,
                          const struct traces_column *column);

/* Returns the number of a run in a column that was marked as wanted, or NaN if it has none. */
double analysis_column_number(const struct traces_reader *frame, size_t run,
                              const struct traces_column *column);

#endif
