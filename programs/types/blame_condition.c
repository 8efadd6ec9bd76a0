#include "programs/types/blame_condition.h"

#include "programs/types/type.h"

/* Target of a search: one member is set. */
struct wanted {
    const struct programs_binding *condition; /* a parameter that is a condition */
    const struct programs_binding *argument;  /* a parameter that a call makes a bool */
};

static const struct programs_expr *condition_of(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_IF     ? e->operands[0]
           : e->kind == PROGRAMS_EXPR_LOOP ? programs_loop_condition(e)
                                           : NULL;
}

static bool is_wanted(const struct programs_expr *e, const struct wanted *w)
{
    const struct programs_expr *condition = condition_of(e);
    if (condition && w->condition)
        return condition->kind == PROGRAMS_EXPR_NAME &&
               condition->name.binding == w->condition;
    if (e->kind != PROGRAMS_EXPR_CALL || !w->argument ||
        e->call->function != w->argument->function)
        return false;
    struct programs_type *type = e->operands[w->argument->index]->type;
    return type && programs_type_find(type)->kind == PROGRAMS_TYPE_BOOL;
}

static const struct programs_expr *search_expr(const struct programs_expr *e,
                                               const struct wanted *w);

static const struct programs_expr *search_end(const struct programs_expr *e,
                                              const struct wanted *w)
{
    const struct programs_expr *found = is_wanted(e, w) ? e : NULL;
    for (size_t i = 0; i < e->operand_count && !found; i++)
        found = search_expr(e->operands[i], w);
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_CASE && i < e->match->arm_count; i++) {
        const struct programs_arm *arm = &e->match->arms[i];
        found = found || !arm->guard ? found : search_expr(arm->guard, w);
        found = found ? found : search_expr(arm->body, w);
    }
    if (e->kind != PROGRAMS_EXPR_LET)
        return found;
    for (size_t i = 0; i < e->let->count && !found; i++)
        found = search_expr(e->let->equations[i]->value, w);
    return found ? found : search_expr(e->let->body, w);
}

static const struct programs_expr *search_expr(const struct programs_expr *e,
                                               const struct wanted *w)
{
    const struct programs_expr *at = e, *found = NULL;
    for (; programs_chain_goes_on(at) && !found; at = programs_chain_down(at)) {
        found = is_wanted(at, w) ? at : NULL;
        for (size_t i = 0; at->kind == PROGRAMS_EXPR_IF && i < 2 && !found; i++)
            found = search_expr(at->operands[i], w);
    }
    if (!found)
        found = search_end(at, w);
    while (at != e && !found) {
        at = at->above;
        if (at->kind != PROGRAMS_EXPR_IF)
            found = search_expr(at->operands[1], w);
    }
    return found;
}

const struct programs_expr *programs_blame_condition(const struct programs_ast *ast,
                                                     const struct programs_binding *param)
{
    const struct wanted condition = {.condition = param}, argument = {.argument = param};
    const struct programs_expr *found = search_expr(param->function->body, &condition);
    for (size_t i = 0; i < ast->function_count && found; i++)
        if (search_expr(ast->functions[i]->body, &argument))
            found = NULL;
    for (size_t i = 0; i < ast->constant_count && found; i++)
        if (search_expr(ast->constants[i]->value, &argument))
            found = NULL;
    return found ? condition_of(found) : NULL;
}
