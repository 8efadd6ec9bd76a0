/* Firing: SEND, RECV and AWAIT, which carry tokens between machines. They are not firings of the
 * program, and change neither depths nor digests. struct isa_carried counts them. */
#ifndef ISA_FIRE_FIRE_CARRY_H
#define ISA_FIRE_FIRE_CARRY_H

#include "isa/fire/fire_account.h"

/* Updates the share of this machine in an activation: a SEND takes its token out, a RECV adds it.
 * Inlined, as passing `to` to a function would keep the engine's state out of registers. */
ISA_FIRE_INLINE void isa_fire_carry_share(struct isa_exec *x, const struct isa_fire_to to,
                                          const struct isa_instr *instr, isa_tag tag)
{
    if (to.divided)
        isa_shares_change(&x->tags, tag, x->tags.shares->at,
                          instr->op == ISA_OP_SEND ? -1 : 1);
}

/* Counts a firing of a SEND, RECV or AWAIT, and the token that scheduled an AWAIT. */
static inline void isa_fire_count_carried(struct isa_carried *c,
                                          const struct isa_instr *instr, bool dead)
{
    const bool sends = instr->op == ISA_OP_SEND;
    if (isa_instr_decides(instr)) {
        *(sends ? &c->tag_sends : &c->tag_receives) += 1;
        c->tag_tokens++;
    } else if (sends) {
        *(dead ? &c->dead_sends : &c->sends) += 1;
    } else {
        *(dead ? &c->dead_receives : &c->receives) += 1;
    }
    c->tag_tokens += instr->op == ISA_OP_AWAIT;
}

ISA_FIRE_INLINE enum isa_fired
isa_fire_carry(struct isa_exec *x, const struct isa_fire_to to, struct isa_ready *f)
{
    const struct isa_instr *instr = f->instr;
    const bool sends = instr->op == ISA_OP_SEND;
    const isa_value value = instr->op == ISA_OP_AWAIT ? f->b : f->a;
    const uint32_t count = instr->out[0].count;
    f->depth--; /* unlike a firing, carrying a token adds no depth */
    isa_fire_count_carried(&x->carried, instr, false);
    if (instr->refers)
        isa_exec_refer(x, instr, f->a, f->b, value, count);
    isa_fire_put(to, instr, f->tag, value, f->depth, instr->out[0],
                 sends ? 0 : ISA_SEND_HOME);
    isa_fire_carry_share(x, to, instr, f->tag);
    isa_fire_settle(x, to, f->tag, f->taken, count);
    return ISA_FIRED_CARRIED;
}

#endif
