#include "lib/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

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

void *lib_mem_new(size_t bytes)
{
    void *block = calloc(1, bytes ? bytes : 1);
    if (!block)
        lib_mem_exhausted(bytes);
    return block;
}

void *lib_mem_new_scattered(size_t bytes)
{
    void *block = lib_mem_new(bytes);
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)1 << 21;
    const uintptr_t from = ((uintptr_t)block + page - 1) & -page;
    const uintptr_t to = ((uintptr_t)block + bytes) & -page;
    if (from < to)
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#endif
    return block;
}

void *lib_mem_resize(void *block, size_t bytes)
{
    block = realloc(block, bytes ? bytes : 1);
    if (!block)
        lib_mem_exhausted(bytes);
    return block;
}

void lib_mem_free(void *block)
{
    free(block);
}

void *lib_mem_grow(void *items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return items;
    size_t more = *capacity ? *capacity * 2 : 8;
    if (more > SIZE_MAX / size)
        lib_mem_exhausted(SIZE_MAX);
    *capacity = more;
    return lib_mem_resize(items, more * size);
}
