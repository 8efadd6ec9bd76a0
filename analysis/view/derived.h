/* Derived columns: numbers that a table or figure computes of other columns of a run, such as
 * `cycles / inputs.batch`. Only values of tables and figures may be derived.
 *
 * A derived column is not among the columns of a reader, whose functions do not take it; those
 * below take any column. It has no number where a column that it names has none, and where a
 * division is one by 0. */
#ifndef ANALYSIS_VIEW_DERIVED_H
#define ANALYSIS_VIEW_DERIVED_H

#include "lib/fields.h"
#include "traces/results/reader.h"

/* Whether a name that no column has is read as a formula: it has a sign of one. */
bool analysis_derived_is(const char *text);

/* Reads entry `i` as a formula of `columns`. The column lives in the arena of `r`. Returns NULL and
 * adds a diagnostic if the formula is wrong. */
const struct traces_column *analysis_derived_read(struct lib_fields *r, size_t i,
                                                  const struct traces_columns *columns);

/* Marks a column as wanted; of a derived one, those that it is computed of. */
void analysis_column_want(struct traces_reader *frame,
                          const struct traces_column *column);

/* Returns the number of a run in a wanted column, or NaN if it has none. */
double analysis_column_number(const struct traces_reader *frame, size_t run,
                              const struct traces_column *column);

#endif
