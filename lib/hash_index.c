#include "lib/hash_index.h"

#include <assert.h>
#include <string.h>

enum { MIN_PLACES = 64 };

static void start(struct lib_hash_index *index, size_t places)
{
    index->places = lib_mem_new_scattered(places * sizeof *index->places);
    memset(index->places, 0xff, places * sizeof *index->places);
    index->mask = places - 1;
    index->shift = (unsigned)(32 - __builtin_ctzll(places));
}

void lib_hash_index_start(struct lib_hash_index *index)
{
    start(index, MIN_PLACES);
    index->count = 0;
}

void lib_hash_index_free(struct lib_hash_index *index)
{
    lib_mem_free(index->places);
    *index = (struct lib_hash_index){0};
}

/* Returns whether the key has another value. */
static bool append(struct lib_hash_index *index, struct lib_hash_place place)
{
    bool has_other = false;
    size_t at = lib_hash_index_home(index, place.key);
    for (; index->places[at].number != LIB_HASH_INDEX_NONE; at = (at + 1) & index->mask)
        has_other |= index->places[at].key == place.key;
    index->places[at] = place;
    return has_other;
}

/* Doubles the table. The numbers of a key lie in order after an empty entry, so the walk begins
 * after one. */
static void grow_index(struct lib_hash_index *index)
{
    struct lib_hash_place *old = index->places;
    const size_t mask = index->mask;
    size_t from = 0;
    assert(mask < UINT32_MAX / 2);
    start(index, 2 * (mask + 1));
    while (old[from].number != LIB_HASH_INDEX_NONE)
        from++;
    for (size_t i = 1; i <= mask; i++)
        if (old[(from + i) & mask].number != LIB_HASH_INDEX_NONE)
            append(index, old[(from + i) & mask]);
    lib_mem_free(old);
}

bool lib_hash_index_add(struct lib_hash_index *index, uint32_t key, uint32_t number)
{
    assert(number != LIB_HASH_INDEX_NONE);
    if (8 * (index->count + 1) > 5 * index->mask)
        grow_index(index);
    index->count++;
    return append(index, (struct lib_hash_place){key, number});
}

void lib_hash_index_put(struct lib_hash_index *index, uint32_t key, uint32_t number)
{
    struct lib_hash_place *place = &index->places[lib_hash_index_first(index, key)];
    if (place->number == LIB_HASH_INDEX_NONE)
        lib_hash_index_add(index, key, number);
    else
        place->number = number;
}

/* Moves later entries of the cluster to the empty one, unless their home is after it. */
void lib_hash_index_remove_at(struct lib_hash_index *index, size_t empty)
{
    struct lib_hash_place *places = index->places;
    const size_t mask = index->mask;
    for (size_t at = (empty + 1) & mask; places[at].number != LIB_HASH_INDEX_NONE;
         at = (at + 1) & mask) {
        const size_t home = lib_hash_index_home(index, places[at].key);
        if (((at - home) & mask) < ((at - empty) & mask))
            continue;
        places[empty] = places[at];
        empty = at;
    }
    places[empty].number = LIB_HASH_INDEX_NONE;
    index->count--;
}

uint32_t lib_hash_index_remove(struct lib_hash_index *index, uint32_t key)
{
    const size_t at = lib_hash_index_first(index, key);
    const uint32_t number = index->places[at].number;
    if (number != LIB_HASH_INDEX_NONE)
        lib_hash_index_remove_at(index, at);
    return number;
}
