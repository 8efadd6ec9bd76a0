/* Hash table from 64-bit keys to values of `words` 64-bit words. Key 0 is not allowed. Initialise
 * with {0} for values of one word, else with {.words = ...}. Output must not depend on the order
 * of its places. */
#ifndef LIB_KEY_MAP_H
#define LIB_KEY_MAP_H

#include "lib/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lib_pack;

struct lib_key_map {
    LIB_VEC(uint64_t) places; /* a key, 0: empty, and its value, one after the other */
    size_t count, mask;
    uint32_t words; /* of a value; 0: one */
};

void lib_key_map_free(struct lib_key_map *map);

/* Returns a pointer to the value of a key, or NULL if the table does not have it. The pointer is
 * valid until the next put or remove. */
uint64_t *lib_key_map_find(const struct lib_key_map *map, uint64_t key);

/* Returns a pointer to the value of a key, and adds the key with zeros if the table does not have
 * it. The pointer is valid until the next put or remove. */
uint64_t *lib_key_map_at(struct lib_key_map *map, uint64_t key);

/* Sets the value, of one word, of a key, and adds the key if the table does not have it. */
void lib_key_map_put(struct lib_key_map *map, uint64_t key, uint64_t value);

/* Removes a key. Returns false if the table does not have it. */
bool lib_key_map_remove(struct lib_key_map *map, uint64_t key);

/* Returns the next key, with its value behind it, and advances *at, which starts as 0. Returns
 * NULL if there are no more. The order is arbitrary. */
const uint64_t *lib_key_map_next(const struct lib_key_map *map, size_t *at);

void lib_key_map_pack(struct lib_pack *pack, struct lib_key_map *map);

#endif
