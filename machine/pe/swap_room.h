/* Room in finite memories (machine/pe/swap.h), for tensors and for arrays. The elements of an array
 * can be in many memories. */
#ifndef MACHINE_PE_SWAP_ROOM_H
#define MACHINE_PE_SWAP_ROOM_H

#include "machine/pe/swap.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes);

/* Returns true if there is room for all elements of an array that is made at a PE. */
bool machine_room_for_array(const struct machine *m, uint32_t home, uint64_t length);

/* Returns the bytes that a waiting kernel makes now, or the elements if it makes an array. An OPEN
 * makes one with all elements fed so far. */
uint64_t machine_room_made(const struct machine *m,
                           const struct machine_held_kernel *held);

/* Returns the bytes that a memory needs for the result of a waiting kernel. */
uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held);

/* An element for a port, number `ahead` among those that are still to come. */
struct machine_room_feed {
    uint32_t port;
    uint64_t ahead;
    const struct machine_fed *parts;
};

/* Returns 0 if memories have room for the elements of arrays and the tensors that `count` feeds add
 * together; else the least memory.capacity with which they would have it. */
uint64_t machine_room_feeds_need(const struct machine *m,
                                 const struct machine_room_feed *feeds, size_t count);

/* Takes the room of one more element for the arrays of a port, and those that follow them. */
void machine_room_take_element(struct machine *m, const struct machine_room_feed *feed);

/* Take and release the room of an array. The context is the machine. */
void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length);
void machine_room_forget_array(void *context, uint32_t home, uint64_t length);

#endif
