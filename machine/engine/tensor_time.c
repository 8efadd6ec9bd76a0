#include "machine/engine/tensor_time.h"

#include "isa/exec/loop_constant.h"
#include "isa/exec/tensors.h"

/* The operands that an instruction has when a token comes; false: it does not fire live. */
static bool find_operands(const struct isa_exec *x, const struct isa_token *t,
                          const struct isa_instr *instr, isa_value *a, isa_value *b)
{
    const bool port = isa_token_port(t);
    const struct isa_slot *other;
    *a = instr->form == ISA_FORM_SECOND ? instr->value : t->value;
    *b = instr->form == ISA_FORM_SECOND ? t->value : instr->value;
    if (isa_token_is_dead(t))
        return false;
    if (instr->form == ISA_FORM_TWO) {
        other = isa_exec_slot(x, isa_token_tag(t), instr);
        if (isa_slot_is_empty(other) || isa_slot_is_dead(other) ||
            isa_slot_port(other) == port)
            return false;
    } else if (instr->form == ISA_FORM_HELD) {
        other = isa_loop_constant_slot(x, isa_token_tag(t), instr);
        if (!isa_slot_is_held(other))
            return false;
    } else {
        return true;
    }
    *a = port ? other->value : t->value;
    *b = port ? t->value : other->value;
    return true;
}

static uint64_t cycles(uint64_t work, uint64_t rate)
{
    return rate == 0 ? 0 : work / rate + (work % rate != 0);
}

uint64_t machine_tensor_time(const struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    isa_value a, b;
    if (!find_operands(&m->exec, t, instr, &a, &b))
        return 0;
    const struct isa_kernel_cost cost = isa_tensors_cost(&m->exec, instr, a, b);
    const uint64_t computing = cycles(cost.flops, m->settings.tensor_flops);
    const uint64_t moving = cycles(cost.bytes, m->settings.tensor_bytes);
    return computing > moving ? computing : moving;
}
