/* Inference of gradients. While it is unknown which parameters of f hold reals, `grad(f, E,
 * ...)` waits, as operations on tensors do. */
#include "programs/types/gradient_type.h"
#include "programs/types/infer_internal.h"

/* An open number is finally an int, as elsewhere. */
static void close_number(struct infer *in, struct programs_type *type)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_VAR && type->class >= PROGRAMS_CLASS_NUMERIC)
        programs_type_unify(type, in->of_int);
    for (size_t i = 0; type->kind != PROGRAMS_TYPE_TENSOR && i < type->part_count; i++)
        close_number(in, type->parts[i]);
}

/* Makes the open elements of a type by which a derivative is taken reals. */
static void close_elements(struct infer *in, struct programs_type *type)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_TENSOR) {
        if (infer_is_kind(type->parts[0], PROGRAMS_TYPE_VAR))
            programs_type_unify(type->parts[0],
                                infer_open_type(in, PROGRAMS_CLASS_REALS));
        return;
    }
    for (size_t i = 0; i < type->part_count; i++)
        close_elements(in, type->parts[i]);
}

/* Returns the type of a gradient with rows: the derivatives by parameters, then for each param
 * the tensor, indices and rows. */
static struct programs_type *type_with_rows(struct infer *in,
                                            struct programs_type *const *types,
                                            size_t own, size_t count)
{
    struct programs_type *tuple = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    struct programs_type *rank = programs_type_new(in->arena, PROGRAMS_TYPE_RANK0 + 1);
    tuple->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *, 3 * count);
    for (size_t i = 0; i < count; i++) {
        struct programs_type *part = programs_gradient_type(in->arena, types[i]);
        if (part)
            tuple->parts[tuple->part_count++] = part;
        if (i < own)
            continue;
        tuple->parts[tuple->part_count++] = programs_type_new_tensor(in->arena,
                                                                     in->of_int, rank);
        tuple->parts[tuple->part_count++] = part;
    }
    return tuple;
}

bool infer_gradient_step(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_function *f = e->gradient->function;
    const size_t count = f->param_count + e->gradient->param_count;
    struct programs_type **types = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                                   count);
    for (size_t i = 0; i < count; i++) {
        if (i >= f->param_count)
            types[i] = e->gradient->params[i - f->param_count]->type;
        else
            types[i] = in->is_alone || f->is_polymorphic ? e->operands[i]->type
                                                         : f->params[i]->type;
        if (last)
            close_number(in, types[i]);
        if (!last && !programs_gradient_is_known(types[i], in->takes_reals))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        close_elements(in, types[i]);
    struct programs_type *type = e->gradient->gives_rows
                                     ? type_with_rows(in, types, f->param_count, count)
                                     : programs_gradient_type_of_all(in->arena, types,
                                                                     count);
    if (!type) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[-1]->start,
                       "`%s` has no parameter that holds reals, and so no gradient",
                       f->name);
        type = in->of_error;
    }
    if (programs_type_unify(e->type, type) != PROGRAMS_UNIFIED)
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->start,
                       "expected %s, found %s", infer_type_text(in, e->type),
                       infer_type_text(in, type));
    return true;
}

struct programs_type *infer_gradient(struct infer *in, struct programs_expr *e)
{
    const struct programs_function *f = e->gradient->function;
    struct programs_type **types = infer_use(in, e, f);
    if (programs_type_unify(types[f->param_count], in->of_real) != PROGRAMS_UNIFIED)
        lib_diag_error(
            in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[-1]->start,
            "`%s` returns %s; only a function of one real result has a gradient", f->name,
            infer_type_text(in, types[f->param_count]));
    for (size_t i = 0; i < e->operand_count; i++)
        infer_expect(in, e->operands[i], types[i], PLACE_ARGUMENT,
                     "argument %zu of `%s`: ", i + 1, f->name);
    e->type = infer_open_type(in, PROGRAMS_CLASS_ANY);
    if (!infer_gradient_step(in, e, false))
        *LIB_VEC_PUSH(&in->waiting) = e;
    return e->type;
}
