#include "programs/form/form.h"

struct prune {
    bool *needed;  /* for each value */
    bool *is_used; /* for each conditional */
};

static void need_all(struct prune *p, const struct form_ids *ids)
{
    for (uint32_t i = 0; i < ids->count; i++)
        p->needed[ids->items[i]] = true;
}

static void prune_block(struct prune *p, struct form_block *block);

/* Prunes a BRANCH, each result by itself. Later entries, among them further blocks of the same
 * conditional, have marked the values that they need. */
static bool prune_branch(struct prune *p, struct form_entry *e)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < e->results.count; k++) {
        if (!p->needed[e->results.items[k]])
            continue;
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t arm = e->operands.items[2 * k + side];
            p->needed[arm] = true;
            e->operands.items[2 * left + side] = arm;
        }
        e->results.items[left++] = e->results.items[k];
    }
    e->results.count = left;
    e->operands.count = 2 * left;
    for (int side = 0; side < 2; side++)
        prune_block(p, &e->blocks[side]);
    const bool is_used = left || e->blocks[0].count || e->blocks[1].count;
    p->is_used[e->branch->id] |= is_used;
    if (p->is_used[e->branch->id])
        p->needed[e->branch->condition] = true;
    return is_used;
}

static bool is_needed(const struct prune *p, const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        if (p->needed[e->results.items[k]])
            return true;
    return e->is_kept;
}

static void prune_block(struct prune *p, struct form_block *block)
{
    uint32_t first = block->count;
    for (uint32_t i = block->count; i-- > 0;) {
        struct form_entry *e = block->items[i];
        if (e->kind == FORM_BRANCH ? !prune_branch(p, e) : !is_needed(p, e))
            continue;
        if (e->kind != FORM_BRANCH)
            need_all(p, &e->operands);
        if (e->kind == FORM_LATE)
            e->early->is_kept = true;
        block->items[--first] = e;
    }
    for (uint32_t i = first; i < block->count; i++)
        block->items[i - first] = block->items[i];
    block->count -= first;
}

void form_prune(struct form *form)
{
    struct lib_arena *arena = form->arena;
    struct prune p = {LIB_ARENA_ARRAY(arena, bool, form->value_count),
                      LIB_ARENA_ARRAY(arena, bool, form->branch_count)};
    need_all(&p, &form->results);
    prune_block(&p, &form->top);
}
