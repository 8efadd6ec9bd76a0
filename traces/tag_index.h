/* Which number of an activation stands where in a table of activations. A hash table of 8 bytes per
 * place. A number that is gone keeps its place until room is needed, as it is used again. */
#ifndef TRACES_TAG_INDEX_H
#define TRACES_TAG_INDEX_H

#include "traces/events.h"

struct traces_tag_place {
    uint32_t tag; /* TRACES_NONE: the place is empty */
    uint32_t at;  /* in the table; TRACES_NONE: it is gone */
};

struct traces_tag_index {
    struct traces_tag_place *places;
    size_t used, mask;
    unsigned shift;
    size_t count; /* alive */
};

void traces_tag_index_start(struct traces_tag_index *index);
void traces_tag_index_free(struct traces_tag_index *index);

/* Where the number is, or the empty place where it would be. */
static inline struct traces_tag_place *
traces_tag_index_place(const struct traces_tag_index *index, uint32_t tag)
{
    size_t at = (tag * UINT32_C(0x9e3779b1)) >> index->shift;
    while (index->places[at].tag != tag && index->places[at].tag != TRACES_NONE)
        at = (at + 1) & index->mask;
    return &index->places[at];
}

/* TRACES_NONE: it is not alive, or no number. */
static inline uint32_t traces_tag_index_find(const struct traces_tag_index *index,
                                             uint32_t tag)
{
    return traces_tag_index_place(index, tag)->at;
}

/* It stands there now, and is alive; `tag` is a number. */
void traces_tag_index_put(struct traces_tag_index *index, uint32_t tag, uint32_t at);

/* It is gone. Where it stood; TRACES_NONE: it was not alive. */
uint32_t traces_tag_index_remove(struct traces_tag_index *index, uint32_t tag);

#endif
