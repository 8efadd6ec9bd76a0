/* Firing: dead tokens, which have no data (setting deadness = propagate). */
#ifndef ISA_FIRE_FIRE_DEAD_H
#define ISA_FIRE_FIRE_DEAD_H

#include "isa/fire/fire_apply.h"
#include "isa/fire/fire_carry.h"
#include "isa/fire/fire_track.h"
#include "isa/op_columns.h"

/* Decides whether a token fires its MERGEIF if dead tokens exist. The live token fires it
 * (ISA_FIRED_LIVE), or the second one if both are dead (ISA_FIRED_DEAD); the other token is only
 * consumed (ISA_FIRED_ABSORBED). Traps if both are live. */
ISA_FIRE_INLINE enum isa_fired isa_fire_choose(struct isa_exec *x,
                                               const struct isa_token *t,
                                               const struct isa_instr *instr)
{
    struct isa_slot *s = isa_exec_slot(x, isa_token_tag(t), instr);
    bool dead = isa_token_is_dead(t);
    if (isa_slot_is_empty(s)) {
        s->info = isa_slot_seen(dead);
        return dead ? ISA_FIRED_ABSORBED : ISA_FIRED_LIVE;
    }
    bool other_dead = isa_slot_is_dead(s);
    s->info = ISA_SLOT_EMPTY;
    if (other_dead)
        return dead ? ISA_FIRED_DEAD : ISA_FIRED_LIVE;
    return dead ? ISA_FIRED_ABSORBED
                : isa_fire_trap(x, isa_token_tag(t), instr, ISA_TRAP_COLLISION);
}

/* Fires an instruction that has a dead operand: sends dead tokens on. */
ISA_FIRE_INLINE enum isa_fired isa_fire_dead(struct isa_exec *x,
                                             const struct isa_token *t,
                                             const struct isa_instr *instr,
                                             const struct isa_fire_to to)
{
    struct isa_code_list first = instr->out[0], second = instr->out[1];
    const struct isa_op_does *does = &isa_op_does[instr->op];
    if (does->dead == ISA_DEAD_GONE) {
        /* A dead token means for a NEXT that there is no next iteration, for an EXIT that this is
         * not the last iteration, for a HOLD that there is no loop. */
        if (__builtin_expect(x->code->schedules, 0))
            x->carried.tag_tokens += isa_op_tracks(instr->op);
        isa_fire_settle(x, to, isa_token_tag(t), 1, 0);
        return ISA_FIRED_ABSORBED;
    }
    if (isa_op_carries(instr->op))
        return isa_fire_carry_dead(x, t, instr, to);
    if (isa_op_tracks(instr->op))
        return isa_fire_track_dead(x, t, instr, to);
    to.counts->dead_firings++;
    if (does->tag == ISA_UNDER_CALLER) {
        /* The call was made, and its result is dead. */
        isa_tag parent = isa_activations_get(&x->tags, isa_token_tag(t))->parent;
        if (does->sends == ISA_SENDS_RESULTS)
            first = isa_fire_outputs(x, isa_token_tag(t), instr);
        isa_fire_give(x, to, parent, first.count);
        isa_fire_put(to, instr, parent, 0, 0, first, ISA_SEND_DEAD);
        isa_fire_settle(x, to, isa_token_tag(t), instr->tokens, 0);
        return ISA_FIRED_DEAD;
    }
    if (does->dead == ISA_DEAD_SITE) {
        /* The body gets no tokens. Only the CALL or ENTER of parameter 0 sends dead tokens, to the
         * RETURNs or EXITs. */
        first = x->code->sites[instr->site].dead;
        first.count = instr->index == 0 ? first.count : 0;
        second.count = 0;
    }
    isa_fire_put(to, instr, isa_token_tag(t), 0, 0, first, ISA_SEND_HOME | ISA_SEND_DEAD);
    isa_fire_put(to, instr, isa_token_tag(t), 0, 0, second,
                 ISA_SEND_HOME | ISA_SEND_DEAD);
    isa_fire_settle(x, to, isa_token_tag(t), instr->tokens, first.count + second.count);
    return ISA_FIRED_DEAD;
}

/* Passes on the dead token that a RETURN or EXIT gets if its call is not made or its loop not
 * entered. */
ISA_FIRE_INLINE enum isa_fired isa_fire_dead_call(struct isa_exec *x,
                                                  const struct isa_token *t,
                                                  const struct isa_instr *instr,
                                                  const struct isa_fire_to to)
{
    to.counts->dead_firings++;
    isa_fire_put(to, instr, isa_token_tag(t), 0, 0, instr->out[0],
                 ISA_SEND_HOME | ISA_SEND_DEAD);
    isa_fire_settle(x, to, isa_token_tag(t), 1, instr->out[0].count);
    return ISA_FIRED_DEAD;
}

#endif
