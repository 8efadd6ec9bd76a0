/* Hash table from 64-bit keys to 64-bit values. Key 0 is not allowed. Initialise with {0}. */
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

/* Returns a pointer to the value of a key, or NULL if the table does not have it. The pointer is
 * valid until the next put or remove. */
uint64_t *lib_key_map_find(const struct lib_key_map *map, uint64_t key);

/* Sets the value of a key, and adds the key if the table does not have it. */
void lib_key_map_put(struct lib_key_map *map, uint64_t key, uint64_t value);

/* Removes a key. Returns false if the table does not have it. */
bool lib_key_map_remove(struct lib_key_map *map, uint64_t key);

#endif
