#include "programs/types/one_type.h"

#include "programs/types/instance.h"

#include <string.h>

void programs_one_type_keep(struct infer *in, const struct programs_function *function)
{
    in->demands[function->index] = programs_function_instance(in->arena, function);
}

/* Returns the function that an expression calls or differentiates, or NULL. */
static const struct programs_function *function_of(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_CALL   ? e->call.function
           : e->kind == PROGRAMS_EXPR_GRAD ? e->gradient->function
                                           : NULL;
}

/* Finds the use of a function that has `e` as an operand, and the number of the operand. */
static const struct programs_expr *
find_use(const struct infer *in, const struct programs_expr *e, size_t *operand)
{
    for (size_t i = in->uses.count; i-- > 0;) {
        const struct programs_expr *use = in->uses.items[i].expr;
        for (*operand = 0; *operand < use->operand_count; ++*operand)
            if (use->operands[*operand] == e)
                return use;
    }
    return NULL;
}

/* Whether the body of the function allows the type in the place of parameter `i`; of its result,
 * if there are no more parameters. Types that are not known yet are bound in copies only. */
static bool is_allowed(struct infer *in, const struct programs_function *f, size_t i,
                       struct programs_type *type)
{
    struct programs_type **demands = in->demands[f->index];
    return demands &&
           programs_type_unify(programs_type_copy(in->arena, demands[i]),
                               programs_type_copy(in->arena, type)) == PROGRAMS_UNIFIED;
}

/* An argument: the first use with an argument of the type that is expected. */
static const char *other_argument(struct infer *in, const struct programs_expr *use,
                                  size_t operand, const char *expected)
{
    const struct programs_function *f = function_of(use);
    for (size_t i = 0; i < in->uses.count; i++) {
        const struct programs_expr *other = in->uses.items[i].expr;
        if (other == use || function_of(other) != f)
            continue;
        const struct programs_expr *argument = other->operands[operand];
        if (strcmp(infer_type_text(in, argument->type), expected) == 0)
            return lib_arena_printf(
                in->arena, "; a function has one type, and `%s` is used with %s in %u:%u",
                f->name, expected, argument->start.line, argument->start.column);
    }
    return "";
}

/* A result: the first other use, whatever it needs. */
static const char *other_result(struct infer *in, const struct programs_expr *use)
{
    const struct programs_function *f = function_of(use);
    for (size_t i = 0; i < in->uses.count; i++) {
        const struct programs_expr *other = in->uses.items[i].expr;
        if (other != use && function_of(other) == f)
            return lib_arena_printf(
                in->arena, "; a function has one type, and `%s` is used in %u:%u too",
                f->name, other->pos.line, other->pos.column);
    }
    return "";
}

const char *programs_one_type_other_use(struct infer *in, const struct programs_expr *e,
                                        struct programs_type *expected)
{
    size_t operand;
    if (in->is_alone)
        return "";
    const struct programs_expr *use = find_use(in, e, &operand);
    if (use && is_allowed(in, function_of(use), operand, e->type))
        return other_argument(in, use, operand, infer_type_text(in, expected));
    const struct programs_function *called = e->kind == PROGRAMS_EXPR_CALL
                                                 ? e->call.function
                                                 : NULL;
    if (called && is_allowed(in, called, called->param_count, expected))
        return other_result(in, e);
    return "";
}
