/* Finite memories for tensors and arrays, and slower stores behind them for tensors (settings:
 * memory, swap; doc/model.md, "Memory").
 *
 * Values that a function computed for its gradient wait in slots until the adjoints come: on the
 * stack of the iterations of a loop, or of paired calls. A tensor whose references all wait there
 * rests, and can be moved out. Using one that was moved out also brings the next ones back (paper
 * 2, section 5.3).
 *
 * A kernel that reads a tensor that is out, or has no room for its result, is held. Its partner
 * stays in its slot, with ISA_SLOT_SENT, until the kernel has fired. */
#ifndef MACHINE_PE_SWAP_H
#define MACHINE_PE_SWAP_H

#include "machine/pe/tensor_memory.h"

/* The state of a tensor, by the number of its structure; all 0 at first. Stamps number the steps of
 * swapping, from 1 on. */
struct machine_swapped {
    uint32_t waiting; /* references to it that are operands in slots */
    uint8_t where;    /* enum machine_swap_where */
    bool asked,
        ahead;      /* a kernel asked for it; it was fetched ahead, and is not used yet */
    uint64_t since; /* stamp when the first of these references began to wait */
    uint64_t moved; /* stamp when it began to move out, or 0 */
    uint64_t move;  /* stamp of the current move, or 0 */
};

/* An entry of a list of tensors. It is outdated if its stamp is not that of the tensor. */
struct machine_list_entry {
    uint32_t number;
    uint64_t stamp;
};

struct machine_entries {
    struct machine_list_entry *items;
    size_t count, capacity;
};

/* The memory of a PE, or of a node. */
struct machine_memory {
    uint64_t resident, leaving; /* bytes in it; bytes among them that move out */
    uint64_t waiting;           /* tensors that are operands in slots */
    uint64_t unasked;           /* tensors that are out and were not asked for */
    uint64_t ahead;             /* tensors that were fetched ahead and are not used yet */
    uint64_t out_free, back_free;
    struct machine_entries resting, moved, asked; /* in order, with outdated entries */
    uint64_t asked_from;
    bool fetches; /* tensors are fetched ahead */
};

struct machine_move {
    uint32_t number;
    uint64_t stamp, end;
};

/* A kernel that waits for memory, with the bytes of its result, or the length for an ALLOC. */
struct machine_held_kernel {
    struct isa_token token;
    uint64_t bytes, since; /* since: cycle of its turn */
};

struct machine_swap {
    uint32_t memory_count;
    struct machine_memory *memories;
    LIB_VEC(struct machine_swapped) of; /* indexed by number of a structure */
    LIB_VEC(struct machine_move) moves;
    LIB_VEC(struct machine_held_kernel) held;
    uint64_t served; /* 1 + index in `held` of the kernel that is served; 0 if none */
    uint64_t stamp;
};

#endif
