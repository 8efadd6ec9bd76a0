/* Hash table from 32-bit keys to 32-bit values, 8 bytes per entry. A value is usually an index in
 * an array of the caller; the key identifies the array item or is its hash. A key can have several
 * values, found in the order in which they were added. Output must not depend on the order of keys.
 *
 * Initialise with lib_hash_index_start; lib_hash_index_free also accepts a zeroed structure. */
#ifndef LIB_HASH_INDEX_H
#define LIB_HASH_INDEX_H

#include "lib/memory.h"

#include <stdbool.h>
#include <stdint.h>

#define LIB_HASH_INDEX_NONE UINT32_MAX /* value of a key that the table does not have */

struct lib_hash_place {
    uint32_t key;
    uint32_t number; /* value of the key; LIB_HASH_INDEX_NONE: the entry is empty */
};

struct lib_hash_index {
    /* owned hash table with linear probing; its length is a power of two */
    struct lib_hash_place *places;
    size_t mask;  /* length of `places` - 1 */
    size_t count; /* entries in use */
    unsigned shift;
};

void lib_hash_index_start(struct lib_hash_index *index);
void lib_hash_index_free(struct lib_hash_index *index);

/* Returns the index in `places` where the search for a key begins. */
static inline size_t lib_hash_index_home(const struct lib_hash_index *index, uint32_t key)
{
    return (key * UINT32_C(0x9e3779b1)) >> index->shift;
}

/* Returns the index of the first entry in `places`, from `at` on, that has the key or is empty. */
static inline size_t lib_hash_index_seek(const struct lib_hash_index *index, uint32_t key,
                                         size_t at)
{
    const struct lib_hash_place *places = index->places;
    while (places[at].key != key && places[at].number != LIB_HASH_INDEX_NONE)
        at = (at + 1) & index->mask;
    return at;
}

/* Returns the index in `places` of the first entry of the key, or of the empty entry where the key
 * would be added. */
static inline size_t lib_hash_index_first(const struct lib_hash_index *index,
                                          uint32_t key)
{
    return lib_hash_index_seek(index, key, lib_hash_index_home(index, key));
}

/* Returns the index in `places` of the next entry of the key after entry `at`, or of an empty
 * entry. */
static inline size_t lib_hash_index_next(const struct lib_hash_index *index, uint32_t key,
                                         size_t at)
{
    return lib_hash_index_seek(index, key, (at + 1) & index->mask);
}

/* Returns the first value of a key, or LIB_HASH_INDEX_NONE if the table does not have the key. */
static inline uint32_t lib_hash_index_find(const struct lib_hash_index *index,
                                           uint32_t key)
{
    return index->places[lib_hash_index_first(index, key)].number;
}

/* Adds value `number` to a key, after the values it has. Returns whether it had any. Invalidates
 * indexes into `places`. */
bool lib_hash_index_add(struct lib_hash_index *index, uint32_t key, uint32_t number);

/* Sets the value of a key that has at most one value. Invalidates indexes into `places`. */
void lib_hash_index_put(struct lib_hash_index *index, uint32_t key, uint32_t number);

/* Removes the entry at index `at` of `places`. Other entries may move; the values of each key keep
 * their order. */
void lib_hash_index_remove_at(struct lib_hash_index *index, size_t at);

/* Removes and returns the first value of a key. Returns LIB_HASH_INDEX_NONE if it has none. */
uint32_t lib_hash_index_remove(struct lib_hash_index *index, uint32_t key);

#endif
