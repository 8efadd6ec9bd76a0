/* Firing: what one token does. The only place where instructions have their effect; the
 * interpreter and the machine differ in when and where, not in what.
 *
 * isa_fire takes a token that arrives at its instruction. Where it completes the
 * operands, the instruction fires: exec->sends says what it sends, exec->released which
 * deferred reads it answers. Made inline so that each engine compiles its own copy. */
#ifndef ISA_FIRE_H
#define ISA_FIRE_H

#include "isa/exec.h"
#include "lib/hash.h"

enum isa_fired {
    ISA_FIRED_LIVE,     /* fired */
    ISA_FIRED_DEAD,     /* only passed hiatons on */
    ISA_FIRED_WAITING,  /* the token waits for its partner */
    ISA_FIRED_ABSORBED, /* the token is gone; its instruction fires on another one */
    ISA_FIRED_STOPPED,  /* exec->trap, or exec->out_of_memory */
};

/* The 64-bit hash that the digests sum (doc/metrics.md): of instruction and tag path
 * mixed with one more word. */
static inline uint64_t isa_fire_hash(const struct isa_instr *instr, uint64_t path,
                                     uint64_t word)
{
    return lib_hash_fold(path ^ instr->key, word ^ UINT64_C(0xa0761d6478bd642f));
}

static inline enum isa_fired isa_fire_trap(struct isa_exec *x, const struct isa_token *t,
                                           enum isa_trap trap)
{
    x->trap = trap;
    x->trap_instr = t->instr;
    x->trap_tag = t->tag;
    return ISA_FIRED_STOPPED;
}

static inline void isa_fire_send(struct isa_exec *x, isa_tag tag, isa_value value,
                                 uint64_t depth, bool dead, struct isa_code_list to)
{
    x->counts.made += to.count;
    if (to.count)
        x->sends[x->send_count++] = (struct isa_send){value, depth, tag, dead, to};
}

/* Accounts for a firing that took `taken` tokens of a tag and made `made` with it. */
static inline void isa_fire_settle(struct isa_exec *x, isa_tag tag, uint32_t taken,
                                   uint32_t made)
{
    x->counts.consumed += taken;
    if (taken == made)
        return;
    struct isa_activation *a = isa_tags_get(&x->tags, tag);
    a->live += made - taken;
    if (a->live == 0)
        isa_tags_drop(&x->tags, tag);
}

/* The activation that a live CALL's tokens go to: made by the first CALL of its site,
 * found by the others. */
static inline isa_tag isa_fire_child(struct isa_exec *x, isa_tag tag,
                                     const struct isa_instr *instr)
{
    uint32_t callee = x->code->sites[instr->site].callee;
    uint32_t place = x->code->child_of_site[instr->site];
    if (place == ISA_NO_CHILD)
        return isa_tags_make(&x->tags, tag, instr->site, callee);
    isa_tag child = isa_tags_children(&x->tags, isa_tags_get(&x->tags, tag))[place];
    if (child != ISA_TAG_NONE)
        return child;
    child = isa_tags_make(&x->tags, tag, instr->site, callee); /* frames may move */
    isa_tags_children(&x->tags, isa_tags_get(&x->tags, tag))[place] = child;
    return child;
}

static inline enum isa_fired isa_fire_count(struct isa_exec *x, const struct isa_token *t,
                                            const struct isa_instr *instr, uint64_t depth,
                                            isa_value value, bool digests)
{
    x->counts.firings++;
    x->counts.one_operand += instr->tokens == 1;
    if (depth > x->counts.span)
        x->counts.span = depth;
    if (digests) {
        x->fired_path = isa_tags_get(&x->tags, t->tag)->path;
        if (instr->op != ISA_OP_READ || x->cells[instr->index].written)
            x->counts.value_digest += isa_fire_hash(instr, x->fired_path, value);
    }
    return ISA_FIRED_LIVE;
}

/* A MERGEIF under `propagate`: one of its two tokens fires it, the live one or else the
 * second. Says whether this one does. */
static inline enum isa_fired isa_fire_choose(struct isa_exec *x,
                                             const struct isa_token *t,
                                             const struct isa_instr *instr)
{
    struct isa_slot *s = &isa_activation_slots(
        isa_tags_get(&x->tags, t->tag))[instr->slot];
    if (s->state == ISA_SLOT_EMPTY) {
        s->state = ISA_SLOT_SEEN;
        s->dead = t->dead;
        return t->dead ? ISA_FIRED_ABSORBED : ISA_FIRED_LIVE;
    }
    s->state = ISA_SLOT_EMPTY;
    if (s->dead)
        return t->dead ? ISA_FIRED_DEAD : ISA_FIRED_LIVE;
    return t->dead ? ISA_FIRED_ABSORBED : isa_fire_trap(x, t, ISA_TRAP_COLLISION);
}

/* An instruction with a dead operand only passes hiatons on. */
static inline enum isa_fired isa_fire_dead(struct isa_exec *x, const struct isa_token *t,
                                           const struct isa_instr *instr)
{
    isa_tag to = t->tag;
    struct isa_code_list first = instr->out[0], second = instr->out[1];
    x->counts.dead_firings++;
    if (instr->op == ISA_OP_CALL) {
        /* The body sees nothing; one CALL speaks for the whole call. */
        first = x->code->sites[instr->site].dead;
        first.count = instr->index == 0 ? first.count : 0;
        second.count = 0;
    } else if (instr->op == ISA_OP_RETURN) {
        to = isa_tags_get(&x->tags, t->tag)->parent; /* the result itself was dead */
        isa_tags_get(&x->tags, to)->live += first.count;
    }
    isa_fire_send(x, to, 0, 0, true, first);
    isa_fire_send(x, to, 0, 0, true, second);
    isa_fire_settle(x, t->tag, instr->tokens,
                    to == t->tag ? first.count + second.count : 0);
    return ISA_FIRED_DEAD;
}

/* A call that was never made returns a hiaton. */
static inline enum isa_fired isa_fire_dead_call(struct isa_exec *x,
                                                const struct isa_token *t,
                                                const struct isa_instr *instr)
{
    x->counts.dead_firings++;
    isa_fire_send(x, t->tag, 0, 0, true, instr->out[0]);
    isa_fire_settle(x, t->tag, 1, instr->out[0].count);
    return ISA_FIRED_DEAD;
}

static inline void isa_fire_defer(struct isa_exec *x, struct isa_exec_cell *cell,
                                  const struct isa_token *t, uint64_t depth)
{
    uint32_t at = (uint32_t)x->deferred.count;
    *LIB_VEC_PUSH(&x->deferred) = (struct isa_deferred){t->instr, t->tag, depth,
                                                        ISA_DEFERRED_END};
    if (cell->first == ISA_DEFERRED_END)
        cell->first = at;
    else
        x->deferred.items[cell->last].next = at;
    cell->last = at;
    x->counts.deferred++;
}

/* Prepares what a deferred read sends, now that its cell is written: exec->sends.
 * Returns the next one that the same WRITE answers. */
static inline uint32_t isa_fire_answer(struct isa_exec *x, uint32_t deferred,
                                       bool digests)
{
    struct isa_deferred d = x->deferred.items[deferred];
    const struct isa_instr *instr = &x->code->instrs[d.instr];
    const struct isa_exec_cell *cell = &x->cells[instr->index];
    uint64_t depth = d.depth > cell->depth ? d.depth : cell->depth;
    x->send_count = 0;
    x->counts.deferred--;
    if (digests)
        x->counts.value_digest += isa_fire_hash(
            instr, isa_tags_get(&x->tags, d.tag)->path, cell->value);
    isa_fire_send(x, d.tag, cell->value, depth, false, instr->out[0]);
    isa_fire_settle(x, d.tag, 1, instr->out[0].count); /* the read itself held the tag */
    x->counts.consumed--;                              /* but was no token */
    return d.next;
}

static inline enum isa_fired isa_fire(struct isa_exec *x, const struct isa_token *t,
                                      bool digests)
{
    const struct isa_code *code = x->code;
    const struct isa_instr *instr = &code->instrs[t->instr];
    struct isa_counts *counts = &x->counts;
    isa_value a = t->value, b = instr->value;
    uint64_t depth = t->depth;
    bool dead = t->dead;
    x->send_count = 0;
    x->released = ISA_DEFERRED_END;
    counts->tokens += instr->tokens > 0;
    counts->dead_tokens += dead;

    /* The hiaton of a dead call reaches RETURN under the caller's tag, alone. */
    bool dead_call = dead && instr->op == ISA_OP_RETURN && t->port == 1;

    if (instr->tokens == 2 && __builtin_expect(!dead_call, 1)) { /* matching */
        struct isa_slot *s = &isa_activation_slots(
            isa_tags_get(&x->tags, t->tag))[instr->slot];
        if (s->state == ISA_SLOT_EMPTY) {
            *s = (struct isa_slot){a, depth, ISA_SLOT_WAITING, t->port, dead};
            counts->waiting++;
            return ISA_FIRED_WAITING;
        }
        if (__builtin_expect(s->port == t->port, 0))
            return isa_fire_trap(x, t, ISA_TRAP_COLLISION);
        s->state = ISA_SLOT_EMPTY;
        counts->waiting--;
        b = s->value;
        if (s->depth > depth)
            depth = s->depth;
        dead |= s->dead;
        if (t->port == 1) {
            b = a;
            a = s->value;
        }
    } else if (instr->immediate == 0) {
        a = instr->value;
        b = t->value;
    }
    x->fired_depth = ++depth;

    if (__builtin_expect(dead, 0) && instr->op != ISA_OP_MERGEIF)
        return dead_call ? isa_fire_dead_call(x, t, instr) : isa_fire_dead(x, t, instr);

    isa_value value;
    int64_t ia = isa_value_int(a), ib = isa_value_int(b);
    double ra = isa_value_real(a), rb = isa_value_real(b);
    bool ba = a != 0, bb = b != 0;
    switch ((enum isa_op)instr->op) {
#define TRAP(kind) return isa_fire_trap(x, t, ISA_TRAP_##kind)
#include "isa/eval.def"
#undef TRAP

    case ISA_OP_CONST:
    case ISA_OP_MERGE:
        value = a;
        break;

    case ISA_OP_JOIN:
        value = 0;
        break;

    case ISA_OP_MERGEIF:
        if (code->propagate) {
            enum isa_fired chosen = isa_fire_choose(x, t, instr);
            if (chosen == ISA_FIRED_STOPPED)
                return chosen;
            if (chosen == ISA_FIRED_ABSORBED) {
                isa_fire_settle(x, t->tag, 1, 0);
                return chosen;
            }
            if (chosen == ISA_FIRED_DEAD)
                return isa_fire_dead(x, t, instr);
        }
        value = a;
        break;

    case ISA_OP_SWITCH: {
        struct isa_code_list taken = instr->out[bb ? 0 : 1];
        struct isa_code_list other = instr->out[bb ? 1 : 0];
        enum isa_fired fired = isa_fire_count(x, t, instr, depth, a, digests);
        isa_fire_send(x, t->tag, a, depth, false, taken);
        if (code->propagate) {
            isa_fire_send(x, t->tag, 0, 0, true, other);
            taken.count += other.count;
        }
        isa_fire_settle(x, t->tag, instr->tokens, taken.count);
        return fired;
    }

    case ISA_OP_CALL: {
        enum isa_fired fired = isa_fire_count(x, t, instr, depth, a, digests);
        isa_tag child = isa_fire_child(x, t->tag, instr);
        if (__builtin_expect(child == ISA_TAG_NONE, 0)) {
            x->out_of_memory = true;
            return ISA_FIRED_STOPPED;
        }
        isa_tags_get(&x->tags, child)->live += instr->out[0].count + instr->out[1].count;
        isa_fire_send(x, child, a, depth, false, instr->out[0]);
        isa_fire_send(x, child, 0, depth, false, instr->out[1]);
        isa_fire_settle(x, t->tag, instr->tokens, 0);
        return fired;
    }

    case ISA_OP_RETURN: {
        enum isa_fired fired = isa_fire_count(x, t, instr, depth, a, digests);
        isa_tag parent = isa_tags_get(&x->tags, t->tag)->parent;
        isa_tags_get(&x->tags, parent)->live += instr->out[0].count;
        isa_fire_send(x, parent, a, depth, false, instr->out[0]);
        isa_fire_settle(x, t->tag, instr->tokens, 0);
        return fired;
    }

    case ISA_OP_WRITE: {
        struct isa_exec_cell *cell = &x->cells[instr->index];
        if (cell->written)
            return isa_fire_trap(x, t, ISA_TRAP_REWRITE);
        cell->value = a;
        cell->depth = depth;
        cell->written = true;
        x->released = cell->first;
        value = a;
        break;
    }

    case ISA_OP_READ: {
        struct isa_exec_cell *cell = &x->cells[instr->index];
        if (!cell->written) {
            enum isa_fired fired = isa_fire_count(x, t, instr, depth, 0, digests);
            isa_fire_defer(x, cell, t, depth);
            isa_fire_settle(x, t->tag, instr->tokens, 1);
            return fired;
        }
        value = cell->value;
        if (cell->depth > depth)
            depth = cell->depth;
        break;
    }

    case ISA_OP_OUTPUT:
        x->results[instr->index] = a;
        x->results_missing -= !x->has_result[instr->index];
        x->has_result[instr->index] = true;
        value = a;
        break;

    default:
        __builtin_unreachable(); /* isa_check: no other opcode stands in an image */
    }
    enum isa_fired fired = isa_fire_count(x, t, instr, depth, value, digests);
    isa_fire_send(x, t->tag, value, depth, false, instr->out[0]);
    isa_fire_settle(x, t->tag, instr->tokens, instr->out[0].count);
    return fired;
}

#endif
