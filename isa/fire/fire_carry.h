/* Firing: SEND and RECV, which carry tokens from machine to machine. They compute nothing, and are none
 * of the program's firings: they count by themselves, and change neither depth nor digests. */
#ifndef ISA_FIRE_FIRE_CARRY_H
#define ISA_FIRE_FIRE_CARRY_H

#include "isa/fire/fire_account.h"

/* A SEND's token leaves its machine's share of the activation; a RECV's joins that of its machine. In
 * between it is in none. */
static inline void isa_fire_carry_share(struct isa_exec *x, const struct isa_fire_to to,
                                        const struct isa_instr *instr, isa_tag tag)
{
    if (to.divided)
        isa_shares_change(&x->tags, tag, x->tags.shares->at,
                          instr->op == ISA_OP_SEND ? -1 : 1);
}

/* A live token goes through. */
static inline enum isa_fired
isa_fire_carry(struct isa_exec *x, const struct isa_fire_to to, struct isa_ready *f)
{
    const struct isa_instr *instr = f->instr;
    const bool sends = instr->op == ISA_OP_SEND;
    const uint32_t count = instr->out[0].count;
    f->depth--; /* a firing's would be one more than its operand's */
    *(sends ? &x->carried.sends : &x->carried.receives) += 1;
    if (instr->refers)
        isa_exec_refer(x, instr, f->a, f->b, f->a, count);
    isa_fire_put(to, instr, f->tag, f->a, f->depth, instr->out[0],
                 sends ? 0 : ISA_SEND_HOME);
    isa_fire_carry_share(x, to, instr, f->tag);
    isa_fire_settle(x, to, f->tag, 1, count);
    return ISA_FIRED_CARRIED;
}

/* So does a hiaton. */
static inline enum isa_fired isa_fire_carry_dead(struct isa_exec *x,
                                                 const struct isa_token *t,
                                                 const struct isa_instr *instr,
                                                 const struct isa_fire_to to)
{
    const bool sends = instr->op == ISA_OP_SEND;
    const isa_tag tag = isa_token_tag(t);
    const uint32_t count = instr->out[0].count;
    *(sends ? &x->carried.dead_sends : &x->carried.dead_receives) += 1;
    isa_fire_put(to, instr, tag, 0, 0, instr->out[0],
                 ISA_SEND_DEAD | (sends ? 0 : ISA_SEND_HOME));
    isa_fire_carry_share(x, to, instr, tag);
    isa_fire_settle(x, to, tag, 1, count);
    return ISA_FIRED_CARRIED;
}

#endif
