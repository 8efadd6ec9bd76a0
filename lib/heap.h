/* Binary heaps in growing arrays (LIB_VEC). Item 0 is the smallest in the order is_before.
 *
 * is_before(a, b) takes pointers to two items and must be a strict order. If it is total, the order
 * of removal does not depend on the order of insertion. */
#ifndef LIB_HEAP_H
#define LIB_HEAP_H

#include "lib/memory.h"

/* Adds a copy of *item to heap `v`. `item` must not point into the heap. */
#define LIB_HEAP_PUT(v, item, is_before)                                                 \
    do {                                                                                 \
        const __typeof__(*(v)->items) *lib_new = (item);                                 \
        (void)LIB_VEC_PUSH(v);                                                           \
        __typeof__((v)->items) lib_items = (v)->items;                                   \
        size_t lib_at = (v)->count - 1;                                                  \
        for (; lib_at > 0 && is_before(lib_new, &lib_items[(lib_at - 1) / 2]);           \
             lib_at = (lib_at - 1) / 2)                                                  \
            lib_items[lib_at] = lib_items[(lib_at - 1) / 2];                             \
        lib_items[lib_at] = *lib_new;                                                    \
    } while (0)

/* Removes the smallest item of heap `v` and stores it in *first. The heap must not be empty. */
#define LIB_HEAP_TAKE(v, first, is_before)                                               \
    do {                                                                                 \
        __typeof__((v)->items) lib_items = (v)->items;                                   \
        *(first) = lib_items[0];                                                         \
        const __typeof__(*(v)->items) lib_last = lib_items[--(v)->count];                \
        const size_t lib_total = (v)->count;                                             \
        size_t lib_at = 0;                                                               \
        for (size_t lib_child = 1; lib_child < lib_total; lib_child = 2 * lib_at + 1) {  \
            lib_child += lib_child + 1 < lib_total &&                                    \
                         is_before(&lib_items[lib_child + 1], &lib_items[lib_child]);    \
            if (!is_before(&lib_items[lib_child], &lib_last))                            \
                break;                                                                   \
            lib_items[lib_at] = lib_items[lib_child];                                    \
            lib_at = lib_child;                                                          \
        }                                                                                \
        lib_items[lib_at] = lib_last;                                                    \
    } while (0)

#endif
