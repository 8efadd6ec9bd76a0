/* Labels: texts that tables, legends, axes and titles show instead of the names and values of
 * columns. */
#ifndef ANALYSIS_VIEW_LABELS_H
#define ANALYSIS_VIEW_LABELS_H

#include "lib/fields.h"
#include "traces/results/column.h"

/* A set of labels. The texts belong to the arena of the reader `r`. */
struct analysis_labels {
    struct analysis_label *first;
    /* Set whose labels are used for columns and values without a label in this set; NULL: none. */
    const struct analysis_labels *outer;
};

/* Keys of a label in a file, if the label is a mapping: `name` and `values`. */
extern const struct lib_field_table analysis_label_keys;

/* Reads entry `i` of a file: the whole mapping `labels` of columns to labels, or one entry of it.
 * The key of such an entry has `prefix` bytes, through "labels.", before the name of the column, as
 * in "labels.pe.count". The mapping has entries such as:
 *
 *     pe.count: processing elements
 *     program: {name: benchmark, values: {../examples/queens.df: eight queens}} */
void analysis_labels_read(struct lib_fields *r, size_t i, size_t prefix,
                          const struct traces_columns *columns,
                          struct analysis_labels *labels);

/* Returns a hint for a message about an unknown column: the most similar name, or the kinds of
 * columns that exist. */
const char *analysis_column_hint(struct lib_fields *r,
                                 const struct traces_columns *columns, const char *wrong);

/* Return the label of a column or of a value, or NULL if it has none. */
const char *analysis_labels_of_column(const struct analysis_labels *labels,
                                      const struct traces_column *column);
const char *analysis_labels_of_value(const struct analysis_labels *labels,
                                     const struct traces_column *column,
                                     const struct traces_cell *cell);

/* Calls `found` for each labelled value of a column of free text, in the order of the file. Such a
 * value, as the name of a program, may not occur in any run. */
void analysis_labels_each_text(const struct analysis_labels *labels,
                               void (*found)(const struct traces_column *column,
                                             const char *value, void *context),
                               void *context);

/* Whether `value` is the text of the value `cell`: in full, or for a file name without folder and
 * ending. */
bool analysis_labels_is_value(const struct traces_column *column,
                              const struct traces_cell *cell, const char *value);

/* Returns the label of a column. Without a label, returns its name, in which "inputs." is
 * omitted. */
const char *analysis_labels_name(const struct analysis_labels *labels,
                                 const struct traces_column *column);

/* Adds the label of a value. Without a label, adds the value; file names without folder and
 * ending. */
void analysis_labels_write_value(const struct analysis_labels *labels,
                                 const struct traces_column *column,
                                 const struct traces_cell *cell, struct lib_text *text);

#endif
