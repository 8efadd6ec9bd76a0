#include "programs/gradient/expand.h"

#include "programs/gradient/settle.h"
#include "programs/gradient/sites.h"

/* max calls inlined for an array: recursive functions always have more */
enum { CALLS_MAX = 64 };

struct expand {
    struct form_program *program;
    uint32_t calls;
};

static bool expand_param(struct expand *x, uint32_t routine, uint32_t param);

static bool is_of(const struct form_ids *ids, uint32_t id)
{
    for (uint32_t i = 0; i < ids->count; i++)
        if (ids->items[i] == id)
            return true;
    return false;
}

static void call_in_place(struct expand *x, struct form *form, struct form_block *to,
                          const struct form_entry *e)
{
    const struct form_place p = {x->program, form, to, e->pos};
    struct form_ids results = {0};
    form_inline(p, e->routine, e->operands.items, &results);
    for (uint32_t k = 0; k < e->results.count; k++)
        form_replace(form, e->results.items[k], results.items[k]);
    x->calls++;
}

/* Inlines one more level of calls. `arrays`: the array, and its elements that are arrays.
 * Returns true if there were calls. */
static bool expand_block(struct expand *x, struct form *form, struct form_block *block,
                         struct form_ids *arrays)
{
    struct form_block all = {.form = form};
    bool any = false;
    const struct form_block old = *block;
    for (uint32_t i = 0; i < old.count; i++) {
        struct form_entry *e = old.items[i];
        bool is_user = false;
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            any |= expand_block(x, form, &e->blocks[side], arrays);
        for (uint32_t k = 0; k < e->operands.count; k++)
            is_user |= is_of(arrays, e->operands.items[k]);
        if (is_user && e->kind == FORM_FETCH)
            form_push_id(x->program->arena, arrays, e->results.items[0]);
        if (is_user && e->kind == FORM_TABULATE) {
            e->routine = form_own_copy(x->program, e->routine);
            for (uint32_t k = 1; k < e->operands.count; k++)
                if (is_of(arrays, e->operands.items[k]))
                    any |= expand_param(x, e->routine, k);
        }
        if (is_user && e->kind == FORM_APPLY && x->calls < CALLS_MAX) {
            call_in_place(x, form, &all, e);
            any = true;
        } else {
            form_add_to_block(&all, e);
        }
    }
    *block = all;
    return any;
}

static bool expand_param(struct expand *x, uint32_t routine, uint32_t param)
{
    struct form *form = form_of(x->program, routine);
    const uint32_t array = form_find_param(form, param);
    bool any = false, more = array != FORM_NONE;
    while (more && x->calls < CALLS_MAX) {
        struct form_ids arrays = {0};
        form_push_id(x->program->arena, &arrays, array);
        more = expand_block(x, form, &form->top, &arrays);
        any |= more;
    }
    return any;
}

uint32_t form_expand(struct form_program *program, const struct form_entry *tabulate)
{
    struct expand x = {.program = program};
    uint32_t routine = tabulate->routine;
    bool is_whole = false;
    for (uint32_t i = 1; i < tabulate->operands.count; i++) {
        if (!is_of(&tabulate->results, tabulate->operands.items[i]) ||
            form_reads_elements(program, routine, i))
            continue;
        if (routine == tabulate->routine)
            routine = form_own_copy(program, routine);
        expand_param(&x, routine, i);
        is_whole |= !form_reads_elements(program, routine, i);
    }
    return is_whole || x.calls == CALLS_MAX ? tabulate->routine : routine;
}
