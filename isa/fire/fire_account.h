/* Firing: accounting for the tokens that a firing consumes and makes, and for the firing itself. */
#ifndef ISA_FIRE_FIRE_ACCOUNT_H
#define ISA_FIRE_FIRE_ACCOUNT_H

#include "isa/fire/fire_refer.h"
#include "isa/exec/loop_constant.h"
#include "isa/op_columns.h"

/* Accounts for a firing that consumed `taken` tokens of a tag and made `made` tokens of the same
 * tag. Frees the activation if nothing keeps it alive. */
ISA_FIRE_INLINE void isa_fire_settle(struct isa_exec *x, const struct isa_fire_to to,
                                     isa_tag tag, uint32_t taken, uint32_t made)
{
    if (taken == made)
        return;
    struct isa_activation *a = isa_activations_get(&x->tags, tag);
    to.counts->live += (uint64_t)made - taken;
    a->live += made - taken;
    if (to.divided)
        isa_shares_change(&x->tags, tag, x->tags.shares->at, (int32_t)(made - taken));
    if (made < taken && a->live == 0) {
        isa_activations_drop(&x->tags, tag);
        if (__builtin_expect(x->tags.consumed.count > 0, 0))
            isa_loop_constant_give_up(x);
    }
}

/* Accounts for tokens that a firing makes under a tag other than its own. */
ISA_FIRE_INLINE void isa_fire_give(struct isa_exec *x, const struct isa_fire_to to,
                                   isa_tag tag, uint32_t made)
{
    to.counts->live += made;
    isa_activations_get(&x->tags, tag)->live += made;
    if (to.divided && made)
        isa_shares_change(&x->tags, tag, x->tags.shares->at, (int32_t)made);
}

/* Updates this machine's shares (struct isa_shares) after a firing that may have made activation
 * `child`: adds 1 to the share in its parent, and the variables that an iteration waits for to the
 * share in the iteration. `before` is the number of activations before the firing; does nothing if
 * it is unchanged, or if the program is not divided among machines. */
ISA_FIRE_INLINE void isa_fire_share_child(struct isa_exec *x, const struct isa_fire_to to,
                                          uint64_t before, isa_tag child)
{
    if (!to.divided || x->tags.count == before)
        return;
    const struct isa_activation *a = isa_activations_get(&x->tags, child);
    isa_shares_change(&x->tags, a->parent, x->tags.shares->at, 1);
    if (a->live) /* number of variables that the iteration waits for */
        isa_shares_change(&x->tags, child, x->tags.shares->at, (int32_t)a->live);
}

/* Counts a live firing. `value` is what the digest takes of it; a READ that waits has none yet. */
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

/* Ends a firing that sends `value` to output list 0, under its own tag. */
ISA_FIRE_INLINE enum isa_fired isa_fire_finish(struct isa_exec *x,
                                               const struct isa_fire_as as,
                                               const struct isa_fire_to to,
                                               const struct isa_ready *f, isa_value value)
{
    const struct isa_instr *instr = f->instr;
    /* An instruction that accesses an array element may fire elsewhere than its
     * activation's. */
    const unsigned how = isa_op_accesses_element(as.op) ? 0 : ISA_SEND_HOME;
    isa_fire_count(x, f->tag, instr, as, to, f->depth, value, true);
    isa_fire_refer(x, instr, as, f->a, f->b, value, instr->out[0].count);
    isa_fire_put_first(to, instr, f->tag, value, f->depth, how);
    isa_fire_settle(x, to, f->tag, f->taken,
                    instr->only != ISA_CODE_MANY ? 1 : instr->out[0].count);
    return ISA_FIRED_LIVE;
}

#endif
