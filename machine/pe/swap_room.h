/* Room in finite memories (machine/pe/swap.h): for tensors, and for arrays, whose elements may
 * lie in many. */
#ifndef MACHINE_PE_SWAP_ROOM_H
#define MACHINE_PE_SWAP_ROOM_H

#include "machine/pe/swap.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes);

/* For all elements of an array, made at a PE, wherever they lie. */
bool machine_room_for_array(const struct machine *m, uint32_t home, uint64_t length);

/* Bytes that a waiting kernel makes now, or elements if it makes an array: an OPEN makes one of as
 * many as were fed. */
uint64_t machine_room_made(const struct machine *m,
                           const struct machine_held_kernel *held);

/* The bytes that a memory needs for what a waiting kernel makes. */
uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held);

/* Element for a port, number `ahead` of those that are still to come. */
struct machine_room_feed {
    uint32_t port;
    uint64_t ahead;
    const struct machine_fed *parts;
};

/* Returns 0 if memories have room for what `count` feeds add together: elements of arrays, and
 * tensors. Else returns the least memory.capacity with which they had. */
uint64_t machine_room_feeds_need(const struct machine *m,
                                 const struct machine_room_feed *feeds, size_t count);

/* The arrays of a port, and what follows them, take the room of an element more. */
void machine_room_take_element(struct machine *m, const struct machine_room_feed *feed);

/* An array takes its room, and gives it back; the context is the machine. */
void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length);
void machine_room_forget_array(void *context, uint32_t home, uint64_t length);

#endif
