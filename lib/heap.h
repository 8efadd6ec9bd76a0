/* Heaps in growing arrays (LIB_VEC): the first item is before all others. is_before(a, b), of pointers to two
 * items, is a strict order; where it is total, what is taken does not depend on the order of putting. */
#ifndef LIB_HEAP_H
#define LIB_HEAP_H

#include "lib/memory.h"

/* Puts in a copy of an item, which must not lie in the heap. */
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

/* Takes the first item into *first. There is one. */
#define LIB_HEAP_TAKE(v, first, is_before)                                               \
    do {                                                                                 \
        __typeof__((v)->items) lib_items = (v)->items;                                   \
        *(first) = lib_items[0];                                                         \
        const __typeof__(*(v)->items) lib_last = lib_items[--(v)->count];                \
        const size_t lib_count = (v)->count;                                             \
        size_t lib_at = 0;                                                               \
        for (size_t lib_child = 1; lib_child < lib_count; lib_child = 2 * lib_at + 1) {  \
            lib_child += lib_child + 1 < lib_count &&                                    \
                         is_before(&lib_items[lib_child + 1], &lib_items[lib_child]);    \
            if (!is_before(&lib_items[lib_child], &lib_last))                            \
                break;                                                                   \
            lib_items[lib_at] = lib_items[lib_child];                                    \
            lib_at = lib_child;                                                          \
        }                                                                                \
        lib_items[lib_at] = lib_last;                                                    \
    } while (0)

#endif
