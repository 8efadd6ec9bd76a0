/* Keys: the different combinations of values that runs have in some columns. Keys label rows,
 * columns and series of tables and figures. */
#ifndef ANALYSIS_VIEW_KEYS_H
#define ANALYSIS_VIEW_KEYS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_keys {
    struct lib_arena *arena; /* borrowed */
    const analysis_column_list *columns;
    /* owned; each key is an array with a value per column */
    LIB_VEC(const struct traces_cell *) list;
    LIB_VEC(size_t) first; /* owned; for each key, the first run that has it */
    struct analysis_key_entry *entries;
};

/* Whether two values have the same type and are equal. */
bool analysis_cells_are_alike(const struct traces_cell *a, const struct traces_cell *b);

void analysis_keys_start(struct analysis_keys *keys, struct lib_arena *arena,
                         const analysis_column_list *columns);
void analysis_keys_free(struct analysis_keys *keys);

/* Returns the index of the key of a run, or SIZE_MAX if `keys` has none. */
size_t analysis_keys_find(const struct analysis_keys *keys,
                          const struct traces_reader *frame, size_t run);

/* Returns the index of the key of a run. Adds a new key at the end. */
size_t analysis_keys_add(struct analysis_keys *keys, const struct traces_reader *frame,
                         size_t run);

/* Sorts keys by their first column, then by the second and so on. Values have the order of the
 * experiment. Changes the indices of keys. */
void analysis_keys_sort(struct analysis_keys *keys, const struct traces_reader *frame);

/* Adds a key as text: "fifo, network.latency = 10". Values that are text or have a label are
 * written without the name of the column. */
void analysis_keys_write(const struct analysis_keys *keys, size_t i,
                         const struct analysis_labels *labels, struct lib_text *text);

/* Adds a key as text without names of columns: "fifo, 10". */
void analysis_keys_write_values(const struct analysis_keys *keys, size_t i,
                                const struct analysis_labels *labels,
                                struct lib_text *text);

/* Adds the names of the columns of the keys as a title, such as "queue.discipline,
 * network.latency". Adds nothing if all values are text or have labels: they need no title. */
void analysis_keys_write_title(const struct analysis_keys *keys,
                               const struct analysis_labels *labels,
                               struct lib_text *text);

#endif
