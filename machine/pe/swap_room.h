/* Room in finite memories (machine/pe/swap.h) for tensors and arrays. An array can be spread over
 * many memories. */
#ifndef MACHINE_PE_SWAP_ROOM_H
#define MACHINE_PE_SWAP_ROOM_H

#include "machine/pe/swap.h"
#include "machine/ports.h"

/* Whether other settings exclude finite memories. */
bool machine_memory_excludes(const struct machine_settings *s);

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes);

/* Whether the memories have room for an array of `length` elements whose first one is at PE
 * `home`. */
bool machine_room_for_array(const struct machine *m, const struct machine_swap *swap,
                            uint32_t home, uint64_t length);

/* Returns the size of the result of a waiting kernel: bytes, or elements of an array. An OPEN makes
 * an array of all elements fed to its port so far. */
uint64_t machine_room_made(const struct machine *m,
                           const struct machine_held_kernel *held);

/* Returns how many bytes a memory needs for the result of a waiting kernel. */
uint64_t machine_room_for_kernel(const struct machine *m, const struct machine_swap *swap,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held);

/* What elements that are fed in one cycle need. */
struct machine_room_sum {
    uint64_t cycle;
    uint64_t
        needed; /* greatest number of bytes that a memory would have, of those that get any */
    uint64_t *bytes; /* needed in each memory */
    uint64_t *ahead; /* number of the elements, for each port */
    uint64_t *own;   /* for one more element: bytes in each memory, all 0 between calls */
};

struct machine_room_sum *machine_room_sum_new(const struct machine *m, uint64_t cycle);
void machine_room_sum_free(struct machine_room_sum *sum);
void machine_room_sum_add(const struct machine *m, struct machine_room_sum *sum,
                          uint32_t port, const struct machine_fed *parts);

/* Returns 0 if the memories have room for the elements of the sum and one more; else the smallest
 * memory.capacity that gives enough room. Takes time that does not depend on their number. */
uint64_t machine_room_sum_needs(const struct machine *m, struct machine_room_sum *sum,
                                uint32_t port, const struct machine_fed *parts);

/* Returns the same for one element alone. */
uint64_t machine_room_feed_needs(const struct machine *m, uint32_t port,
                                 const struct machine_fed *parts);

/* Reserves room for an element in all open arrays of its port, including arrays that OPENs made. */
void machine_room_take_element(struct machine *m, uint32_t port,
                               const struct machine_fed *parts);

/* Reserve and release the room of an array of `length` elements whose first one is at PE `home`.
 * The second function is a callback; its `context` is the machine. */
void machine_room_take_array(struct machine *m, struct machine_swap *swap, uint32_t home,
                             uint64_t length);
void machine_room_forget_array(void *context, uint32_t home, uint64_t length);

#endif
