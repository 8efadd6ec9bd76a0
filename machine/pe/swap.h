/* Finite memories for tensors and arrays, and slower stores to which tensors can be moved out
 * (settings memory.*, swap.*; doc/model.md, "Memory").
 *
 * Values that a function computed for its gradient wait in slots until the gradient is computed,
 * backwards. A tensor to which only such operands refer is at rest, and can be moved out. Using one
 * that was moved out also fetches the next ones in advance (paper 2, section 5.3).
 *
 * A kernel (an instruction on tensors) is held if one of its tensors is out or its result has no
 * room. Its partner operand stays in its slot, marked ISA_SLOT_SENT, until the kernel has fired. */
#ifndef MACHINE_PE_SWAP_H
#define MACHINE_PE_SWAP_H

#include "machine/pe/tensor_memory.h"

/* State of a tensor that may be moved out of memory; at first all 0. Stamps number the steps of
 * swapping, from 1 on. */
#define MACHINE_SWAPPED_FIELDS(F)                                                        \
    F(NUMBER, uint32_t, waiting) /* operands in slots that refer to the tensor */        \
    F(NUMBER, uint8_t, where)    /* where the tensor is: enum machine_swap_where */      \
    F(NUMBER, uint64_t, since) /* stamp: when the first waiting operand began to wait */ \
    F(NUMBER, uint64_t, moved) /* stamp of the last move out of memory, or 0 */          \
    F(NUMBER, uint64_t, move)  /* stamp of the move in progress, or 0 */                 \
    F(BOOL, asked)             /* a kernel needs the tensor */                           \
    F(BOOL, ahead)             /* it was fetched in advance and is not used yet */
struct machine_swapped {
    MACHINE_SWAPPED_FIELDS(LIB_STATE_MEMBER)
};

/* Entry of a list of tensors. The entry is outdated if the tensor's stamp has changed since. */
#define MACHINE_LIST_ENTRY_FIELDS(F)                                                     \
    F(NUMBER, uint32_t, number)                                                          \
    F(NUMBER, uint64_t, stamp)
struct machine_list_entry {
    MACHINE_LIST_ENTRY_FIELDS(LIB_STATE_MEMBER)
};

struct machine_entries {
    struct machine_list_entry *items;
    size_t count, capacity;
};

/* The memory of a PE or node, from which tensors can be moved out. */
#define MACHINE_MEMORY_FIELDS(F)                                                         \
    F(NUMBER, uint64_t, resident) /* bytes in the memory */                              \
    F(NUMBER, uint64_t, leaving)  /* bytes of `resident` that are moving out */          \
    F(NUMBER, uint64_t, waiting)  /* tensors that wait as operands in slots */           \
    F(NUMBER, uint64_t, ahead)    /* tensors fetched in advance and not used yet */      \
    F(NUMBER, uint64_t, unasked)  /* tensors that are out and that no kernel needs */    \
    F(NUMBER, uint64_t, out_free)                                                        \
    F(NUMBER, uint64_t, back_free)                                                       \
    F(NUMBER, uint64_t, asked_from)                                                      \
    F(BOOL, fetches) /* tensors are fetched in advance */                                \
    /* tensors at rest, moved out, needed by kernels; entries may be outdated */         \
    F(LIST, machine_entries, machine_list_entry, resting)                                \
    F(LIST, machine_entries, machine_list_entry, moved)                                  \
    F(LIST, machine_entries, machine_list_entry, asked)
struct machine_memory {
    MACHINE_MEMORY_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_MOVE_FIELDS(F)                                                           \
    F(NUMBER, uint32_t, number)                                                          \
    F(NUMBER, uint64_t, stamp)                                                           \
    F(NUMBER, uint64_t, end)
struct machine_move {
    MACHINE_MOVE_FIELDS(LIB_STATE_MEMBER)
};

/* A kernel that waits for memory. */
#define MACHINE_HELD_KERNEL_FIELDS(F)                                                    \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t,                                                                  \
      bytes) /* size of its result, or length of the array of an ALLOC */                \
    F(NUMBER, uint64_t, since) /* cycle in which the kernel was issued */
struct machine_held_kernel {
    MACHINE_HELD_KERNEL_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_SWAP_FIELDS(F)                                                              \
    F(KEPT, uint32_t, memory_count)                                                         \
    F(EACH, machine_swapped, of) /* state of each tensor, by tensor number */               \
    F(EACH, machine_move, moves)                                                            \
    F(EACH, machine_held_kernel, held)                                                      \
    F(STRUCTS, machine_memory, memories, s->memory_count)                                   \
    /* 1 + index in `held` of the kernel that is served (machine/pe/swap_served.h); or 0 */ \
    F(NUMBER, uint64_t, served)                                                             \
    F(NUMBER, uint64_t, stamp)
struct machine_swap {
    MACHINE_SWAP_FIELDS(LIB_STATE_MEMBER)
};

#endif
