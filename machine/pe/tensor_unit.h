/* Tensor units that run batches of kernels (instructions on tensors; settings tensor.unit.*,
 * tensor.batch.*; doc/model.md, "Tensor units and batches").
 *
 * The units of a PE, or of a node, form a bank. An issued live kernel first waits at its bank.
 * Kernels of one instruction on tensors of the same shapes gather in a batch. When a unit starts a
 * batch, at the end of a cycle, all its kernels fire. They share only their time: each is computed
 * separately. The first operand of a waiting kernel stays in its slot, marked ISA_SLOT_SENT. */
#ifndef MACHINE_PE_TENSOR_UNIT_H
#define MACHINE_PE_TENSOR_UNIT_H

#include "isa/exec/exec.h"
#include "lib/memory.h"
#include "machine/part.h"

/* A kernel that waits at a bank of tensor units, and the cycle of its arrival. */
struct machine_kernel {
    struct isa_token token;
    uint64_t came;
};

/* A batch of at least one kernel that waits for a tensor unit. */
struct machine_kernels {
    uint64_t opened; /* cycle in which the first kernel arrived */
    LIB_VEC(struct machine_kernel) list;
};

struct machine_bank {
    /* Waiting batches, oldest first, from index `first` on. */
    LIB_VEC(struct machine_kernels) batches;
    size_t first;
    uint64_t full; /* number of waiting batches that are full */
    /* Owned: cycle when each tensor unit is free; NULL: units are unlimited. */
    uint64_t *free_at;
};

struct machine_tensor_units {
    bool forced;   /* deadlock: incomplete batches start in the next cycle */
    bool fires;    /* the kernels of a batch are firing now */
    uint64_t time; /* cycles of the batch that is firing, without launching */
    uint32_t bank_count, bank_pes;
    uint64_t most; /* max kernels per batch */
    struct machine_bank *banks;
};

/* Whether a kernel waits for tensor units of these PEs. */
bool machine_tensor_units_have(const struct machine *m, uint32_t first_pe,
                               uint32_t count);

#endif
