/* Finite memories for tensors and arrays, and slower stores behind them for tensors (settings:
 * memory, swap; doc/model.md, "Memory").
 *
 * What a function computed for its gradient waits in slots until the adjoints come: on the stack
 * of the iterations of a loop, or of paired calls. A tensor all of whose references wait there
 * rests, and may be moved out. What is used of those that were brings the next ones back (paper
 * 2, section 5.3).
 *
 * A kernel that reads what is away, or has no room for what it makes, is held. Its partner stays
 * in its slot, with ISA_SLOT_SENT until the kernel has fired. */
#ifndef MACHINE_PE_SWAP_H
#define MACHINE_PE_SWAP_H

#include "machine/pe/tensor_memory.h"

/* What swapping knows of a tensor, by the number of its structure; zeros:
 * nothing. Stamps are never 0. */
struct machine_swapped {
    uint32_t waiting; /* its references that are operands in slots */
    uint8_t where;
    bool asked, ahead; /* it was asked for; it was fetched ahead, and has not been used */
    uint64_t since;    /* when the first of them began to wait, */
    uint64_t moved;    /* and the tensor to move out; 0: never */
    uint64_t move;     /* that goes on; 0: none */
};

struct machine_list_entry {
    uint32_t number;
    uint64_t stamp; /* an older one is of another tensor, or is over */
};

struct machine_entries {
    struct machine_list_entry *items;
    size_t count, capacity;
};

struct machine_memory {
    uint64_t resident, leaving; /* bytes; of those that move out */
    uint64_t waiting;           /* tensors that are operands in slots, */
    uint64_t unasked;           /* are out and were not asked for, */
    uint64_t ahead;             /* were fetched ahead and have not been used */
    uint64_t out_free, back_free;
    struct machine_entries resting, moved, asked; /* in order, with some that are over */
    uint64_t asked_from;
    bool fetches; /* ahead */
};

struct machine_move {
    uint32_t number;
    uint64_t stamp, end;
};

/* A kernel that waits for memory, and the bytes of what it makes. */
struct machine_held_kernel {
    struct isa_token token;
    uint64_t bytes, since; /* bytes: of an ALLOC its length */
};

struct machine_swap {
    uint32_t memory_count;
    struct machine_memory *memories;
    LIB_VEC(struct machine_swapped) of; /* per number of a structure */
    LIB_VEC(struct machine_move) moves;
    LIB_VEC(struct machine_held_kernel) held;
    uint64_t
        served; /* the place among them of the one that is served, from 1; 0: none is */
    uint64_t stamp;
    uint64_t out_bytes, back_bytes, stalls, stall_cycles, peak;
};

/* A token, which has its turn or goes on, is about to wait in a slot, or to meet what waits
 * there. */
void machine_swap_meets(struct machine *m, const struct isa_token *t,
                        const struct isa_instr *instr);

#endif
