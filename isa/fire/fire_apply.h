/* Firing: APPLY, the instruction of calls that copy the graph of the callee.
 *
 * The first live argument of an APPLY makes the activation of the callee, unless all others were
 * dead. Live arguments wait for each other in its frame: argument k in slot 1 + k, and slot 0
 * counts them. Dead arguments are only counted, in a slot of the caller's frame. When all have
 * arrived, the APPLY fires once. From then on the activation counts as a call and runs a graph
 * copy. If an argument was dead, no call is made, and the activation is freed. */
#ifndef ISA_FIRE_FIRE_APPLY_H
#define ISA_FIRE_FIRE_APPLY_H

#include "isa/fire/fire_call.h"

/* Returns the number of dead arguments that have arrived at an APPLY under a tag. */
static inline uint64_t isa_fire_absent(const struct isa_exec *x, isa_tag tag,
                                       const struct isa_instr *apply)
{
    if (!x->code->propagate || x->code->sites[apply->site].expects <= 1)
        return 0;
    const struct isa_slot *s = isa_exec_slot(x, tag, apply);
    return s->info & ISA_SLOT_ABSENT ? s->value : 0;
}

/* Returns slot 0 of the callee's frame, where the arguments of an APPLY wait; NULL before the first
 * argument has made it. */
static inline struct isa_slot *isa_fire_gathering(const struct isa_exec *x, isa_tag tag,
                                                  const struct isa_instr *apply)
{
    const isa_tag child = isa_fire_made_child(x, tag, apply);
    if (child == ISA_TAG_NONE)
        return NULL;
    return &isa_activation_slots(isa_activations_get(&x->tags, child))[ISA_CALL_SLOT];
}

/* Returns the outcome of an argument that is delivered to an APPLY now: LIVE or DEAD if it is the
 * last one, else WAITS. */
static inline enum isa_outcome isa_fire_gathered(const struct isa_exec *x,
                                                 const struct isa_token *t,
                                                 const struct isa_instr *apply)
{
    const isa_tag tag = isa_token_tag(t);
    const struct isa_slot *own = isa_fire_gathering(x, tag, apply);
    const uint64_t absent = isa_fire_absent(x, tag, apply);
    if (absent + (own ? isa_call_has(own) : 0) + 1 < x->code->sites[apply->site].expects)
        return ISA_OUTCOME_WAITS;
    return isa_token_is_dead(t) || absent ? ISA_OUTCOME_DEAD : ISA_OUTCOME_LIVE;
}

static inline struct isa_slot *isa_fire_arg_slot(const struct isa_exec *x, isa_tag child,
                                                 uint32_t arg)
{
    return &isa_activation_slots(
        isa_activations_get(&x->tags, child))[ISA_CALL_SLOT + 1 + arg];
}

/* Frees the activation of a call that is not made, as an argument was dead, with the live arguments
 * that wait there. */
static inline void isa_fire_give_up_call(struct isa_exec *x, const struct isa_fire_to to,
                                         isa_tag child, const struct isa_code_site *site)
{
    struct isa_activation *a = isa_activations_get(&x->tags, child);
    for (uint32_t k = 0; k < site->args; k++) {
        struct isa_slot *s = isa_fire_arg_slot(x, child, k);
        if (!isa_slot_is_waiting(s))
            continue;
        s->info = ISA_SLOT_EMPTY;
        to.counts->waiting--;
        to.counts->live--;
        a->live--;
        const struct isa_code_arg *arg = &x->code->args[site->first_arg + k];
        if (x->code->instrs[arg->instr].refers & ISA_REFERS_FIRST)
            isa_structures_drop(&x->structures, s->value);
    }
    isa_activations_drop(&x->tags, child);
}

/* Delivers an argument, with the given outcome, to an APPLY that has a dead argument. After the
 * last one, sends dead tokens from each output; the call is not made. */
static inline enum isa_fired isa_fire_dead_apply(struct isa_exec *x,
                                                 const struct isa_token *t,
                                                 const struct isa_instr *instr,
                                                 const struct isa_fire_to to,
                                                 enum isa_outcome outcome)
{
    const struct isa_code_site *site = &x->code->sites[instr->site];
    const isa_tag tag = isa_token_tag(t);
    uint32_t taken = 1;
    if (site->expects > 1) {
        struct isa_slot *absent = isa_exec_slot(x, tag, instr);
        const uint64_t came = isa_fire_absent(x, tag, instr);
        const isa_tag child = *isa_fire_child_entry(x, tag, instr);
        if (outcome == ISA_OUTCOME_WAITS) {
            *absent = (struct isa_slot){came + 1, ISA_SLOT_ABSENT};
            to.counts->waiting++;
            return ISA_FIRED_WAITING;
        }
        absent->info = ISA_SLOT_EMPTY;
        to.counts->waiting -= came;
        taken += (uint32_t)came;
        if (child != ISA_TAG_NONE)
            isa_fire_give_up_call(x, to, child, site);
        if (!isa_token_is_dead(t) && instr->refers & ISA_REFERS_FIRST)
            isa_structures_drop(&x->structures, t->value);
    }
    const struct isa_code_list list =
        isa_fire_sends(x, ISA_OP_APPLY, instr, tag, ISA_OUTCOME_DEAD).lists[0];
    to.counts->dead_firings++;
    isa_fire_put(to, instr, tag, 0, 0, list, ISA_SEND_HOME | ISA_SEND_DEAD);
    isa_fire_settle(x, to, tag, taken, list.count);
    return ISA_FIRED_DEAD;
}

/* Returns the activation in which the arguments of an APPLY wait for each other. The first argument
 * makes it. Returns ISA_TAG_NONE at the memory limit. */
ISA_FIRE_INLINE isa_tag isa_fire_callee(struct isa_exec *x, isa_tag tag,
                                        const struct isa_instr *instr,
                                        const struct isa_code_site *site,
                                        const struct isa_fire_as as)
{
    if (instr->child == ISA_NO_CHILD)
        return isa_fire_notify_made(x, as,
                                    isa_activations_gather(&x->tags, tag, instr->site,
                                                           site->callee, as.propagate));
    isa_tag child = *isa_fire_child_entry(x, tag, instr);
    if (child != ISA_TAG_NONE)
        return child;
    child = isa_activations_gather(&x->tags, tag, instr->site, site->callee,
                                   as.propagate);
    if (child != ISA_TAG_NONE)
        /* read again, as frames may have moved */
        *isa_fire_child_entry(x, tag, instr) = child;
    return isa_fire_notify_made(x, as, child);
}

/* Copies the callee's graph and sends its PARAMs the arguments that waited, the argument in token
 * `t`, and immediates. */
ISA_FIRE_INLINE void isa_fire_copy(struct isa_exec *x, const struct isa_token *t,
                                   const struct isa_instr *instr,
                                   const struct isa_fire_as as,
                                   const struct isa_fire_to to, isa_tag child,
                                   uint64_t depth)
{
    const struct isa_code_site *site = &x->code->sites[instr->site];
    isa_activations_copy(&x->tags, isa_activations_get(&x->tags, child));
    if (as.tells)
        x->tags.watcher->copied(x->tags.watcher->context, child,
                                x->tags.copy_nodes[site->callee]);
    to.counts->waiting -= site->expects > 1 ? site->expects - 1 : 0;
    isa_fire_give(x, to, child, site->args);
    for (uint32_t k = 0; k < site->args; k++) {
        const struct isa_code_arg *arg = &x->code->args[site->first_arg + k];
        isa_value value = arg->value;
        if (arg->is_token && k == instr->index) {
            value = t->value;
        } else if (arg->is_token) {
            struct isa_slot *s = isa_fire_arg_slot(x, child, k);
            value = s->value;
            s->info = ISA_SLOT_EMPTY;
        }
        isa_fire_put(to, instr, child, value, depth,
                     (struct isa_code_list){instr->out[0].first + k, 1}, 0);
    }
    /* Arguments that waited were tokens of the copy's tag. */
    isa_fire_settle(x, to, child, site->expects > 1 ? site->expects - 1 : 0, 0);
}

/* Delivers an argument to an APPLY. It waits in the callee's frame, unless it is the last one: then
 * the APPLY fires. */
ISA_FIRE_INLINE enum isa_fired isa_fire_apply(struct isa_exec *x,
                                              const struct isa_token *t,
                                              const struct isa_instr *instr,
                                              const struct isa_fire_as as,
                                              const struct isa_fire_to to)
{
    const struct isa_code_site *site = &x->code->sites[instr->site];
    const isa_tag tag = isa_token_tag(t);
    const uint32_t taken = as.starts ? instr->tokens : 1;
    const enum isa_outcome outcome = isa_fire_gathered(x, t, instr);
    const struct isa_slot *gathering = isa_fire_gathering(x, tag, instr);
    if (gathering && gathering->info & ISA_SLOT_COPIED)
        return isa_fire_trap(x, tag, instr, ISA_TRAP_COLLISION);
    if (as.propagate && (isa_token_is_dead(t) || outcome == ISA_OUTCOME_DEAD))
        return isa_fire_dead_apply(x, t, instr, to, outcome);
    const isa_tag child = isa_fire_callee(x, tag, instr, site, as);
    if (__builtin_expect(child == ISA_TAG_NONE, 0)) {
        x->out_of_memory = true;
        return ISA_FIRED_STOPPED;
    }
    uint64_t depth = as.measures ? isa_token_depth(t) : 0;
    if (site->expects > 1) {
        struct isa_slot *own = isa_fire_arg_slot(x, child, 0) - 1;
        struct isa_slot *s = &own[1 + instr->index];
        if (!isa_slot_is_empty(s))
            return isa_fire_trap(x, tag, instr, ISA_TRAP_COLLISION);
        if (outcome == ISA_OUTCOME_WAITS) {
            *s = isa_slot_of(t, depth, false);
            own->info += UINT64_C(1) << ISA_SLOT_DEPTH_SHIFT;
            to.counts->waiting++;
            isa_fire_give(x, to, child, 1);
            isa_fire_settle(x, to, tag, taken, 0);
            return ISA_FIRED_WAITING;
        }
        for (uint32_t k = 0; as.measures && k < site->args; k++) {
            const struct isa_slot *other = &own[1 + k];
            if (isa_slot_is_waiting(other) && isa_slot_depth(other) > depth)
                depth = isa_slot_depth(other);
        }
    }
    depth += as.measures;
    if (as.measures)
        to.firing->depth = depth;
    isa_fire_count(x, tag, instr, as, to, depth, 0, true);
    isa_fire_copy(x, t, instr, as, to, child, depth);
    isa_fire_settle(x, to, tag, taken, 0);
    return ISA_FIRED_LIVE;
}

#endif
