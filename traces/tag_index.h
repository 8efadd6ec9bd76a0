/* Index of a table of activations: a hash table from the number of an activation to its index in
 * the table, with 8 bytes per place. A number that was removed keeps its place until memory is
 * needed, because it is likely to be used again. */
#ifndef TRACES_TAG_INDEX_H
#define TRACES_TAG_INDEX_H

#include "traces/events.h"

struct traces_tag_place {
    uint32_t tag; /* TRACES_NONE in an empty place */
    uint32_t at;  /* index in the table; TRACES_NONE if removed */
};

struct traces_tag_index {
    struct traces_tag_place *places;
    size_t used, mask;
    unsigned shift;
    size_t count; /* numbers with an index */
};

void traces_tag_index_start(struct traces_tag_index *index);
void traces_tag_index_free(struct traces_tag_index *index);

/* Returns the place of a number, or the empty place for it. */
static inline struct traces_tag_place *
traces_tag_index_place(const struct traces_tag_index *index, uint32_t tag)
{
    size_t at = (tag * UINT32_C(0x9e3779b1)) >> index->shift;
    while (index->places[at].tag != tag && index->places[at].tag != TRACES_NONE)
        at = (at + 1) & index->mask;
    return &index->places[at];
}

/* Returns the index of a number, or TRACES_NONE if it has none. TRACES_NONE has none. */
static inline uint32_t traces_tag_index_find(const struct traces_tag_index *index,
                                             uint32_t tag)
{
    return traces_tag_index_place(index, tag)->at;
}

/* Sets the index of a number. Neither may be TRACES_NONE. */
void traces_tag_index_put(struct traces_tag_index *index, uint32_t tag, uint32_t at);

/* Removes a number. Returns its index, or TRACES_NONE if it had none. */
uint32_t traces_tag_index_remove(struct traces_tag_index *index, uint32_t tag);

#endif
