/* Structure memory: at which PE each element of an array is (settings structure.*), and how
 * accesses (FETCH and STORE, FIELD and FILL) get there. The fields of data are all where element 0
 * of an array would be: at the PE that made it.
 *
 *     operands --> PE of the activation --request--> PE of the element, fires --> result
 *
 * Each element belongs to a PE, where all accesses to it fire, in the order of that PE's issues.
 * The operands of an access meet at the PE of its activation. If the element is at another PE, the
 * access goes there as one token through the network, a request, which is issued like any token.
 * The result is sent from there. Until then the first operand of a STORE stays in its slot, marked
 * ISA_SLOT_SENT. */
#ifndef MACHINE_PE_STRUCTURE_MEMORY_H
#define MACHINE_PE_STRUCTURE_MEMORY_H

#include "isa/fire/fire_base.h"
#include "isa/op_columns.h"
#include "machine/pe/tensor_memory.h"
#include "machine/pe/coordinator.h"
#include "machine/placement/policy.h"
#include "machine/state.h"

ISA_FIRE_INLINE uint32_t machine_element_pe(const struct machine *m, isa_value address)
{
    const struct isa_structure *s = isa_structures_get(&m->tokens.exec.structures,
                                                       address);
    return machine_place_element(m->policies, machine_maker_of(s),
                                 s->is_data ? 0 : isa_reference_element(address));
}

/* Returns the PE of the element that a live access needs. The value of the token, or of the operand
 * in its slot, is the address. */
ISA_FIRE_INLINE uint32_t machine_accessed_pe(const struct machine *m,
                                             const struct isa_token *t,
                                             const struct isa_instr *instr)
{
    if (!isa_token_port(t))
        return machine_element_pe(m, t->value);
    return machine_element_pe(
        m, isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)->value);
}

/* Returns the size of a request in bits. It is an array access on its way to the element (for a
 * STORE with the address), or an APPLY on its way to or from the coordinator
 * (machine/pe/coordinator.h). */
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

/* Returns the size in bits of any token in the network. `is_request`: it goes to another PE than
 * the PE of its activation. */
uint64_t machine_bits_on_way(const struct machine *m, const struct isa_token *t,
                             bool is_request);

#define MACHINE_COLLIDES UINT32_MAX

/* Returns the PE where an array access fires if it is issued now. This is its current PE if it is
 * dead or waits for its partner. Returns MACHINE_COLLIDES if its partner has already met another
 * token, with which it left as a request. */
ISA_FIRE_INLINE uint32_t machine_access_pe(struct machine *m, const struct isa_token *t)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const uint32_t here = machine_token_pe(t);
    if (isa_token_is_dead(t))
        return here;
    if (instr->form == ISA_FORM_TWO) {
        const struct isa_slot *slot = isa_exec_slot(&m->tokens.exec, isa_token_tag(t),
                                                    instr);
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

/* Returns the PE to which a token goes as a request: an array access to the PE of the element, an
 * APPLY to the coordinator, a request for a tensor to the PE that made the tensor. */
uint32_t machine_request_pe(const struct machine *m, const struct isa_token *t);

#endif
