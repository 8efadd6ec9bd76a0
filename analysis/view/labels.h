/* Labels: what columns and their values are called where they are shown - in tables, legends,
 * axes and titles of panels - instead of their own names. */
#ifndef ANALYSIS_VIEW_LABELS_H
#define ANALYSIS_VIEW_LABELS_H

#include "lib/fields.h"
#include "traces/results/column.h"

/* All memory is the arena's of whoever reads them. */
struct analysis_labels {
    struct analysis_label *first;
    const struct analysis_labels *outer; /* asked for what is not here; or NULL */
};

/* The keys of the label of a column, where it is a mapping. */
extern const struct lib_field_table analysis_label_keys;

/* Reads entry `i`: a mapping of columns, whose key begins with what `prefix` says, or one of
 * its entries:
 *     pe.count: processing elements
 *     program: {name: benchmark, values: {../examples/queens.df: eight queens}} */
void analysis_labels_read(struct lib_fields *r, size_t i, size_t prefix,
                          const struct traces_columns *columns,
                          struct analysis_labels *labels);

/* What to say of a column that there is not: the nearest one, or what columns are. */
const char *analysis_column_hint(struct lib_fields *r,
                                 const struct traces_columns *columns, const char *wrong);

/* NULL: it has none. */
const char *analysis_labels_of_column(const struct analysis_labels *labels,
                                      const struct traces_column *column);
const char *analysis_labels_of_value(const struct analysis_labels *labels,
                                     const struct traces_column *column,
                                     const struct traces_cell *cell);

/* Calls `found` for each value that has a label and may be none that runs have: a text that is
 * not a choice, such as a program. In the order of the file. */
void analysis_labels_each_text(const struct analysis_labels *labels,
                               void (*found)(const struct traces_column *column,
                                             const char *value, void *context),
                               void *context);
/* Whether a cell is the value that a label is for. */
bool analysis_labels_is_value(const struct traces_column *column,
                              const struct traces_cell *cell, const char *value);

/* The label of a column, or else its name, without the `inputs.` of an input. */
const char *analysis_labels_name(const struct analysis_labels *labels,
                                 const struct traces_column *column);

/* Adds the label of a value, or else the value, files without folder and ending. */
void analysis_labels_write_value(const struct analysis_labels *labels,
                                 const struct traces_column *column,
                                 const struct traces_cell *cell, struct lib_text *text);

#endif
