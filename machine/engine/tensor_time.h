/* Time that kernels (instructions on tensors) take in a tensor unit (doc/model.md, "Tensors"). */
#ifndef MACHINE_ENGINE_TENSOR_TIME_H
#define MACHINE_ENGINE_TENSOR_TIME_H

#include "isa/tensor/kernel.h"
#include "machine/state.h"

/* Returns the cycles that a tensor unit takes to move `bytes` bytes. */
uint64_t machine_tensor_moving(const struct machine *m, uint64_t bytes);

/* Returns the cycles of a kernel with this cost: to launch it, and for its operations and bytes. */
uint64_t machine_tensor_cycles(const struct machine *m, struct isa_kernel_cost cost);

/* Whether live firings of an instruction use a tensor unit. */
static inline bool machine_takes_tensor_unit(const struct isa_instr *instr)
{
    return isa_op_table[instr->op].unit == ISA_UNIT_TENSOR;
}

#endif
