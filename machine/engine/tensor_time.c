#include "machine/engine/tensor_time.h"

#include "isa/exec/tensors.h"
#include "machine/pe/op_timing.h"
#include "machine/pe/tensor_memory.h"
#include "machine/pe/tensor_unit.h"

static uint64_t cycles(uint64_t work, uint64_t rate)
{
    return rate == 0 ? 0 : work / rate + (work % rate != 0);
}

uint64_t machine_tensor_moving(const struct machine *m, uint64_t bytes)
{
    return cycles(bytes, m->settings.tensor_bytes);
}

uint64_t machine_tensor_cycles(const struct machine *m, struct isa_kernel_cost cost)
{
    const uint64_t computing = cycles(cost.flops, m->settings.tensor_flops);
    const uint64_t moving = machine_tensor_moving(m, cost.bytes);
    return m->settings.tensor_launch + (computing > moving ? computing : moving);
}

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m)
{
    return m->code->has_tensors;
}

static bool begins(const struct machine *m, enum isa_op op)
{
    (void)m;
    return isa_op_table[op].unit == ISA_UNIT_TENSOR;
}

/* Returns the additional cycles of a kernel, or of its batch; 0 if it does not fire live. */
static uint64_t begin_firing(struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    isa_value a, b;
    if (m->units && m->units->fires)
        return m->units->time * machine_op_timing_cycle(m, 1);
    if (!machine_tensor_operands(m, t, instr, &a, &b))
        return 0;
    return machine_tensor_cycles(m, isa_tensors_cost(&m->exec, instr, a, b)) *
           machine_op_timing_cycle(m, 1);
}

const struct machine_part machine_tensor_time_part = {
    .make = make, .begins = begins, .begin_firing = begin_firing};
