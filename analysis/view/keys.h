/* Keys: the different combinations of values that runs have in some columns. They label the rows or
 * columns of a table, or the series of a figure. */
#ifndef ANALYSIS_VIEW_KEYS_H
#define ANALYSIS_VIEW_KEYS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_keys {
    struct lib_arena *arena; /* borrowed */
    const analysis_column_list *columns;
    LIB_VEC(const struct traces_cell *)
    list;                  /* owned; each key is an array of a value per column */
    LIB_VEC(size_t) first; /* owned; first run that has each key */
    struct analysis_key_entry *entries;
};

/* Whether two values are equal. */
bool analysis_cells_are_alike(const struct traces_cell *a, const struct traces_cell *b);

void analysis_keys_start(struct analysis_keys *keys, struct lib_arena *arena,
                         const analysis_column_list *columns);
void analysis_keys_free(struct analysis_keys *keys);

/* Returns the index of a run's key, or SIZE_MAX if it is not in the list. */
size_t analysis_keys_find(const struct analysis_keys *keys,
                          const struct traces_reader *frame, size_t run);

/* Returns the index of a run's key, which is added at the end if it is new. */
size_t analysis_keys_add(struct analysis_keys *keys, const struct traces_reader *frame,
                         size_t run);

/* Sorts keys by their columns, the first one first; values of a column in the order of the
 * experiment. Indices of keys change. */
void analysis_keys_sort(struct analysis_keys *keys, const struct traces_reader *frame);

/* Adds a key as text: "fifo, network.latency = 10". The name of the column is omitted if the value
 * is a text or has a label. */
void analysis_keys_write(const struct analysis_keys *keys, size_t i,
                         const struct analysis_labels *labels, struct lib_text *text);

/* Adds only the values of a key, for use below a title with the names: "fifo, 10". */
void analysis_keys_write_values(const struct analysis_keys *keys, size_t i,
                                const struct analysis_labels *labels,
                                struct lib_text *text);

/* Adds the names of the keys' columns as a title: "queue.discipline, network.latency". */
void analysis_keys_write_title(const struct analysis_keys *keys,
                               const struct analysis_labels *labels,
                               struct lib_text *text);

#endif
