/* Inference: operations and built-in functions that may be on tensors.
 *
 * Of a program with tensors, the type of `x * y` depends on what x and y are: a number, or a tensor,
 * whose rank is the greater of both. Where that is not known yet, the expression waits, and its type
 * is open. Whenever more is known, the steps below are tried again; one that has found all it can
 * find is done. In the end what still waits is taken for what it would be without tensors. */
#include "programs/types/infer_tensor_inside.h"
#include "programs/types/tensor_builtin.h"

/* --- what is known ----------------------------------------------------------------------- */

enum infer_operand infer_classify(const struct programs_expr *e)
{
    const struct programs_type *type = programs_type_find(e->type);
    if (type->kind == PROGRAMS_TYPE_VAR)
        return type->class == PROGRAMS_CLASS_ANY ? OPEN : NUMBER;
    return type->kind == PROGRAMS_TYPE_TENSOR  ? TENSOR
           : type->kind == PROGRAMS_TYPE_ERROR ? WRONG
                                               : NUMBER;
}

struct programs_type *infer_open_tensor(struct infer *in)
{
    return programs_type_new_tensor(in->arena, infer_open_type(in, PROGRAMS_CLASS_ANY),
                                    infer_open_type(in, PROGRAMS_CLASS_ANY));
}

struct programs_type *infer_element_of(struct programs_type *tensor)
{
    return programs_type_find(tensor)->parts[0];
}

struct programs_type *infer_rank_of(struct programs_type *tensor)
{
    return programs_type_find(tensor)->parts[1];
}

/* --- results ---------------------------------------------------------------------------- */

bool infer_give(struct infer *in, struct programs_expr *e, struct programs_type *type)
{
    if (programs_type_unify(e->type, type) != PROGRAMS_UNIFIED)
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->start,
                       "expected %s, found %s", infer_type_text(in, e->type),
                       infer_type_text(in, type));
    return true;
}

bool infer_give_error(struct infer *in, struct programs_expr *e)
{
    programs_type_unify(e->type, in->of_error);
    return true;
}

struct programs_type *infer_give_tensor(struct infer *in, struct programs_expr *e)
{
    struct programs_type *tensor = infer_open_tensor(in);
    if (!infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR))
        infer_give(in, e, tensor);
    return infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR) ? e->type : NULL;
}

bool infer_share_element(struct infer *in, struct programs_expr *e,
                         struct programs_type *tensor)
{
    struct programs_type *result = infer_give_tensor(in, e);
    if (!result)
        return false;
    if (programs_type_unify(infer_element_of(result), infer_element_of(tensor)) ==
        PROGRAMS_UNIFIED)
        return true;
    infer_give(in, e, tensor);
    infer_give_error(in, e);
    return false;
}

bool infer_same_element(struct infer *in, struct programs_expr *e,
                        struct programs_type *a, struct programs_type *b)
{
    if (programs_type_unify(infer_element_of(a), infer_element_of(b)) == PROGRAMS_UNIFIED)
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
        return infer_give_error(in, e);
    return infer_give(in, e, tensor->type);
}

/* The rank of the result is the greater one. */
static bool step_two_tensors(struct infer *in, struct programs_expr *e,
                             struct programs_type *a, struct programs_type *b, bool last)
{
    if (!infer_same_element(in, e, a, b))
        return infer_give_error(in, e);
    if (!infer_share_element(in, e, a))
        return true;
    if (last)
        programs_type_unify(infer_rank_of(a), infer_rank_of(b));
    const int ra = programs_type_tensor_rank(a), rb = programs_type_tensor_rank(b);
    if (programs_type_find(infer_rank_of(a)) == programs_type_find(infer_rank_of(b)) ||
        rb == 0 || ra == PROGRAMS_TENSOR_RANK_MAX)
        return infer_give(in, e, a);
    if (ra == 0 || rb == PROGRAMS_TENSOR_RANK_MAX)
        return infer_give(in, e, b);
    if (ra < 0 || rb < 0)
        return false;
    return infer_give(in, e, ra > rb ? a : b);
}

/* A binary operation or function, which is also one of numbers. */
static bool step_both(struct infer *in, struct programs_expr *e,
                      struct programs_type *(*plain)(struct infer *,
                                                     const struct programs_expr *),
                      bool last)
{
    const struct programs_expr *a = e->operands[0], *b = e->operands[1];
    const enum infer_operand first = infer_classify(a), second = infer_classify(b);
    if (first == WRONG || second == WRONG)
        return infer_give_error(in, e);
    const bool has_kernel = programs_tensor_kernel(e) != ISA_KERNEL_NONE;
    if (has_kernel && (first == TENSOR || second == TENSOR)) {
        if (first == OPEN || second == OPEN) {
            if (!last) {
                infer_share_element(in, e, first == TENSOR ? a->type : b->type);
                return false;
            }
            programs_type_unify(a->type, b->type);
            return infer_give(in, e, a->type);
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
    return infer_give(in, e, plain(in, e));
}

/* The same of one operand. */
static bool step_one(struct infer *in, struct programs_expr *e,
                     struct programs_type *(*plain)(struct infer *,
                                                    const struct programs_expr *),
                     bool last)
{
    const struct programs_expr *a = e->operands[0];
    if (infer_classify(a) == WRONG)
        return infer_give_error(in, e);
    if (infer_classify(a) == TENSOR)
        return infer_give(in, e, a->type);
    const bool is_number = infer_is_kind(e->type, PROGRAMS_TYPE_REAL) ||
                           infer_is_kind(e->type, PROGRAMS_TYPE_INT);
    if (infer_classify(a) == OPEN && infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR)) {
        programs_type_unify(a->type, e->type);
        return true;
    }
    if (infer_classify(a) == OPEN && !is_number && !last)
        return false;
    return infer_give(in, e, plain(in, e));
}

/* real(t): of one element. */
static bool step_real(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *a = e->operands[0];
    infer_give(in, e, in->of_real);
    if (infer_classify(a) == OPEN && !last)
        return false;
    if (infer_classify(a) != TENSOR) {
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
        return infer_give(in, e, infer_plain_builtin(in, e));
    return e->operand_count == 2 ? step_both(in, e, infer_plain_builtin, last)
                                 : step_one(in, e, infer_plain_builtin, last);
}

/* --- steps ----------------------------------------------------------------------------------- */

/* Whether all is found that can be. `last`: what waits is what it would be without tensors. */
static bool step(struct infer *in, struct programs_expr *e, bool last)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_UNARY:
        if (e->op == PROGRAMS_NOT)
            return infer_give(in, e, infer_plain_unary(in, e));
        return step_one(in, e, infer_plain_unary, last);
    case PROGRAMS_EXPR_BINARY:
        return step_both(in, e, infer_plain_binary, last);
    case PROGRAMS_EXPR_PARAM:
        return infer_step_param(in, e);
    case PROGRAMS_EXPR_GRAD:
        return infer_gradient_step(in, e, last);
    default:
        return e->call.builtin < PROGRAMS_BUILTIN_PLAIN ? step_plain_builtin(in, e, last)
                                                        : infer_step_call(in, e, last);
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
