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
struct machine_swapped {
    uint32_t waiting; /* operands in slots that refer to the tensor */
    uint8_t where;    /* where the tensor is: enum machine_swap_where */
    /* `asked`: a kernel needs the tensor. `ahead`: it was fetched in advance and is not used
     * yet. */
    bool asked, ahead;
    uint64_t since; /* stamp: when the first of the waiting operands began to wait */
    uint64_t moved; /* stamp of the last move out of memory, or 0 */
    uint64_t move;  /* stamp of the move in progress, or 0 */
};

/* Entry of a list of tensors. The entry is outdated if the tensor's stamp has changed since. */
struct machine_list_entry {
    uint32_t number;
    uint64_t stamp;
};

struct machine_entries {
    struct machine_list_entry *items;
    size_t count, capacity;
};

/* The memory of a PE or node, from which tensors can be moved out. */
struct machine_memory {
    /* Bytes in the memory, and bytes of it that are moving out. */
    uint64_t resident, leaving;
    uint64_t waiting; /* tensors that wait as operands in slots */
    uint64_t unasked; /* tensors that are out and that no kernel needs */
    uint64_t ahead;   /* tensors fetched in advance and not used yet */
    uint64_t out_free, back_free;
    /* Tensors at rest, moved out, and needed by kernels, each with a stamp; entries may be
     * outdated. */
    struct machine_entries resting, moved, asked;
    uint64_t asked_from;
    bool fetches; /* tensors are fetched in advance */
};

struct machine_move {
    uint32_t number;
    uint64_t stamp, end;
};

/* A kernel that waits for memory. `bytes`: size of its result, or length of the array of an
 * ALLOC. */
struct machine_held_kernel {
    struct isa_token token;
    uint64_t bytes, since; /* `since`: cycle in which the kernel was issued */
};

struct machine_swap {
    uint32_t memory_count;
    struct machine_memory *memories;
    LIB_VEC(struct machine_swapped) of; /* state of each tensor, by tensor number */
    LIB_VEC(struct machine_move) moves;
    LIB_VEC(struct machine_held_kernel) held;
    /* 1 + index in `held` of the kernel that is served (machine/pe/swap_served.h); or 0 */
    uint64_t served;
    uint64_t stamp;
};

#endif
