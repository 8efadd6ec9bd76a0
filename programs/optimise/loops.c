#include "programs/optimise/loops.h"

#include <string.h>

struct loops loops_find(const struct form *form, struct lib_arena *arena)
{
    struct loops loops = {.arena = arena,
                          .index = LIB_ARENA_ARRAY(arena, uint32_t, form->entry_count)};
    LIB_ARENA_LIST(struct loops_one) found = {0};
    struct form_walk walk = form_walk_of(&form->top);
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (walk.step == FORM_STEP_BEGIN && e->kind == FORM_LOOP) {
            const uint32_t count = e->results.count;
            loops.index[e->id] = found.count;
            *LIB_ARENA_PUSH(arena, &found) = (struct loops_one){
                e, LIB_ARENA_ARRAY(arena, struct form_entry *, count),
                LIB_ARENA_ARRAY(arena, bool, count), LIB_ARENA_ARRAY(arena, bool, count)};
        } else if (walk.step == FORM_STEP_ENTRY && e->kind == FORM_NEXT) {
            found.items[loops.index[e->early->id]].next[e->index] = e;
        } else if (walk.step == FORM_STEP_ENTRY && e->kind == FORM_EXIT) {
            found.items[loops.index[e->early->id]].is_taken[e->index] = true;
            *LIB_ARENA_PUSH(arena, &loops.exits) = e;
        }
    }
    loops.items = found.items;
    loops.count = found.count;
    return loops;
}

void loops_drop(const struct loops *loops, uint32_t loop, uint32_t variable)
{
    loops->items[loop].is_dropped[variable] = true;
}

/* Removes variables from the lists of a loop, and numbers the others anew. */
static void end_one(const struct loops *loops, const struct loops_one *one,
                    struct rewrite *r)
{
    struct form_entry *e = one->entry;
    const uint32_t count = e->results.count;
    struct form_name *names = LIB_ARENA_ARRAY(e->blocks->form->arena, struct form_name,
                                              count);
    uint32_t left = 0;
    (void)loops;
    for (uint32_t v = 0; v < count; v++) {
        if (one->is_dropped[v]) {
            rewrite_remove(r, one->next[v]);
            continue;
        }
        names[left] = e->names[v];
        e->operands.items[left] = e->operands.items[v];
        e->results.items[left] = e->results.items[v];
        one->next[v]->index = left++;
    }
    e->names = names;
    e->operands.count = e->results.count = left;
}

void loops_end(struct loops *loops, struct rewrite *r)
{
    uint32_t **number = LIB_ARENA_ARRAY(loops->arena, uint32_t *, loops->count);
    for (uint32_t i = 0; i < loops->count; i++) {
        const struct loops_one *one = &loops->items[i];
        const uint32_t count = one->entry->results.count;
        bool drops = false;
        for (uint32_t v = 0; v < count; v++)
            drops |= one->is_dropped[v];
        if (!drops)
            continue;
        number[i] = LIB_ARENA_ARRAY(loops->arena, uint32_t, count);
        for (uint32_t v = 0, left = 0; v < count; v++) {
            number[i][v] = left;
            left += !one->is_dropped[v];
        }
        end_one(loops, one, r);
    }
    for (uint32_t k = 0; k < loops->exits.count; k++) {
        struct form_entry *exit = loops->exits.items[k];
        const uint32_t *to = number[loops->index[exit->early->id]];
        if (to)
            exit->index = to[exit->index];
    }
}
