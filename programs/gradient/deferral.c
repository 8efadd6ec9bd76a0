/* Decides which params have gradients in deferred form, and in which routines. */
#include "programs/gradient/deferred.h"

#include "isa/kernel_use.h"
#include "programs/gradient/components.h"

bool form_may_defer(const struct form_program *program, uint32_t routine)
{
    const struct form_routine *r = &program->routines[routine];
    return program->defers && r->order == 0 &&
           (r->kind == FORM_SOURCE || r->kind == FORM_HELPER);
}

/* Marks the values that a form reads from a cell. */
static bool *reads_of(const struct form *form, struct lib_arena *arena, uint32_t cell)
{
    bool *reads = LIB_ARENA_ARRAY(arena, bool, form->value_count + 1);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        if (e->kind == FORM_READ && e->index == cell)
            reads[e->results.items[0]] = true;
    return reads;
}

/* Returns the form that one instruction allows for a cell, whose values `reads` marks. */
static enum form_deferral deferral_of_use(const struct form_program *program,
                                          const struct form_entry *e, uint32_t cell,
                                          const bool *reads)
{
    if (e->kind != FORM_COMPUTE || e->op != ISA_OP_COMBINE || e->operands.count != 2)
        return FORM_DENSE;
    const bool is_product = isa_use_of(e->index) == ISA_KERNEL_MATMUL &&
                            program->most_products.items[cell];
    if (is_product && reads[e->operands.items[1]])
        return FORM_PRODUCTS;
    if (is_product && isa_use_number(e->index) == FORM_FLAT &&
        reads[e->operands.items[0]])
        return FORM_COLUMNS;
    if (isa_use_of(e->index) == ISA_KERNEL_GATHER && program->most_rows.items[cell] &&
        reads[e->operands.items[0]])
        return FORM_ROWS;
    return FORM_DENSE;
}

/* Returns the form for two uses: a deferred one. The contribution of the other is dense. */
static enum form_deferral first_of(enum form_deferral a, enum form_deferral b)
{
    if (a == FORM_DENSE || b == FORM_DENSE)
        return a == FORM_DENSE ? b : a;
    return a < b ? a : b;
}

static enum form_deferral deferral_in(struct form_program *program, uint32_t routine,
                                      uint32_t cell)
{
    const struct form *form = form_of(program, routine);
    struct lib_arena *scratch = lib_arena_new();
    const bool *reads = reads_of(form, scratch, cell);
    enum form_deferral all = FORM_DENSE;
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        all = first_of(all, deferral_of_use(program, e, cell, reads));
    lib_arena_free(scratch);
    return all;
}

/* Known forms of the gradient by a cell. */
struct form_deferrals {
    uint8_t *items; /* for each component below `count` */
    uint32_t count, capacity;
};

static struct form_deferrals *deferrals_of(struct form_program *program, uint32_t cell)
{
    if (!program->deferrals)
        program->deferrals = LIB_ARENA_ARRAY(program->arena, struct form_deferrals,
                                             program->graph->cell_count);
    return &program->deferrals[cell];
}

/* All routines of a component, a cycle of calls, have the same result, as each reaches all others.
 * The components that it calls have lower numbers. */
static void add_component(struct form_program *program, struct form_deferrals *known,
                          uint32_t cell)
{
    const struct form_component *c = form_component_at(program, FORM_CALLS_DEFERRING,
                                                       known->count);
    enum form_deferral all = FORM_DENSE;
    for (uint32_t i = 0; i < c->members.count; i++)
        all = first_of(all, deferral_in(program, c->members.items[i], cell));
    for (uint32_t i = 0; i < c->callees.count; i++)
        all = first_of(all, (enum form_deferral)known->items[c->callees.items[i]]);
    *LIB_ARENA_PUSH(program->arena, known) = (uint8_t)all;
}

enum form_deferral form_deferral_of(struct form_program *program, uint32_t routine,
                                    uint32_t cell)
{
    const uint32_t component = form_component_of(program, FORM_CALLS_DEFERRING, routine);
    struct form_deferrals *known = deferrals_of(program, cell);
    while (known->count <= component)
        add_component(program, known, cell);
    return (enum form_deferral)known->items[component];
}

enum form_deferral form_given_as(struct form_program *program, enum form_giving giving,
                                 uint32_t routine, uint32_t cell)
{
    if (giving == FORM_GIVES_DENSE)
        return FORM_DENSE;
    const enum form_deferral kind = form_deferral_of(program, routine, cell);
    return giving == FORM_GIVES_ALL || kind == FORM_ROWS ? kind : FORM_DENSE;
}

bool form_is_often(struct form_program *program, const struct form_entry *e)
{
    return e->kind == FORM_TABULATE || form_is_recursive(program, e->routine);
}

bool form_calls_deferred(struct form_program *program, uint32_t routine, uint32_t cell)
{
    bool found = false;
    struct form_walk walk = form_walk_of(&form_of(program, routine)->top);
    for (const struct form_entry *e; !found && (e = form_walk_next(&walk));)
        found = e->routine != FORM_NONE && form_may_defer(program, e->routine) &&
                form_is_often(program, e) &&
                form_deferral_of(program, e->routine, cell) != FORM_DENSE;
    form_walk_end(&walk);
    return found;
}
