/* A hash table from keys to values: a key is a number of 64 bits, and a value one such word, or `words` of them. Start
 * with {0}, or {.words = ...}. Nothing that is printed may depend on the order of its places. */
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

/* The value of a key, which is not 0; NULL: it is not there. Valid until something is put or removed. */
uint64_t *lib_key_map_find(const struct lib_key_map *map, uint64_t key);

/* The same; what is not there is put, with a value of zeros. */
uint64_t *lib_key_map_at(struct lib_key_map *map, uint64_t key);

/* Puts a key that is not there, or gives it another value of one word. */
void lib_key_map_put(struct lib_key_map *map, uint64_t key, uint64_t value);

/* false: it is not there. */
bool lib_key_map_remove(struct lib_key_map *map, uint64_t key);

void lib_key_map_pack(struct lib_pack *pack, struct lib_key_map *map);

#endif
