/* Firing: what one token does. The only place where instructions have their effect; the
 * interpreter and the machine differ in when and where, not in what.
 *
 * isa_fire takes a token that arrives at its instruction. Where it completes the operands,
 * the instruction fires, and hands what it sends to the engine. Everything here is inlined
 * into each engine, with what the engine knows beforehand as constants (struct
 * isa_fire_as): an engine that has sorted its tokens by opcode gets a function for each
 * opcode, one that does not care about digests gets functions without them. */
#ifndef ISA_EXEC_FIRE_H
#define ISA_EXEC_FIRE_H

#include "isa/exec/exec.h"
#include "isa/exec/loop_constant.h"
#include "lib/hash.h"

#ifdef __OPTIMIZE__
#define ISA_FIRE_INLINE static inline __attribute__((always_inline))
#else /* without optimisation gcc knows no function that is an argument */
#define ISA_FIRE_INLINE static inline
#endif

/* Where an engine would have a piece of code for each kind of instruction, it has one for all:
 * with checks in each piece compilers need minutes and gigabytes, and without optimisation
 * nothing is gained. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define ISA_FIRE_ONE_PIECE
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined HIATON_CHECKS || !defined __OPTIMIZE__
#define ISA_FIRE_ONE_PIECE
#endif

enum isa_fired {
    ISA_FIRED_LIVE,     /* fired */
    ISA_FIRED_DEAD,     /* only passed hiatons on */
    ISA_FIRED_WAITING,  /* the token waits for its partner */
    ISA_FIRED_ABSORBED, /* the token is gone; its instruction fires on another one */
    ISA_FIRED_PARKED,   /* the token waits for a constant of its loop: it is not delivered
                           yet, and no longer counted as such */
    ISA_FIRED_STOPPED,  /* exec->trap, or exec->out_of_memory */
};

/* What is sent: one value to a list of destinations of `instr`, under a tag. */
enum {
    ISA_SEND_HOME = 1, /* under the tag of the firing itself, to where it fires */
    ISA_SEND_DEAD = 2, /* hiatons */
    ISA_SEND_ONLY = 4, /* the list is one destination: instr->only */
    ISA_SEND_MORE = 8, /* beside what the firing sends to its first list */
};

typedef void isa_fire_send(void *engine, const struct isa_instr *instr, isa_tag tag,
                           isa_value value, uint64_t depth, struct isa_code_list to,
                           unsigned how);

/* How an engine fires: constants where it matters. */
struct isa_fire_as {
    enum isa_op op; /* those of the instruction */
    enum isa_form form;
    bool propagate; /* the code's; hiatons exist only under `propagate` */
    bool measures;  /* all is counted; else only what is alive */
    bool digests;   /* the value digest is summed; needs `measures` */
    bool starts;    /* it may be an instruction that fires at the start, without a token;
                       and the tokens delivered are counted */
    bool expands;   /* the code's; APPLY, PARAM and RESULT exist only there */
};

/* What is told of a live firing. */
struct isa_firing {
    uint64_t path;  /* of its tag; under `digests` */
    uint64_t depth; /* a READ's or FETCH's own, whatever its cell's or element's */
};

/* Where an engine wants it. */
struct isa_fire_to {
    struct isa_counts *counts; /* counted here: an engine may have several to add up */
    struct isa_firing *firing; /* told here, under `measures` */
    isa_fire_send *send;
    void *engine;
};

/* The 64-bit hash that the digests sum (doc/metrics.md): of instruction and tag path
 * mixed with one more word. */
ISA_FIRE_INLINE uint64_t isa_fire_hash(const struct isa_instr *instr, uint64_t path,
                                       uint64_t word)
{
    return lib_hash_fold(path ^ instr->key, word ^ UINT64_C(0xa0761d6478bd642f));
}

/* Whether what is fired can be an APPLY, PARAM or RESULT. */
ISA_FIRE_INLINE bool isa_fire_can_copy(const struct isa_fire_as as)
{
    return as.expands && as.form == ISA_FORM_FIRST;
}

ISA_FIRE_INLINE uint32_t isa_fire_number(const struct isa_exec *x,
                                         const struct isa_instr *instr)
{
    return (uint32_t)(instr - x->code->instrs);
}

ISA_FIRE_INLINE enum isa_fired isa_fire_trap(struct isa_exec *x, isa_tag tag,
                                             const struct isa_instr *instr,
                                             enum isa_trap trap)
{
    isa_exec_trap(x, trap, isa_fire_number(x, instr), tag);
    return ISA_FIRED_STOPPED;
}

/* The same for a number, and a length, that are wrong. */
static inline enum isa_fired isa_fire_trap_of(struct isa_exec *x, isa_tag tag,
                                              const struct isa_instr *instr,
                                              enum isa_trap trap, int64_t number,
                                              int64_t length)
{
    x->trap_number = number;
    x->trap_length = length;
    return isa_fire_trap(x, tag, instr, trap);
}

ISA_FIRE_INLINE void isa_fire_put(const struct isa_fire_to to,
                                  const struct isa_instr *instr, isa_tag tag,
                                  isa_value value, uint64_t depth,
                                  struct isa_code_list list, unsigned how)
{
    if (list.count)
        to.send(to.engine, instr, tag, value, depth, list, how);
}

/* The same to all of out[0]. Most instructions have one destination there, and a path of
 * their own. */
ISA_FIRE_INLINE void isa_fire_put_first(const struct isa_fire_to to,
                                        const struct isa_instr *instr, isa_tag tag,
                                        isa_value value, uint64_t depth, unsigned how)
{
    const struct isa_code_list list = {instr->out[0].first, 1};
    if (instr->only != ISA_CODE_MANY)
        to.send(to.engine, instr, tag, value, depth, list, how | ISA_SEND_ONLY);
    else
        isa_fire_put(to, instr, tag, value, depth, instr->out[0], how);
}

/* Accounts for a firing that took `taken` tokens of a tag and made `made` with it. */
ISA_FIRE_INLINE void isa_fire_settle(struct isa_exec *x, const struct isa_fire_to to,
                                     isa_tag tag, uint32_t taken, uint32_t made)
{
    if (taken == made)
        return;
    struct isa_activation *a = isa_activations_get(&x->tags, tag);
    to.counts->live += (uint64_t)made - taken;
    a->live += made - taken;
    if (made < taken && a->live == 0) {
        isa_activations_drop(&x->tags, tag);
        if (__builtin_expect(x->tags.consumed.count > 0, 0))
            isa_loop_constant_give_up(x);
    }
}

/* Accounts for tokens that a firing makes under another tag. */
ISA_FIRE_INLINE void isa_fire_give(struct isa_exec *x, const struct isa_fire_to to,
                                   isa_tag tag, uint32_t made)
{
    to.counts->live += made;
    isa_activations_get(&x->tags, tag)->live += made;
}

/* Where the activation that a live CALL's tokens go to is, if another CALL of its site has
 * made it; NULL: no other CALL looks for it. Valid until an activation is made. */
static inline isa_tag *isa_fire_child_entry(const struct isa_exec *x, isa_tag tag,
                                            const struct isa_instr *instr)
{
    if (instr->child == ISA_NO_CHILD)
        return NULL;
    struct isa_activation *a = isa_activations_get(&x->tags, tag);
    return &isa_activations_children(&x->tags, a)[instr->child];
}

/* The activation that a live CALL's tokens go to: made by the first CALL of its site,
 * found by the others. */
ISA_FIRE_INLINE isa_tag isa_fire_child(struct isa_exec *x, isa_tag tag,
                                       const struct isa_instr *instr,
                                       const struct isa_fire_as as)
{
    const uint32_t callee = instr->callee;
    if (instr->child == ISA_NO_CHILD)
        return isa_activations_make(&x->tags, tag, instr->site, callee, as.propagate,
                                    as.measures);
    isa_tag child = *isa_fire_child_entry(x, tag, instr);
    if (child != ISA_TAG_NONE)
        return child;
    child = isa_activations_make(&x->tags, tag, instr->site, callee, as.propagate,
                                 as.measures);
    *isa_fire_child_entry(x, tag, instr) = child; /* frames may have moved */
    return child;
}

/* The iteration that the tokens of a live ENTER or NEXT go to: made by the first of the
 * loop's variables to come, found by the others. */
ISA_FIRE_INLINE isa_tag isa_fire_iteration(struct isa_exec *x, isa_tag tag,
                                           const struct isa_instr *instr,
                                           const struct isa_fire_as as)
{
    const struct isa_code_site *site = &x->code->sites[instr->site];
    const isa_tag *entry = isa_fire_child_entry(x, tag, instr);
    if (entry && *entry != ISA_TAG_NONE)
        return *entry;
    isa_tag parent = tag;
    uint64_t number = 0;
    if (instr->op == ISA_OP_NEXT) {
        struct isa_activation *a = isa_activations_get(&x->tags, tag);
        parent = a->parent;
        number = isa_iteration_number(a) + 1;
    }
    isa_tag made = isa_activations_make_iteration(&x->tags, parent, instr->site,
                                                  site->callee, as.propagate, as.measures,
                                                  number, site->variables);
    if (made != ISA_TAG_NONE && instr->child != ISA_NO_CHILD)
        *isa_fire_child_entry(x, tag, instr) = made; /* frames may have moved */
    return made;
}

/* A variable has come to an iteration; when all have, nobody looks for it any more. Its
 * tokens were counted before, so that it stays alive. */
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

#include "isa/exec/fire_refer.h"

/* --- accounting for firings ------------------------------------------------------------- */

/* Counts a live firing. `value` is what the digest takes; an unanswered READ has none. */
ISA_FIRE_INLINE void isa_fire_count(struct isa_exec *x, isa_tag tag,
                                    const struct isa_instr *instr, struct isa_fire_as as,
                                    const struct isa_fire_to to, uint64_t depth,
                                    isa_value value, bool has_value)
{
    struct isa_counts *c = to.counts;
    if (as.measures) {
        c->firings++;
        const bool several = as.expands && as.op == ISA_OP_APPLY &&
                             x->code->sites[instr->site].expects > 1;
        const bool two = as.form == ISA_FORM_TWO || as.form == ISA_FORM_HELD || several;
        c->one_operand += two ? 0 : as.starts ? instr->tokens : 1;
        c->span = depth > c->span ? depth : c->span;
    }
    if (as.digests) {
        to.firing->path = isa_activations_get(&x->tags, tag)->path;
        if (has_value)
            c->value_digest += isa_fire_hash(instr, to.firing->path,
                                             isa_fire_word(x, instr, as.op, value));
    }
}

#include "isa/exec/fire_apply.h"
#include "isa/exec/fire_dead.h"
#include "isa/exec/fire_once.h"

/* --- firing ----------------------------------------------------------------------------- */

/* Matching: a token of two either waits, or finds its partner in the slot. */
ISA_FIRE_INLINE bool isa_fire_waits(struct isa_exec *x, const struct isa_token *t,
                                    const struct isa_instr *instr,
                                    const struct isa_fire_as as,
                                    const struct isa_fire_to to, struct isa_slot *other)
{
    struct isa_slot *s = isa_exec_slot(x, isa_token_tag(t), instr);
    if (isa_slot_is_empty(s)) {
        *s = isa_slot_of(t, as.measures ? isa_token_depth(t) : 0,
                         as.propagate && isa_token_is_dead(t));
        to.counts->waiting++;
        return true;
    }
    *other = *s;
    s->info = ISA_SLOT_EMPTY;
    to.counts->waiting--;
    return false;
}

/* What an instruction that has its operands, `a` and `b`, does when it fires; `taken` tokens
 * have brought them, and the firing's depth is `depth`. isa_fire_pure knows pure opcodes, and
 * isa_fire_operands all. */
typedef enum isa_fired isa_fire_effect(struct isa_exec *x, isa_tag tag,
                                       const struct isa_instr *instr,
                                       const struct isa_fire_as as,
                                       const struct isa_fire_to to, isa_value a,
                                       isa_value b, uint64_t depth, uint32_t taken);

/* One token at its instruction, which has this effect: a constant. */
ISA_FIRE_INLINE enum isa_fired
isa_fire_with(struct isa_exec *x, const struct isa_token *t,
              const struct isa_instr *instr, const struct isa_fire_as as,
              const struct isa_fire_to to, isa_fire_effect *const effect)
{
    isa_value a = t->value, b = instr->value;
    uint64_t depth = as.measures ? isa_token_depth(t) : 0;
    bool dead = as.propagate && isa_token_is_dead(t);
    const bool two = as.form == ISA_FORM_TWO;
    const uint32_t taken = two ? 2 : as.starts ? instr->tokens : 1;
    if (as.starts)
        to.counts->tokens += two ? 1 : taken;
    to.counts->dead_tokens += dead;

    if (as.op == ISA_OP_APPLY) {
        if (!isa_fire_can_copy(as))
            __builtin_unreachable();
        return isa_fire_apply(x, t, instr, as, to);
    }

    /* The hiaton of a dead call reaches RETURN under the caller's tag, alone, as if for
     * operand 1; that of a dead loop so reaches EXIT. */
    if ((as.op == ISA_OP_RETURN || as.op == ISA_OP_EXIT) && dead &&
        isa_token_port(t) == 1)
        return isa_fire_dead_call(x, t, instr, to);

    struct isa_slot partner = {0};
    if (two) {
        if (isa_fire_waits(x, t, instr, as, to, &partner))
            return ISA_FIRED_WAITING;
        if (__builtin_expect(isa_slot_port(&partner) == isa_token_port(t), 0))
            return isa_fire_trap(x, isa_token_tag(t), instr, ISA_TRAP_COLLISION);
        bool second = isa_token_port(t);
        a = second ? partner.value : t->value;
        b = second ? t->value : partner.value;
        if (as.measures && isa_slot_depth(&partner) > depth)
            depth = isa_slot_depth(&partner);
        dead |= as.propagate && isa_slot_is_dead(&partner);
    } else if (as.form == ISA_FORM_SECOND) {
        a = instr->value;
        b = t->value;
    } else if (as.form == ISA_FORM_HELD && __builtin_expect(!dead, 1)) {
        struct isa_slot *constant = isa_loop_constant_slot(x, isa_token_tag(t), instr);
        if (__builtin_expect(!isa_slot_is_held(constant), 0)) {
            isa_loop_constant_park(x, constant, t);
            to.counts->tokens--;
            return ISA_FIRED_PARKED;
        }
        bool second = isa_token_port(t);
        a = second ? constant->value : t->value;
        b = second ? t->value : constant->value;
        if (as.measures && isa_slot_depth(constant) > depth)
            depth = isa_slot_depth(constant);
    }
    depth += as.measures;
    if (as.measures)
        to.firing->depth = depth;

    if (as.op != ISA_OP_MERGEIF && __builtin_expect(dead, 0)) {
        if (two && instr->refers)
            isa_fire_give_up_live(x, t, instr, &partner);
        return isa_fire_dead(x, t, instr, to);
    }

    if (as.op == ISA_OP_MERGEIF && as.propagate) {
        enum isa_fired chosen = isa_fire_choose(x, t, instr);
        if (chosen == ISA_FIRED_STOPPED)
            return chosen;
        if (chosen == ISA_FIRED_ABSORBED) {
            isa_fire_settle(x, to, isa_token_tag(t), 1, 0);
            return chosen;
        }
        if (chosen == ISA_FIRED_DEAD)
            return isa_fire_dead(x, t, instr, to);
    }
    return effect(x, isa_token_tag(t), instr, as, to, a, b, depth, taken);
}

#include "isa/exec/fire_pure.h"

ISA_FIRE_INLINE enum isa_fired
isa_fire_operands(struct isa_exec *x, isa_tag tag, const struct isa_instr *instr,
                  const struct isa_fire_as as, const struct isa_fire_to to, isa_value a,
                  isa_value b, uint64_t depth, uint32_t taken)
{
    isa_value value;
    int64_t ia = isa_value_int(a), ib = isa_value_int(b);
    double ra = isa_value_real(a), rb = isa_value_real(b);
    bool ba = a != 0, bb = b != 0;
    switch (as.op) {
#define TRAP(kind) return isa_fire_trap(x, tag, instr, ISA_TRAP_##kind)
#include "isa/exec/eval.def"
#undef TRAP

    case ISA_OP_CONST:
    case ISA_OP_MERGE:
    case ISA_OP_MERGEIF:
        value = a;
        break;

    case ISA_OP_JOIN:
        value = 0;
        break;

    case ISA_OP_SWITCH: {
        struct isa_code_list chosen = instr->out[bb ? 0 : 1];
        struct isa_code_list other = instr->out[bb ? 1 : 0];
        uint32_t made = chosen.count + (as.propagate ? other.count : 0);
        isa_fire_count(x, tag, instr, as, to, depth, a, true);
        isa_fire_refer(x, instr, as, a, b, a, chosen.count);
        isa_fire_put(to, instr, tag, a, depth, chosen, ISA_SEND_HOME);
        if (as.propagate)
            isa_fire_put(to, instr, tag, 0, 0, other, ISA_SEND_HOME | ISA_SEND_DEAD);
        isa_fire_settle(x, to, tag, taken, made);
        return ISA_FIRED_LIVE;
    }

    case ISA_OP_CALL: {
        isa_tag child = isa_fire_child(x, tag, instr, as);
        if (__builtin_expect(child == ISA_TAG_NONE, 0)) {
            x->out_of_memory = true;
            return ISA_FIRED_STOPPED;
        }
        isa_fire_count(x, tag, instr, as, to, depth, a, true);
        isa_fire_give(x, to, child, instr->out[0].count + instr->out[1].count);
        isa_fire_refer(x, instr, as, a, b, a, instr->out[0].count);
        isa_fire_put_first(to, instr, child, a, depth, 0);
        isa_fire_put(to, instr, child, 0, depth, instr->out[1], ISA_SEND_MORE);
        isa_fire_settle(x, to, tag, taken, 0);
        return ISA_FIRED_LIVE;
    }

    case ISA_OP_ENTER:
    case ISA_OP_NEXT: {
        isa_tag iteration = isa_fire_iteration(x, tag, instr, as);
        if (__builtin_expect(iteration == ISA_TAG_NONE, 0)) {
            x->out_of_memory = true;
            return ISA_FIRED_STOPPED;
        }
        isa_fire_count(x, tag, instr, as, to, depth, a, true);
        isa_fire_give(x, to, iteration, instr->out[0].count);
        isa_fire_refer(x, instr, as, a, b, a, instr->out[0].count);
        isa_fire_put_first(to, instr, iteration, a, depth, 0);
        isa_fire_arrive(x, tag, instr, iteration);
        isa_fire_settle(x, to, tag, taken, 0);
        return ISA_FIRED_LIVE;
    }

    case ISA_OP_EXIT:
    case ISA_OP_RETURN: {
        isa_fire_count(x, tag, instr, as, to, depth, a, true);
        isa_tag parent = isa_activations_get(&x->tags, tag)->parent;
        isa_fire_give(x, to, parent, instr->out[0].count);
        isa_fire_refer(x, instr, as, a, b, a, instr->out[0].count);
        isa_fire_put_first(to, instr, parent, a, depth, 0);
        isa_fire_settle(x, to, tag, taken, 0);
        return ISA_FIRED_LIVE;
    }

    case ISA_OP_PARAM:
        if (!isa_fire_can_copy(as))
            __builtin_unreachable();
        value = a;
        break;

    case ISA_OP_RESULT: {
        if (!isa_fire_can_copy(as))
            __builtin_unreachable();
        isa_fire_count(x, tag, instr, as, to, depth, a, true);
        const isa_tag parent = isa_activations_get(&x->tags, tag)->parent;
        const struct isa_code_list list = isa_fire_outputs(x, tag, instr);
        isa_fire_give(x, to, parent, list.count);
        isa_fire_refer(x, instr, as, a, b, a, list.count);
        isa_fire_put(to, instr, parent, a, depth, list, 0);
        isa_fire_settle(x, to, tag, taken, 0);
        return ISA_FIRED_LIVE;
    }

    case ISA_OP_HOLD:
        if (isa_slot_is_held(isa_exec_slot(x, tag, instr)))
            return isa_fire_trap(x, tag, instr, ISA_TRAP_COLLISION);
        isa_fire_count(x, tag, instr, as, to, depth, a, true);
        isa_loop_constant_keep(x, tag, instr, a, depth);
        isa_fire_settle(x, to, tag, taken, 0);
        return ISA_FIRED_LIVE;

    case ISA_OP_WRITE: {
        struct isa_element *cell = &x->cells[instr->index];
        if (isa_element_is_written(cell))
            return isa_fire_trap(x, tag, instr, ISA_TRAP_REWRITE);
        isa_fire_write(x, cell, a, depth);
        if (instr->refers & ISA_REFERS_VALUE)
            isa_structures_hold(&x->structures, a, 1);
        value = a;
        break;
    }

    case ISA_OP_STORE: {
        struct isa_element *e = isa_structures_element(&x->structures, a);
        if (isa_element_is_written(e))
            return isa_fire_trap_of(x, tag, instr, ISA_TRAP_SECOND_STORE,
                                    isa_reference_element(a), 0);
        isa_fire_write(x, e, b, depth);
        if (instr->refers & ISA_REFERS_VALUE)
            isa_structures_hold(&x->structures, b, 1);
        value = b;
        break;
    }

    case ISA_OP_READ:
    case ISA_OP_FETCH: {
        const bool fetches = as.op == ISA_OP_FETCH;
        struct isa_element *e = fetches ? isa_structures_element(&x->structures, a)
                                        : &x->cells[instr->index];
        if (!isa_element_is_written(e)) {
            isa_fire_count(x, tag, instr, as, to, depth, 0, false);
            isa_fire_defer(x, e,
                           fetches ? isa_reference_structure(a) : ISA_STRUCTURE_NONE, tag,
                           instr, depth);
            if (!fetches && instr->refers)
                isa_exec_refer(x, instr, a, b, 0, 0);
            isa_fire_settle(x, to, tag, taken, 1);
            to.counts->live--; /* it holds the tag, but is no token */
            return ISA_FIRED_LIVE;
        }
        value = e->value;
        depth = isa_element_depth(e) > depth ? isa_element_depth(e) : depth;
        break;
    }

    case ISA_OP_ALLOC:
        value = 0;
        if (isa_fire_alloc(x, tag, instr, ia, &value) == ISA_FIRED_STOPPED)
            return ISA_FIRED_STOPPED;
        break;

    case ISA_OP_INDEX: {
        const uint32_t length = isa_structures_get(&x->structures, a)->length;
        if (b >= length) /* or negative */
            return isa_fire_trap_of(x, tag, instr, ISA_TRAP_INDEX, ib, length);
        value = a | b;
        break;
    }

    case ISA_OP_LENGTH:
        value = isa_structures_get(&x->structures, a)->length;
        break;

    case ISA_OP_OUTPUT:
        if (x->has_result[instr->index])
            return isa_fire_trap_of(x, tag, instr, ISA_TRAP_SECOND_OUTPUT, instr->index,
                                    0);
        if (instr->refers & ISA_REFERS_VALUE)
            isa_structures_hold(&x->structures, a, 1);
        x->results[instr->index] = a;
        x->results_missing--;
        x->has_result[instr->index] = true;
        value = a;
        break;

    default:
        __builtin_unreachable(); /* isa_check: no other opcode stands in an image */
    }
    isa_fire_count(x, tag, instr, as, to, depth, value, true);
    isa_fire_refer(x, instr, as, a, b, value, instr->out[0].count);
    const unsigned how = as.op == ISA_OP_FETCH ? 0 : ISA_SEND_HOME;
    isa_fire_put_first(to, instr, tag, value, depth, how);
    isa_fire_settle(x, to, tag, taken,
                    instr->only != ISA_CODE_MANY ? 1 : instr->out[0].count);
    return ISA_FIRED_LIVE;
}

/* One token at its instruction, whatever it is. */
ISA_FIRE_INLINE enum isa_fired isa_fire(struct isa_exec *x, const struct isa_token *t,
                                        const struct isa_instr *instr,
                                        const struct isa_fire_as as,
                                        const struct isa_fire_to to)
{
    return isa_fire_with(x, t, instr, as, to, isa_fire_operands);
}

/* One token at its instruction, and the reads that it answers: for an engine that knows
 * nothing beforehand. It takes back what a HOLD has woken (isa_loop_constant_wake). */
ISA_FIRE_INLINE enum isa_fired isa_fire_any(struct isa_exec *x, const struct isa_token *t,
                                            bool digests, const struct isa_fire_to to)
{
    const struct isa_instr *instr = &x->code->instrs[isa_token_instr(t)];
    const struct isa_fire_as as = {
        instr->op,          instr->form,    x->code->propagate,         .measures = true,
        .digests = digests, .starts = true, .expands = x->code->expands};
    enum isa_fired fired = isa_fire(x, t, instr, as, to);
    if (isa_fire_releases(as.op) && fired == ISA_FIRED_LIVE)
        for (uint32_t d = x->released; d != ISA_DEFERRED_END;)
            d = isa_fire_answer(x, d, digests, to);
    return fired;
}

/* Adds what was counted elsewhere. */
static inline void isa_counts_add(struct isa_counts *sum, const struct isa_counts *c)
{
#define COUNT(name) sum->name += c->name;
    ISA_COUNTS(COUNT)
#undef COUNT
    sum->span = c->span > sum->span ? c->span : sum->span;
}

#endif
