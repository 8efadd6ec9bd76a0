#include "machine/pe/tensor_unit.h"

#include "isa/exec/tensors.h"
#include "machine/pe/tensor_memory.h"

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    (void)state;
    return m->code->has_tensors;
}

static bool begins(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return isa_op_table[op].unit == ISA_UNIT_TENSOR;
}

/* Returns the additional cycles of a kernel, or of its batch; 0 if it does not fire live. */
static uint64_t begin_firing(struct machine *m, void *state, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    const struct machine_tensor_units *units = state;
    uint64_t time;
    isa_value a, b;
    if (units && machine_tensor_units_fire(units, &time))
        return time;
    if (!machine_tensor_operands(m, t, instr, &a, &b))
        return 0;
    const struct isa_kernel_cost cost = isa_tensors_cost(&m->tokens.exec, instr, a, b);
    return traces_machine_kernel(&m->about, cost.flops, cost.bytes);
}

const struct machine_part machine_tensor_time_part = {MACHINE_PART_STATE_AT(units),
                                                      .make = make, .begins = begins,
                                                      .begin_firing = begin_firing};
