/* Labels: texts that tables, legends, axes and titles of panels show instead of the names of
 * columns and their values. */
#ifndef ANALYSIS_VIEW_LABELS_H
#define ANALYSIS_VIEW_LABELS_H

#include "lib/fields.h"
#include "traces/results/column.h"

/* A set of labels. They live in the arena of the reader `r`. */
struct analysis_labels {
    struct analysis_label *first;
    /* labels to use where this set has none, or NULL */
    const struct analysis_labels *outer;
};

/* The keys of a column's label that is a mapping. */
extern const struct lib_field_table analysis_label_keys;

/* Reads entry `i`: a mapping of columns, or one of its entries. The first `prefix` bytes of a key
 * are not part of the name of the column.
 *
 *     pe.count: processing elements
 *     program: {name: benchmark, values: {../examples/queens.df: eight queens}} */
void analysis_labels_read(struct lib_fields *r, size_t i, size_t prefix,
                          const struct traces_columns *columns,
                          struct analysis_labels *labels);

/* Returns a hint for a message about an unknown column: the most similar name, or the kinds of
 * columns. */
const char *analysis_column_hint(struct lib_fields *r,
                                 const struct traces_columns *columns, const char *wrong);

/* Return the label of a column or a value, or NULL. */
const char *analysis_labels_of_column(const struct analysis_labels *labels,
                                      const struct traces_column *column);
const char *analysis_labels_of_value(const struct analysis_labels *labels,
                                     const struct traces_column *column,
                                     const struct traces_cell *cell);

/* Calls `found` for each labelled value that might not occur in any run, as the name of a program;
 * in the order of the file. */
void analysis_labels_each_text(const struct analysis_labels *labels,
                               void (*found)(const struct traces_column *column,
                                             const char *value, void *context),
                               void *context);

/* Whether a value equals the text `value` of a label. */
bool analysis_labels_is_value(const struct traces_column *column,
                              const struct traces_cell *cell, const char *value);

/* Returns the label of a column, or its name if it has none, without the `inputs.` of an input. */
const char *analysis_labels_name(const struct analysis_labels *labels,
                                 const struct traces_column *column);

/* Adds the label of a value, or the value itself if it has none; file names without folder and
 * ending. */
void analysis_labels_write_value(const struct analysis_labels *labels,
                                 const struct traces_column *column,
                                 const struct traces_cell *cell, struct lib_text *text);

#endif
