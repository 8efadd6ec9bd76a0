#include "traces/tag_index.h"

#include <string.h>

enum { LEAST_PLACES = 64 };

static void start(struct traces_tag_index *index, size_t places)
{
    index->places = lib_mem_resize(NULL, places * sizeof *index->places);
    memset(index->places, 0xff, places * sizeof *index->places); /* all TRACES_NONE */
    index->mask = places - 1;
    index->shift = (unsigned)(32 - __builtin_ctzll(places));
    index->used = 0;
}

void traces_tag_index_start(struct traces_tag_index *index)
{
    start(index, LEAST_PLACES);
    index->count = 0;
}

void traces_tag_index_free(struct traces_tag_index *index)
{
    lib_mem_free(index->places);
    *index = (struct traces_tag_index){0};
}

/* Makes room for more numbers; those that are gone need none. Half of the places may be in use
 * afterwards, and 5 in 8 before the next time: a run has several such tables, of all its
 * activations. */
static void make_room(struct traces_tag_index *index)
{
    struct traces_tag_place *old = index->places;
    const size_t places = index->mask + 1;
    start(index, 2 * index->count > places ? 2 * places : places);
    for (size_t i = 0; i < places; i++)
        if (old[i].at != TRACES_NONE) {
            *traces_tag_index_place(index, old[i].tag) = old[i];
            index->used++;
        }
    lib_mem_free(old);
}

void traces_tag_index_put(struct traces_tag_index *index, uint32_t tag, uint32_t at)
{
    assert(tag != TRACES_NONE && at != TRACES_NONE);
    if (8 * (index->used + 1) > 5 * index->mask)
        make_room(index);
    struct traces_tag_place *place = traces_tag_index_place(index, tag);
    index->used += place->tag == TRACES_NONE;
    index->count += place->at == TRACES_NONE;
    *place = (struct traces_tag_place){tag, at};
}

uint32_t traces_tag_index_remove(struct traces_tag_index *index, uint32_t tag)
{
    struct traces_tag_place *place = traces_tag_index_place(index, tag);
    const uint32_t at = place->at;
    index->count -= at != TRACES_NONE;
    place->at = TRACES_NONE;
    return at;
}
