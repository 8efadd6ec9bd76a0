#include "programs/optimise/passes.h"
#include "programs/optimise/rewrite.h"

static const char pass[] = "hoist";

/* A loop, or a comprehension, and the block that it is in. */
struct place {
    struct form_entry *loop;
    struct form_block *block;
};

struct hoist {
    struct form *form;
    struct lib_arena *arena;
    LIB_ARENA_LIST(struct place) places; /* outer loops before those within them */
    /* For each value: the innermost loop whose iterations have one each; NULL: none. */
    const struct form_entry **homes;
    bool *is_exit; /* for each value: an EXIT makes it, which may come after its loop */
    uint32_t *
        outer; /* for each entry that is a loop: index in `places` plus 1 of that around it */
};

static bool is_loop(const struct form_entry *e)
{
    return e->kind == FORM_LOOP || form_has_elements(e);
}

static const struct form_entry *loop_at(const struct hoist *h, uint32_t number)
{
    return number ? h->places.items[number - 1].loop : NULL;
}

/* Sets the homes of what an entry makes in loop `number`. */
static void set_homes(struct hoist *h, const struct form_entry *e, uint32_t number)
{
    for (uint32_t k = 0; k < e->results.count; k++) {
        h->homes[e->results.items[k]] = e->kind == FORM_LOOP ? e : loop_at(h, number);
        h->is_exit[e->results.items[k]] = e->kind == FORM_EXIT;
    }
    if (is_loop(e) && e->kind != FORM_LOOP)
        h->homes[e->inner] = e;
}

static void find_loops(struct hoist *h)
{
    LIB_ARENA_LIST(uint32_t)
    within = {0}; /* loops around the entry, the innermost last */
    *LIB_ARENA_PUSH(h->arena, &within) = 0;
    struct form_walk walk = form_walk_of(&h->form->top);
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (walk.step == FORM_STEP_END) {
            within.count -= is_loop(e);
            continue;
        }
        set_homes(h, e, within.items[within.count - 1]);
        if (walk.step != FORM_STEP_BEGIN || !is_loop(e))
            continue;
        h->outer[e->id] = within.items[within.count - 1];
        *LIB_ARENA_PUSH(h->arena, &h->places) = (struct place){
            e, walk.at.of ? &walk.at.of->blocks[walk.at.side] : &h->form->top};
        *LIB_ARENA_PUSH(h->arena, &within) = h->places.count;
    }
}

/* Whether an entry of block `side` of a loop gives the same in all iterations, and may be evaluated
 * before the loop. A header is evaluated at least once, a body perhaps never. */
static bool is_moved(const struct hoist *h, const struct form_entry *loop, uint32_t side,
                     const struct form_entry *e)
{
    const bool is_header = loop->kind == FORM_LOOP && side == 0;
    if (e->site || e->is_kept || rewrite_stays(e) || e->operands.count == 0 ||
        !(is_header ? rewrite_is_repeatable(e) : rewrite_is_total(h->form, e)))
        return false;
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (h->homes[e->operands.items[i]] == loop || h->is_exit[e->operands.items[i]])
            return false;
    return true;
}

/* Moves what is the same in all iterations of a loop to the front of it. */
static void hoist_loop(struct hoist *h, const struct place *place)
{
    struct form_entry *loop = place->loop;
    struct form_block moved = {.form = h->form};
    for (uint32_t side = 0; side < 2; side++) {
        struct form_block *block = &loop->blocks[side];
        uint32_t left = 0;
        for (uint32_t i = 0; i < block->count; i++) {
            struct form_entry *e = block->items[i];
            if (!is_moved(h, loop, side, e)) {
                block->items[left++] = e;
                continue;
            }
            set_homes(h, e, h->outer[loop->id]);
            form_add_to_block(&moved, e);
            rewrite_tell(h->form, e->pos, pass, "%s is the same in all iterations",
                         rewrite_op_label(e));
        }
        block->count = left;
    }
    if (moved.count == 0)
        return;
    const struct form_block old = *place->block;
    *place->block = (struct form_block){.form = h->form};
    for (uint32_t i = 0; i < old.count; i++) {
        for (uint32_t k = 0; old.items[i] == loop && k < moved.count; k++)
            form_add_to_block(place->block, moved.items[k]);
        form_add_to_block(place->block, old.items[i]);
    }
}

struct form *optimise_hoist(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct lib_arena *arena = lib_arena_new();
    struct hoist h = {
        .form = form,
        .arena = arena,
        .homes = LIB_ARENA_ARRAY(arena, const struct form_entry *, form->value_count),
        .is_exit = LIB_ARENA_ARRAY(arena, bool, form->value_count),
        .outer = LIB_ARENA_ARRAY(arena, uint32_t, form->entry_count),
    };
    find_loops(&h);
    for (uint32_t i = h.places.count; i-- > 0;)
        hoist_loop(&h, &h.places.items[i]);
    lib_arena_free(arena);
    return form;
}
