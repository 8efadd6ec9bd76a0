/* Room in finite memories (machine/pe/swap.h), for tensors and for arrays. The elements of an array
 * can be in many memories. */
#ifndef MACHINE_PE_SWAP_ROOM_H
#define MACHINE_PE_SWAP_ROOM_H

#include "machine/state.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes);

/* Returns true if there is room for all elements of an array that is made at a PE. */
bool machine_room_for_array(const struct machine *m, uint32_t home, uint64_t length);

/* Returns the bytes that a memory needs for the result of a waiting kernel. */
uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held);

/* Take and release the room of an array. The context is the machine. */
void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length);
void machine_room_forget_array(void *context, uint32_t home, uint64_t length);

#endif
