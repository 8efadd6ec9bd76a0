/* Firing: what a token will do when it is delivered, told without effect. Firing itself asks
 * isa_fire_outcome first, and sends where isa_fire_sends says: so it does what was foretold, unless
 * it traps or memory runs out. */
#ifndef ISA_FIRE_FIRE_FORESEE_H
#define ISA_FIRE_FIRE_FORESEE_H

#include "isa/fire/fire_apply.h"

/* Returns the outcome of one of the two tokens of a MERGEIF, if dead tokens exist; `other`: its
 * slot. The live token fires it, or the second one if both are dead; the other is absorbed. */
ISA_FIRE_INLINE enum isa_outcome isa_fire_chosen(const struct isa_slot *other, bool dead)
{
    if (!dead)
        return ISA_OUTCOME_LIVE;
    return isa_slot_is_dead(other) ? ISA_OUTCOME_DEAD : ISA_OUTCOME_ABSORBED;
}

/* Returns the outcome of a token that is delivered now to its instruction, which is no APPLY
 * (isa_fire_gathered). Of `as`, it reads `op`, `form` and `propagate`. */
ISA_FIRE_INLINE enum isa_outcome isa_fire_outcome(const struct isa_exec *x,
                                                  const struct isa_token *t,
                                                  const struct isa_instr *instr,
                                                  const struct isa_fire_as as)
{
    const isa_tag tag = isa_token_tag(t);
    bool dead = as.propagate && isa_token_is_dead(t);
    if (dead && isa_token_port(t) == 1 && isa_op_brings_out(as.op))
        return ISA_OUTCOME_UNMADE;
    if (as.form == ISA_FORM_TWO) {
        const struct isa_slot *partner = isa_exec_slot(x, tag, instr);
        if (isa_slot_is_empty(partner))
            return ISA_OUTCOME_WAITS;
        dead |= as.propagate && isa_slot_is_dead(partner);
    } else if (as.form == ISA_FORM_HELD && __builtin_expect(!dead, 1)) {
        if (!isa_slot_is_held(isa_loop_constant_slot(x, tag, instr)))
            return ISA_OUTCOME_PARKS;
    }
    if (as.propagate && isa_op_chooses(as.op))
        return isa_fire_chosen(isa_exec_slot(x, tag, instr), dead);
    if (__builtin_expect(!dead, 1))
        return ISA_OUTCOME_LIVE;
    return isa_op_does[as.op].dead == ISA_DEAD_GONE ? ISA_OUTCOME_ABSORBED
                                                    : ISA_OUTCOME_DEAD;
}

/* Returns the outcome of any token that is delivered now. */
ISA_FIRE_INLINE enum isa_outcome isa_fire_outcome_of(const struct isa_exec *x,
                                                     const struct isa_token *t,
                                                     const struct isa_instr *instr)
{
    const struct isa_fire_as as = {.op = (enum isa_op)instr->op,
                                   .form = (enum isa_form)instr->form,
                                   .propagate = x->code->propagate};
    return as.op == ISA_OP_APPLY ? isa_fire_gathered(x, t, instr)
                                 : isa_fire_outcome(x, t, instr, as);
}

/* What the delivery of a token will do. */
struct isa_foreseen {
    enum isa_outcome outcome;
    /* Max number of tokens that it sends. A deferred read, and a dead operand of a CALL or ENTER
     * other than the first, send fewer. So does the token of a MERGEIF that is absorbed: which one
     * of the two is, is known when one of them is delivered. */
    uint32_t most;
    enum isa_op_tag under; /* whose tag these tokens have (struct isa_sends) */
};

ISA_FIRE_INLINE struct isa_foreseen isa_fire_foresee(const struct isa_exec *x,
                                                     const struct isa_token *t)
{
    const struct isa_instr *instr = &x->code->instrs[isa_token_instr(t)];
    const enum isa_op op = (enum isa_op)instr->op;
    const enum isa_outcome outcome = isa_fire_outcome_of(x, t, instr);
    if (!isa_outcome_fires(outcome) && !isa_op_chooses(op))
        return (struct isa_foreseen){.outcome = outcome};
    const struct isa_sends sends = isa_fire_sends(x, op, instr, isa_token_tag(t),
                                                  outcome);
    const uint32_t first = sends.lists[0].count, second = sends.lists[1].count;
    const bool one = isa_op_does[op].sends == ISA_SENDS_ONE && !x->code->propagate;
    const uint32_t most = !one ? first + second : first > second ? first : second;
    return (struct isa_foreseen){outcome, most, sends.under};
}

#endif
