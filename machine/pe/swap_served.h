/* Last resort of a machine with finite memories when nothing can proceed (doc/model.md, "Memory"):
 * one waiting kernel is served. Tensors move back only for it, and others move out until it has
 * room, even operands of other waiting kernels. So a run ends for lack of memory only if no waiting
 * kernel could fire with all movable tensors moved out. */
#ifndef MACHINE_PE_SWAP_SERVED_H
#define MACHINE_PE_SWAP_SERVED_H

#include "machine/pe/swap.h"

/* Where a tensor is. Moving in either direction, it still takes room in the memory. */
enum machine_swap_where {
    MACHINE_SWAP_HERE,
    MACHINE_SWAP_LEAVES,
    MACHINE_SWAP_OUT,
    MACHINE_SWAP_COMES
};

static inline const struct isa_structure *machine_swap_tensor(const struct machine *m,
                                                              uint32_t number)
{
    return &m->tokens.exec.structures.all.items[number];
}

static inline uint64_t machine_swap_bytes(const struct machine *m, uint32_t number)
{
    return machine_swap_tensor(m, number)->tensor->bytes;
}

static inline struct machine_memory *
machine_memory_at(const struct machine *m, const struct machine_swap *swap, uint32_t pe)
{
    return &swap->memories[pe / m->memory_pes];
}

static inline struct machine_memory *machine_memory_of(const struct machine *m,
                                                       const struct machine_swap *swap,
                                                       uint32_t number)
{
    return machine_memory_at(m, swap, machine_maker_of(machine_swap_tensor(m, number)));
}

/* Returns how many operands of kernels that wait for memory are this tensor. */
uint32_t machine_swap_held(const struct machine *m, const struct machine_swap *swap,
                           uint32_t number);

/* Implements `insist` of the part: chooses the first waiting kernel that can be served with memory.
 * Returns false if none can. */
bool machine_served_choose(struct machine *m, void *state);

/* Return the next tensor that must move back into a memory, or out of it, for the kernel that is
 * served; or ISA_STRUCTURE_NONE. */
uint32_t machine_served_back(const struct machine *m, const struct machine_swap *swap,
                             const struct machine_memory *memory);
uint32_t machine_served_out(const struct machine *m, const struct machine_swap *swap,
                            const struct machine_memory *memory);

/* Returns the smallest memory.capacity with which a waiting kernel could fire now; 0 if no kernel
 * waits. */
uint64_t machine_served_least(const struct machine *m);

#endif
