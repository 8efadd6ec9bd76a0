/* Hash table in an arena, from 64-bit keys, except 0, to 32-bit values. {0} is an empty table. For
 * tables that are small and many: lib/key_map.h is for large ones. Output must not depend on the
 * order of places. */
#ifndef LIB_ARENA_MAP_H
#define LIB_ARENA_MAP_H

#include "lib/arena.h"

struct lib_arena_map {
    struct lib_arena_map_place {
        uint64_t key; /* 0: empty */
        uint32_t value;
    } * places;
    uint32_t count, capacity; /* keys; places, a power of two or 0 */
};

/* Returns a pointer to the value of a key, valid until a key is added; NULL if the table lacks the
 * key. */
uint32_t *lib_arena_map_find(const struct lib_arena_map *map, uint64_t key);

/* Like lib_arena_map_find, but adds an absent key with value `initial`. */
uint32_t *lib_arena_map_at(struct lib_arena *arena, struct lib_arena_map *map,
                           uint64_t key, uint32_t initial);

#endif
