/* A growing array of items of one size that may be larger than memory: some of its blocks are in memory, and the
 * others in a file without a name (lib/scratch_file.h). Fast near its end, and where one item is near the one before.
 * If the host takes no more, blocks stay in memory. Items hold no addresses. */
#ifndef LIB_PAGED_H
#define LIB_PAGED_H

#include <stdint.h>

#include "lib/memory.h"

enum { LIB_PAGED_BLOCK = 1 << 12 }; /* items */

struct lib_paged_frame {
    char *items; /* owned */
    size_t block;
    uint64_t used; /* when it was used last */
    bool is_changed;
};

struct lib_paged {
    size_t size;   /* of an item */
    size_t frames; /* blocks in memory, at most; 4 at least */
    size_t count;
    struct lib_paged_frame *
        newest; /* that of the last item; never written as long as it is that; NULL: none */
    struct lib_paged_frame **all; /* owned: `made` frames */
    size_t made;
    LIB_VEC(struct lib_paged_frame *)
    where; /* of each block; NULL: in the file, or not yet used */
    uint64_t uses;
    int file;     /* -1: there is none */
    bool is_full; /* the host has no file, or no more room in it */
    int error;    /* of reading, the first; 0: none. Items may then be anything. */
};

void lib_paged_start(struct lib_paged *paged, size_t size, size_t frames);
void lib_paged_free(struct lib_paged *paged);
void lib_paged_clear(struct lib_paged *paged); /* no items; the memory serves again */

/* Functions of the pages, which those below need. */
void lib_paged_add_block(struct lib_paged *paged);
void *lib_paged_find(struct lib_paged *paged, size_t item, bool changes);

/* Pointers to items are valid until the third call from then on. */

/* A new item, uninitialised. */
static inline void *lib_paged_push(struct lib_paged *p)
{
    const size_t at = p->count % LIB_PAGED_BLOCK;
    if (__builtin_expect(at == 0, 0))
        lib_paged_add_block(p);
    p->count++;
    return p->newest->items + at * p->size;
}

/* The last item, of one or more. */
static inline void *lib_paged_last(struct lib_paged *p)
{
    return p->newest->items + (p->count - 1) % LIB_PAGED_BLOCK * p->size;
}

/* Item `i`, to be read; or to be changed, too. */
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
