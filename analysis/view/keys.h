/* Keys: what runs have in some columns, each different one once. */
#ifndef ANALYSIS_VIEW_KEYS_H
#define ANALYSIS_VIEW_KEYS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_keys {
    struct lib_arena *arena; /* borrowed */
    const analysis_column_list *columns;
    LIB_VEC(const struct traces_cell *) list; /* owned; each has a cell per column */
    LIB_VEC(size_t) first;                    /* owned: the first run that has it */
    struct analysis_key_entry *entries;
};

/* Whether two cells have the same value. */
bool analysis_cells_are_alike(const struct traces_cell *a, const struct traces_cell *b);

void analysis_keys_start(struct analysis_keys *keys, struct lib_arena *arena,
                         const analysis_column_list *columns);
void analysis_keys_free(struct analysis_keys *keys);

/* The place of the key that a run has; SIZE_MAX: it is not there. */
size_t analysis_keys_find(const struct analysis_keys *keys,
                          const struct traces_reader *frame, size_t run);
/* The same; a key that is not there comes at the end. */
size_t analysis_keys_add(struct analysis_keys *keys, const struct traces_reader *frame,
                         size_t run);

/* Puts keys in the order in which the values of each column come, that of the experiment:
 * those of the first column together. Places change. */
void analysis_keys_sort(struct analysis_keys *keys, const struct traces_reader *frame);

/* Adds a key as it stands by itself: "fifo, network.latency = 10". Texts and what has a label
 * stand without the name of their column. */
void analysis_keys_write(const struct analysis_keys *keys, size_t i,
                         const struct analysis_labels *labels, struct lib_text *text);

/* Adds it without names, for where analysis_keys_title stands over all of them: "fifo, 10". */
void analysis_keys_write_values(const struct analysis_keys *keys, size_t i,
                                const struct analysis_labels *labels,
                                struct lib_text *text);

/* Adds the names of the columns, where some key has one: "queue.discipline, network.latency". */
void analysis_keys_write_title(const struct analysis_keys *keys,
                               const struct analysis_labels *labels,
                               struct lib_text *text);

#endif
