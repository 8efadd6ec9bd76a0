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

/* Memory for one block. */
struct lib_paged_frame {
    char *items;     /* owned */
    size_t block;    /* block that is in this memory; SIZE_MAX: none */
    uint64_t used;   /* value of `uses` at the last use */
    bool is_changed; /* the block differs from its copy in the file */
};

struct lib_paged {
    size_t size;                    /* bytes per item */
    size_t frames;                  /* max blocks in memory; at least 4 are kept */
    size_t count;                   /* items */
    struct lib_paged_frame *newest; /* memory of the last block; NULL: no blocks */
    struct lib_paged_frame **all;   /* owned array of `made` frames, each owned */
    size_t made;
    /* For each block: its frame in memory, or NULL if the block is in the file. */
    LIB_VEC(struct lib_paged_frame *) where;
    uint64_t uses; /* number of uses of blocks so far */
    int file;      /* descriptor, or -1 */
    bool is_full;  /* the file cannot be made or cannot grow */
    int error;     /* errno of the first failed read, whose items became zeros; or 0 */
};

/* Initialises an empty array of items of `size` bytes. */
void lib_paged_start(struct lib_paged *paged, size_t size, size_t frames);
void lib_paged_free(struct lib_paged *paged);

/* Removes all items and keeps the memory. */
void lib_paged_clear(struct lib_paged *paged);

/* Only for the inline functions below. */
void lib_paged_add_block(struct lib_paged *paged);
void *lib_paged_find(struct lib_paged *paged, size_t item, bool changes);

/* The functions below return pointers to items. A pointer is valid until the third following
 * call. */

/* Appends an uninitialised item. */
static inline void *lib_paged_push(struct lib_paged *p)
{
    const size_t at = p->count % LIB_PAGED_BLOCK;
    if (__builtin_expect(at == 0, 0))
        lib_paged_add_block(p);
    p->count++;
    return p->newest->items + at * p->size;
}

/* Returns the last item. The array must not be empty. */
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
