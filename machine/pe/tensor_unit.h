/* Tensor units that run one batch of kernels at a time (settings: tensor.unit, tensor.batch;
 * doc/model.md, "Tensor units and batches").
 *
 * The units of a PE, or of a node, are a bank. A live kernel that has its turn goes before its
 * bank, unfired. There kernels of one instruction, on tensors of the same shapes, gather in
 * batches. When a unit starts a batch, behind all turns of a cycle, all its kernels fire. Each is
 * computed for itself: a batch has one time, and nothing else.
 *
 * The first operand of a kernel that waits stays in its slot, with ISA_SLOT_SENT, as that of a
 * STORE does. */
#ifndef MACHINE_PE_TENSOR_UNIT_H
#define MACHINE_PE_TENSOR_UNIT_H

#include "isa/exec/exec.h"
#include "lib/memory.h"
#include "machine/part.h"

/* A kernel before its bank, and the cycle of its turn. */
struct machine_kernel {
    struct isa_token token;
    uint64_t came;
};

/* A batch that has not started: it has a kernel at least. */
struct machine_kernels {
    uint64_t opened; /* in this cycle */
    LIB_VEC(struct machine_kernel) list;
};

struct machine_bank {
    LIB_VEC(struct machine_kernels) batches; /* those from `first` on, the oldest first */
    size_t first;
    uint64_t full; /* how many of them are */
    /* Owned: when each unit is free again; NULL: there are as many as are needed. */
    uint64_t *free_at;
};

struct machine_tensor_units {
    bool forced;   /* nothing else can go on: batches may start in the next cycle */
    bool fires;    /* a batch does, whose kernels take so long, */
    uint64_t time; /* besides the time to start one */
    uint32_t bank_count, bank_pes;
    uint64_t most; /* kernels of a batch that is full */
    struct machine_bank *banks;
    uint64_t batches, kernels, waits, busy, bytes; /* statistics */
};

/* Whether a bank of these PEs has a kernel before it. */
bool machine_tensor_units_have(const struct machine *m, uint32_t first_pe,
                               uint32_t count);

#endif
