/* Hash table from 64-bit keys, except 0, to values of `words` 64-bit words. Initialise with {0} for
 * values of one word, else with {.words = ...}. Output must not depend on the order of entries. */
#ifndef LIB_KEY_MAP_H
#define LIB_KEY_MAP_H

#include "lib/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lib_pack;

struct lib_key_map {
    /* Entries of 1 + `words` elements each: the key (0: empty entry), then its value. */
    LIB_VEC(uint64_t) places;
    size_t count, mask;
    uint32_t words; /* 64-bit words per value; 0 means one */
};

void lib_key_map_free(struct lib_key_map *map);

/* Returns a pointer to the value of a key, valid until a key is added or removed; NULL if the table
 * lacks the key. */
uint64_t *lib_key_map_find(const struct lib_key_map *map, uint64_t key);

/* Like lib_key_map_find, but adds an absent key with value 0. */
uint64_t *lib_key_map_at(struct lib_key_map *map, uint64_t key);

/* Sets the one-word value of a key. Adds the key if the table does not have it. */
void lib_key_map_put(struct lib_key_map *map, uint64_t key, uint64_t value);

/* Removes a key. Returns false if the table lacks it. */
bool lib_key_map_remove(struct lib_key_map *map, uint64_t key);

/* Iterates over the table. Returns a pointer to the next key, which is followed by its value, and
 * advances *at, which starts as 0. Returns NULL after the last key. */
const uint64_t *lib_key_map_next(const struct lib_key_map *map, size_t *at);

void lib_key_map_pack(struct lib_pack *pack, struct lib_key_map *map);

#endif
