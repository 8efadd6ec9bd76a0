/* Inference: operations and built-in functions that may be on tensors.
 *
 * Of a program with tensors, the type of `x * y` depends on what x and y are: a number, or a tensor,
 * whose rank is the greater of both. Where that is not known yet, the expression waits, and its type
 * is open. Whenever more is known, the steps below are tried again; one that has found all it can
 * find is done. In the end what still waits is taken for what it would be without tensors. */
#include "programs/types/infer_inside.h"
#include "programs/types/tensor_builtin.h"

#include <inttypes.h>

/* What an operand is, as far as known. */
enum operand { OPEN, NUMBER, TENSOR, WRONG };

static enum operand classify(const struct programs_expr *e)
{
    const struct programs_type *type = programs_type_find(e->type);
    if (type->kind == PROGRAMS_TYPE_VAR)
        return type->class == PROGRAMS_CLASS_ANY ? OPEN : NUMBER;
    return type->kind == PROGRAMS_TYPE_TENSOR  ? TENSOR
           : type->kind == PROGRAMS_TYPE_ERROR ? WRONG
                                               : NUMBER;
}

static struct programs_type *open_tensor(struct infer *in)
{
    return programs_type_new_tensor(in->arena, infer_open_type(in, PROGRAMS_CLASS_ANY),
                                    infer_open_type(in, PROGRAMS_CLASS_ANY));
}

static struct programs_type *element_of(struct programs_type *tensor)
{
    return programs_type_find(tensor)->parts[0];
}

static struct programs_type *rank_of(struct programs_type *tensor)
{
    return programs_type_find(tensor)->parts[1];
}

/* --- results ---------------------------------------------------------------------------- */

/* Says what the type of an expression is, which may be known from where it stands. Always true: the
 * step is done. */
static bool give(struct infer *in, struct programs_expr *e, struct programs_type *type)
{
    if (programs_type_unify(e->type, type) != PROGRAMS_UNIFIED)
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->start,
                       "expected %s, found %s", infer_type_text(in, e->type),
                       infer_type_text(in, type));
    return true;
}

static bool give_error(struct infer *in, struct programs_expr *e)
{
    programs_type_unify(e->type, in->of_error);
    return true;
}

/* The type of an expression, made one of tensors; NULL: it is something else, which was reported. */
static struct programs_type *give_tensor(struct infer *in, struct programs_expr *e)
{
    struct programs_type *tensor = open_tensor(in);
    if (!infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR))
        give(in, e, tensor);
    return infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR) ? e->type : NULL;
}

static bool give_rank(struct infer *in, struct programs_expr *e, int rank)
{
    if (rank > PROGRAMS_TENSOR_RANK_MAX || rank < 0) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->start,
                       "a tensor has a rank of at most %d, and this of %d",
                       PROGRAMS_TENSOR_RANK_MAX, rank);
        return give_error(in, e);
    }
    struct programs_type *tensor = give_tensor(in, e);
    return !tensor || give(in, e,
                           programs_type_new_tensor(in->arena, element_of(tensor),
                                                    in->of_rank[rank]));
}

/* The result has the element of an operand. */
static bool share_element(struct infer *in, struct programs_expr *e,
                          struct programs_type *tensor)
{
    struct programs_type *result = give_tensor(in, e);
    if (!result)
        return false;
    if (programs_type_unify(element_of(result), element_of(tensor)) == PROGRAMS_UNIFIED)
        return true;
    give(in, e, tensor);
    give_error(in, e);
    return false;
}

/* --- operands --------------------------------------------------------------------------- */

/* Makes an argument of a call a tensor. NULL: it is none, which was reported. */
static struct programs_type *take_tensor(struct infer *in, const struct programs_expr *e,
                                         size_t i)
{
    const struct programs_expr *argument = e->operands[i];
    if (infer_is_kind(argument->type, PROGRAMS_TYPE_ERROR))
        return NULL;
    if (classify(argument) == NUMBER) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, argument->start,
                       "argument %zu of `%s`: expected a tensor, found %s", i + 1,
                       e->call.text, infer_type_text(in, argument->type));
        return NULL;
    }
    if (classify(argument) == OPEN)
        programs_type_unify(argument->type, open_tensor(in));
    return programs_type_find(argument->type);
}

static void take_int(struct infer *in, const struct programs_expr *e, size_t i)
{
    infer_expect(in, e->operands[i], in->of_int, PLACE_ARGUMENT,
                 "argument %zu of `%s`: ", i + 1, e->call.text);
}

/* An axis is a literal: the instruction names it. */
static bool take_axis(struct infer *in, const struct programs_expr *e, size_t i,
                      int64_t otherwise, int64_t *axis)
{
    if (i < e->operand_count)
        take_int(in, e, i);
    if (programs_tensor_axis(e, i, otherwise, axis))
        return true;
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[i]->start,
                   "argument %zu of `%s` is an axis: a literal from 0 to %d", i + 1,
                   e->call.text, ISA_RANK_MOST - 1);
    return false;
}

/* Extents or axes: ints in brackets, as many as the rank. */
static bool take_list(struct infer *in, const struct programs_expr *e, size_t i)
{
    const struct programs_expr *list = e->operands[i];
    if (list->kind != PROGRAMS_EXPR_ARRAY ||
        list->operand_count > PROGRAMS_TENSOR_RANK_MAX) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, list->start,
                       "argument %zu of `%s` is written with brackets, `[n, m]`: at most "
                       "%d ints, which say the rank",
                       i + 1, e->call.text, PROGRAMS_TENSOR_RANK_MAX);
        return false;
    }
    for (size_t k = 0; k < list->operand_count; k++)
        infer_expect(in, list->operands[k], in->of_int, PLACE_OPERAND, "%s", "");
    programs_type_unify(list->type, programs_type_new_array(in->arena, in->of_int));
    return true;
}

/* --- ranks that follow from rules ---------------------------------------------------------- */

static struct isa_shape unknown_shape(struct programs_type *tensor)
{
    struct isa_shape shape = isa_shape_scalar(
        infer_is_kind(element_of(tensor), PROGRAMS_TYPE_REAL32) ? ISA_ELEMENT_REAL32
                                                                : ISA_ELEMENT_REAL);
    shape.rank = (uint8_t)programs_type_tensor_rank(tensor);
    for (int i = 0; i < shape.rank; i++)
        shape.extents[i] = ISA_UNKNOWN;
    return shape;
}

/* Gives the rank that the rule of a kernel says of operands whose ranks are known. */
static bool apply_rule(struct infer *in, struct programs_expr *e, enum isa_kernel kernel,
                       struct programs_type *a, struct programs_type *b,
                       struct isa_numbers numbers)
{
    struct isa_shape first = unknown_shape(a), result;
    struct isa_shape second = b ? unknown_shape(b) : first;
    const struct isa_shape *const operands[] = {&first, &second};
    struct lib_text why = {0};
    const bool fits = isa_kernel_shape(kernel, operands, numbers, &result, &why);
    if (!fits)
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos, "%s",
                       lib_text_get(&why));
    lib_text_free(&why);
    return fits ? give_rank(in, e, result.rank) : give_error(in, e);
}

/* Whether both are tensors of one element; what is wrong is reported. */
static bool take_two(struct infer *in, struct programs_expr *e, struct programs_type *a,
                     struct programs_type *b)
{
    if (programs_type_unify(element_of(a), element_of(b)) == PROGRAMS_UNIFIED)
        return true;
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                   "one is %s, the other %s (`real32(...)` and `real64(...)` convert)",
                   infer_type_text(in, a), infer_type_text(in, b));
    return false;
}

/* --- operations element by element ----------------------------------------------------------- */

/* A number beside a tensor is a real, which is broadcast. */
static bool step_with_number(struct infer *in, struct programs_expr *e,
                             const struct programs_expr *tensor,
                             const struct programs_expr *number)
{
    if (!infer_expect(in, number, in->of_real, PLACE_OPERAND, "%s", ""))
        return give_error(in, e);
    return give(in, e, tensor->type);
}

/* The rank of the result is the greater one. */
static bool step_two_tensors(struct infer *in, struct programs_expr *e,
                             struct programs_type *a, struct programs_type *b, bool last)
{
    if (!take_two(in, e, a, b))
        return give_error(in, e);
    if (!share_element(in, e, a))
        return true;
    if (last)
        programs_type_unify(rank_of(a), rank_of(b));
    const int ra = programs_type_tensor_rank(a), rb = programs_type_tensor_rank(b);
    if (programs_type_find(rank_of(a)) == programs_type_find(rank_of(b)) || rb == 0 ||
        ra == PROGRAMS_TENSOR_RANK_MAX)
        return give(in, e, a);
    if (ra == 0 || rb == PROGRAMS_TENSOR_RANK_MAX)
        return give(in, e, b);
    if (ra < 0 || rb < 0)
        return false;
    return give(in, e, ra > rb ? a : b);
}

/* A binary operation or function, which is also one of numbers. */
static bool step_both(struct infer *in, struct programs_expr *e,
                      struct programs_type *(*plain)(struct infer *,
                                                     const struct programs_expr *),
                      bool last)
{
    const struct programs_expr *a = e->operands[0], *b = e->operands[1];
    const enum operand first = classify(a), second = classify(b);
    if (first == WRONG || second == WRONG)
        return give_error(in, e);
    const bool has_kernel = programs_tensor_kernel(e) != ISA_KERNEL_NONE;
    if (has_kernel && (first == TENSOR || second == TENSOR)) {
        if (first == OPEN || second == OPEN) {
            if (!last) {
                share_element(in, e, first == TENSOR ? a->type : b->type);
                return false;
            }
            programs_type_unify(a->type, b->type);
            return give(in, e, a->type);
        }
        if (first == NUMBER)
            return step_with_number(in, e, b, a);
        if (second == NUMBER)
            return step_with_number(in, e, a, b);
        return step_two_tensors(in, e, a->type, b->type, last);
    }
    const struct programs_type *result = programs_type_find(e->type);
    const bool is_number = result->kind != PROGRAMS_TYPE_TENSOR &&
                           (result->kind != PROGRAMS_TYPE_VAR ||
                            result->class != PROGRAMS_CLASS_ANY);
    const bool may_wait = has_kernel && (first == OPEN || second == OPEN) && !is_number;
    if (may_wait && !last)
        return false;
    return give(in, e, plain(in, e));
}

/* The same of one operand. */
static bool step_one(struct infer *in, struct programs_expr *e,
                     struct programs_type *(*plain)(struct infer *,
                                                    const struct programs_expr *),
                     bool last)
{
    const struct programs_expr *a = e->operands[0];
    if (classify(a) == WRONG)
        return give_error(in, e);
    if (classify(a) == TENSOR)
        return give(in, e, a->type);
    const bool is_number = infer_is_kind(e->type, PROGRAMS_TYPE_REAL) ||
                           infer_is_kind(e->type, PROGRAMS_TYPE_INT);
    if (classify(a) == OPEN && infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR)) {
        programs_type_unify(a->type, e->type);
        return true;
    }
    if (classify(a) == OPEN && !is_number && !last)
        return false;
    return give(in, e, plain(in, e));
}

/* real(t): of one element. */
static bool step_real(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *a = e->operands[0];
    give(in, e, in->of_real);
    if (classify(a) == OPEN && !last)
        return false;
    if (classify(a) != TENSOR) {
        infer_plain_builtin(in, e);
        return true;
    }
    infer_expect(in, a,
                 programs_type_new_tensor(
                     in->arena, infer_open_type(in, PROGRAMS_CLASS_ANY), in->of_rank[0]),
                 PLACE_ARGUMENT, "argument 1 of `real`: ");
    return true;
}

static bool step_plain_builtin(struct infer *in, struct programs_expr *e, bool last)
{
    if (e->call.builtin == PROGRAMS_BUILTIN_REAL)
        return step_real(in, e, last);
    if (programs_tensor_kernel(e) == ISA_KERNEL_NONE)
        return give(in, e, infer_plain_builtin(in, e));
    return e->operand_count == 2 ? step_both(in, e, infer_plain_builtin, last)
                                 : step_one(in, e, infer_plain_builtin, last);
}

/* --- built-in functions on tensors ------------------------------------------------------------ */

/* Of one or two tensors, and an axis behind them. */
static bool step_rule(struct infer *in, struct programs_expr *e, size_t tensors,
                      bool has_axis, int64_t axis, bool last)
{
    struct programs_type *a = take_tensor(in, e, 0);
    struct programs_type *b = tensors == 2 ? take_tensor(in, e, 1) : NULL;
    if (!a || (tensors == 2 && !b) || (b && !take_two(in, e, a, b)))
        return give_error(in, e);
    if (!share_element(in, e, a))
        return true;
    if (last && b && programs_type_tensor_rank(a) < 0)
        programs_type_unify(rank_of(a), rank_of(b));
    if (programs_type_tensor_rank(a) < 0 || (b && programs_type_tensor_rank(b) < 0))
        return false;
    return apply_rule(in, e, programs_tensor_kernel(e), a, b,
                      (struct isa_numbers){&axis, has_axis});
}

/* A second argument that says which rows: an int, or an array of them. Whether it is known. */
static bool take_rows(struct infer *in, const struct programs_expr *e, bool last)
{
    const struct programs_expr *rows = e->operands[1];
    if (classify(rows) == OPEN && !last)
        return false;
    if (infer_is_kind(rows->type, PROGRAMS_TYPE_ARRAY))
        infer_expect(in, rows, programs_type_new_array(in->arena, in->of_int),
                     PLACE_ARGUMENT, "argument 2 of `%s`: ", e->call.text);
    else
        take_int(in, e, 1);
    return true;
}

static bool step_gather(struct infer *in, struct programs_expr *e, bool last)
{
    struct programs_type *a = take_tensor(in, e, 0);
    if (!a)
        return give_error(in, e);
    if (!share_element(in, e, a))
        return true;
    if (!take_rows(in, e, last) || programs_type_tensor_rank(a) < 0)
        return false;
    const int rank = programs_type_tensor_rank(a);
    const bool is_one = !infer_is_kind(e->operands[1]->type, PROGRAMS_TYPE_ARRAY);
    if (rank > 0)
        return give_rank(in, e, rank - is_one);
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[0]->start,
                   "argument 1 of `%s`: rank 0 has no rows", e->call.text);
    return give_error(in, e);
}

static bool step_loss(struct infer *in, struct programs_expr *e, bool last)
{
    if (classify(e->operands[1]) == TENSOR)
        return step_rule(in, e, 2, false, 0, last);
    struct programs_type *a = take_tensor(in, e, 0);
    if (!a)
        return give_error(in, e);
    if (!share_element(in, e, a))
        return true;
    if (!take_rows(in, e, last) || programs_type_tensor_rank(a) < 0)
        return false;
    return apply_rule(in, e, ISA_KERNEL_CROSS_ENTROPY_AT, a, NULL,
                      (struct isa_numbers){NULL, ISA_NUMBERS_UNKNOWN});
}

static bool step_reduce(struct infer *in, struct programs_expr *e, bool last)
{
    int64_t axis;
    if (e->operand_count == 1) {
        if (!take_tensor(in, e, 0))
            return give_error(in, e);
        return give(in, e, in->of_real);
    }
    if (!take_axis(in, e, 1, 0, &axis))
        return give_error(in, e);
    return step_rule(in, e, 1, true, axis, last);
}

/* The rank is that of nested arrays. */
static bool step_make(struct infer *in, struct programs_expr *e, bool last)
{
    struct programs_type *type = programs_type_find(e->operands[0]->type);
    struct programs_type *tensor = give_tensor(in, e);
    int rank = 0;
    if (!tensor)
        return true;
    if (programs_type_unify(element_of(tensor), in->of_real) != PROGRAMS_UNIFIED)
        return give(in, e,
                    programs_type_new_tensor(in->arena, in->of_real, rank_of(tensor)));
    for (; type->kind == PROGRAMS_TYPE_ARRAY; rank++)
        type = programs_type_find(type->parts[0]);
    if (type->kind == PROGRAMS_TYPE_VAR && type->class == PROGRAMS_CLASS_ANY && !last)
        return false;
    if (programs_type_unify(type, in->of_real) == PROGRAMS_UNIFIED)
        return give_rank(in, e, rank);
    lib_diag_error(
        in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[0]->start,
        "argument 1 of `tensor`: expected a real, or arrays of reals, found %s",
        infer_type_text(in, e->operands[0]->type));
    return give_error(in, e);
}

static bool step_break(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = take_tensor(in, e, 0);
    struct programs_type *type = in->of_real;
    if (!a)
        return give_error(in, e);
    if (programs_type_tensor_rank(a) < 0)
        return false;
    for (int i = 0; i < programs_type_tensor_rank(a); i++)
        type = programs_type_new_array(in->arena, type);
    return give(in, e, type);
}

static bool step_convert(struct infer *in, struct programs_expr *e,
                         struct programs_type *element)
{
    struct programs_type *a = take_tensor(in, e, 0);
    if (!a)
        return give_error(in, e);
    return give(in, e, programs_type_new_tensor(in->arena, element, rank_of(a)));
}

static bool step_fill(struct infer *in, struct programs_expr *e)
{
    if (!take_list(in, e, 0))
        return give_error(in, e);
    return give(in, e,
                programs_type_new_tensor(in->arena, in->of_real,
                                         in->of_rank[e->operands[0]->operand_count]));
}

static bool step_reshape(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = take_tensor(in, e, 0);
    if (!a || !take_list(in, e, 1))
        return give_error(in, e);
    return !share_element(in, e, a) ||
           give_rank(in, e, (int)e->operands[1]->operand_count);
}

static bool step_slice(struct infer *in, struct programs_expr *e)
{
    int64_t numbers[3] = {0, ISA_UNKNOWN, ISA_UNKNOWN};
    struct programs_type *a = take_tensor(in, e, 0);
    take_int(in, e, 1);
    take_int(in, e, 2);
    if (!a || !take_axis(in, e, 3, 0, &numbers[0]))
        return give_error(in, e);
    if (!share_element(in, e, a))
        return true;
    if (programs_type_tensor_rank(a) < 0)
        return false;
    return apply_rule(in, e, ISA_KERNEL_SLICE, a, NULL, (struct isa_numbers){numbers, 3});
}

/* The type of tensors such as one. */
static struct programs_type *type_like(struct infer *in, const struct isa_tensor *tensor)
{
    return programs_type_new_tensor(
        in->arena,
        tensor->shape.element == ISA_ELEMENT_REAL32 ? in->of_real32 : in->of_real,
        in->of_rank[tensor->shape.rank]);
}

/* file(PATH) and trees(PATH). */
static bool step_data(struct infer *in, struct programs_expr *e)
{
    const struct programs_expr *path = e->operands[0];
    if (path->kind != PROGRAMS_EXPR_TEXT) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, path->start,
                       "argument 1 of `%s`: expected a path in quotes", e->call.text);
        return give_error(in, e);
    }
    if (!path->data->is_trees)
        return give(in, e, type_like(in, path->data->tensors[0]));
    struct programs_type *parts = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    parts->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                   PROGRAMS_TREES_PARTS);
    parts->part_count = PROGRAMS_TREES_PARTS;
    for (int i = 0; i < PROGRAMS_TREES_PARTS; i++)
        parts->parts[i] = programs_type_new_array(in->arena, in->of_int);
    return give(in, e, parts);
}

static bool step_tensor_builtin(struct infer *in, struct programs_expr *e, bool last)
{
    struct programs_type *a;
    int64_t axis;
    switch (programs_tensor_rule(e->call.builtin)) {
    case PROGRAMS_TENSOR_SAME:
        a = take_tensor(in, e, 0);
        return a ? give(in, e, a) : give_error(in, e);
    case PROGRAMS_TENSOR_TURN:
        a = take_tensor(in, e, 0);
        if (!a || (e->operand_count == 2 && !take_list(in, e, 1)))
            return give_error(in, e);
        return give(in, e, a);
    case PROGRAMS_TENSOR_MATMUL:
        return step_rule(in, e, 2, false, 0, last);
    case PROGRAMS_TENSOR_CONCAT:
        if (!take_axis(in, e, 2, 0, &axis))
            return give_error(in, e);
        return step_rule(in, e, 2, true, axis, last);
    case PROGRAMS_TENSOR_SLICE:
        return step_slice(in, e);
    case PROGRAMS_TENSOR_GATHER:
        return step_gather(in, e, last);
    case PROGRAMS_TENSOR_RESHAPE:
        return step_reshape(in, e);
    case PROGRAMS_TENSOR_REDUCE:
        return step_reduce(in, e, last);
    case PROGRAMS_TENSOR_LOSS:
        return step_loss(in, e, last);
    case PROGRAMS_TENSOR_FILE:
    case PROGRAMS_TENSOR_TREES:
        return step_data(in, e);
    case PROGRAMS_TENSOR_SHAPE:
        if (!take_tensor(in, e, 0))
            return give_error(in, e);
        return give(in, e, programs_type_new_array(in->arena, in->of_int));
    case PROGRAMS_TENSOR_FILL:
        return step_fill(in, e);
    case PROGRAMS_TENSOR_MAKE:
        return step_make(in, e, last);
    case PROGRAMS_TENSOR_BREAK:
        return step_break(in, e);
    case PROGRAMS_TENSOR_TO_32:
        return step_convert(in, e, in->of_real32);
    case PROGRAMS_TENSOR_TO_64:
        return step_convert(in, e, in->of_real);
    }
    return true;
}

/* Extents are ints, arguments reals. */
static bool step_param(struct infer *in, struct programs_expr *e)
{
    const struct programs_param *param = e->param;
    for (size_t i = 0; i < e->operand_count; i++)
        infer_expect(in, e->operands[i], i < param->rank ? in->of_int : in->of_real,
                     PLACE_OPERAND, "%s", "");
    if (!param->data)
        return give(
            in, e,
            programs_type_new_tensor(in->arena, in->of_real, in->of_rank[param->rank]));
    const struct isa_tensor *read = param->data->tensors[0];
    if (read->shape.rank == param->rank)
        return give(in, e, type_like(in, read));
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                   "a param of rank %zu, and what is in the file has rank %u",
                   param->rank, read->shape.rank);
    return give_error(in, e);
}

/* --- steps ----------------------------------------------------------------------------------- */

/* Whether all is found that can be. `last`: what waits is what it would be without tensors. */
static bool step(struct infer *in, struct programs_expr *e, bool last)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_UNARY:
        if (e->op == PROGRAMS_NOT)
            return give(in, e, infer_plain_unary(in, e));
        return step_one(in, e, infer_plain_unary, last);
    case PROGRAMS_EXPR_BINARY:
        return step_both(in, e, infer_plain_binary, last);
    case PROGRAMS_EXPR_PARAM:
        return step_param(in, e);
    case PROGRAMS_EXPR_GRAD:
        return infer_gradient_step(in, e, last);
    default:
        return e->call.builtin < PROGRAMS_BUILTIN_PLAIN
                   ? step_plain_builtin(in, e, last)
                   : step_tensor_builtin(in, e, last);
    }
}

struct programs_type *infer_tensor(struct infer *in, struct programs_expr *e)
{
    e->type = infer_open_type(in, PROGRAMS_CLASS_ANY);
    if (!step(in, e, false))
        *LIB_VEC_PUSH(&in->waiting) = e;
    return e->type;
}

/* Tries all that wait once. Whether any of them is done. */
static bool try_all(struct infer *in)
{
    size_t left = 0;
    for (size_t i = 0; i < in->waiting.count; i++) {
        struct programs_expr *e = in->waiting.items[i];
        if (!step(in, e, false))
            in->waiting.items[left++] = e;
    }
    const bool any = left < in->waiting.count;
    in->waiting.count = left;
    return any;
}

void infer_tensors_settle(struct infer *in)
{
    while (in->waiting.count) {
        if (try_all(in))
            continue;
        struct programs_expr *first = in->waiting.items[0];
        for (size_t i = 1; i < in->waiting.count; i++)
            in->waiting.items[i - 1] = in->waiting.items[i];
        in->waiting.count--;
        step(in, first, true);
    }
}
