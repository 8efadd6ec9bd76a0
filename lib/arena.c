#include "lib/arena.h"

#include "lib/memory.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

struct lib_arena {
    struct block *blocks; /* the newest first */
};

struct lib_arena *lib_arena_new(void)
{
    return lib_mem_new(sizeof(struct lib_arena));
}

void lib_arena_free(struct lib_arena *arena)
{
    if (!arena)
        return;
    for (struct block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        lib_mem_free(b);
    }
    lib_mem_free(arena);
}

void *lib_arena_alloc(struct lib_arena *arena, size_t bytes)
{
    const size_t align = alignof(max_align_t);
    bytes = (bytes + align - 1) / align * align;
    struct block *b = arena->blocks;
    if (!b || b->size - b->used < bytes) {
        size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        b = lib_mem_new(sizeof *b + size);
        b->size = size;
        b->next = arena->blocks;
        arena->blocks = b;
    }
    void *p = b->bytes + b->used;
    b->used += bytes;
    return p;
}

char *lib_arena_copy(struct lib_arena *arena, const char *text, size_t length)
{
    char *copy = lib_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *lib_arena_printf(struct lib_arena *arena, const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int length = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *text = lib_arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
