/* Memory from the host: the only place that calls malloc.
 *
 * Two ways to own memory:
 *   - an arena (lib/arena.h) for what lives as long as a compilation, an image or a run;
 *   - lib_mem_grow for one growing array, owned by the structure that holds it.
 *
 * Nothing here returns NULL. When the host has no more memory, a handler is called once, and then
 * the process ends by abort: callers are not unwound, so nothing can be used any more. A
 * handler may write to a log or end the process by itself. It cannot recover, and may
 * neither allocate from here nor jump out. */
#ifndef LIB_MEMORY_H
#define LIB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* `bytes` of memory, all zero. Give back with lib_mem_free. */
void *lib_mem_new(size_t bytes);

/* Such a block that will be read and written here and there: if it is large, the host may give it large pages, so
 * that fewer of their addresses must be looked up. Only speed depends on it. */
void *lib_mem_new_scattered(size_t bytes);

/* Changes the size of a block from lib_mem_new or lib_mem_resize (NULL: a new one);
 * bytes beyond the old size are not initialised. */
void *lib_mem_resize(void *block, size_t bytes);

void lib_mem_free(void *block);

/* Called when memory has run out. `bytes`: the size of the block that was asked for; 0: unknown. */
struct lib_mem_handler {
    void (*call)(void *context, size_t bytes); /* NULL: no handler */
    void *context;
};

/* Sets the handler of the calling thread, and returns the one before. Threads that hiaton starts
 * inherit it (lib/thread.h). */
struct lib_mem_handler lib_mem_set_handler(struct lib_mem_handler handler);
struct lib_mem_handler lib_mem_get_handler(void);

/* Sets the handler of all threads that have none. To be called while the process has one thread. */
void lib_mem_set_process_handler(struct lib_mem_handler handler);

/* Ends the process as above. For callers of libraries that report that they got no memory. */
_Noreturn void lib_mem_exhausted(size_t bytes);

/* Makes room for one more item in an array of `*capacity` items of `size` bytes that
 * holds `count`. Returns the array, moved if it had to be; `*capacity` is updated. */
__attribute__((cold)) void *lib_mem_grow(void *items, size_t *capacity, size_t count,
                                         size_t size);

/* A growing array: struct { T *items; size_t count, capacity; }. */
#define LIB_VEC(T)                                                                       \
    struct {                                                                             \
        T *items;                                                                        \
        size_t count, capacity;                                                          \
    }

/* Appends one item (uninitialised) and points to it. */
#define LIB_VEC_PUSH(v)                                                                  \
    ((void)(__builtin_expect((v)->count < (v)->capacity, 1) ||                           \
            ((v)->items = lib_mem_grow((v)->items, &(v)->capacity, (v)->count,           \
                                       sizeof *(v)->items),                              \
             true)),                                                                     \
     &(v)->items[(v)->count++])

/* Empties array `from` and hands its memory to array `to`, which has none. */
#define LIB_VEC_HAND_OVER(to, from)                                                      \
    ((to)->items = (from)->items, (to)->capacity = (from)->capacity, (to)->count = 0)

#define LIB_VEC_FREE(v)                                                                  \
    (lib_mem_free((v)->items), (v)->items = NULL, (v)->count = (v)->capacity = 0)

#endif
