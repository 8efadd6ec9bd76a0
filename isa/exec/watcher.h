/* Watcher: functions that an execution calls at once when activations, copies and arrays are made
 * and freed. Machines use it for events. A pointer to a watcher is NULL if nothing is watched. */
#ifndef ISA_EXEC_WATCHER_H
#define ISA_EXEC_WATCHER_H

#include <stdint.h>

struct isa_watcher {
    void *context;

    /* An activation was made, and is not placed yet; its arguments have all arrived, and its graph
     * of `nodes` nodes is copied. Called if the engine asks for it (`tells` in isa_fire_as). */
    void (*made)(void *context, uint32_t tag);
    void (*copied)(void *context, uint32_t tag, uint32_t nodes);

    /* The copy of an activation is freed; the activation is freed. */
    void (*uncopied)(void *context, uint32_t tag, uint32_t nodes);
    void (*gone)(void *context, uint32_t tag);

    /* An array was made, or is freed; also a tensor, with length 0. `array` is its number. */
    void (*array_made)(void *context, uint32_t array, uint32_t length);
    void (*array_gone)(void *context, uint32_t array, uint32_t length);

    /* An open array has grown to `length` elements. May be NULL. */
    void (*array_grown)(void *context, uint32_t array, uint32_t length);
};

#endif
