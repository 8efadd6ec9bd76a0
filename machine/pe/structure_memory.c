#include "machine/pe/structure_memory.h"
#include "machine/pe/coordinator.h"

uint64_t machine_bits_on_way(const struct machine *m, const struct isa_token *t,
                             bool is_request)
{
    if (is_request)
        return machine_request_bits(m, t);
    return machine_token_bits(m, isa_token_tag(t)) +
           8 * machine_carried_bytes(m, t, false);
}

uint32_t machine_request_pe(const struct machine *m, const struct isa_token *t)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    if (__builtin_expect(instr->op == ISA_OP_APPLY, 0))
        return machine_coordinator_pe(m);
    if (__builtin_expect(machine_is_message(t), 0))
        return machine_tensor_home(m, t);
    return machine_accessed_pe(m, t, instr);
}
