/* Firing: instructions that change the tag: CALL, RETURN, and those of loops. */
#ifndef ISA_FIRE_FIRE_CALL_H
#define ISA_FIRE_FIRE_CALL_H

#include "isa/fire/fire_account.h"
#include "isa/fire/fire_sends.h"

/* Returns the child entry of a call site in the frame of `tag`: the first CALL to fire stores the
 * activation there, where CALLs of other arguments find it. NULL if the call has one CALL. The
 * pointer is valid until an activation is made. */
static inline isa_tag *isa_fire_child_entry(const struct isa_exec *x, isa_tag tag,
                                            const struct isa_instr *instr)
{
    if (instr->child == ISA_NO_CHILD)
        return NULL;
    struct isa_activation *a = isa_activations_get(&x->tags, tag);
    return &isa_activations_children(&x->tags, a)[instr->child];
}

/* Returns the activation to which an instruction that makes tags sends, if an earlier token has
 * made it; ISA_TAG_NONE: the next one makes it. */
static inline isa_tag isa_fire_made_child(const struct isa_exec *x, isa_tag tag,
                                          const struct isa_instr *instr)
{
    const isa_tag *entry = isa_fire_child_entry(x, tag, instr);
    return entry && *entry < ISA_TAG_LIMIT ? *entry : ISA_TAG_NONE;
}

/* Identity of the iteration to which an ENTER or NEXT sends: the activation that runs the loop, and
 * the number of the iteration. */
struct isa_fire_turn {
    isa_tag parent;
    uint64_t number;
};

ISA_FIRE_INLINE struct isa_fire_turn isa_fire_turn(const struct isa_exec *x, isa_tag tag,
                                                   const struct isa_instr *instr)
{
    if (isa_op_does[instr->op].tag != ISA_UNDER_NEXT)
        return (struct isa_fire_turn){tag, 0};
    struct isa_activation *a = isa_activations_get(&x->tags, tag);
    return (struct isa_fire_turn){a->parent, isa_iteration_number(a) + 1};
}

/* Returns the path (isa/tag_path.h) of the activation to which an instruction that makes tags
 * sends. */
static inline uint64_t isa_fire_child_path(const struct isa_exec *x, isa_tag tag,
                                           const struct isa_instr *instr)
{
    const bool calls = isa_op_does[instr->op].tag == ISA_UNDER_CALLEE;
    const struct isa_fire_turn turn = isa_fire_turn(x, tag, instr);
    const uint64_t path = isa_tag_path(isa_activations_get(&x->tags, turn.parent)->path,
                                       instr->site);
    return calls ? path : isa_tag_iteration_path(path, turn.number);
}

/* Reports an activation to the watcher, if as.tells is set and `made` is not ISA_TAG_NONE. Returns
 * `made`. */
ISA_FIRE_INLINE isa_tag isa_fire_notify_made(const struct isa_exec *x,
                                             const struct isa_fire_as as, isa_tag made)
{
    const struct isa_watcher *watcher = x->tags.watcher;
    if (as.tells && made != ISA_TAG_NONE)
        watcher->made(watcher->context, made);
    return made;
}

/* Returns the activation to which a live CALL sends its argument. The first CALL of a call makes
 * it, the CALLs of other arguments find it. Returns ISA_TAG_NONE at the memory limit. */
ISA_FIRE_INLINE isa_tag isa_fire_child(struct isa_exec *x, isa_tag tag,
                                       const struct isa_instr *instr,
                                       const struct isa_fire_as as)
{
    const uint32_t callee = instr->callee;
    if (instr->child == ISA_NO_CHILD)
        return isa_fire_notify_made(x, as,
                                    isa_activations_make(&x->tags, tag, instr->site,
                                                         callee, as.propagate,
                                                         as.measures));
    isa_tag child = *isa_fire_child_entry(x, tag, instr);
    if (child != ISA_TAG_NONE)
        return child;
    child = isa_activations_make(&x->tags, tag, instr->site, callee, as.propagate,
                                 as.measures);
    /* read again, as frames may have moved */
    *isa_fire_child_entry(x, tag, instr) = child;
    return isa_fire_notify_made(x, as, child);
}

/* Returns the iteration to which a live ENTER or NEXT sends a loop variable. The first variable to
 * arrive makes it, the others find it. Returns ISA_TAG_NONE at the memory limit. */
ISA_FIRE_INLINE isa_tag isa_fire_iteration(struct isa_exec *x, isa_tag tag,
                                           const struct isa_instr *instr,
                                           const struct isa_fire_as as)
{
    const struct isa_code_site *site = &x->code->sites[instr->site];
    const isa_tag *entry = isa_fire_child_entry(x, tag, instr);
    if (entry && *entry != ISA_TAG_NONE)
        return *entry;
    const struct isa_fire_turn turn = isa_fire_turn(x, tag, instr);
    isa_tag made = isa_activations_make_iteration(&x->tags, turn.parent, instr->site,
                                                  site->callee, as.propagate, as.measures,
                                                  turn.number, site->variables);
    if (made != ISA_TAG_NONE && instr->child != ISA_NO_CHILD)
        *isa_fire_child_entry(
            x, tag, instr) = made; /* looked up again, as frames may have moved */
    return isa_fire_notify_made(x, as, made);
}

/* Counts a loop variable that has arrived at an iteration. The last one clears the iteration's
 * child entry, which is not needed any more. The caller must have counted the variable's tokens, so
 * that the iteration stays alive. */
ISA_FIRE_INLINE void isa_fire_arrive(struct isa_exec *x, isa_tag tag,
                                     const struct isa_instr *instr, isa_tag iteration)
{
    struct isa_activation *a = isa_activations_get(&x->tags, iteration);
    struct isa_slot *own = &isa_activation_slots(a)[ISA_LOOP_SLOT];
    own->info -= UINT64_C(1) << ISA_SLOT_DEPTH_SHIFT;
    a->live--;
    if (own->info == ISA_SLOT_EMPTY && instr->child != ISA_NO_CHILD)
        *isa_fire_child_entry(x, tag, instr) = ISA_TAG_NONE;
}

/* Stops the run for lack of memory for an activation. */
ISA_FIRE_INLINE enum isa_fired isa_fire_no_frame(struct isa_exec *x)
{
    x->out_of_memory = true;
    return ISA_FIRED_STOPPED;
}

/* Counts a reference to an array or tensor that is passed into a call or loop. */
ISA_FIRE_INLINE void isa_fire_refer_inwards(struct isa_exec *x,
                                            const struct isa_fire_as as,
                                            const struct isa_ready *f)
{
    if (f->instr->refers)
        isa_fire_refer(x, f->instr, as, f->a, f->b, f->a,
                       isa_code_values(x->code, f->instr->out[0]));
}

/* Fires a CALL: sends operand 0 and a control token to the activation of the call. */
ISA_FIRE_INLINE enum isa_fired isa_fire_call(struct isa_exec *x,
                                             const struct isa_fire_as as,
                                             const struct isa_fire_to to,
                                             const struct isa_ready *f)
{
    const struct isa_instr *instr = f->instr;
    const uint64_t before = x->tags.count;
    const isa_tag child = isa_fire_child(x, f->tag, instr, as);
    if (__builtin_expect(child == ISA_TAG_NONE, 0))
        return isa_fire_no_frame(x);
    isa_fire_share_child(x, to, before, child);
    isa_fire_count(x, f->tag, instr, as, to, f->depth, f->a, true);
    isa_fire_give(x, to, child, instr->out[0].count + instr->out[1].count);
    isa_fire_refer_inwards(x, as, f);
    isa_fire_put_first(to, instr, child, f->a, f->depth, 0);
    isa_fire_put(to, instr, child, 0, f->depth, instr->out[1], ISA_SEND_MORE);
    isa_fire_settle(x, to, f->tag, f->taken, 0);
    return ISA_FIRED_LIVE;
}

/* Fires an ENTER or NEXT: sends operand 0 to an iteration of the loop. */
ISA_FIRE_INLINE enum isa_fired isa_fire_iterate(struct isa_exec *x,
                                                const struct isa_fire_as as,
                                                const struct isa_fire_to to,
                                                const struct isa_ready *f)
{
    const struct isa_instr *instr = f->instr;
    const uint64_t before = x->tags.count;
    const isa_tag iteration = isa_fire_iteration(x, f->tag, instr, as);
    if (__builtin_expect(iteration == ISA_TAG_NONE, 0))
        return isa_fire_no_frame(x);
    isa_fire_share_child(x, to, before, iteration);
    isa_fire_count(x, f->tag, instr, as, to, f->depth, f->a, true);
    isa_fire_give(x, to, iteration, instr->out[0].count);
    isa_fire_refer_inwards(x, as, f);
    isa_fire_put_first(to, instr, iteration, f->a, f->depth, 0);
    isa_fire_arrive(x, f->tag, instr, iteration);
    if (to.divided)
        isa_shares_change(&x->tags, iteration, x->tags.shares->at, -1);
    isa_fire_settle(x, to, f->tag, f->taken, 0);
    return ISA_FIRED_LIVE;
}

/* Fires a RETURN or EXIT, or with `op`, a constant, a RESULT: sends operand 0 to the activation
 * that called or entered the loop. */
ISA_FIRE_INLINE enum isa_fired isa_fire_leave(struct isa_exec *x,
                                              const struct isa_fire_as as,
                                              const struct isa_fire_to to,
                                              const struct isa_ready *f,
                                              const enum isa_op op)
{
    const struct isa_instr *instr = f->instr;
    isa_fire_count(x, f->tag, instr, as, to, f->depth, f->a, true);
    const isa_tag parent = isa_activations_get(&x->tags, f->tag)->parent;
    const struct isa_code_list list =
        isa_fire_sends(x, op, instr, f->tag, ISA_OUTCOME_LIVE).lists[0];
    isa_fire_give(x, to, parent, list.count);
    isa_fire_refer(x, instr, as, f->a, f->b, f->a, list.count);
    if (isa_op_does[op].sends == ISA_SENDS_RESULTS)
        isa_fire_put(to, instr, parent, f->a, f->depth, list, 0);
    else
        isa_fire_put_first(to, instr, parent, f->a, f->depth, 0);
    isa_fire_settle(x, to, f->tag, f->taken, 0);
    return ISA_FIRED_LIVE;
}

/* Fires a HOLD: stores operand 0 in its slot, where it stays until the loop ends. */
ISA_FIRE_INLINE enum isa_fired isa_fire_hold(struct isa_exec *x,
                                             const struct isa_fire_as as,
                                             const struct isa_fire_to to,
                                             const struct isa_ready *f)
{
    if (isa_slot_is_held(isa_exec_slot(x, f->tag, f->instr)))
        return isa_fire_trap(x, f->tag, f->instr, ISA_TRAP_COLLISION);
    isa_fire_count(x, f->tag, f->instr, as, to, f->depth, f->a, true);
    isa_loop_constant_keep(x, f->tag, f->instr, f->a, f->depth);
    isa_fire_settle(x, to, f->tag, f->taken, 0);
    return ISA_FIRED_LIVE;
}

#endif
