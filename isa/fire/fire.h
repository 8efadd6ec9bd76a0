/* Firing: the effect of one token. The interpreter and all machines share this code: they differ in
 * when and where instructions fire.
 *
 *     token --> isa_fire --> outcome --> partner missing: the token waits in its slot
 *                              |
 *                              +-----> dead: isa_fire_dead sends dead tokens on
 *                              |
 *                              +-----> complete: the effect of the opcode
 *                                        - counts the firing, and its references
 *                                        - hands its tokens to the engine: to.send()
 *                                        - accounts for tokens consumed and made under the tag,
 *                                          and frees the activation if none is left
 *
 * This code is inlined into each engine; what the engine knows in advance is a constant (struct
 * isa_fire_as). So an engine that sorts its tokens by opcode gets a function for each opcode.
 *
 * What will happen is asked first, without effect (isa/fire/fire_foresee.h). This file matches a
 * token and chooses the effect. Effects are in isa/fire/fire_*.h, by subject.
 *
 * The simplest engine (compare run_measured in isa/fire/interp.c):
 *
 *     struct isa_firing firing;
 *     const struct isa_fire_to to = {&exec->counts, &firing, push, stack, false};
 *     while (pop(stack, &token)) {
 *         if (isa_fire_any(exec, &token, true, to) == ISA_FIRED_STOPPED)
 *             break;                                   // exec->trap, or exec->out_of_memory
 *         while (isa_loop_constant_wake(exec, &token)) // tokens that a HOLD has woken
 *             put_back(stack, &token);
 *     }
 *
 * Invariant: counts.live is the number of tokens made and not yet consumed, and each token counts
 * in the `live` of the activation of its tag.
 */
#ifndef ISA_FIRE_FIRE_H
#define ISA_FIRE_FIRE_H

#include "isa/exec/tensors.h"
#include "isa/fire/fire_apply.h"
#include "isa/fire/fire_call.h"
#include "isa/fire/fire_carry.h"
#include "isa/fire/fire_dead.h"
#include "isa/fire/fire_memory.h"
#include "isa/fire/fire_port.h"
#include "isa/fire/fire_pure.h"
#include "isa/fire/fire_track.h"
#include "isa/op_columns.h"

/* Puts a token of a two-operand instruction, whose partner has not arrived, into its slot. */
ISA_FIRE_INLINE enum isa_fired isa_fire_wait(struct isa_exec *x,
                                             const struct isa_token *t,
                                             const struct isa_instr *instr,
                                             const struct isa_fire_as as,
                                             const struct isa_fire_to to)
{
    *isa_exec_slot(x, isa_token_tag(t), instr) = isa_slot_of(
        t, as.measures ? isa_token_depth(t) : 0, as.propagate && isa_token_is_dead(t));
    to.counts->waiting++;
    if (as.op == ISA_OP_AWAIT)
        x->carried.early_receives += isa_token_port(t);
    return ISA_FIRED_WAITING;
}

/* Empties the slot of a two-operand instruction, and returns the operand that waited there. */
ISA_FIRE_INLINE struct isa_slot isa_fire_take_partner(const struct isa_exec *x,
                                                      const struct isa_token *t,
                                                      const struct isa_instr *instr,
                                                      const struct isa_fire_to to)
{
    struct isa_slot *s = isa_exec_slot(x, isa_token_tag(t), instr);
    const struct isa_slot partner = *s;
    s->info = ISA_SLOT_EMPTY;
    to.counts->waiting--;
    return partner;
}

/* Sets the operands of a firing from a token and its partner in `other`, and its depth to the
 * greater of theirs. */
ISA_FIRE_INLINE void isa_fire_join(struct isa_ready *f, const struct isa_token *t,
                                   const struct isa_slot *other,
                                   const struct isa_fire_as as)
{
    const bool second = isa_token_port(t);
    f->a = second ? other->value : t->value;
    f->b = second ? t->value : other->value;
    if (as.measures && isa_slot_depth(other) > f->depth)
        f->depth = isa_slot_depth(other);
}

/* Fires a SWITCH: sends operand 0 to the output list that operand 1 chooses. */
ISA_FIRE_INLINE enum isa_fired isa_fire_switch(struct isa_exec *x,
                                               const struct isa_fire_as as,
                                               const struct isa_fire_to to,
                                               const struct isa_ready *f)
{
    const struct isa_code_list chosen = f->instr->out[f->b ? 0 : 1];
    const struct isa_code_list other = f->instr->out[f->b ? 1 : 0];
    const uint32_t made = chosen.count + (as.propagate ? other.count : 0);
    isa_fire_count(x, f->tag, f->instr, as, to, f->depth, f->a, true);
    isa_fire_refer(x, f->instr, as, f->a, f->b, f->a, chosen.count);
    isa_fire_put(to, f->instr, f->tag, f->a, f->depth, chosen, ISA_SEND_HOME);
    if (as.propagate)
        isa_fire_put(to, f->instr, f->tag, 0, 0, other, ISA_SEND_HOME | ISA_SEND_DEAD);
    isa_fire_settle(x, to, f->tag, f->taken, made);
    return ISA_FIRED_LIVE;
}

/* Fires an instruction of any opcode. In the switch, opcodes that send one value to output list 0
 * under their own tag set `value`; the others return. */
ISA_FIRE_INLINE enum isa_fired isa_fire_operands(struct isa_exec *x,
                                                 const struct isa_fire_as as,
                                                 const struct isa_fire_to to,
                                                 struct isa_ready *f)
{
    isa_value value = 0;
    enum isa_fired fired = ISA_FIRED_LIVE;
    const int64_t ia = isa_value_int(f->a), ib = isa_value_int(f->b);
    const double ra = isa_value_real(f->a), rb = isa_value_real(f->b);
    const bool ba = f->a != 0, bb = f->b != 0;
    if (isa_op_does[as.op].stands == ISA_STANDS_BODY && !isa_fire_can_copy(as))
        __builtin_unreachable();
    switch (as.op) {
#define TRAP(kind) return isa_fire_trap(x, f->tag, f->instr, ISA_TRAP_##kind)
#include "isa/exec/eval.def"
#undef TRAP
    case ISA_OP_CONST:
    case ISA_OP_MERGE:
    case ISA_OP_MERGEIF:
    case ISA_OP_PARAM:
        value = f->a;
        break;
    case ISA_OP_JOIN:
        break;
    case ISA_OP_SWITCH:
        return isa_fire_switch(x, as, to, f);
    case ISA_OP_CALL:
        return isa_fire_call(x, as, to, f);
    case ISA_OP_ENTER:
    case ISA_OP_NEXT:
        return isa_fire_iterate(x, as, to, f);
    case ISA_OP_EXIT:
    case ISA_OP_RETURN:
        return isa_fire_leave(x, as, to, f, ISA_OP_RETURN);
    case ISA_OP_RESULT:
        return isa_fire_leave(x, as, to, f, ISA_OP_RESULT);
    case ISA_OP_HOLD:
        return isa_fire_hold(x, as, to, f);
    case ISA_OP_SEND:
    case ISA_OP_RECV:
    case ISA_OP_AWAIT:
        return isa_fire_carry(x, to, f);
    case ISA_OP_TRACK_MERGE:
    case ISA_OP_TRACK_SWITCH:
    case ISA_OP_TRACK_CALL:
    case ISA_OP_TRACK_ENTER:
    case ISA_OP_TRACK_NEXT:
        return isa_fire_track(x, as, to, f);
    case ISA_OP_WRITE:
        fired = isa_fire_write_cell(x, f, &value);
        break;
    case ISA_OP_STORE:
        fired = isa_fire_store(x, f, &value);
        break;
    case ISA_OP_CONTRIBUTE:
        fired = isa_fire_add_to(x, f->tag, f->instr, f->a, f->b);
        break;
    case ISA_OP_TOTAL:
        fired = isa_fire_total(x, f, &value);
        break;
    case ISA_OP_FILL:
        fired = isa_fire_fill(x, f, &value);
        break;
    case ISA_OP_FIELD:
    case ISA_OP_READ:
    case ISA_OP_FETCH: {
        if (as.op == ISA_OP_FIELD && !isa_fire_constructor_fits(f))
            return isa_fire_trap_constructor(x, f);
        struct isa_element *e = isa_fire_element(x, as, f);
        if (!isa_element_is_written(e))
            return isa_fire_wait_for(x, as, to, f, e);
        value = e->value;
        f->depth = isa_element_depth(e) > f->depth ? isa_element_depth(e) : f->depth;
        break;
    }
    case ISA_OP_ALLOC:
    case ISA_OP_ACCUMULATE_ADD:
    case ISA_OP_ACCUMULATE_MIN:
    case ISA_OP_ACCUMULATE_MAX:
    case ISA_OP_ACCUMULATE_AND:
    case ISA_OP_ACCUMULATE_OR:
    case ISA_OP_ACCUMULATE_XOR:
        fired = isa_fire_alloc(x, f->tag, f->instr, ia, &value);
        break;
    case ISA_OP_CONSTRUCT:
        fired = isa_fire_construct(x, f->tag, f->instr, &value);
        break;
    case ISA_OP_CONSTRUCTOR:
        value = isa_structures_constructor(&x->structures, f->a)->number;
        break;
    case ISA_OP_INDEX:
        /* a negative index is a large unsigned one */
        if (__builtin_expect(f->b >= isa_structures_get(&x->structures, f->a)->reach,
                             0)) {
            value = isa_fire_find(x, f->a, f->b);
            if (value == ISA_FIRE_NOT_FOUND)
                return isa_fire_must_wait(x, f->a, f->b)
                           ? isa_fire_wait_at_port(x, as, to, f, f->b)
                           : isa_fire_trap_index(x, f->tag, f->instr, f->a, f->b);
            break;
        }
        value = f->a | f->b;
        break;
    case ISA_OP_LENGTH:
        if (__builtin_expect(isa_structures_get(&x->structures, f->a)->is_open, 0))
            return isa_fire_wait_at_port(x, as, to, f, ISA_PORT_LENGTH);
        value = isa_structures_get(&x->structures, f->a)->length;
        break;
    case ISA_OP_MORE:
        value = f->b < isa_structures_get(&x->structures, f->a)->reach;
        if (!value && isa_fire_must_wait(x, f->a, f->b))
            return isa_fire_wait_at_port(x, as, to, f, f->b);
        if (!value && ib < 0)
            return isa_fire_trap_index(x, f->tag, f->instr, f->a, f->b);
        value = f->b < isa_structures_get(&x->structures, f->a)->length;
        break;
    case ISA_OP_PORT:
        value = isa_ports_take_array(x, f->instr->index);
        break;
    case ISA_OP_OPEN:
        fired = isa_fire_open(x, f->tag, f->instr, &value);
        break;
    case ISA_OP_SCALAR:
    case ISA_OP_NUMBER:
    case ISA_OP_LOAD:
    case ISA_OP_MAP:
    case ISA_OP_COMBINE:
    case ISA_OP_ITEM:
    case ISA_OP_DIM:
    case ISA_OP_SCALAR_I:
    case ISA_OP_SCALAR_B:
    case ISA_OP_ITEM_I:
    case ISA_OP_ITEM_B:
    case ISA_OP_SCALAR_F:
    case ISA_OP_VECTOR:
    case ISA_OP_PAIR:
    case ISA_OP_SHAPE:
        if (isa_tensors_fire(x, f->instr, f->tag, f->a, f->b, as.digests, &value) ==
            ISA_TENSORS_TRAPPED)
            return ISA_FIRED_STOPPED;
        break;
    case ISA_OP_ROW:
        fired = isa_fire_row(x, f, &value);
        break;
    case ISA_OP_GIVEN:
        fired = isa_fire_given(x, f, &value);
        break;
    case ISA_OP_OUTPUT:
        fired = isa_fire_output(x, f, &value);
        break;
    default:
        __builtin_unreachable(); /* isa_check has excluded other opcodes */
    }
    if (__builtin_expect(fired == ISA_FIRED_STOPPED, 0))
        return fired;
    return isa_fire_finish(x, as, to, f, value);
}

/* Chooses the function that fires an opcode, by the column `effect` of its row in isa/ops.def. */
#define ISA_FIRE_EFFECT(effect)                                                          \
    (ISA_EFFECT_##effect == ISA_EFFECT_PURE ? isa_fire_pure : isa_fire_operands)

/* Delivers a token to its instruction. `effect`, a compile-time constant, is the function that
 * fires it. */
ISA_FIRE_INLINE enum isa_fired
isa_fire_with(struct isa_exec *x, const struct isa_token *t,
              const struct isa_instr *instr, const struct isa_fire_as as,
              const struct isa_fire_to to, isa_fire_effect *const effect)
{
    const bool two = as.form == ISA_FORM_TWO;
    struct isa_ready f = {
        .instr = instr,
        .tag = isa_token_tag(t),
        .a = t->value,
        .b = instr->value,
        .depth = as.measures ? isa_token_depth(t) : 0,
        .taken = two         ? 2
                 : as.starts ? instr->tokens
                             : 1,
    };
    if (as.starts)
        to.counts->tokens += two ? 1 : f.taken;
    to.counts->dead_tokens += as.propagate && isa_token_is_dead(t);

    if (as.op == ISA_OP_APPLY) {
        if (!isa_fire_can_copy(as))
            __builtin_unreachable();
        return isa_fire_apply(x, t, instr, as, to);
    }

    const enum isa_outcome outcome = isa_fire_outcome(x, t, instr, as);
    if (two && outcome == ISA_OUTCOME_WAITS)
        return isa_fire_wait(x, t, instr, as, to);
    if (as.form == ISA_FORM_HELD && outcome == ISA_OUTCOME_PARKS) {
        isa_loop_constant_park(x, isa_loop_constant_slot(x, f.tag, instr), t);
        to.counts->tokens--;
        return ISA_FIRED_PARKED;
    }
    if (as.propagate && outcome == ISA_OUTCOME_UNMADE)
        return isa_fire_dead(x, t, instr, to, ISA_OUTCOME_UNMADE);

    struct isa_slot partner = {0};
    if (two) {
        partner = isa_fire_take_partner(x, t, instr, to);
        if (__builtin_expect(isa_slot_port(&partner) == isa_token_port(t), 0))
            return isa_fire_trap(x, f.tag, instr, ISA_TRAP_COLLISION);
        isa_fire_join(&f, t, &partner, as);
    } else if (as.form == ISA_FORM_SECOND) {
        f.a = instr->value;
        f.b = t->value;
    } else if (as.form == ISA_FORM_HELD && outcome == ISA_OUTCOME_LIVE) {
        isa_fire_join(&f, t, isa_loop_constant_slot(x, f.tag, instr), as);
    }
    f.depth += as.measures;
    if (as.measures)
        to.firing->depth = f.depth;

    if (as.propagate && isa_op_chooses(as.op) && !isa_fire_choose(x, t, instr))
        return isa_fire_trap(x, f.tag, instr, ISA_TRAP_COLLISION);
    if (!as.propagate || __builtin_expect(outcome == ISA_OUTCOME_LIVE, 1))
        return effect(x, as, to, &f);
    if (outcome == ISA_OUTCOME_ABSORBED)
        return isa_fire_absorb(x, t, instr, to);
    if (two && instr->refers)
        isa_fire_give_up_live(x, t, instr, &partner);
    return isa_fire_dead(x, t, instr, to, ISA_OUTCOME_DEAD);
}

/* Delivers a token to its instruction, which may have any opcode. */
ISA_FIRE_INLINE enum isa_fired isa_fire(struct isa_exec *x, const struct isa_token *t,
                                        const struct isa_instr *instr,
                                        const struct isa_fire_as as,
                                        const struct isa_fire_to to)
{
    return isa_fire_with(x, t, instr, as, to, isa_fire_operands);
}

/* Delivers a token to its instruction, and answers the reads that waited for its effect; for
 * engines that know nothing about the token in advance. The engine must then deliver the tokens
 * that a HOLD has woken (isa_loop_constant_wake). */
ISA_FIRE_INLINE enum isa_fired isa_fire_any(struct isa_exec *x, const struct isa_token *t,
                                            bool digests, const struct isa_fire_to to)
{
    const struct isa_instr *instr = &x->code->instrs[isa_token_instr(t)];
    const struct isa_fire_as as = {.op = instr->op,
                                   .form = instr->form,
                                   .propagate = x->code->propagate,
                                   .measures = true,
                                   .digests = digests,
                                   .starts = true,
                                   .expands = x->code->expands};
    enum isa_fired fired = isa_fire(x, t, instr, as, to);
    if (fired == ISA_FIRED_LIVE && isa_op_writes(as.op))
        for (uint32_t d = x->released; d != ISA_DEFERRED_END;)
            d = isa_fire_answer(x, d, digests, to);
    return fired;
}

/* Adds the counters `c` to `sum`; but the span becomes the greater of both. */
static inline void isa_counts_add(struct isa_counts *sum, const struct isa_counts *c)
{
#define COUNT(name) sum->name += c->name;
    ISA_COUNTS(COUNT)
#undef COUNT
    sum->span = c->span > sum->span ? c->span : sum->span;
}

#endif
