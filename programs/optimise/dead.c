#include "programs/form/check.h"
#include "programs/optimise/loops.h"
#include "programs/optimise/passes.h"
#include "programs/optimise/rewrite.h"

static const char pass[] = "dead";

/* A STORE of an element of an ARRAY. */
struct store {
    const struct form_entry *entry;
    struct store *next;
};

struct dead {
    struct rewrite r;
    struct loops loops;
    bool *value_lives, *entry_lives;
    const struct form_entry **around; /* for each entry: the one whose block it is in */
    struct store **stores;            /* for each ARRAY: those of its elements */
    LIB_ARENA_LIST(uint32_t)
    values; /* that live, and whose makers are not yet found to */
};

static void mark_value(struct dead *d, uint32_t value)
{
    if (d->value_lives[value])
        return;
    d->value_lives[value] = true;
    *LIB_ARENA_PUSH(d->r.arena, &d->values) = value;
}

static void mark_all(struct dead *d, const struct form_ids *values)
{
    for (uint32_t i = 0; i < values->count; i++)
        mark_value(d, values->items[i]);
}

/* Marks an entry, those around it, and what they need. Results of a conditional, and variables of
 * a loop, need their operands each for itself. */
static void mark_entry(struct dead *d, const struct form_entry *e)
{
    for (; e && !d->entry_lives[e->id]; e = d->around[e->id]) {
        d->entry_lives[e->id] = true;
        if (e->kind == FORM_BRANCH)
            mark_value(d, e->branch->condition);
        else if (e->kind == FORM_LOOP)
            mark_value(d, e->inner);
        else
            mark_all(d, &e->operands);
        if (e->kind == FORM_EXIT)
            mark_value(d, e->early->results.items[e->index]);
        for (struct store *s = d->stores[e->id]; s; s = s->next)
            mark_entry(d, s->entry);
    }
}

/* Marks what makes a value. */
static void mark_maker(struct dead *d, uint32_t value)
{
    const struct form_entry *e = rewrite_maker(&d->r, value);
    if (!e)
        return;
    mark_entry(d, e);
    const uint32_t k = d->r.places[value];
    if (e->kind == FORM_BRANCH) {
        mark_value(d, e->operands.items[2 * k]);
        mark_value(d, e->operands.items[2 * k + 1]);
    } else if (e->kind == FORM_LOOP) {
        mark_value(d, e->operands.items[k]);
        mark_entry(d, d->loops.items[d->loops.index[e->id]].next[k]);
    }
}

static void mark_makers(struct dead *d)
{
    while (d->values.count)
        mark_maker(d, d->values.items[--d->values.count]);
}

/* Whether an entry may be removed if nothing uses it. The constant that a READ waits for is
 * computed without it. */
static bool is_removable(const struct dead *d, const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_BRANCH:
    case FORM_READ:
    case FORM_LOAD:
    case FORM_TENSOR:
    case FORM_CONSTRUCT:
    case FORM_LIST:
    case FORM_ARRAY:
    case FORM_EXIT:
    case FORM_NEXT:
        return true;
    case FORM_STORE:
        return e->early->kind == FORM_ARRAY;
    default:
        return rewrite_is_total(d->r.form, e);
    }
}

static void find_live(struct dead *d)
{
    struct form_walk walk = form_walk_of(&d->r.form->top);
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (walk.step == FORM_STEP_END)
            continue;
        d->around[e->id] = walk.at.of;
        if (e->kind == FORM_STORE && e->early->kind == FORM_ARRAY) {
            struct store *store = LIB_ARENA_NEW(d->r.arena, struct store);
            *store = (struct store){e, d->stores[e->early->id]};
            d->stores[e->early->id] = store;
        }
    }
    mark_all(d, &d->r.form->results);
    walk = form_walk_of(&d->r.form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        if (!is_removable(d, e))
            mark_entry(d, e);
    mark_makers(d);
    for (uint32_t i = 0; i < d->loops.count; i++) {
        const struct form_ids *variables = &d->loops.items[i].entry->results;
        bool any = false;
        for (uint32_t v = 0; v < variables->count; v++)
            any |= d->value_lives[variables->items[v]];
        if (!any && variables->count) /* a loop has a variable */
            mark_value(d, variables->items[0]);
        mark_makers(d);
    }
}

/* Removes the results of a conditional that nothing uses. */
static void prune_branch(struct dead *d, struct form_entry *e)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < e->results.count; k++) {
        if (!d->value_lives[e->results.items[k]])
            continue;
        e->operands.items[2 * left] = e->operands.items[2 * k];
        e->operands.items[2 * left + 1] = e->operands.items[2 * k + 1];
        e->results.items[left++] = e->results.items[k];
    }
    d->r.is_changed |= left < e->results.count;
    e->results.count = left;
    e->operands.count = 2 * left;
}

static void remove_dead(struct dead *d)
{
    struct form_walk walk = form_walk_of(&d->r.form->top);
    for (struct form_entry *e; (e = form_walk_next(&walk));) {
        if (!d->entry_lives[e->id]) {
            rewrite_remove(&d->r, e);
            if (e->kind == FORM_COMPUTE)
                rewrite_tell(d->r.form, e->pos, pass, "%s is not used",
                             rewrite_op_label(e));
            else if (e->kind != FORM_NEXT && e->kind != FORM_EXIT &&
                     e->kind != FORM_STORE)
                rewrite_tell(d->r.form, e->pos, pass, "%s is not used",
                             form_kind_name(e->kind));
        } else if (e->kind == FORM_BRANCH) {
            prune_branch(d, e);
        }
    }
    for (uint32_t i = 0; i < d->loops.count; i++) {
        const struct form_ids *variables = &d->loops.items[i].entry->results;
        for (uint32_t v = 0; v < variables->count; v++)
            if (!d->value_lives[variables->items[v]])
                loops_drop(&d->loops, i, v);
    }
}

struct form *optimise_dead(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct dead d = {.r = rewrite_start(form)};
    struct lib_arena *arena = d.r.arena;
    d.loops = loops_find(form, arena);
    d.value_lives = LIB_ARENA_ARRAY(arena, bool, form->value_count);
    d.entry_lives = LIB_ARENA_ARRAY(arena, bool, form->entry_count);
    d.around = LIB_ARENA_ARRAY(arena, const struct form_entry *, form->entry_count);
    d.stores = LIB_ARENA_ARRAY(arena, struct store *, form->entry_count);
    find_live(&d);
    remove_dead(&d);
    loops_end(&d.loops, &d.r);
    rewrite_end(&d.r);
    return form;
}
