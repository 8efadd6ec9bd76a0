/* Decides which params have gradients in deferred form, and in which routines. */
#include "programs/gradient/deferred.h"

#include "isa/kernel_use.h"

bool form_may_defer(const struct form_program *program, uint32_t routine)
{
    const struct form_routine *r = &program->routines[routine];
    return program->defers && r->order == 0 &&
           (r->kind == FORM_SOURCE || r->kind == FORM_HELPER);
}

static bool calls(struct form_program *program, const struct form_block *block,
                  uint32_t routine, struct form_ids *seen)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const struct form_entry *e = block->items[i];
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            if (calls(program, &e->blocks[side], routine, seen))
                return true;
        if (e->routine == FORM_NONE || !form_may_defer(program, e->routine))
            continue;
        if (e->routine == routine ||
            (form_push_id_once(program->arena, seen, e->routine) &&
             calls(program, &form_of(program, e->routine)->top, routine, seen)))
            return true;
    }
    return false;
}

bool form_is_recursive(struct form_program *program, uint32_t routine)
{
    if (program->routines[routine].recursion == FORM_RECURSION_UNKNOWN) {
        struct form_ids seen = {0};
        const bool is = calls(program, &form_of(program, routine)->top, routine, &seen);
        program->routines[routine].recursion = is ? FORM_RECURSIVE : FORM_NOT_RECURSIVE;
    }
    return program->routines[routine].recursion == FORM_RECURSIVE;
}

static bool *reads_of(struct form_program *program, const struct form *form,
                      const struct form_block *block, uint32_t cell, bool *reads)
{
    if (!reads)
        reads = LIB_ARENA_ARRAY(program->arena, bool, form->value_count + 1);
    for (uint32_t i = 0; i < block->count; i++) {
        const struct form_entry *e = block->items[i];
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            reads_of(program, form, &e->blocks[side], cell, reads);
        if (e->kind == FORM_READ && e->index == cell)
            reads[e->results.items[0]] = true;
    }
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
                                      uint32_t cell, struct form_ids *seen);

static enum form_deferral deferral_of_block(struct form_program *program,
                                            const struct form_block *block, uint32_t cell,
                                            const bool *reads, struct form_ids *seen)
{
    enum form_deferral all = FORM_DENSE;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct form_entry *e = block->items[i];
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            all = first_of(
                all, deferral_of_block(program, &e->blocks[side], cell, reads, seen));
        all = first_of(all, deferral_of_use(program, e, cell, reads));
        if (e->routine != FORM_NONE && form_may_defer(program, e->routine))
            all = first_of(all, deferral_in(program, e->routine, cell, seen));
    }
    return all;
}

static enum form_deferral deferral_in(struct form_program *program, uint32_t routine,
                                      uint32_t cell, struct form_ids *seen)
{
    if (!form_push_id_once(program->arena, seen, routine))
        return FORM_DENSE;
    const struct form *form = form_of(program, routine);
    const bool *reads = reads_of(program, form, &form->top, cell, NULL);
    return deferral_of_block(program, &form->top, cell, reads, seen);
}

/* All routines of a cycle of calls have the same result, as each reaches all others. */
enum form_deferral form_deferral_of(struct form_program *program, uint32_t routine,
                                    uint32_t cell)
{
    struct form_ids seen = {0};
    return deferral_in(program, routine, cell, &seen);
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

static bool block_calls_deferred(struct form_program *program,
                                 const struct form_block *block, uint32_t cell)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const struct form_entry *e = block->items[i];
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            if (block_calls_deferred(program, &e->blocks[side], cell))
                return true;
        if (e->routine != FORM_NONE && form_may_defer(program, e->routine) &&
            form_is_often(program, e) &&
            form_deferral_of(program, e->routine, cell) != FORM_DENSE)
            return true;
    }
    return false;
}

bool form_calls_deferred(struct form_program *program, uint32_t routine, uint32_t cell)
{
    return block_calls_deferred(program, &form_of(program, routine)->top, cell);
}
