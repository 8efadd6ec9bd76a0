/* What a machine may want to know at once: which activations, copies and arrays are made and freed.
 * Nobody watches where the pointer to a watcher is NULL. */
#ifndef ISA_EXEC_WATCHER_H
#define ISA_EXEC_WATCHER_H

#include <stdint.h>

struct isa_watcher {
    void *context;

    /* An activation, named by its tag, which is not placed yet; one that gathers arguments is a
     * copy later. These two are told where the engine says so (struct isa_fire_as). */
    void (*made)(void *context, uint32_t tag);
    void (*copied)(void *context, uint32_t tag, uint32_t nodes);

    void (*uncopied)(void *context, uint32_t tag, uint32_t nodes);
    void (*gone)(void *context, uint32_t tag);

    /* An array, by its number; or a tensor, whose length is told as 0. */
    void (*array_made)(void *context, uint32_t array, uint32_t length);
    void (*array_gone)(void *context, uint32_t array, uint32_t length);

    /* An array that is open has so many elements now. NULL is allowed. */
    void (*array_grown)(void *context, uint32_t array, uint32_t length);
};

#endif
