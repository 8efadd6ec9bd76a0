/* Tensor units that run batches of kernels (instructions on tensors; settings tensor.unit.*,
 * tensor.batch.*; doc/model.md, "Tensor units and batches").
 *
 * The units of a PE, or of a node, form a bank. An issued live kernel first waits at its bank.
 * Kernels of one instruction on tensors of the same shapes gather in a batch. When a unit starts a
 * batch, at the end of a cycle, all its kernels fire. They share only their time: each is computed
 * separately. The first operand of a waiting kernel stays in its slot, marked ISA_SLOT_SENT. */
#ifndef MACHINE_PE_TENSOR_UNIT_H
#define MACHINE_PE_TENSOR_UNIT_H

#include <stdbool.h>
#include <stdint.h>

struct machine_tensor_units;

/* Whether the kernels of a batch are firing now. Sets *time to the cycles of the batch, without
 * launching. */
bool machine_tensor_units_fire(const struct machine_tensor_units *units, uint64_t *time);

#endif
