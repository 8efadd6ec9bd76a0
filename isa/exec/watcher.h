/* Watcher: callbacks of an execution when activations, graph copies and arrays are made and freed.
 * Machines use it to emit events. A pointer to a watcher is NULL if nothing is watched. */
#ifndef ISA_EXEC_WATCHER_H
#define ISA_EXEC_WATCHER_H

#include <stdint.h>

struct isa_watcher {
    void *context;

    /* An activation was made, but has no owner yet. Called only if `tells` of isa_fire_as is
     * set. */
    void (*made)(void *context, uint32_t tag);
    void (*copied)(void *context, uint32_t tag, uint32_t nodes);

    /* The graph copy that an activation runs is freed; then the activation is freed. */
    void (*uncopied)(void *context, uint32_t tag, uint32_t nodes);
    void (*gone)(void *context, uint32_t tag);

    /* An array or tensor was made, or is freed. `array` is the index of its structure
     * (isa/exec/structure.h); `length` is 0 for a tensor. */
    void (*array_made)(void *context, uint32_t array, uint32_t length);
    void (*array_gone)(void *context, uint32_t array, uint32_t length);

    /* An open array has grown to `length` elements. May be NULL. */
    void (*array_grown)(void *context, uint32_t array, uint32_t length);
};

#endif
