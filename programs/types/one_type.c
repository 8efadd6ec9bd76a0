#include "programs/types/one_type.h"

#include "programs/types/instance.h"

#include <string.h>

void programs_one_type_keep(struct infer *in, const struct programs_function *function)
{
    in->demands[function->index] = programs_function_instance(in->arena, function, false);
}

static const struct programs_function *function_of(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_CALL   ? e->call->function
           : e->kind == PROGRAMS_EXPR_GRAD ? e->gradient->function
                                           : NULL;
}

/* Returns the use of a function that has `e` as an operand, and sets the number of the operand. */
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

/* Whether the body of a function allows a type for parameter `i`, or for its result if `i` is
 * the number of parameters. Binds open types in copies only. */
static bool is_allowed(struct infer *in, const struct programs_function *f, size_t i,
                       struct programs_type *type)
{
    struct programs_type **demands = in->demands[f->index];
    return demands &&
           programs_type_unify(programs_type_copy(in->arena, demands[i]),
                               programs_type_copy(in->arena, type)) == PROGRAMS_UNIFIED;
}

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

/* Returns the types that the body alone demands of one use, after unifying arguments `from` to
 * `to` - 1 of `use`. Converted arguments have no effect. */
static struct programs_type **types_with_arguments(struct infer *in,
                                                   const struct programs_expr *use,
                                                   size_t from, size_t to)
{
    const struct programs_function *f = function_of(use);
    struct programs_type **types = programs_types_copy(in->arena, in->demands[f->index],
                                                       f->param_count + 1);
    for (size_t i = from; i < to && i < use->operand_count; i++)
        if (use->operands[i]->type)
            programs_type_unify(types[i],
                                programs_type_copy(in->arena, use->operands[i]->type));
    return types;
}

/* Returns the number of the first argument that does not allow the result a type, or
 * `param_count`. */
static size_t find_argument(struct infer *in, const struct programs_expr *use,
                            struct programs_type *expected)
{
    const size_t count = function_of(use)->param_count;
    for (size_t i = 0; i < count; i++) {
        struct programs_type **types = types_with_arguments(in, use, i, i + 1);
        if (programs_type_unify(types[count], programs_type_copy(in->arena, expected)) !=
            PROGRAMS_UNIFIED)
            return i;
    }
    return count;
}

/* Returns the end of a message: what decided the type of a result, an argument of this or
 * another use, or another use outside of the function's body. */
static const char *other_result(struct infer *in, const struct programs_expr *use,
                                struct programs_type *expected)
{
    const struct programs_function *f = function_of(use);
    const size_t own = find_argument(in, use, expected);
    if (own < f->param_count)
        return lib_arena_printf(in->arena, "; that follows from argument %zu of `%s`, %s",
                                own + 1, f->name,
                                infer_type_text(in, use->operands[own]->type));
    const struct programs_expr *place = NULL;
    for (size_t i = 0; i < in->uses.count; i++) {
        const struct programs_expr *other = in->uses.items[i].expr;
        if (other == use || function_of(other) != f || in->uses.items[i].within == f)
            continue;
        const size_t argument = find_argument(in, other, expected);
        if (argument < f->param_count) {
            const struct programs_expr *a = other->operands[argument];
            return lib_arena_printf(
                in->arena, "; a function has one type, and `%s` is used with %s in %u:%u",
                f->name, infer_type_text(in, a->type), a->start.line, a->start.column);
        }
        place = place ? place : other;
    }
    if (!place)
        return "";
    return lib_arena_printf(
        in->arena, "; a function has one type, and `%s` returns %s in %u:%u", f->name,
        infer_type_text(in, use->type), place->pos.line, place->pos.column);
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
    for (; e->kind == PROGRAMS_EXPR_INDEX;
         e = e->operands[0]) /* of a result in brackets */
        expected = programs_type_new_array(in->arena, expected);
    if (e->kind == PROGRAMS_EXPR_CALL && e->call->function &&
        is_allowed(in, e->call->function, e->call->function->param_count, expected))
        return other_result(in, e, expected);
    return "";
}
