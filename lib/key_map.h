/* A hash table from keys to numbers; both of 64 bits. Start with {0}. */
#ifndef LIB_KEY_MAP_H
#define LIB_KEY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lib_key_map {
    struct lib_key_place {
        uint64_t key; /* 0: empty */
        uint64_t value;
    } * places;
    size_t count, mask;
};

void lib_key_map_free(struct lib_key_map *map);

/* The value of a key, which is not 0; NULL: it is not there. Valid until something is put or removed. */
uint64_t *lib_key_map_find(const struct lib_key_map *map, uint64_t key);

/* Puts a key that is not there, or gives it another value. */
void lib_key_map_put(struct lib_key_map *map, uint64_t key, uint64_t value);

/* false: it is not there. */
bool lib_key_map_remove(struct lib_key_map *map, uint64_t key);

#endif
