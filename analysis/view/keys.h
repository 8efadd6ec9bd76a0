/* Keys: the different combinations of values that runs have in some columns. They label rows,
 * columns and series. */
#ifndef ANALYSIS_VIEW_KEYS_H
#define ANALYSIS_VIEW_KEYS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_keys {
    struct lib_arena *arena; /* borrowed */
    const analysis_column_list *columns;
    LIB_VEC(const struct traces_cell *) list; /* owned; arrays of a value per column */
    LIB_VEC(size_t) first;                    /* owned; first run that has each key */
    struct analysis_key_entry *entries;
};

/* Whether two values are equal. */
bool analysis_cells_are_alike(const struct traces_cell *a, const struct traces_cell *b);

void analysis_keys_start(struct analysis_keys *keys, struct lib_arena *arena,
                         const analysis_column_list *columns);
void analysis_keys_free(struct analysis_keys *keys);

/* Returns the index of a run's key, or SIZE_MAX. */
size_t analysis_keys_find(const struct analysis_keys *keys,
                          const struct traces_reader *frame, size_t run);

/* Returns the index of a run's key. A new key is added at the end. */
size_t analysis_keys_add(struct analysis_keys *keys, const struct traces_reader *frame,
                         size_t run);

/* Sorts keys by their columns, the first one first; values in the order of the experiment. Indices
 * change. */
void analysis_keys_sort(struct analysis_keys *keys, const struct traces_reader *frame);

/* Adds a key as text: "fifo, network.latency = 10". Texts and labelled values come without the name
 * of the column. */
void analysis_keys_write(const struct analysis_keys *keys, size_t i,
                         const struct analysis_labels *labels, struct lib_text *text);

/* Adds a key without names, for use below their title: "fifo, 10". */
void analysis_keys_write_values(const struct analysis_keys *keys, size_t i,
                                const struct analysis_labels *labels,
                                struct lib_text *text);

/* Adds the title of the keys, the names of their columns: "queue.discipline, network.latency". */
void analysis_keys_write_title(const struct analysis_keys *keys,
                               const struct analysis_labels *labels,
                               struct lib_text *text);

#endif
