/* Structure memory: where the elements of arrays lie (settings: structure.*), and how FETCH and
 * STORE get there.
 *
 * Each element lies at a PE, and all accesses to it fire there. So what happens to it has the
 * order of that PE's issues. The operands of an access meet at the PE of its activation. If the
 * element lies at another PE, the access goes on from there as one token through the network: a
 * request. The request is issued like any token and fires, and what it reads is sent from
 * there. The operand of a STORE that came first stays in its slot until then, with
 * ISA_SLOT_SENT. A request is known by being at another PE than its activation. So it needs no
 * memory of its own. */
#ifndef MACHINE_PE_STRUCTURE_MEMORY_H
#define MACHINE_PE_STRUCTURE_MEMORY_H

#include "isa/fire/fire_base.h"
#include "machine/pe/tensor_memory.h"
#include "machine/placement/coordinator.h"
#include "machine/state.h"

/* Cycles from the issue of an access to its request: it passes all stages of its PE, but no
 * function unit. */
uint64_t machine_request_delay(const struct machine_settings *settings);

/* The PE where the element at an address lies. */
ISA_FIRE_INLINE uint32_t machine_element_pe(const struct machine *m, isa_value address)
{
    const struct isa_structure *s = isa_structures_get(&m->exec.structures, address);
    return machine_place_element(&m->settings, s->pe_number,
                                 isa_reference_element(address), m->pe_count);
}

/* The PE of the element to which a live access goes: its address is the token's value, or that of
 * the operand in its slot. */
ISA_FIRE_INLINE uint32_t machine_accessed_pe(const struct machine *m,
                                             const struct isa_token *t,
                                             const struct isa_instr *instr)
{
    if (!isa_token_port(t))
        return machine_element_pe(m, t->value);
    return machine_element_pe(m, isa_exec_slot(&m->exec, isa_token_tag(t), instr)->value);
}

/* Bits of a request: those of a token, and for STORE the address beside the value. And of an
 * APPLY that goes to the coordinator (machine/placement/coordinator.h), or from there. */
ISA_FIRE_INLINE uint64_t machine_request_bits(const struct machine *m,
                                              const struct isa_token *t)
{
    enum { ADDRESS_BITS = 64 };
    const enum isa_op op = m->code->instrs[isa_token_instr(t)].op;
    if (__builtin_expect(op == ISA_OP_APPLY, 0))
        return machine_coordinator_bits(m, t);
    return machine_token_bits(m, isa_token_tag(t)) +
           (isa_op_writes(op) ? ADDRESS_BITS : 0) + 8 * machine_carried_bytes(m, t, true);
}

/* Bits of any token in the network. `is_request`: it goes elsewhere than to the PE of its
 * activation. */
uint64_t machine_bits_on_way(const struct machine *m, const struct isa_token *t,
                             bool is_request);

#define MACHINE_COLLIDES UINT32_MAX

/* Where an access fires, if it is issued at the PE where its token is; that PE, if it waits
 * for its partner or is dead. MACHINE_COLLIDES: its partner is on its way with another token. */
ISA_FIRE_INLINE uint32_t machine_access_pe(struct machine *m, const struct isa_token *t)
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
    return machine_accessed_pe(m, t, instr);
}

/* The same for a token of an access, or an APPLY, that its sender has sent on, for it is at its
 * sender's. */
uint32_t machine_request_pe(const struct machine *m, const struct isa_token *t);

#endif
