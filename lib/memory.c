#include "lib/memory.h"

#include "lib/pages.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)LIB_MEM_LARGE_PAGE == (int)LIB_PAGES_SIZE, "a block is one page");

/* Set before there are threads. */
static struct lib_mem_handler handler_of_process;
static _Thread_local struct lib_mem_handler handler_of_thread;

struct lib_mem_handler lib_mem_get_handler(void)
{
    return handler_of_thread;
}

struct lib_mem_handler lib_mem_set_handler(struct lib_mem_handler handler)
{
    const struct lib_mem_handler before = handler_of_thread;
    handler_of_thread = handler;
    return before;
}

void lib_mem_set_process_handler(struct lib_mem_handler handler)
{
    handler_of_process = handler;
}

void lib_mem_exhausted(size_t bytes)
{
    static _Thread_local bool is_called;
    const struct lib_mem_handler handler = handler_of_thread.call ? handler_of_thread
                                                                  : handler_of_process;
    if (handler.call && !is_called) {
        is_called = true;
        handler.call(handler.context, bytes);
    }
    abort();
}

/* Returns a block of malloc that cannot be taken for one in large pages: frees one that can, after
 * allocating another. `kept`: bytes to be copied. */
static __attribute__((cold, noinline)) void *replace(void *block, size_t bytes,
                                                     size_t kept)
{
    void *other = calloc(1, bytes);
    if (lib_pages_is_block(other))
        other = replace(other, bytes, 0);
    if (other)
        memcpy(other, block, kept);
    free(block);
    return other;
}

void *lib_mem_new(size_t bytes)
{
    void *block = calloc(1, bytes ? bytes : 1);
    if (__builtin_expect(lib_pages_is_block(block), 0))
        block = replace(block, bytes, 0);
    if (!block)
        lib_mem_exhausted(bytes);
    return block;
}

void *lib_mem_new_scattered(size_t bytes)
{
    void *block = bytes < LIB_MEM_LARGE ? NULL : lib_pages_new(bytes);
    return block ? block : lib_mem_new(bytes);
}

void *lib_mem_new_page(void)
{
    return lib_pages_new(LIB_MEM_LARGE_PAGE);
}

/* Resizes a block of malloc. Returns NULL if the host has no room. */
static void *resize_small(void *block, size_t bytes)
{
    block = realloc(block, bytes ? bytes : 1);
    if (__builtin_expect(lib_pages_is_block(block), 0))
        block = replace(block, bytes, bytes);
    return block;
}

/* Resizes a block in large pages. Returns NULL if the host has no room. */
static void *resize_large(void *block, size_t bytes)
{
    const size_t before = lib_pages_bytes(block);
    void *other = lib_pages_grow(block, bytes);
    if (!other && (other = resize_small(NULL, bytes))) {
        memcpy(other, block, bytes < before ? bytes : before);
        lib_pages_free(block);
    }
    return other;
}

void *lib_mem_resize(void *block, size_t bytes)
{
    block = lib_pages_is_block(block) ? resize_large(block, bytes)
                                      : resize_small(block, bytes);
    if (!block)
        lib_mem_exhausted(bytes);
    return block;
}

/* Freeing a block that has a mapping of its own makes glibc take such blocks from its heap from now
 * on, and shorten the heap only where twice as much is free. */
static void raise_thresholds(void)
{
    void *volatile block = malloc((size_t)LIB_MEM_KEPT /
                                  2); /* volatile: else compilers omit both calls */
    free(block);
}

void lib_mem_keep_freed(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT; /* malloc is of the process, too */
    (void)pthread_once(&once, raise_thresholds);
}

void lib_mem_free(void *block)
{
    if (__builtin_expect(lib_pages_is_block(block), 0))
        lib_pages_free(block);
    else
        free(block);
}

/* Grows a block to `bytes` bytes, of which `used` are in use. Returns NULL if the host has no
 * room. */
static void *extend(void *block, size_t used, size_t bytes)
{
    if (lib_pages_is_block(block))
        return lib_pages_grow(block, bytes);
    if (bytes < LIB_MEM_LARGE)
        return resize_small(block, bytes);
    void *large = lib_pages_new(bytes);
    if (large) {
        if (used)
            memcpy(large, block, used);
        free(block);
        return large;
    }
    block = resize_small(block, bytes); /* a host without mappings */
    if (block)
        memset((char *)block + used, 0, bytes - used);
    return block;
}

void *lib_mem_extend(void *block, size_t *bytes, size_t needed)
{
    const size_t used = *bytes;
    size_t size = used < needed - needed / 2 ? needed
                  : used < SIZE_MAX / 2      ? 2 * used
                                             : SIZE_MAX;
    void *other = extend(block, used, size);
    if (!other)
        other = extend(block, used, size = needed);
    if (!other)
        lib_mem_exhausted(needed);
    *bytes = lib_pages_is_block(other) ? lib_pages_bytes(other) : size;
    return other;
}

void *lib_mem_grow(void *items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return items;
    size_t bytes = *capacity * size;
    if (*capacity >= SIZE_MAX / 2 / size)
        lib_mem_exhausted(SIZE_MAX);
    items = lib_mem_extend(items, &bytes, bytes ? bytes + size : 8 * size);
    *capacity = bytes / size;
    return items;
}
