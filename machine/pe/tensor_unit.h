/* Tensor units that run batches of kernels (instructions on tensors; settings tensor.unit.*,
 * tensor.batch.*; doc/model.md, "Tensor units and batches").
 *
 * The units of a PE, or of a node, form a bank. An issued live kernel first waits at its bank.
 * Kernels of one instruction on tensors of the same shapes gather in a batch. When a unit starts a
 * batch, at the end of a cycle, all its kernels fire. They share only their time: each is computed
 * separately. The first operand of a waiting kernel stays in its slot, marked ISA_SLOT_SENT. */
#ifndef MACHINE_PE_TENSOR_UNIT_H
#define MACHINE_PE_TENSOR_UNIT_H

#include "machine/part.h"
#include "machine/state_table.h"

/* A kernel that waits at a bank of tensor units, and the cycle of its arrival. */
#define MACHINE_KERNEL_FIELDS(F)                                                         \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t, came)
struct machine_kernel {
    MACHINE_KERNEL_FIELDS(LIB_STATE_MEMBER)
};

/* A batch of at least one kernel that waits for a tensor unit. */
#define MACHINE_KERNELS_FIELDS(F)                                                        \
    F(NUMBER, uint64_t, opened) /* cycle in which the first kernel arrived */            \
    F(EACH, machine_kernel, list)
struct machine_kernels {
    MACHINE_KERNELS_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_BANK_FIELDS(F)                                                           \
    /* cycle when each tensor unit is free; NULL: units are unlimited */                 \
    F(ARRAY, uint64_t, free_at, s->free_at ? m->settings.tensor_units : 0)               \
    F(CALL, forget_started(s))                                                           \
    /* waiting batches, oldest first, from index `first` on; empty before it */          \
    F(EACH, machine_kernels, batches)                                                    \
    F(SCRATCH, size_t, first)                                                            \
    F(NUMBER, uint64_t, full) /* number of waiting batches that are full */
struct machine_bank {
    MACHINE_BANK_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_TENSOR_UNITS_FIELDS(F)                                                   \
    F(KEPT, uint32_t, bank_count)                                                        \
    F(KEPT, uint32_t, bank_pes)                                                          \
    F(KEPT, uint64_t, most) /* max kernels per batch */                                  \
    F(STRUCTS, machine_bank, banks, s->bank_count)                                       \
    F(BOOL, forced)         /* deadlock: incomplete batches start in the next cycle */   \
    F(SCRATCH, bool, fires) /* the kernels of a batch are firing now */                  \
    F(SCRATCH, uint64_t, time) /* cycles of the batch that is firing, without launching */
struct machine_tensor_units {
    MACHINE_TENSOR_UNITS_FIELDS(LIB_STATE_MEMBER)
};

/* Whether live firings of an instruction use a tensor unit. */
static inline bool machine_takes_tensor_unit(const struct isa_instr *instr)
{
    return isa_op_table[instr->op].unit == ISA_UNIT_TENSOR;
}

#endif
