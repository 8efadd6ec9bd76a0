/* Growing array that may be larger than memory. Some of its blocks are in memory, the others in an
 * unnamed file (lib/scratch_file.h).
 *
 * Access is fast near the end of the array and near the previous access. If the file cannot grow,
 * blocks stay in memory. Items must not contain addresses of items. */
#ifndef LIB_PAGED_H
#define LIB_PAGED_H

#include <stdint.h>

#include "lib/memory.h"

enum { LIB_PAGED_BLOCK = 1 << 12 }; /* items per block */

/* Buffer in memory for one block of the array. */
struct lib_paged_frame {
    char *items;     /* owned */
    size_t block;    /* index of the block that is in `items`; SIZE_MAX: none */
    uint64_t used;   /* value of lib_paged.uses at the last use of the block */
    bool is_changed; /* the block differs from its copy in the file */
};

struct lib_paged {
    size_t size;   /* bytes per item */
    size_t frames; /* max buffers (blocks in memory); less than 4 means 4 */
    size_t count;  /* number of items */
    /* Buffer of the last block; NULL: the array is empty. */
    struct lib_paged_frame *newest;
    struct lib_paged_frame **all; /* owned array of `made` buffers, each owned */
    size_t made;
    /* Buffer of each block, or NULL if the block is only in the file. */
    LIB_VEC(struct lib_paged_frame *) where;
    uint64_t uses; /* counter that orders uses of blocks in time */
    int file;      /* descriptor of the file of blocks; -1: none */
    bool is_full;  /* no more blocks fit in the file, or it cannot be made */
    /* errno of the first failed read of a block, whose items became 0; 0: none */
    int error;
};

/* Initialises an empty array with items of `size` bytes. At most `frames` blocks are in memory,
 * or 4 if `frames` is less; more if the file cannot grow. */
void lib_paged_start(struct lib_paged *paged, size_t size, size_t frames);
void lib_paged_free(struct lib_paged *paged);

/* Removes all items, but keeps the memory. */
void lib_paged_clear(struct lib_paged *paged);

/* Slow paths of the inline functions below; not for other callers. */
void lib_paged_add_block(struct lib_paged *paged);
void *lib_paged_find(struct lib_paged *paged, size_t item, bool changes);

/* Functions below return pointers to items. A pointer is valid until the third following call. */

/* Appends an uninitialised item and returns a pointer to it. */
static inline void *lib_paged_push(struct lib_paged *p)
{
    const size_t at = p->count % LIB_PAGED_BLOCK;
    if (__builtin_expect(at == 0, 0))
        lib_paged_add_block(p);
    p->count++;
    return p->newest->items + at * p->size;
}

/* Returns a pointer to the last item. The array must not be empty. */
static inline void *lib_paged_last(struct lib_paged *p)
{
    return p->newest->items + (p->count - 1) % LIB_PAGED_BLOCK * p->size;
}

/* Return item `i`: lib_paged_get for reading, lib_paged_edit for changing. */
static inline const void *lib_paged_get(struct lib_paged *p, size_t i)
{
    return i / LIB_PAGED_BLOCK == p->newest->block
               ? p->newest->items + i % LIB_PAGED_BLOCK * p->size
               : lib_paged_find(p, i, false);
}

static inline void *lib_paged_edit(struct lib_paged *p, size_t i)
{
    return i / LIB_PAGED_BLOCK == p->newest->block
               ? p->newest->items + i % LIB_PAGED_BLOCK * p->size
               : lib_paged_find(p, i, true);
}

#endif
