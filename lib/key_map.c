#include "lib/key_map.h"

#include "lib/hash.h"
#include "lib/memory.h"

enum { LEAST_PLACES = 64 };

void lib_key_map_free(struct lib_key_map *k)
{
    lib_mem_free(k->places);
    *k = (struct lib_key_map){0};
}

/* Where a key is, or the empty place where it would be. */
static size_t place_of(const struct lib_key_map *k, uint64_t key)
{
    size_t at = (size_t)lib_hash_mix(key) & k->mask;
    while (k->places[at].key && k->places[at].key != key)
        at = (at + 1) & k->mask;
    return at;
}

uint64_t *lib_key_map_find(const struct lib_key_map *k, uint64_t key)
{
    if (!k->places)
        return NULL;
    struct lib_key_place *place = &k->places[place_of(k, key)];
    return place->key ? &place->value : NULL;
}

static void grow(struct lib_key_map *k)
{
    const struct lib_key_map old = *k;
    const size_t places = old.places ? old.mask + 1 : 0;
    const size_t more = places ? 2 * places : LEAST_PLACES;
    k->places = lib_mem_new(more * sizeof *k->places);
    k->mask = more - 1;
    for (size_t i = 0; i < places; i++)
        if (old.places[i].key)
            k->places[place_of(k, old.places[i].key)] = old.places[i];
    lib_mem_free(old.places);
}

void lib_key_map_put(struct lib_key_map *k, uint64_t key, uint64_t value)
{
    if (!k->places || 3 * (k->count + 1) > 2 * k->mask)
        grow(k);
    struct lib_key_place *place = &k->places[place_of(k, key)];
    k->count += !place->key;
    *place = (struct lib_key_place){key, value};
}

/* Those behind an empty place move up to it, if their home is not behind it. */
bool lib_key_map_remove(struct lib_key_map *k, uint64_t key)
{
    if (!lib_key_map_find(k, key))
        return false;
    size_t empty = place_of(k, key);
    for (size_t at = (empty + 1) & k->mask; k->places[at].key; at = (at + 1) & k->mask) {
        const size_t home = (size_t)lib_hash_mix(k->places[at].key) & k->mask;
        if (((at - home) & k->mask) < ((at - empty) & k->mask))
            continue;
        k->places[empty] = k->places[at];
        empty = at;
    }
    k->places[empty].key = 0;
    k->count--;
    return true;
}
