/* Room in finite memories (machine/pe/swap.h) for tensors and arrays. An array can be spread over
 * many memories. */
#ifndef MACHINE_PE_SWAP_ROOM_H
#define MACHINE_PE_SWAP_ROOM_H

#include "machine/pe/swap.h"

/* Whether other settings exclude finite memories. */
bool machine_memory_excludes(const struct machine_settings *s);

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes);

/* Whether the memories have room for an array of `length` elements whose first one is at PE
 * `home`. */
bool machine_room_for_array(const struct machine *m, uint32_t home, uint64_t length);

/* Returns the size of the result of a waiting kernel: bytes, or elements of an array. An OPEN makes
 * an array of all elements fed to its port so far. */
uint64_t machine_room_made(const struct machine *m,
                           const struct machine_held_kernel *held);

/* Returns how many bytes a memory needs for the result of a waiting kernel. */
uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held);

/* An element to be fed to a port after `ahead` others. */
struct machine_room_feed {
    uint32_t port;
    uint64_t ahead;
    const struct machine_fed *parts;
};

/* Returns 0 if the memories have room for the elements of all `count` feeds and their tensors; else
 * the smallest memory.capacity that gives enough room. */
uint64_t machine_room_feeds_need(const struct machine *m,
                                 const struct machine_room_feed *feeds, size_t count);

/* Reserves room for the element of a feed in all open arrays of its port, including arrays that
 * OPENs made. */
void machine_room_take_element(struct machine *m, const struct machine_room_feed *feed);

/* Reserve and release the room of an array of `length` elements whose first one is at PE `home`.
 * The second function is a callback; its `context` is the machine. */
void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length);
void machine_room_forget_array(void *context, uint32_t home, uint64_t length);

#endif
