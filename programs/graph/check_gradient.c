/* Reports calls of `grad` with an argument or param that reaches the result only through `int` or
 * `floor`, or with a param that reaches the function through another constant. */
#include "programs/graph/builder.h"

#include "programs/gradient/components.h"
#include "programs/gradient/differentiate.h"
#include "programs/gradient/flow.h"
#include "programs/types/type.h"

/* Whether a parameter or param is rounded, and reaches the result in no other way. */
static bool is_rounded(struct programs_builder *b, const struct programs_expr *e,
                       size_t operand, const char *name, unsigned flow,
                       struct lib_diags *diags)
{
    if (flow != FORM_FLOW_BROKEN)
        return false;
    lib_diag_error(diags, LIB_DIAG_TYPE, b->ast->source, e->operands[operand]->start,
                   "`%s` of `%s` reaches the result through `int` or `floor` alone: it "
                   "has no derivative",
                   name, e->gradient->function->name);
    return true;
}

static bool check_rounded(struct programs_builder *b, const struct programs_expr *e,
                          struct lib_diags *diags)
{
    const struct programs_gradient *g = e->gradient;
    const struct programs_function *f = g->function;
    uint32_t at = 0;
    bool good = true;
    for (size_t i = 0; i < f->param_count; i++) {
        const uint32_t width = (uint32_t)programs_type_width(f->params[i]->type);
        unsigned flow = 0;
        for (uint32_t k = 0; k < width; k++, at++)
            if (form_is_real(b->forms.routines[f->index].params[at]))
                flow |= form_flow(&b->forms, f->index, at, 0);
        good &= !is_rounded(b, e, i, f->params[i]->name, flow, diags);
    }
    for (size_t p = 0; p < g->param_count; p++) {
        const uint32_t cell = b->cells[g->params[p]->equation->index][0];
        const unsigned flow = form_flow_of_cell(&b->forms, f->index, cell, 0);
        good &= !is_rounded(b, e, e->operand_count + p, g->params[p]->name, flow, diags);
    }
    return good;
}

/* Returns the constant that is stored in a cell. */
static const struct programs_equation *equation_of(struct programs_builder *b,
                                                   uint32_t cell)
{
    for (size_t i = 0;; i++) {
        const struct programs_equation *q = b->ast->constants[i];
        for (size_t n = 0; q->used && n < q->name_count; n++)
            if (programs_build_has_cells(b, q->names[n]) &&
                cell - b->cells[q->index][n] < programs_type_width(q->names[n]->type))
                return q;
    }
}

/* Adds the cells that the constant in a cell reads. */
static void add_cells_behind(struct programs_builder *b, uint32_t cell,
                             struct form_ids *cells)
{
    const struct programs_equation *q = equation_of(b, cell);
    const uint32_t routine = form_add_routine(&b->forms, FORM_HELPER, "constant",
                                              q->names[0]->pos);
    struct lib_arena *arena = lib_arena_new();
    programs_build_passed(b, programs_build_lone(b, arena, q, routine), true);
    lib_arena_free(arena);
    form_cells(&b->forms, routine, cells);
}

/* Rejects a param that reaches the function through another constant, which has no derivatives. */
static bool check_constants(struct programs_builder *b, const struct programs_expr *e,
                            struct lib_diags *diags)
{
    const struct programs_gradient *g = e->gradient;
    struct form_ids own = {0}, behind = {0};
    bool good = true;
    if (g->param_count == 0)
        return true;
    form_cells(&b->forms, g->function->index, &own);
    for (uint32_t i = 0; i < own.count; i++)
        add_cells_behind(b, own.items[i], &behind);
    for (uint32_t i = 0; i < behind.count; i++)
        add_cells_behind(b, behind.items[i], &behind);
    for (size_t p = 0; p < g->param_count; p++) {
        if (form_find_id(&behind, b->cells[g->params[p]->equation->index][0]) ==
            FORM_NONE)
            continue;
        lib_diag_error(diags, LIB_DIAG_TYPE, b->ast->source,
                       e->operands[e->operand_count + p]->start,
                       "`%s` reaches `%s` through a constant that is computed of "
                       "it: make this a function",
                       g->params[p]->name, g->function->name);
        good = false;
    }
    return good;
}

bool programs_build_check_gradient(struct programs_builder *b,
                                   const struct programs_expr *e, struct lib_diags *diags)
{
    const bool good = check_rounded(b, e, diags);
    return check_constants(b, e, diags) && good;
}
