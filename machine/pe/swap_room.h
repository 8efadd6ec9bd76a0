/* Room in finite memories (machine/pe/swap.h): for tensors, and for arrays, whose elements may
 * lie in many. */
#ifndef MACHINE_PE_SWAP_ROOM_H
#define MACHINE_PE_SWAP_ROOM_H

#include "machine/pe/swap.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes);

/* For all elements of an array, made at a PE, wherever they lie. */
bool machine_room_for_array(const struct machine *m, uint32_t home, uint64_t length);

/* The bytes that a memory needs for what a waiting kernel makes. */
uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held);

/* An array takes its room, and gives it back; the context is the machine. */
void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length);
void machine_room_forget_array(void *context, uint32_t home, uint64_t length);

#endif
