/* Inference of tensor elements, and of built-in functions that count, choose and place along an
 * axis. */
#include "programs/types/infer_tensor_internal.h"
#include "programs/types/tensor_builtin.h"

#include <inttypes.h>

static bool refuse_argument(struct infer *in, struct programs_expr *e, size_t i,
                            const char *expected)
{
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[i]->start,
                   "argument %zu of `%s`: expected %s", i + 1, e->call->text, expected);
    return infer_give_error(in, e);
}

static bool give_parts(struct infer *in, struct programs_expr *e,
                       struct programs_type *const *parts, size_t count)
{
    struct programs_type *tuple = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *, count);
    tuple->part_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        tuple->parts[i] = parts[i];
    return infer_give(in, e, tuple);
}

static bool step_place(struct infer *in, struct programs_expr *e)
{
    int64_t axis;
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a || !infer_takes_element(in, e, ISA_KERNEL_ARGMAX, 0, a) ||
        !infer_take_axis(in, e, 1, 0, &axis))
        return infer_give_error(in, e);
    if (e->operand_count == 1)
        return infer_give(in, e, in->of_int);
    struct programs_type *result = infer_give_tensor(in, e);
    if (!result)
        return true;
    if (programs_type_unify(infer_element_of(result), in->of_int) != PROGRAMS_UNIFIED)
        return infer_give(
            in, e,
            programs_type_new_tensor(in->arena, in->of_int, infer_rank_of(result)));
    if (programs_type_tensor_rank(a) < 0 || !infer_knows_element(in, a))
        return false;
    axis = isa_axis_from_end(axis, (unsigned)programs_type_tensor_rank(a));
    return infer_apply_rule(in, e, ISA_KERNEL_ARGMAX, a, NULL,
                            (struct isa_numbers){&axis, 1});
}

static bool step_top(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    infer_take_int(in, e, 1);
    if (!a || !infer_takes_element(in, e, ISA_KERNEL_TOP_VALUES, 0, a))
        return infer_give_error(in, e);
    struct programs_type *const parts[] = {
        a, programs_type_new_tensor(in->arena, in->of_int, infer_rank_of(a))};
    return give_parts(in, e, parts, 2);
}

static bool step_along(struct infer *in, struct programs_expr *e)
{
    int64_t axis;
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a || !infer_takes_element(in, e, ISA_KERNEL_CUMSUM, 0, a) ||
        !infer_take_axis(in, e, 1, 0, &axis))
        return infer_give_error(in, e);
    return infer_give(in, e, a);
}

static bool step_expand(struct infer *in, struct programs_expr *e)
{
    int64_t axis;
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a || !infer_take_axis(in, e, 1, 0, &axis))
        return infer_give_error(in, e);
    if (!infer_share_element(in, e, a))
        return true;
    const int rank = programs_type_tensor_rank(a);
    if (rank < 0)
        return false;
    axis = isa_axis_from_end(axis, (unsigned)rank + 1);
    if (rank < ISA_RANK_MAX && axis >= 0 && axis <= rank)
        return infer_give_rank(in, e, rank + 1);
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                   rank < ISA_RANK_MAX ? "a tensor of rank %d gets no axis %" PRId64
                                       : "a tensor of rank %d has no room for an axis",
                   rank, axis);
    return infer_give_error(in, e);
}

static bool step_stack(struct infer *in, struct programs_expr *e)
{
    int64_t axis;
    const size_t count = programs_tensor_stacked(e);
    struct programs_type *first = infer_take_tensor(in, e, 0);
    if (!first || !infer_take_axis(in, e, count, 0, &axis))
        return infer_give_error(in, e);
    for (size_t i = 1; i < count; i++) {
        struct programs_type *next = infer_take_tensor(in, e, i);
        if (!next || !infer_same_element(in, e, first, next) ||
            !infer_expect(in, e->operands[i], first, PLACE_MATCH,
                          "argument %zu of `%s`: ", i + 1, e->call->text))
            return infer_give_error(in, e);
    }
    if (!infer_share_element(in, e, first))
        return true;
    return programs_type_tensor_rank(first) >= 0 &&
           infer_give_rank(in, e, programs_type_tensor_rank(first) + 1);
}

static bool step_split(struct infer *in, struct programs_expr *e)
{
    int64_t axis;
    const struct programs_expr *sizes = e->operands[1];
    const size_t count = programs_tensor_parts(e);
    struct programs_type *parts[PROGRAMS_SPLIT_MAX];
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a || !infer_take_axis(in, e, 2, 0, &axis))
        return infer_give_error(in, e);
    if (count == 0)
        return refuse_argument(in, e, 1,
                               "how many parts there are, a literal from 2 to 16, or "
                               "their extents in brackets, `[n, m]`");
    if (sizes->kind == PROGRAMS_EXPR_INT)
        infer_take_int(in, e, 1);
    else
        infer_expect(in, sizes, programs_type_new_array(in->arena, in->of_int),
                     PLACE_ARGUMENT, "argument 2 of `%s`: ", e->call->text);
    for (size_t i = 0; i < count; i++)
        parts[i] = a;
    return give_parts(in, e, parts, count);
}

/* A number after the widths is put around the tensor. */
static bool step_pad(struct infer *in, struct programs_expr *e)
{
    int64_t axis;
    bool wrong = false;
    struct programs_type *a = infer_take_tensor(in, e, 0);
    infer_take_int(in, e, 1);
    infer_take_int(in, e, 2);
    if (!a || !infer_take_axis(in, e, 3, 0, &axis))
        return infer_give_error(in, e);
    const bool done = e->operand_count < 5 || infer_beside(in, e->operands[4], a, &wrong);
    return wrong ? infer_give_error(in, e) : infer_give(in, e, a) && done;
}

static bool step_one_hot(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *at = e->operands[0];
    infer_take_int(in, e, 1);
    if (infer_classify(at) == WRONG)
        return infer_give_error(in, e);
    struct programs_type *result = infer_give_tensor(in, e);
    if (!result)
        return true;
    if (programs_type_unify(infer_element_of(result), in->of_real) != PROGRAMS_UNIFIED)
        return infer_give(
            in, e,
            programs_type_new_tensor(in->arena, in->of_real, infer_rank_of(result)));
    if (infer_classify(at) == OPEN && !last)
        return false;
    if (infer_classify(at) == TENSOR) {
        if (!infer_expect(
                in, at,
                programs_type_new_tensor(in->arena, in->of_int, infer_rank_of(at->type)),
                PLACE_ARGUMENT, "argument 1 of `%s`: ", e->call->text))
            return infer_give_error(in, e);
        const int rank = programs_type_tensor_rank(at->type);
        return rank >= 0 && infer_give_rank(in, e, rank + 1);
    }
    const bool is_array = infer_is_kind(at->type, PROGRAMS_TYPE_ARRAY);
    struct programs_type *type = is_array ? programs_type_new_array(in->arena, in->of_int)
                                          : in->of_int;
    if (!infer_expect(in, at, type, PLACE_ARGUMENT,
                      "argument 1 of `%s`: ", e->call->text))
        return infer_give_error(in, e);
    return infer_give_rank(in, e, is_array + 1);
}

static bool step_scatter(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *rows = e->operands[1];
    struct programs_type *a = infer_take_tensor(in, e, 0);
    infer_take_int(in, e, 2);
    if (!a || !infer_takes_element(in, e, ISA_KERNEL_SCATTER, 0, a) ||
        infer_classify(rows) == WRONG)
        return infer_give_error(in, e);
    infer_give(in, e, a);
    if (infer_classify(rows) == OPEN && !last)
        return false;
    infer_expect(in, rows,
                 infer_classify(rows) == TENSOR
                     ? programs_type_new_tensor(in->arena, in->of_int, in->of_rank[1])
                     : programs_type_new_array(in->arena, in->of_int),
                 PLACE_ARGUMENT, "argument 2 of `%s`: ", e->call->text);
    return true;
}

bool infer_step_index_call(struct infer *in, struct programs_expr *e, bool last)
{
    switch (programs_tensor_rule(e->call->builtin)) {
    case PROGRAMS_TENSOR_COUNT:
        infer_take_int(in, e, 0);
        return infer_give(
            in, e, programs_type_new_tensor(in->arena, in->of_int, in->of_rank[1]));
    case PROGRAMS_TENSOR_PLACE:
        return step_place(in, e);
    case PROGRAMS_TENSOR_TOP:
        return step_top(in, e);
    case PROGRAMS_TENSOR_ALONG:
        return step_along(in, e);
    case PROGRAMS_TENSOR_EXPAND:
        return step_expand(in, e);
    case PROGRAMS_TENSOR_STACK:
        return step_stack(in, e);
    case PROGRAMS_TENSOR_SPLIT:
        return step_split(in, e);
    case PROGRAMS_TENSOR_PAD:
        return step_pad(in, e);
    case PROGRAMS_TENSOR_ONE_HOT:
        return step_one_hot(in, e, last);
    case PROGRAMS_TENSOR_SCATTER:
        return step_scatter(in, e, last);
    default:
        return true;
    }
}

bool infer_step_index(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *a = e->operands[0];
    if (infer_classify(a) == OPEN && !last)
        return false;
    if (infer_classify(a) != TENSOR)
        return infer_give(in, e, infer_plain_index(in, e));
    infer_expect(in, e->operands[1], in->of_int, PLACE_OPERAND, "%s",
                 "index of a tensor: ");
    const int rank = programs_type_tensor_rank(a->type);
    if (rank > 1)
        return infer_give(in, e,
                          programs_type_new_tensor(in->arena, infer_element_of(a->type),
                                                   in->of_rank[rank - 1]));
    if (rank == 1)
        return infer_knows_element(in, a->type) &&
               infer_give(in, e, infer_value_of(in, a->type));
    if (rank < 0)
        return false;
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                   "rank 0 has no rows");
    return infer_give_error(in, e);
}
