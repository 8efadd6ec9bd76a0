/* Firing: tag tracking (paper 1, section 5.2.2). To know which tags exist, a machine fires copies
 * of those instructions on other machines that decide it, such as CALL, NEXT and SWITCH. Tokens of
 * these copies have neither value nor depth, and their firings do not count as the program's. */
#ifndef ISA_FIRE_FIRE_TRACK_H
#define ISA_FIRE_FIRE_TRACK_H

#include "isa/fire/fire_call.h"

/* Fires a copy of a CALL, ENTER or NEXT: finds or makes the activation, as the original does. The
 * activation lives at least until the original has fired, as instructions of the callee on this
 * machine wait for tokens that only the original causes. */
ISA_FIRE_INLINE void isa_fire_follow(struct isa_exec *x, const struct isa_fire_as as,
                                     const struct isa_fire_to to,
                                     const struct isa_ready *f)
{
    const struct isa_instr *instr = f->instr;
    const bool iterates = instr->op != ISA_OP_TRACK_CALL;
    const isa_tag child = iterates ? isa_fire_iteration(x, f->tag, instr, as)
                                   : isa_fire_child(x, f->tag, instr, as);
    if (__builtin_expect(child == ISA_TAG_NONE, 0)) {
        isa_fire_no_frame(x);
        return;
    }
    x->carried.tags_followed++;
    isa_fire_give(x, to, child, instr->out[0].count);
    isa_fire_put(to, instr, child, 1, 0, instr->out[0], 0);
    if (iterates)
        isa_fire_arrive(x, f->tag, instr, child);
    isa_fire_settle(x, to, f->tag, f->taken, 0);
}

/* Fires an instruction of tag tracking with live operands. */
ISA_FIRE_INLINE enum isa_fired isa_fire_track(struct isa_exec *x,
                                              const struct isa_fire_as as,
                                              const struct isa_fire_to to,
                                              const struct isa_ready *f)
{
    const struct isa_instr *instr = f->instr;
    const struct isa_code_list none = {0};
    x->carried.tag_steps++;
    x->carried.tag_tokens += f->taken;
    if (instr->op != ISA_OP_TRACK_MERGE && instr->op != ISA_OP_TRACK_SWITCH) {
        isa_fire_follow(x, as, to, f);
        return x->out_of_memory ? ISA_FIRED_STOPPED : ISA_FIRED_CARRIED;
    }
    const bool decides = instr->op == ISA_OP_TRACK_SWITCH;
    const struct isa_code_list taken = instr->out[decides && !f->b];
    const struct isa_code_list other = decides ? instr->out[f->b ? 1 : 0] : none;
    const uint32_t made = taken.count + (as.propagate ? other.count : 0);
    isa_fire_put(to, instr, f->tag, 1, 0, taken, ISA_SEND_HOME);
    if (as.propagate)
        isa_fire_put(to, instr, f->tag, 0, 0, other, ISA_SEND_HOME | ISA_SEND_DEAD);
    isa_fire_settle(x, to, f->tag, f->taken, made);
    return ISA_FIRED_CARRIED;
}

#endif
