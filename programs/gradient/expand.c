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

/* Adds an entry to the block `all`, or the entries of the routine that it calls. Returns true if
 * there were calls. */
static bool expand_entry(struct expand *x, struct form *form, struct form_block *all,
                         struct form_entry *e, struct form_ids *arrays)
{
    bool any = false, is_user = false;
    for (uint32_t k = 0; k < e->operands.count; k++)
        is_user |= form_has_id(arrays, e->operands.items[k]);
    if (is_user && e->kind == FORM_FETCH)
        form_push_id(x->program->arena, arrays, e->results.items[0]);
    if (is_user && e->kind == FORM_TABULATE) {
        e->routine = form_own_copy(x->program, e->routine);
        for (uint32_t k = 1; k < e->operands.count; k++)
            if (form_has_id(arrays, e->operands.items[k]))
                any |= expand_param(x, e->routine, k);
    }
    if (is_user && e->kind == FORM_APPLY && x->calls < CALLS_MAX) {
        call_in_place(x, form, all, e);
        return true;
    }
    form_add_to_block(all, e);
    return any;
}

/* A block that is being expanded: its entries, and those that replace them. */
struct frame {
    struct form_block *block, old, all;
    uint32_t next; /* entry of `old` */
    uint32_t side; /* next block of that entry, if it is a BRANCH */
};

static struct frame frame_of(struct form_block *block)
{
    return (struct frame){.block = block, .old = *block, .all = {.form = block->form}};
}

/* Inlines one more level of calls. `arrays`: the array, and its elements that are arrays.
 * Returns true if there were calls. Chains of conditionals take no stack. */
static bool expand_block(struct expand *x, struct form *form, struct form_block *block,
                         struct form_ids *arrays)
{
    bool any = false;
    LIB_VEC(struct frame) stack = {0};
    *LIB_VEC_PUSH(&stack) = frame_of(block);
    while (stack.count) {
        struct frame *f = &stack.items[stack.count - 1];
        if (f->next == f->old.count) {
            *f->block = f->all;
            stack.count--;
            continue;
        }
        struct form_entry *e = f->old.items[f->next];
        if (e->kind == FORM_BRANCH && f->side < 2) {
            struct form_block *inner = &e->blocks[f->side++];
            *LIB_VEC_PUSH(&stack) = frame_of(inner);
            continue;
        }
        f->next++;
        f->side = 0;
        any |= expand_entry(x, form, &f->all, e, arrays);
    }
    LIB_VEC_FREE(&stack);
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
        if (!form_has_id(&tabulate->results, tabulate->operands.items[i]) ||
            form_reads_elements(program, routine, i))
            continue;
        if (routine == tabulate->routine)
            routine = form_own_copy(program, routine);
        expand_param(&x, routine, i);
        is_whole |= !form_reads_elements(program, routine, i);
    }
    return is_whole || x.calls == CALLS_MAX ? tabulate->routine : routine;
}
