/* Firing: counts references to arrays and tensors that a firing consumes and sends. */
#ifndef ISA_FIRE_FIRE_REFER_H
#define ISA_FIRE_FIRE_REFER_H

#include "isa/fire/fire_base.h"
#include "isa/op_columns.h"

/* Whether operands or results of an opcode can be references. instr->refers says which of them
 * are. */
ISA_FIRE_INLINE bool isa_fire_may_refer(enum isa_op op)
{
    return isa_op_does[op].refers != ISA_REFERENCE_NONE;
}

/* Whether an opcode handles references so often that code for them is inlined. Such an opcode sends
 * operand 0, or the address of one of its elements, and operand 1 is not a reference. */
ISA_FIRE_INLINE bool isa_fire_often_refers(enum isa_op op)
{
    return op == ISA_OP_SWITCH || op == ISA_OP_INDEX;
}

/* Updates reference counts at a firing with operands `a` and `b`, before it sends `value` to `sent`
 * destinations. Does nothing if one reference goes to one destination. */
ISA_FIRE_INLINE void isa_fire_refer(struct isa_exec *x, const struct isa_instr *instr,
                                    const struct isa_fire_as as, isa_value a, isa_value b,
                                    isa_value value, uint32_t sent)
{
    const unsigned refers = instr->refers;
    if (__builtin_expect(refers == 0, 1) || !isa_fire_may_refer(as.op))
        return;
    if (isa_op_does[as.op].refers == ISA_REFERENCE_PASS && instr->only != ISA_CODE_MANY)
        return;
    if (!as.measures || !isa_fire_often_refers(as.op)) {
        isa_exec_refer(x, instr, a, b, value, sent);
        return;
    }
    const uint64_t more = refers & ISA_REFERS_SENT ? sent : 0;
    const uint64_t less = refers & ISA_REFERS_FIRST ? 1 : 0;
    isa_structures_change(&x->structures, a, more - less);
}

/* Drops the references in the live operands of an instruction that has a dead operand. */
static inline void isa_fire_give_up_live(struct isa_exec *x, const struct isa_token *t,
                                         const struct isa_instr *instr,
                                         const struct isa_slot *other)
{
    const bool first_dead = isa_token_port(t) ? isa_slot_is_dead(other)
                                              : isa_token_is_dead(t);
    const bool second_dead = isa_token_port(t) ? isa_token_is_dead(t)
                                               : isa_slot_is_dead(other);
    const isa_value a = isa_token_port(t) ? other->value : t->value;
    const isa_value b = isa_token_port(t) ? t->value : other->value;
    if (!first_dead && instr->refers & ISA_REFERS_FIRST)
        isa_structures_drop(&x->structures, a);
    if (!second_dead && instr->refers & ISA_REFERS_SECOND)
        isa_structures_drop(&x->structures, b);
}

/* Returns 64 bits that stand for the value of a firing in digests: the value itself, or for a
 * reference a hash. */
ISA_FIRE_INLINE uint64_t isa_fire_word(const struct isa_exec *x,
                                       const struct isa_instr *instr, enum isa_op op,
                                       isa_value value)
{
    if (__builtin_expect(!(instr->refers & ISA_REFERS_VALUE), 1) ||
        !isa_fire_may_refer(op))
        return value;
    return isa_fire_often_refers(op) ? isa_structures_word(&x->structures, value)
                                     : isa_exec_word(x, value);
}

#endif
