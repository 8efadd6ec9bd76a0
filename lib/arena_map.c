#include "lib/arena_map.h"

#include "lib/hash.h"

enum { LEAST_PLACES = 4 };

/* Returns the place of a key, or the empty one where it would be added. */
static struct lib_arena_map_place *place_of(const struct lib_arena_map *map, uint64_t key)
{
    const uint32_t mask = map->capacity - 1;
    uint32_t at = (uint32_t)lib_hash_mix(key) & mask;
    while (map->places[at].key && map->places[at].key != key)
        at = (at + 1) & mask;
    return &map->places[at];
}

uint32_t *lib_arena_map_find(const struct lib_arena_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    struct lib_arena_map_place *place = place_of(map, key);
    return place->key ? &place->value : NULL;
}

static void grow_map(struct lib_arena *arena, struct lib_arena_map *map)
{
    const struct lib_arena_map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : LEAST_PLACES;
    map->places = LIB_ARENA_ARRAY(arena, struct lib_arena_map_place, map->capacity);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.places[i].key)
            *place_of(map, old.places[i].key) = old.places[i];
}

uint32_t *lib_arena_map_at(struct lib_arena *arena, struct lib_arena_map *map,
                           uint64_t key, uint32_t initial)
{
    if (2 * map->count >= map->capacity)
        grow_map(arena, map);
    struct lib_arena_map_place *place = place_of(map, key);
    if (!place->key) {
        *place = (struct lib_arena_map_place){key, initial};
        map->count++;
    }
    return &place->value;
}
