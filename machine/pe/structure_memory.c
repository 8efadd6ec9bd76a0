#include "machine/pe/structure_memory.h"

#include "machine/pe/tensor_memory.h"

static uint32_t place_of(const struct machine *m, isa_value address)
{
    const struct isa_structure *s = isa_structures_get(&m->exec.structures, address);
    if (m->settings.structure_placement == MACHINE_STRUCTURE_LOCAL)
        return s->pe_number;
    return (uint32_t)(((uint64_t)s->pe_number + isa_reference_element(address)) %
                      m->pe_count);
}

/* It goes to the coordinator of copies, or from there. */
static bool is_apply(const struct machine *m, const struct isa_token *t)
{
    return m->code->instrs[isa_token_instr(t)].op == ISA_OP_APPLY;
}

uint64_t machine_request_delay(const struct machine_settings *s)
{
    const uint64_t stages = s->match_latency + s->fetch_latency + s->form_latency;
    return stages ? stages : 1;
}

uint64_t machine_request_bits(const struct machine *m, const struct isa_token *t)
{
    if (is_apply(m, t))
        return machine_coordinator_bits(m, t);
    const enum { ADDRESS_BITS = 64 } more = ADDRESS_BITS;
    const bool stores = isa_op_writes(m->code->instrs[isa_token_instr(t)].op);
    return machine_token_bits(m, isa_token_tag(t)) + (stores ? more : 0) +
           8 * machine_carried_bytes(m, t, true);
}

uint64_t machine_bits_on_way(const struct machine *m, const struct isa_token *t,
                             bool is_request)
{
    if (is_request)
        return machine_request_bits(m, t);
    return machine_token_bits(m, isa_token_tag(t)) +
           8 * machine_carried_bytes(m, t, false);
}

/* The address that an access has: its token's, or that of the operand in its slot. */
static isa_value address_of(const struct machine *m, const struct isa_token *t)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    return isa_token_port(t) ? isa_exec_slot(&m->exec, isa_token_tag(t), instr)->value
                             : t->value;
}

uint32_t machine_request_pe(const struct machine *m, const struct isa_token *t)
{
    if (is_apply(m, t))
        return m->coordinator.pe;
    if (machine_is_message(t))
        return machine_tensor_home(m, t);
    return place_of(m, address_of(m, t));
}

uint32_t machine_access_pe(struct machine *m, const struct isa_token *t)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const uint32_t here = isa_token_pe(t);
    if (isa_token_is_dead(t))
        return here;
    if (instr->form == ISA_FORM_TWO) {
        const struct isa_slot *slot = isa_exec_slot(&m->exec, isa_token_tag(t), instr);
        if (!isa_slot_is_waiting(slot) || isa_slot_is_dead(slot) ||
            isa_slot_port(slot) == isa_token_port(t))
            return here;
        if (slot->info & ISA_SLOT_SENT)
            return here == machine_pe_on(m, isa_token_tag(t), isa_token_instr(t))
                       ? MACHINE_COLLIDES
                       : here;
    }
    return machine_request_pe(m, t);
}
