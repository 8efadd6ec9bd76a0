#include "programs/form/form.h"

struct prune {
    bool *needed;  /* for each value */
    bool *is_used; /* for each conditional */
    bool *remains; /* for each entry */
};

static void need_all(struct prune *p, const struct form_ids *ids)
{
    for (uint32_t i = 0; i < ids->count; i++)
        p->needed[ids->items[i]] = true;
}

/* Begins with a BRANCH, each result by itself. Later entries, among them further blocks of the same
 * conditional, have marked the values that they need. */
static void prune_results(struct prune *p, struct form_entry *e)
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
}

static bool is_needed(const struct prune *p, const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        if (p->needed[e->results.items[k]])
            return true;
    return e->is_kept;
}

static void drop_entries(const struct prune *p, struct form_block *block)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < block->count; i++)
        if (p->remains[block->items[i]->id])
            block->items[left++] = block->items[i];
    block->count = left;
}

/* Ends a BRANCH: removes entries from its blocks. Returns whether it remains itself. */
static bool end_branch(struct prune *p, struct form_entry *e)
{
    drop_entries(p, &e->blocks[0]);
    drop_entries(p, &e->blocks[1]);
    const bool is_used = e->results.count || e->blocks[0].count || e->blocks[1].count;
    p->is_used[e->branch->id] |= is_used;
    if (p->is_used[e->branch->id])
        p->needed[e->branch->condition] = true;
    return is_used;
}

void form_prune(struct form *form)
{
    struct lib_arena *arena = form->arena;
    struct prune p = {LIB_ARENA_ARRAY(arena, bool, form->value_count),
                      LIB_ARENA_ARRAY(arena, bool, form->branch_count),
                      LIB_ARENA_ARRAY(arena, bool, form->entry_count)};
    need_all(&p, &form->results);
    struct form_walk walk = form_walk_back(&form->top);
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (walk.step == FORM_STEP_BEGIN) {
            prune_results(&p, e);
        } else if (walk.step == FORM_STEP_END) {
            p.remains[e->id] = end_branch(&p, e);
        } else if ((p.remains[e->id] = is_needed(&p, e))) {
            need_all(&p, &e->operands);
            if (e->kind == FORM_LATE)
                e->early->is_kept = true;
        }
    }
    drop_entries(&p, &form->top);
}
