/* Memory from the host. Only this module calls malloc.
 *
 * Two ways to own memory:
 *   - an arena (lib/arena.h) for what lives as long as a compilation, an image or a run;
 *   - lib_mem_grow for one growing array, owned by the structure that holds it.
 *
 * No function returns NULL. When the host has no more memory, a handler is called once, and then
 * the process is aborted. Callers do not clean up, so their data is inconsistent then. A handler
 * may write to a log or end the process. It must neither allocate through this module nor
 * longjmp. */
#ifndef LIB_MEMORY_H
#define LIB_MEMORY_H

#include "lib/each.h"

#include <stdbool.h>
#include <stddef.h>

/* Allocates `bytes` zeroed bytes. Free with lib_mem_free. */
void *lib_mem_new(size_t bytes);

/* Bytes from which growing and scattered blocks are in large pages (lib/pages.h). */
enum { LIB_MEM_LARGE = 1 << 20 };

/* Returns a zeroed block of LIB_MEM_LARGE_PAGE bytes, at a multiple of that, in one large page;
 * NULL if the host maps no memory. Free it with lib_mem_free. */
enum { LIB_MEM_LARGE_PAGE = 1 << 21 };
void *lib_mem_new_page(void);

/* Allocates a zeroed block that will be accessed at random places. If large, it is in large
 * pages, which need fewer address translations. */
void *lib_mem_new_scattered(size_t bytes);

/* Grows a block of *bytes bytes to at least `needed` bytes, and at least twice its size if the host
 * has room for that. Sets *bytes to the new size. NULL, with *bytes 0, allocates a new block. If
 * the new size is at least LIB_MEM_LARGE, bytes beyond the old size are zero, and growing a block
 * that was as large copies nothing; else they are uninitialised. */
__attribute__((cold)) void *lib_mem_extend(void *block, size_t *bytes, size_t needed);

/* Resizes a block of lib_mem_new or lib_mem_resize; NULL allocates a new one. Bytes beyond the old
 * size are uninitialised. */
void *lib_mem_resize(void *block, size_t bytes);

/* Makes the process keep up to LIB_MEM_KEPT bytes that are freed, for later blocks: for processes
 * that make and free the same things many times. Else memory returns to the host each time, and
 * each of its pages is faulted in and cleared again. Only the first call of a process has an
 * effect, and none if the process has set the thresholds of malloc by mallopt. Any thread may
 * call it. */
enum { LIB_MEM_KEPT = 8 * 1024 * 1024 };
void lib_mem_keep_freed(void);

void lib_mem_free(void *block);

/* Frees up to 8 blocks. */
#define LIB_MEM_FREE(...) LIB_EACH(LIB_MEM_FREE_ONE, , __VA_ARGS__)
#define LIB_MEM_FREE_ONE(none, block) lib_mem_free(block)

/* Handler of exhausted memory. `bytes` is the size of the requested block; 0: unknown. */
struct lib_mem_handler {
    /* Must not return to the program by longjmp or allocate memory. NULL: no handler. */
    void (*call)(void *context, size_t bytes);
    void *context;
};

/* Sets the memory handler of the calling thread and returns the previous one. Threads started by
 * lib_thread_start inherit it. */
struct lib_mem_handler lib_mem_set_handler(struct lib_mem_handler handler);
struct lib_mem_handler lib_mem_get_handler(void);

/* Sets the memory handler of threads that have no other. Call only while the process has one
 * thread. */
void lib_mem_set_process_handler(struct lib_mem_handler handler);

/* Calls the memory handler and aborts. Call it if another library reports exhausted memory. */
_Noreturn void lib_mem_exhausted(size_t bytes);

/* Makes room for one more item in an array that has `count` items of `size` bytes and room for
 * *capacity, as lib_mem_extend does. Returns the array, which may have moved, and updates
 * *capacity. */
__attribute__((cold)) void *lib_mem_grow(void *items, size_t *capacity, size_t count,
                                         size_t size);

/* Type of a growing array. Free its items with LIB_VEC_FREE. */
#define LIB_VEC(T)                                                                       \
    struct {                                                                             \
        T *items;                                                                        \
        size_t count, capacity;                                                          \
    }

/* Appends an uninitialised item to array `v` and evaluates to a pointer to it. */
#define LIB_VEC_PUSH(v)                                                                  \
    ((void)(__builtin_expect((v)->count < (v)->capacity, 1) ||                           \
            ((v)->items = lib_mem_grow((v)->items, &(v)->capacity, (v)->count,           \
                                       sizeof *(v)->items),                              \
             true)),                                                                     \
     &(v)->items[(v)->count++])

/* Makes `to` an empty array that reuses the memory of array `from`, which must not be used any
 * more. */
#define LIB_VEC_HAND_OVER(to, from)                                                      \
    ((to)->items = (from)->items, (to)->capacity = (from)->capacity, (to)->count = 0)

/* Frees up to 8 arrays. */
#define LIB_VEC_FREE(...) LIB_EACH(LIB_VEC_FREE_ONE, , __VA_ARGS__)
#define LIB_VEC_FREE_ONE(none, v)                                                        \
    (lib_mem_free((v)->items), (v)->items = NULL, (v)->count = (v)->capacity = 0)

#endif
