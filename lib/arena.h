/* Arenas: memory with one lifetime, freed in one call.
 *
 * An arena is a chain of blocks. An allocation is zeroed, aligned for its type or, if that is not
 * known, for any object (strings are not aligned), and never freed on its own. */
#ifndef LIB_ARENA_H
#define LIB_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct lib_arena;
struct lib_text;

struct lib_arena *lib_arena_new(void);

/* Makes an arena that is freed with arena `parent`, unless it was freed before. */
struct lib_arena *lib_arena_new_child(struct lib_arena *parent);
void lib_arena_free(struct lib_arena *arena); /* `arena` may be NULL */

/* Returns the bytes that the arena has from the host, without those of its children. */
size_t lib_arena_bytes(const struct lib_arena *arena);

/* Frees all allocations and children. */
void lib_arena_clear(struct lib_arena *arena);

void *lib_arena_alloc(struct lib_arena *arena, size_t bytes);

/* Like lib_arena_alloc, for objects of alignment `align` only, a power of two: small ones lie
 * closer to each other. */
void *lib_arena_alloc_aligned(struct lib_arena *arena, size_t bytes, size_t align);

/* Return a new NUL-terminated string in the arena: a copy of `length` bytes, or formatted text. */
char *lib_arena_copy(struct lib_arena *arena, const char *text, size_t length);
char *lib_arena_printf(struct lib_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies a text to the arena, and frees the text. */
char *lib_arena_keep(struct lib_arena *arena, struct lib_text *text);

/* Makes room for `needed` items of `size` bytes in an array in the arena that has room for
 * *capacity; new ones are zero. Returns the array and updates *capacity. The array may have moved:
 * the old one is then free if it was large. */
void *lib_arena_reserve(struct lib_arena *arena, void *items, uint32_t *capacity,
                        uint32_t needed, size_t size);

/* The same for an array that has a variable or member of its own. */
#define LIB_ARENA_RESERVE(arena, items, capacity, needed)                                \
    ((void)((needed) <= *(capacity) ||                                                   \
            ((items) = lib_arena_reserve((arena), (items), (capacity), (needed),         \
                                         sizeof *(items)),                               \
             0)))

/* Type of an array that grows in an arena. */
#define LIB_ARENA_LIST(T)                                                                \
    struct {                                                                             \
        T *items;                                                                        \
        uint32_t count, capacity;                                                        \
    }

/* Appends a zeroed item to list `l` and evaluates to a pointer to it. */
#define LIB_ARENA_PUSH(arena, l)                                                         \
    (LIB_ARENA_RESERVE((arena), (l)->items, &(l)->capacity, (l)->count + 1),             \
     &(l)->items[(l)->count++])

#define LIB_ARENA_NEW(arena, T) LIB_ARENA_ARRAY((arena), T, 1)
#define LIB_ARENA_ARRAY(arena, T, count)                                                 \
    ((T *)lib_arena_alloc_aligned((arena), sizeof(T) * (count), _Alignof(T)))

#endif
