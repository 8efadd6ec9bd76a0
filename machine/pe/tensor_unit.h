/* Tensor units that run batches of kernels (instructions on tensors; settings tensor.unit.*,
 * tensor.batch.*; doc/model.md, "Tensor units and batches").
 *
 * The units of a PE, or of a node, form a bank. An issued live kernel first waits at its bank.
 * Kernels of one instruction on tensors of the same shapes gather in a batch. When a unit starts a
 * batch, at the end of a cycle, all its kernels fire. They share only their time: each is computed
 * separately. The first operand of a waiting kernel stays in its slot, marked ISA_SLOT_SENT. With
 * finite memory the kernel has room for its result, and its tensors stay (machine/pe/swap.h). */
#ifndef MACHINE_PE_TENSOR_UNIT_H
#define MACHINE_PE_TENSOR_UNIT_H

#include "machine/state.h"

/* Whether live firings of an opcode first wait at a bank of tensor units. */
static inline bool machine_tensor_units_hold(const struct machine *m, enum isa_op op)
{
    return m->units && isa_op_table[op].unit == ISA_UNIT_TENSOR;
}

/* Whether the kernels of a batch are firing now. Sets *time to the cycles of the batch, without
 * launching. */
bool machine_tensor_units_fire(const struct machine_tensor_units *units, uint64_t *time);

#endif
