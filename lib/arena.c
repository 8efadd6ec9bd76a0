#include "lib/arena.h"

#include "lib/memory.h"
#include "lib/text.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* An arena begins with a small block, as many hold little; each block has twice the bytes of the
 * one before, up to the large size. */
enum { SMALL_BLOCK = 4 * 1024 - 64, LARGE_BLOCK = 64 * 1024 };

struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

struct lib_arena {
    struct block *blocks; /* the newest first */
    size_t next_bytes;    /* least size of the next block; 0: SMALL_BLOCK */
    /* the first child; of a child, its parent and its neighbours in the list of children */
    struct lib_arena *children, *parent, *next, *previous;
};

struct lib_arena *lib_arena_new(void)
{
    return lib_mem_new(sizeof(struct lib_arena));
}

struct lib_arena *lib_arena_new_child(struct lib_arena *parent)
{
    struct lib_arena *child = lib_arena_new();
    child->parent = parent;
    child->next = parent->children;
    if (child->next)
        child->next->previous = child;
    parent->children = child;
    return child;
}

size_t lib_arena_bytes(const struct lib_arena *arena)
{
    size_t bytes = 0;
    for (const struct block *b = arena->blocks; b; b = b->next)
        bytes += b->size;
    return bytes;
}

static void leave_parent(struct lib_arena *arena)
{
    if (arena->next)
        arena->next->previous = arena->previous;
    if (arena->previous)
        arena->previous->next = arena->next;
    else if (arena->parent)
        arena->parent->children = arena->next;
}

static void free_children(struct lib_arena *arena)
{
    while (arena->children)
        lib_arena_free(arena->children);
}

void lib_arena_free(struct lib_arena *arena)
{
    if (!arena)
        return;
    free_children(arena);
    leave_parent(arena);
    for (struct block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        lib_mem_free(b);
    }
    lib_mem_free(arena);
}

void lib_arena_clear(struct lib_arena *arena)
{
    free_children(arena);
    struct block *kept = NULL;
    for (struct block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        if (!kept && b->size <= LARGE_BLOCK)
            kept = b;
        else
            lib_mem_free(b);
    }
    if (kept) {
        memset(kept->bytes, 0, kept->used);
        kept->used = 0;
        kept->next = NULL;
    }
    arena->blocks = kept;
}

static void *take_bytes(struct lib_arena *arena, size_t bytes, size_t align)
{
    struct block *b = arena->blocks;
    size_t at = b ? (b->used + align - 1) & -align : 0;
    if (!b || at > b->size || b->size - at < bytes) {
        const size_t least = arena->next_bytes ?: SMALL_BLOCK;
        const size_t size = bytes > least ? bytes : least;
        arena->next_bytes = 2 * least < LARGE_BLOCK ? 2 * least : LARGE_BLOCK;
        b = lib_mem_new_scattered(sizeof *b + size); /* large ones cost what is used */
        b->size = size;
        b->next = arena->blocks;
        arena->blocks = b;
        at = 0;
    }
    b->used = at + bytes;
    return b->bytes + at;
}

void *lib_arena_alloc(struct lib_arena *arena, size_t bytes)
{
    return take_bytes(arena, bytes, alignof(max_align_t));
}

void *lib_arena_alloc_aligned(struct lib_arena *arena, size_t bytes, size_t align)
{
    return take_bytes(arena, bytes, align);
}

/* Returns the greatest alignment that a type of `size` bytes can have: a size is a multiple of the
 * alignment. */
static size_t alignment_of(size_t size)
{
    const size_t power = size & -size, most = alignof(max_align_t);
    return power < most ? power : most;
}

/* Resizes the block that an array of `old` bytes has for itself. Returns the array, or NULL if it
 * has no such block. */
static void *resize_own_block(struct lib_arena *arena, void *items, size_t old,
                              size_t bytes)
{
    struct block **at = &arena->blocks;
    while (*at && (*at)->bytes != items)
        at = &(*at)->next;
    if (!*at || (*at)->used != old)
        return NULL;
    size_t all = sizeof **at + old;
    *at = lib_mem_extend(*at, &all, sizeof **at + bytes);
    if (all < LIB_MEM_LARGE)
        memset((*at)->bytes + old, 0, bytes - old);
    (*at)->used = (*at)->size = bytes;
    return (*at)->bytes;
}

void *lib_arena_reserve(struct lib_arena *arena, void *items, uint32_t *capacity,
                        uint32_t needed, size_t size)
{
    enum { FIRST_BYTES = 8 }; /* many lists of indices have one or two */
    if (needed <= *capacity)
        return items;
    struct block *b = arena->blocks;
    const size_t old = *capacity * size;
    uint32_t more = 2 * *capacity;
    if (more < FIRST_BYTES / size)
        more = (uint32_t)(FIRST_BYTES / size);
    if (more < needed)
        more = needed;
    *capacity = more;
    /* The newest allocation grows in its place. */
    if (items && (unsigned char *)items + old == b->bytes + b->used &&
        b->size - b->used >= more * size - old) {
        b->used += more * size - old;
        return items;
    }
    if (old > LARGE_BLOCK) {
        void *all = resize_own_block(arena, items, old, more * size);
        if (all)
            return all;
    }
    void *all = take_bytes(arena, more * size, alignment_of(size));
    if (old)
        memcpy(all, items, old);
    return all;
}

/* Strings are not aligned, as there may be a million. */
char *lib_arena_copy(struct lib_arena *arena, const char *text, size_t length)
{
    char *copy = take_bytes(arena, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *lib_arena_keep(struct lib_arena *arena, struct lib_text *text)
{
    char *copy = lib_arena_copy(arena, lib_text_get(text), text->length);
    lib_text_free(text);
    return copy;
}

char *lib_arena_printf(struct lib_arena *arena, const char *format, ...)
{
    char small[256];
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int length = vsnprintf(small, sizeof small, format, ap);
    va_end(ap);
    char *text = take_bytes(arena, (size_t)length + 1, 1);
    if ((size_t)length < sizeof small)
        memcpy(text, small, (size_t)length);
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
