/* Tensor units that run one batch of kernels at a time (settings: tensor.unit, tensor.batch;
 * doc/model.md, "Tensor units and batches").
 *
 * The units of a PE, or of a node, are a bank. A live kernel goes before its bank at its turn,
 * unfired. There, kernels of one instruction on tensors of the same shapes gather in batches. When
 * a unit starts a batch, after all turns of a cycle, all its kernels fire. Each is computed
 * separately: the kernels of a batch share only its time.
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

/* A batch that has not started, with at least one kernel. */
struct machine_kernels {
    uint64_t opened; /* cycle of its first kernel */
    LIB_VEC(struct machine_kernel) list;
};

struct machine_bank {
    LIB_VEC(struct machine_kernels) batches; /* those from `first` on, the oldest first */
    size_t first;
    uint64_t full;     /* number of full batches */
    uint64_t *free_at; /* cycle when each unit is free; NULL if unlimited; owned */
};

struct machine_tensor_units {
    bool forced;   /* batches can start in the next cycle, as nothing else can proceed */
    bool fires;    /* a batch is firing */
    uint64_t time; /* time of its kernels, without the time to start it */
    uint32_t bank_count, bank_pes;
    uint64_t most; /* kernels of a full batch */
    struct machine_bank *banks;
};

/* Returns true if a kernel is before a bank of these PEs. */
bool machine_tensor_units_have(const struct machine *m, uint32_t first_pe,
                               uint32_t count);

#endif
