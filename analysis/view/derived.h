/* Derived columns: numbers that a table or figure computes from other columns of a run, such as
 * `cycles / inputs.batch`. They can only be values of tables and figures.
 *
 * The functions below accept any column, those of traces_reader only columns that are not derived.
 * A derived number is missing if a column in the formula has no number, or for a division by 0. */
#ifndef ANALYSIS_VIEW_DERIVED_H
#define ANALYSIS_VIEW_DERIVED_H

#include "lib/fields.h"
#include "traces/results/reader.h"

/* Whether `text`, which is not the name of a column, is a formula: whether it contains an
 * operator. */
bool analysis_derived_is(const char *text);

/* Reads entry `i` of a file as a formula over `columns`. Returns a derived column with this
 * formula, which belongs to the arena of `r`. Returns NULL and adds a diagnostic if the formula is
 * invalid. */
const struct traces_column *analysis_derived_read(struct lib_fields *r, size_t i,
                                                  const struct traces_columns *columns);

/* Requests that a column is loaded, or, for a derived column, the columns in its formula. */
void analysis_column_want(struct traces_reader *frame,
                          const struct traces_column *column);

/* Returns the number of a run in a loaded column, or NaN if there is none. */
double analysis_column_number(const struct traces_reader *frame, size_t run,
                              const struct traces_column *column);

#endif
