/* Time that kernels (instructions on tensors) take in a tensor unit (doc/model.md, "Tensors"). */
#ifndef MACHINE_ENGINE_TENSOR_TIME_H
#define MACHINE_ENGINE_TENSOR_TIME_H

#include "isa/tensor/kernel.h"
#include "machine/state.h"

/* Whether live firings of an instruction use a tensor unit. */
static inline bool machine_takes_tensor_unit(const struct isa_instr *instr)
{
    return isa_op_table[instr->op].unit == ISA_UNIT_TENSOR;
}

#endif
