/* Blocks of memory in large pages. A processor translates addresses page by page and remembers the
 * translations of few pages, so memory that is accessed at random places is faster in pages of
 * 2 MB than of 4 KB. Only lib/memory.c calls this module.
 *
 * A block begins at a multiple of LIB_PAGES_SIZE. The kernel is asked for large pages; where it has
 * none, the block consists of small ones and behaves the same. The functions that allocate return
 * NULL if the host has no room or cannot map memory. */
#ifndef LIB_PAGES_H
#define LIB_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIB_PAGES_SIZE = 1 << 21 }; /* bytes of a large page */

/* Whether an address may be a block of this module. Blocks of malloc for which this is true must
 * not be used, so that lib_mem_free can tell the two kinds apart. */
static inline bool lib_pages_is_block(const void *block)
{
    return ((uintptr_t)block & (LIB_PAGES_SIZE - 1)) == 0 && block;
}

/* Allocates at least `bytes` zeroed bytes; a multiple of LIB_PAGES_SIZE. */
void *lib_pages_new(size_t bytes);

/* Grows a block to at least `bytes` bytes. Returns the block, which may have moved; the bytes
 * beyond the old size are zero. If it returns NULL, `block` is unchanged. */
void *lib_pages_grow(void *block, size_t bytes);

/* Returns the size of a block in bytes. */
size_t lib_pages_bytes(const void *block);

void lib_pages_free(void *block);

#endif
