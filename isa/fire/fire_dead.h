/* Firing: dead tokens, which have no data (setting deadness = propagate). */
#ifndef ISA_FIRE_FIRE_DEAD_H
#define ISA_FIRE_FIRE_DEAD_H

#include "isa/fire/fire_carry.h"
#include "isa/fire/fire_foresee.h"
#include "isa/fire/fire_track.h"

/* Notes in its slot that one token of a MERGEIF has come, if dead tokens exist; the second one
 * empties the slot. Returns false if both are live, which is a trap. */
ISA_FIRE_INLINE bool isa_fire_choose(const struct isa_exec *x, const struct isa_token *t,
                                     const struct isa_instr *instr)
{
    struct isa_slot *s = isa_exec_slot(x, isa_token_tag(t), instr);
    const bool dead = isa_token_is_dead(t);
    const bool is_first = isa_slot_is_empty(s), one_dead = dead || isa_slot_is_dead(s);
    s->info = is_first ? isa_slot_seen(dead) : ISA_SLOT_EMPTY;
    return is_first || one_dead;
}

/* Consumes a token that fires nothing. To a NEXT a dead token means that there is no next
 * iteration, to an EXIT that this is not the last iteration, to a HOLD that there is no loop. */
ISA_FIRE_INLINE enum isa_fired isa_fire_absorb(struct isa_exec *x,
                                               const struct isa_token *t,
                                               const struct isa_instr *instr,
                                               const struct isa_fire_to to)
{
    if (__builtin_expect(x->code->schedules, 0))
        x->carried.tag_tokens += isa_op_tracks(instr->op);
    isa_fire_settle(x, to, isa_token_tag(t), 1, 0);
    return ISA_FIRED_ABSORBED;
}

/* Fires an instruction that partitioning has added (isa_op_divides), and that has a dead operand:
 * sends dead tokens on. */
static inline enum isa_fired isa_fire_dead_divided(struct isa_exec *x,
                                                   const struct isa_token *t,
                                                   const struct isa_instr *instr,
                                                   const struct isa_fire_to to)
{
    const enum isa_op op = (enum isa_op)instr->op;
    const isa_tag tag = isa_token_tag(t);
    const unsigned how = ISA_SEND_DEAD | (op == ISA_OP_SEND ? 0 : ISA_SEND_HOME);
    const struct isa_sends sends = isa_fire_sends(x, op, instr, tag, ISA_OUTCOME_DEAD);
    if (isa_op_carries(op)) {
        isa_fire_count_carried(&x->carried, instr, true);
    } else {
        x->carried.tag_steps++;
        x->carried.tag_tokens += instr->tokens;
    }
    for (unsigned o = 0; o < 2; o++)
        isa_fire_put(to, instr, tag, 0, 0, sends.lists[o], how);
    if (isa_op_carries(op))
        isa_fire_carry_share(x, to, instr, tag);
    isa_fire_settle(x, to, tag, instr->tokens,
                    sends.lists[0].count + sends.lists[1].count);
    return ISA_FIRED_CARRIED;
}

/* Fires an instruction that has a dead operand: sends dead tokens on. `outcome`: a constant, DEAD
 * or UNMADE. */
ISA_FIRE_INLINE enum isa_fired isa_fire_dead(struct isa_exec *x,
                                             const struct isa_token *t,
                                             const struct isa_instr *instr,
                                             const struct isa_fire_to to,
                                             const enum isa_outcome outcome)
{
    const enum isa_op op = (enum isa_op)instr->op;
    const isa_tag tag = isa_token_tag(t);
    const bool is_unmade = outcome == ISA_OUTCOME_UNMADE;
    if (!is_unmade && isa_op_divides(op))
        return isa_fire_dead_divided(x, t, instr, to);
    struct isa_sends sends = isa_fire_sends(x, op, instr, tag, outcome);
    to.counts->dead_firings++;
    if (sends.under == ISA_UNDER_CALLER) {
        /* The call was made, and its result is dead. */
        const isa_tag parent = isa_activations_get(&x->tags, tag)->parent;
        isa_fire_give(x, to, parent, sends.lists[0].count);
        isa_fire_put(to, instr, parent, 0, 0, sends.lists[0], ISA_SEND_DEAD);
        isa_fire_settle(x, to, tag, instr->tokens, 0);
        return ISA_FIRED_DEAD;
    }
    /* The body of a call or loop gets no tokens. Only the CALL or ENTER of parameter 0 sends dead
     * tokens, to the RETURNs or EXITs. */
    if (!is_unmade && isa_op_does[op].dead == ISA_DEAD_SITE && instr->index != 0)
        sends.lists[0].count = 0;
    const unsigned how = ISA_SEND_HOME | ISA_SEND_DEAD;
    isa_fire_put(to, instr, tag, 0, 0, sends.lists[0], how);
    isa_fire_put(to, instr, tag, 0, 0, sends.lists[1], how);
    isa_fire_settle(x, to, tag, is_unmade ? 1 : instr->tokens,
                    sends.lists[0].count + sends.lists[1].count);
    return ISA_FIRED_DEAD;
}

#endif
