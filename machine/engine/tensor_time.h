/* How long a tensor unit takes, beyond what starting a kernel takes (doc/model.md, "Tensors"). */
#ifndef MACHINE_ENGINE_TENSOR_TIME_H
#define MACHINE_ENGINE_TENSOR_TIME_H

#include "isa/tensor/kernel.h"
#include "machine/state.h"

/* Cycles that a tensor unit needs to move so many bytes. */
uint64_t machine_tensor_moving(const struct machine *m, uint64_t bytes);

/* What so many operations and bytes take, with what it takes to launch them. */
uint64_t machine_tensor_cycles(const struct machine *m, struct isa_kernel_cost cost);

/* Whether its live firings take a tensor unit. */
static inline bool machine_takes_tensor_unit(const struct isa_instr *instr)
{
    return isa_op_table[instr->op].unit == ISA_UNIT_TENSOR;
}

#endif
