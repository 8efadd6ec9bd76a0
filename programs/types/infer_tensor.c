/* Inference of operations and built-in functions that may be on tensors. The type of a result
 * depends on whether the operands are numbers or tensors; its rank is the greater one. While
 * that is open, the expression waits. The steps below are repeated until none finds more. Then
 * open elements become reals, and what still waits gets the type that it has without tensors. */
#include "programs/types/infer_tensor_internal.h"
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
                   "one is %s, the other %s (%s convert)", infer_type_text(in, a),
                   infer_type_text(in, b),
                   isa_element_is_real(programs_type_element(a)) &&
                           isa_element_is_real(programs_type_element(b))
                       ? "`real32(...)` and `real64(...)`"
                       : "`real(...)` and `int(...)`");
    return false;
}

/* --- elements ----------------------------------------------------------------------------- */

static enum programs_type_class class_of(unsigned elements)
{
    return elements == ISA_OF_REALS     ? PROGRAMS_CLASS_REALS
           : elements == ISA_OF_NUMBERS ? PROGRAMS_CLASS_NUMBERS
           : elements == ISA_OF_TRUTHS  ? PROGRAMS_CLASS_TRUTHS
                                        : PROGRAMS_CLASS_ANY;
}

bool infer_takes_element(struct infer *in, const struct programs_expr *e,
                         enum isa_kernel kernel, size_t operand,
                         struct programs_type *tensor)
{
    const struct isa_element_rule *rule = isa_kernel_elements(kernel);
    const unsigned elements = operand ? rule->second : rule->first;
    LIB_TEXT_OWN text = {0};
    if (programs_type_unify(infer_element_of(tensor),
                            infer_open_type(in, class_of(elements))) == PROGRAMS_UNIFIED)
        return true;
    isa_elements_write(&text, elements);
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                   "`%s` takes a tensor of %s, found %s%s",
                   e->kind == PROGRAMS_EXPR_CALL ? e->call->text
                                                 : isa_kernels[kernel].text,
                   lib_text_get(&text), infer_type_text(in, tensor),
                   kernel == ISA_KERNEL_SCATTER
                       ? "; `scatter_add(zeros(...), i, rows)` takes ints too"
                       : "");
    return false;
}

bool infer_knows_element(struct infer *in, struct programs_type *tensor)
{
    struct programs_type *element = programs_type_find(infer_element_of(tensor));
    if (element->kind != PROGRAMS_TYPE_VAR || element->class == PROGRAMS_CLASS_REALS)
        return true;
    if (in->takes_reals)
        programs_type_unify(element, infer_open_type(in, PROGRAMS_CLASS_REALS));
    return in->takes_reals;
}

struct programs_type *infer_of_element(struct infer *in, enum isa_element_kind element)
{
    return element == ISA_ELEMENT_INT      ? in->of_int
           : element == ISA_ELEMENT_BOOL   ? in->of_bool
           : element == ISA_ELEMENT_REAL32 ? in->of_real32
                                           : in->of_real;
}

struct programs_type *infer_value_of(struct infer *in, struct programs_type *tensor)
{
    const enum isa_element_kind element = programs_type_element(tensor);
    return isa_element_is_real(element) ? in->of_real : infer_of_element(in, element);
}

bool infer_beside(struct infer *in, struct programs_expr *number,
                  struct programs_type *tensor, bool *wrong)
{
    struct programs_type *type = programs_type_find(number->type);
    struct programs_type *element = programs_type_find(infer_element_of(tensor));
    *wrong = false;
    if (element->kind == PROGRAMS_TYPE_VAR && element->class != PROGRAMS_CLASS_REALS) {
        if (type->kind == PROGRAMS_TYPE_INT || type->kind == PROGRAMS_TYPE_BOOL)
            programs_type_unify(element, type);
        else if (type->kind == PROGRAMS_TYPE_REAL)
            programs_type_unify(element, infer_open_type(in, PROGRAMS_CLASS_REALS));
        else if (!infer_knows_element(in, tensor))
            return false;
    }
    *wrong = !infer_expect(in, number, infer_value_of(in, tensor), PLACE_OPERAND, "%s",
                           "");
    return true;
}

/* --- operations element by element ----------------------------------------------------------- */

static bool is_truth(enum isa_kernel kernel)
{
    return isa_kernel_elements(kernel)->result == ISA_RESULT_TRUTH;
}

/* Gives the result of an operation a rank, and the element of `tensor` or of a comparison. */
static bool give_result(struct infer *in, struct programs_expr *e,
                        struct programs_type *tensor, struct programs_type *rank)
{
    struct programs_type *element = infer_element_of(tensor);
    if (is_truth(programs_tensor_kernel(e))) {
        if (!infer_knows_element(in, tensor)) {
            struct programs_type *result = infer_give_tensor(in, e);
            return result &&
                   programs_type_unify(infer_rank_of(result), rank) != PROGRAMS_UNIFIED &&
                   infer_give(in, e, tensor);
        }
        if (!isa_element_is_real(programs_type_element(tensor)))
            element = in->of_bool;
    }
    return infer_give(in, e, programs_type_new_tensor(in->arena, element, rank));
}

/* A number beside a tensor has the type of its elements, and is broadcast. */
static bool step_with_number(struct infer *in, struct programs_expr *e,
                             const struct programs_expr *tensor,
                             struct programs_expr *number)
{
    bool wrong;
    if (!infer_takes_element(in, e, programs_tensor_kernel(e), 0, tensor->type))
        return infer_give_error(in, e);
    const bool done = infer_beside(in, number, tensor->type, &wrong);
    if (wrong)
        return infer_give_error(in, e);
    return give_result(in, e, tensor->type, infer_rank_of(tensor->type)) && done;
}

/* Returns the greater one of two ranks; NULL while it is open. */
static struct programs_type *greater_rank(struct programs_type *a,
                                          struct programs_type *b, bool last)
{
    if (last)
        programs_type_unify(infer_rank_of(a), infer_rank_of(b));
    const int ra = programs_type_tensor_rank(a), rb = programs_type_tensor_rank(b);
    if (programs_type_find(infer_rank_of(a)) == programs_type_find(infer_rank_of(b)) ||
        rb == 0 || ra == PROGRAMS_TENSOR_RANK_MAX)
        return infer_rank_of(a);
    if (ra == 0 || rb == PROGRAMS_TENSOR_RANK_MAX)
        return infer_rank_of(b);
    if (ra < 0 || rb < 0)
        return NULL;
    return infer_rank_of(ra > rb ? a : b);
}

static bool step_two_tensors(struct infer *in, struct programs_expr *e,
                             struct programs_type *a, struct programs_type *b, bool last)
{
    const enum isa_kernel kernel = programs_tensor_kernel(e);
    if (!infer_same_element(in, e, a, b) || !infer_takes_element(in, e, kernel, 0, a))
        return infer_give_error(in, e);
    if (!is_truth(kernel) && !infer_share_element(in, e, a))
        return true;
    struct programs_type *rank = greater_rank(a, b, last);
    return rank && give_result(in, e, a, rank);
}

static bool step_half_known(struct infer *in, struct programs_expr *e,
                            struct programs_type *tensor, struct programs_type *other,
                            bool last)
{
    if (last) {
        programs_type_unify(tensor, other);
        return give_result(in, e, tensor, infer_rank_of(tensor));
    }
    if (is_truth(programs_tensor_kernel(e)))
        infer_give_tensor(in, e);
    else
        infer_share_element(in, e, tensor);
    return false;
}

static bool step_both(struct infer *in, struct programs_expr *e,
                      struct programs_type *(*plain)(struct infer *,
                                                     const struct programs_expr *),
                      bool last)
{
    struct programs_expr *a = e->operands[0], *b = e->operands[1];
    const enum infer_operand first = infer_classify(a), second = infer_classify(b);
    if (first == WRONG || second == WRONG)
        return infer_give_error(in, e);
    const bool has_kernel = programs_tensor_kernel(e) != ISA_KERNEL_NONE;
    if (has_kernel && (first == TENSOR || second == TENSOR)) {
        if (first == OPEN || second == OPEN)
            return step_half_known(in, e, first == TENSOR ? a->type : b->type,
                                   first == TENSOR ? b->type : a->type, last);
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

static bool give_same(struct infer *in, struct programs_expr *e,
                      struct programs_type *tensor)
{
    if (!infer_takes_element(in, e, programs_tensor_kernel(e), 0, tensor))
        return infer_give_error(in, e);
    return infer_give(in, e, tensor);
}

static bool step_one(struct infer *in, struct programs_expr *e,
                     struct programs_type *(*plain)(struct infer *,
                                                    const struct programs_expr *),
                     bool last)
{
    const struct programs_expr *a = e->operands[0];
    if (infer_classify(a) == WRONG)
        return infer_give_error(in, e);
    if (infer_classify(a) == TENSOR)
        return give_same(in, e, a->type);
    const bool is_number = infer_is_kind(e->type, PROGRAMS_TYPE_REAL) ||
                           infer_is_kind(e->type, PROGRAMS_TYPE_INT) ||
                           infer_is_kind(e->type, PROGRAMS_TYPE_BOOL);
    if (infer_classify(a) == OPEN && infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR)) {
        programs_type_unify(a->type, e->type);
        return give_same(in, e, a->type);
    }
    if (infer_classify(a) == OPEN && !is_number && !last)
        return false;
    return infer_give(in, e, plain(in, e));
}

static bool step_of_tensor(struct infer *in, struct programs_expr *e)
{
    const struct programs_expr *a = e->operands[0];
    const bool to_int = e->call->builtin == PROGRAMS_BUILTIN_INT;
    if (!infer_knows_element(in, a->type))
        return false;
    const enum isa_element_kind element = programs_type_element(a->type);
    struct programs_type *type = to_int ? in->of_int : in->of_real;
    if (to_int ? element != ISA_ELEMENT_INT : !isa_element_is_real(element))
        return infer_give(
            in, e, programs_type_new_tensor(in->arena, type, infer_rank_of(a->type)));
    infer_expect(
        in, a,
        programs_type_new_tensor(in->arena, infer_element_of(a->type), in->of_rank[0]),
        PLACE_ARGUMENT, "argument 1 of `%s`: ", e->call->text);
    return infer_give(in, e, type);
}

static bool step_conversion(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *a = e->operands[0];
    const bool to_int = e->call->builtin == PROGRAMS_BUILTIN_INT;
    if (infer_classify(a) == TENSOR)
        return step_of_tensor(in, e);
    if (infer_classify(a) == OPEN && infer_is_kind(e->type, PROGRAMS_TYPE_TENSOR)) {
        programs_type_unify(a->type, infer_open_tensor(in));
        return false;
    }
    if (infer_classify(a) == OPEN && to_int && !in->takes_reals &&
        !infer_is_kind(e->type, PROGRAMS_TYPE_INT))
        return false;
    if (infer_classify(a) == OPEN && !to_int && !last) {
        if (in->takes_reals)
            infer_give(in, e, in->of_real);
        return false;
    }
    return infer_give(in, e, infer_plain_builtin(in, e));
}

static bool step_plain_builtin(struct infer *in, struct programs_expr *e, bool last)
{
    if (e->call->builtin == PROGRAMS_BUILTIN_REAL ||
        e->call->builtin == PROGRAMS_BUILTIN_INT)
        return step_conversion(in, e, last);
    if (programs_tensor_kernel(e) == ISA_KERNEL_NONE)
        return infer_give(in, e, infer_plain_builtin(in, e));
    return e->operand_count == 2 ? step_both(in, e, infer_plain_builtin, last)
                                 : step_one(in, e, infer_plain_builtin, last);
}

/* --- steps ----------------------------------------------------------------------------------- */

/* Whether the type is complete. `last`: a type that waits is not a tensor. */
static bool step(struct infer *in, struct programs_expr *e, bool last)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_UNARY:
        return step_one(in, e, infer_plain_unary, last);
    case PROGRAMS_EXPR_BINARY:
        return step_both(in, e, infer_plain_binary, last);
    case PROGRAMS_EXPR_PARAM:
        return infer_step_param(in, e);
    case PROGRAMS_EXPR_INDEX:
        return infer_step_index(in, e, last);
    case PROGRAMS_EXPR_GRAD:
        return infer_gradient_step(in, e, last);
    default:
        return e->call->builtin < PROGRAMS_BUILTIN_PLAIN ? step_plain_builtin(in, e, last)
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

/* Returns true if any is complete. */
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
        in->takes_reals = false;
        if (try_all(in))
            continue;
        in->takes_reals = true;
        if (try_all(in))
            continue;
        struct programs_expr *first = in->waiting.items[0];
        for (size_t i = 1; i < in->waiting.count; i++)
            in->waiting.items[i - 1] = in->waiting.items[i];
        in->waiting.count--;
        step(in, first, true);
    }
    in->takes_reals = false;
}
