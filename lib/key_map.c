#include "lib/key_map.h"

#include "lib/hash.h"
#include "lib/pack.h"

#include <string.h>

enum { LEAST_PLACES = 64 };

void lib_key_map_free(struct lib_key_map *k)
{
    LIB_VEC_FREE(&k->places);
    *k = (struct lib_key_map){.words = k->words};
}

static inline size_t step_of(const struct lib_key_map *k)
{
    return k->words ? k->words + 1 : 2;
}

/* Returns the index of a key, or of the empty entry where it would be added. */
static inline size_t place_of(const struct lib_key_map *k, uint64_t key)
{
    const size_t step = step_of(k);
    size_t at = (size_t)lib_hash_mix(key) & k->mask;
    while (k->places.items[at * step] && k->places.items[at * step] != key)
        at = (at + 1) & k->mask;
    return at;
}

uint64_t *lib_key_map_find(const struct lib_key_map *k, uint64_t key)
{
    if (k->count == 0)
        return NULL;
    uint64_t *place = &k->places.items[place_of(k, key) * step_of(k)];
    return *place ? place + 1 : NULL;
}

static void grow_map(struct lib_key_map *k)
{
    const struct lib_key_map old = *k;
    const size_t step = step_of(k), places = old.places.count / step;
    const size_t more = places ? 2 * places : LEAST_PLACES;
    k->places.items = lib_mem_new(more * step * sizeof *k->places.items);
    k->places.count = k->places.capacity = more * step;
    k->mask = more - 1;
    for (size_t i = 0; i < places; i++) {
        const uint64_t *from = &old.places.items[i * step];
        if (*from)
            memcpy(&k->places.items[place_of(k, *from) * step], from,
                   step * sizeof *from);
    }
    lib_mem_free(old.places.items);
}

uint64_t *lib_key_map_at(struct lib_key_map *k, uint64_t key)
{
    if (!k->places.count || 3 * (k->count + 1) > 2 * k->mask)
        grow_map(k);
    uint64_t *place = &k->places.items[place_of(k, key) * step_of(k)];
    k->count += !*place;
    *place = key;
    return place + 1;
}

void lib_key_map_put(struct lib_key_map *k, uint64_t key, uint64_t value)
{
    *lib_key_map_at(k, key) = value;
}

/* Later entries of the cluster move up, unless their home is after the empty one. */
bool lib_key_map_remove(struct lib_key_map *k, uint64_t key)
{
    const size_t step = step_of(k), bytes = step * sizeof(uint64_t);
    uint64_t *const places = k->places.items;
    if (!lib_key_map_find(k, key))
        return false;
    size_t empty = place_of(k, key);
    for (size_t at = (empty + 1) & k->mask; places[at * step]; at = (at + 1) & k->mask) {
        const size_t home = (size_t)lib_hash_mix(places[at * step]) & k->mask;
        if (((at - home) & k->mask) < ((at - empty) & k->mask))
            continue;
        memcpy(&places[empty * step], &places[at * step], bytes);
        empty = at;
    }
    memset(&places[empty * step], 0, bytes);
    k->count--;
    return true;
}

const uint64_t *lib_key_map_next(const struct lib_key_map *k, size_t *at)
{
    for (const size_t step = step_of(k); *at < k->places.count;) {
        const uint64_t *place = &k->places.items[*at];
        *at += step;
        if (*place)
            return place;
    }
    return NULL;
}

void lib_key_map_pack(struct lib_pack *pack, struct lib_key_map *k)
{
    LIB_PACK_VEC(pack, &k->places);
    LIB_PACK(pack, k->count);
    k->mask = k->places.count / step_of(k) - 1;
}
