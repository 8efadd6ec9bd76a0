#include "lib/pages.h"

#include <sys/mman.h>

/* Address sanitizers see neither the bounds of mapped blocks nor the addresses in them. */
#if defined __SANITIZE_ADDRESS__
#define IS_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined MADV_HUGEPAGE && defined MREMAP_FIXED && !defined IS_SANITIZED

/* A mapping is a small page, which holds the size, and the block after it. */
enum { HEAD = 4096 };

static size_t *head_of(const void *block)
{
    return (size_t *)(void *)((char *)(uintptr_t)block - HEAD);
}

/* Rounds up to whole pages. Returns 0 if that is more than any host has. */
static size_t round_up(size_t bytes)
{
    const size_t page = LIB_PAGES_SIZE;
    return bytes < SIZE_MAX / 2 ? (bytes + page - 1) & -page : 0;
}

/* Reserves addresses for a mapping whose block has `bytes` bytes. Returns where the block begins,
 * or NULL. */
static char *reserve(size_t bytes, int protection)
{
    const size_t all = HEAD + bytes + LIB_PAGES_SIZE;
    char *from = mmap(NULL, all, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (from == MAP_FAILED)
        return NULL;
    const uintptr_t aligned = ((uintptr_t)from + HEAD + LIB_PAGES_SIZE - 1) &
                              -(uintptr_t)LIB_PAGES_SIZE;
    char *block = from + (aligned - (uintptr_t)from);
    char *const end = block + bytes;
    if (block - HEAD > from)
        munmap(from, (size_t)(block - HEAD - from));
    if (from + all > end)
        munmap(end, (size_t)(from + all - end));
    return block;
}

/* Advises the whole mapping: what is advised in parts cannot be moved in one call. */
static void *begin(char *block, size_t bytes)
{
    (void)madvise(block - HEAD, HEAD + bytes, MADV_HUGEPAGE);
    *head_of(block) = bytes;
    return block;
}

void *lib_pages_new(size_t bytes)
{
    bytes = round_up(bytes);
    char *block = bytes ? reserve(bytes, PROT_READ | PROT_WRITE) : NULL;
    return block ? begin(block, bytes) : NULL;
}

/* Moves whole pages, so that growing copies no bytes. */
void *lib_pages_grow(void *block, size_t bytes)
{
    const size_t before = lib_pages_bytes(block);
    char *const from = (char *)head_of(block);
    bytes = round_up(bytes);
    if (bytes && bytes <= before)
        return block;
    if (!bytes)
        return NULL;
    if (mremap(from, HEAD + before, HEAD + bytes, 0) != MAP_FAILED)
        return begin(block, bytes);
    char *const to = reserve(bytes, PROT_NONE);
    if (!to)
        return NULL;
    if (mremap(from, HEAD + before, HEAD + bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
               to - HEAD) == MAP_FAILED) {
        munmap(to - HEAD, HEAD + bytes);
        return NULL;
    }
    return begin(to, bytes);
}

size_t lib_pages_bytes(const void *block)
{
    return *head_of(block);
}

void lib_pages_free(void *block)
{
    munmap(head_of(block), HEAD + lib_pages_bytes(block));
}

#else

void *lib_pages_new(size_t bytes)
{
    (void)bytes;
    return NULL;
}

void *lib_pages_grow(void *block, size_t bytes)
{
    (void)block, (void)bytes;
    return NULL;
}

size_t lib_pages_bytes(const void *block)
{
    (void)block;
    return 0;
}

void lib_pages_free(void *block)
{
    (void)block;
}

#endif
