/* What programs_build does not know yet. */
#include "programs/build.h"

/* The first array of the text, or NULL. */
struct unknown {
    const struct programs_expr *array;
};

static void keep_first(const struct programs_expr **first, const struct programs_expr *e)
{
    if (!*first || programs_pos_before(e->pos, (*first)->pos))
        *first = e;
}

static void look_for_unknown(const struct programs_expr *e, struct unknown *u)
{
    if (e->kind == PROGRAMS_EXPR_ARRAY || e->kind == PROGRAMS_EXPR_COMPREHENSION ||
        e->kind == PROGRAMS_EXPR_INDEX)
        keep_first(&u->array, e);
    for (size_t i = 0; i < e->operand_count; i++)
        look_for_unknown(e->operands[i], u);
    if (e->kind != PROGRAMS_EXPR_LET)
        return;
    for (size_t i = 0; i < e->let.count; i++)
        look_for_unknown(e->let.equations[i]->value, u);
    look_for_unknown(e->let.body, u);
}

bool programs_can_build(const struct programs_ast *ast, struct lib_diags *diags)
{
    struct unknown u = {0};
    size_t from = diags->count;
    for (size_t i = 0; i < ast->constant_count; i++)
        look_for_unknown(ast->constants[i]->value, &u);
    for (size_t i = 0; i < ast->function_count; i++)
        look_for_unknown(ast->functions[i]->body, &u);
    if (u.array)
        lib_diag_error(diags, LIB_DIAG_LIMIT, ast->source, u.array->pos,
                       "arrays are not compiled yet");
    programs_sort_diags(diags, from);
    return !u.array;
}
