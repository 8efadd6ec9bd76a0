/* Inference of built-in functions on tensors, by rules (programs/syntax/tensors.def), and of
 * params. */
#include "programs/types/infer_tensor_internal.h"
#include "programs/types/tensor_builtin.h"

bool infer_give_rank(struct infer *in, struct programs_expr *e, int rank)
{
    if (rank > PROGRAMS_TENSOR_RANK_MAX || rank < 0) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->start,
                       "a tensor has a rank of at most %d, and this of %d",
                       PROGRAMS_TENSOR_RANK_MAX, rank);
        return infer_give_error(in, e);
    }
    struct programs_type *tensor = infer_give_tensor(in, e);
    return !tensor ||
           infer_give(in, e,
                      programs_type_new_tensor(in->arena, infer_element_of(tensor),
                                               in->of_rank[rank]));
}

/* --- operands --------------------------------------------------------------------------- */

static const char *tensor_hint(struct infer *in, const struct programs_expr *argument)
{
    const enum programs_type_kind kind = programs_type_find(argument->type)->kind;
    if (argument->kind == PROGRAMS_EXPR_INT)
        return lib_arena_printf(
            in->arena,
            "; `tensor(%lld)` is one of rank 0, `tensor(%lld, int)` one of ints",
            (long long)argument->integer, (long long)argument->integer);
    if (kind == PROGRAMS_TYPE_ARRAY)
        return "; `tensor(...)` makes one of an array";
    return kind == PROGRAMS_TYPE_TUPLE
               ? ""
               : "; `tensor(...)` makes one of rank 0, as rows of rank 1 are";
}

struct programs_type *infer_take_tensor(struct infer *in, const struct programs_expr *e,
                                        size_t i)
{
    const struct programs_expr *argument = e->operands[i];
    if (infer_is_kind(argument->type, PROGRAMS_TYPE_ERROR))
        return NULL;
    if (infer_classify(argument) == NUMBER) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, argument->start,
                       "argument %zu of `%s`: expected a tensor, found %s%s", i + 1,
                       e->call->text, infer_type_text(in, argument->type),
                       tensor_hint(in, argument));
        return NULL;
    }
    if (infer_classify(argument) == OPEN)
        programs_type_unify(argument->type, infer_open_tensor(in));
    return programs_type_find(argument->type);
}

void infer_take_int(struct infer *in, const struct programs_expr *e, size_t i)
{
    infer_expect(in, e->operands[i], in->of_int, PLACE_ARGUMENT,
                 "argument %zu of `%s`: ", i + 1, e->call->text);
}

/* The axis is a literal because the instruction names it. */
bool infer_take_axis(struct infer *in, const struct programs_expr *e, size_t i,
                     int64_t otherwise, int64_t *axis)
{
    if (i < e->operand_count)
        infer_take_int(in, e, i);
    if (programs_tensor_axis(e, i, otherwise, axis))
        return true;
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[i]->start,
                   "argument %zu of `%s` is an axis: a literal from %d to %d", i + 1,
                   e->call->text, -ISA_RANK_MAX, ISA_RANK_MAX - 1);
    return false;
}

/* Takes extents or axes: ints in brackets, as many as the rank. */
static bool take_list(struct infer *in, const struct programs_expr *e, size_t i)
{
    const struct programs_expr *list = e->operands[i];
    if (list->kind != PROGRAMS_EXPR_ARRAY ||
        list->operand_count > PROGRAMS_TENSOR_RANK_MAX) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, list->start,
                       "argument %zu of `%s` is written with brackets, `[n, m]`: at most "
                       "%d ints, which say the rank",
                       i + 1, e->call->text, PROGRAMS_TENSOR_RANK_MAX);
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
    struct isa_shape shape = isa_shape_scalar(programs_type_element(tensor));
    shape.rank = (uint8_t)programs_type_tensor_rank(tensor);
    for (int i = 0; i < shape.rank; i++)
        shape.extents[i] = ISA_UNKNOWN;
    return shape;
}

bool infer_apply_rule(struct infer *in, struct programs_expr *e, enum isa_kernel kernel,
                      struct programs_type *a, struct programs_type *b,
                      struct isa_numbers numbers)
{
    struct isa_shape first = unknown_shape(a), result;
    struct isa_shape second = b ? unknown_shape(b) : first;
    const struct isa_shape *const operands[] = {&first, &second};
    LIB_TEXT_OWN why = {0};
    const bool fits = isa_kernel_shape(kernel, operands, numbers, &result, &why);
    if (!fits)
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos, "%s",
                       lib_text_get(&why));
    return fits ? infer_give_rank(in, e, result.rank) : infer_give_error(in, e);
}

/* --- built-in functions on tensors ------------------------------------------------------------ */

static bool step_rule(struct infer *in, struct programs_expr *e, size_t tensors,
                      bool has_axis, int64_t axis, bool last)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    struct programs_type *b = tensors == 2 ? infer_take_tensor(in, e, 1) : NULL;
    if (!a || (tensors == 2 && !b) || (b && !infer_same_element(in, e, a, b)) ||
        !infer_takes_element(in, e, programs_tensor_kernel(e), 0, a))
        return infer_give_error(in, e);
    if (!infer_share_element(in, e, a))
        return true;
    if (last && b && programs_type_tensor_rank(a) < 0)
        programs_type_unify(infer_rank_of(a), infer_rank_of(b));
    if (programs_type_tensor_rank(a) < 0 || (b && programs_type_tensor_rank(b) < 0))
        return false;
    axis = isa_axis_from_end(axis, (unsigned)programs_type_tensor_rank(a));
    return infer_apply_rule(in, e, programs_tensor_kernel(e), a, b,
                            (struct isa_numbers){&axis, has_axis});
}

bool infer_take_rows(struct infer *in, const struct programs_expr *e, bool last)
{
    const struct programs_expr *rows = e->operands[1];
    if (infer_classify(rows) == OPEN && !last)
        return false;
    if (infer_is_kind(rows->type, PROGRAMS_TYPE_ARRAY))
        infer_expect(in, rows, programs_type_new_array(in->arena, in->of_int),
                     PLACE_ARGUMENT, "argument 2 of `%s`: ", e->call->text);
    else
        infer_take_int(in, e, 1);
    return true;
}

/* Infers a tensor and the numbers of its rows. Returns the type of the tensor; NULL while its
 * rank is open or after an error, with `result` for the step to return. */
static struct programs_type *
take_tensor_and_rows(struct infer *in, struct programs_expr *e, bool last, bool *result)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    *result = false;
    if (!a)
        *result = infer_give_error(in, e);
    else if (!infer_share_element(in, e, a))
        *result = true;
    else if (infer_take_rows(in, e, last) && programs_type_tensor_rank(a) >= 0)
        return a;
    return NULL;
}

static bool step_gather_tensor(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a)
        return infer_give_error(in, e);
    if (!infer_expect(in, e->operands[1],
                      programs_type_new_tensor(in->arena, in->of_int, in->of_rank[1]),
                      PLACE_ARGUMENT, "argument 2 of `%s`: ", e->call->text))
        return infer_give_error(in, e);
    if (!infer_share_element(in, e, a))
        return true;
    return programs_type_tensor_rank(a) >= 0 &&
           infer_apply_rule(in, e, ISA_KERNEL_GATHER, a, NULL,
                            (struct isa_numbers){NULL, ISA_NUMBERS_UNKNOWN});
}

static bool step_gather(struct infer *in, struct programs_expr *e, bool last)
{
    bool result;
    /* The second argument may be the same name as the first, which is a tensor. */
    if (!infer_take_tensor(in, e, 0))
        return infer_give_error(in, e);
    if (infer_classify(e->operands[1]) == TENSOR)
        return step_gather_tensor(in, e);
    struct programs_type *a = take_tensor_and_rows(in, e, last, &result);
    if (!a)
        return result;
    const int rank = programs_type_tensor_rank(a);
    const bool is_one = !infer_is_kind(e->operands[1]->type, PROGRAMS_TYPE_ARRAY);
    if (rank > 0)
        return infer_give_rank(in, e, rank - is_one);
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[0]->start,
                   "argument 1 of `%s`: rank 0 has no rows", e->call->text);
    return infer_give_error(in, e);
}

/* The rows and their replacements have the element of the tensor. */
static bool step_update(struct infer *in, struct programs_expr *e, bool last)
{
    struct programs_type *a = infer_take_tensor(in, e, 0),
                         *rows = infer_take_tensor(in, e, 2);
    const bool chosen_by_tensor = infer_classify(e->operands[1]) == TENSOR;
    if (!a || !rows || !infer_same_element(in, e, a, rows) ||
        !infer_takes_element(in, e, programs_tensor_kernel(e), 0, a))
        return infer_give_error(in, e);
    if (chosen_by_tensor &&
        !infer_expect(in, e->operands[1],
                      programs_type_new_tensor(in->arena, in->of_int, in->of_rank[1]),
                      PLACE_ARGUMENT, "argument 2 of `%s`: ", e->call->text))
        return infer_give_error(in, e);
    if (!infer_share_element(in, e, a))
        return true;
    if (!chosen_by_tensor && !infer_take_rows(in, e, last))
        return false;
    const int is_one = !chosen_by_tensor &&
                       !infer_is_kind(e->operands[1]->type, PROGRAMS_TYPE_ARRAY);
    if (last && programs_type_tensor_rank(a) < 0 && programs_type_tensor_rank(rows) >= 0)
        programs_type_unify(infer_rank_of(a),
                            in->of_rank[programs_type_tensor_rank(rows) + is_one]);
    const int rank = programs_type_tensor_rank(a);
    if (last && rank >= is_one && programs_type_tensor_rank(rows) < 0)
        programs_type_unify(infer_rank_of(rows), in->of_rank[rank - is_one]);
    if (rank < 0 || programs_type_tensor_rank(rows) < 0)
        return false;
    if (rank > 0 && programs_type_tensor_rank(rows) == rank - is_one)
        return infer_give_rank(in, e, rank);
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[2]->start,
                   rank > 0 ? "argument 3 of `%s`: expected rank %d, found rank %d"
                            : "argument 1 of `%s`: rank 0 has no rows",
                   e->call->text, rank - is_one, programs_type_tensor_rank(rows));
    return infer_give_error(in, e);
}

static bool step_labels(struct infer *in, struct programs_expr *e,
                        struct programs_type *logits)
{
    if (!infer_takes_element(in, e, ISA_KERNEL_CROSS_ENTROPY_AT, 0, logits))
        return infer_give_error(in, e);
    return infer_apply_rule(in, e, ISA_KERNEL_CROSS_ENTROPY_AT, logits, NULL,
                            (struct isa_numbers){NULL, ISA_NUMBERS_UNKNOWN});
}

/* The second argument has weights if a tensor of reals, labels if of ints. */
static bool step_loss(struct infer *in, struct programs_expr *e, bool last)
{
    const struct programs_expr *second = e->operands[1];
    struct programs_type *logits = infer_take_tensor(in, e, 0);
    if (!logits)
        return infer_give_error(in, e);
    if (infer_classify(second) == TENSOR) {
        if (!infer_knows_element(in, second->type))
            return false;
        if (programs_type_element(second->type) != ISA_ELEMENT_INT)
            return step_rule(in, e, 2, false, 0, last);
        if (!infer_share_element(in, e, logits))
            return true;
        return programs_type_tensor_rank(logits) >= 0 && step_labels(in, e, logits);
    }
    bool result;
    struct programs_type *a = take_tensor_and_rows(in, e, last, &result);
    return a ? step_labels(in, e, a) : result;
}

static bool step_reduce(struct infer *in, struct programs_expr *e, bool last)
{
    int64_t axis;
    if (e->operand_count == 1) {
        struct programs_type *a = infer_take_tensor(in, e, 0);
        if (!a || !infer_takes_element(in, e, programs_tensor_kernel(e), 0, a))
            return infer_give_error(in, e);
        return infer_knows_element(in, a) && infer_give(in, e, infer_value_of(in, a));
    }
    if (!infer_take_axis(in, e, 1, 0, &axis))
        return infer_give_error(in, e);
    return step_rule(in, e, 1, true, axis, last);
}

/* Returns the type of the innermost elements of nested arrays; *rank is their nesting. */
static struct programs_type *leaf_of(struct programs_type *type, int *rank)
{
    type = programs_type_find(type);
    for (*rank = 0; type->kind == PROGRAMS_TYPE_ARRAY; ++*rank)
        type = programs_type_find(type->parts[0]);
    return type;
}

/* Returns the element type that a call names, or that of its elements; NULL while it is open. */
static struct programs_type *element_made(struct infer *in, const struct programs_expr *e,
                                          struct programs_type *tensor,
                                          struct programs_type *leaf, bool last)
{
    struct programs_type *element = programs_type_find(infer_element_of(tensor));
    enum isa_element_kind named;
    if (e->call->element && isa_element_find(e->call->element, &named))
        return infer_of_element(in, named);
    if (leaf->kind == PROGRAMS_TYPE_INT || leaf->kind == PROGRAMS_TYPE_BOOL)
        return leaf;
    if (leaf->kind == PROGRAMS_TYPE_VAR) {
        if (element->kind == PROGRAMS_TYPE_INT || element->kind == PROGRAMS_TYPE_BOOL)
            return element;
        if (leaf->class == PROGRAMS_CLASS_ANY ? !last : !in->takes_reals)
            return NULL;
    }
    return in->of_real;
}

/* Arrays, nested `rank` times, of tensors of type `row`, which become the rows of one. */
static bool step_stack_rows(struct infer *in, struct programs_expr *e,
                            struct programs_type *tensor, struct programs_type *row,
                            int rank)
{
    const int axes = programs_type_tensor_rank(row);
    if (axes < 0 || !infer_knows_element(in, row))
        return false;
    struct programs_type *element = infer_element_of(row);
    enum isa_element_kind named;
    if (e->call->element && isa_element_find(e->call->element, &named))
        element = infer_of_element(in, named);
    if (programs_type_unify(infer_element_of(row), element) != PROGRAMS_UNIFIED) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[0]->start,
                       "argument 1 of `tensor`: expected tensors of %ss, found %s",
                       e->call->element, infer_type_text(in, e->operands[0]->type));
        return infer_give_error(in, e);
    }
    if (programs_type_unify(infer_element_of(tensor), element) != PROGRAMS_UNIFIED)
        return infer_give(
            in, e, programs_type_new_tensor(in->arena, element, infer_rank_of(tensor)));
    return infer_give_rank(in, e, rank + axes);
}

static bool step_make(struct infer *in, struct programs_expr *e, bool last)
{
    int rank;
    struct programs_type *leaf = leaf_of(e->operands[0]->type, &rank);
    struct programs_type *tensor = infer_give_tensor(in, e);
    if (!tensor)
        return true;
    if (rank > 0 && leaf->kind == PROGRAMS_TYPE_TENSOR)
        return step_stack_rows(in, e, tensor, leaf, rank);
    struct programs_type *element = element_made(in, e, tensor, leaf, last);
    if (!element)
        return false;
    if (programs_type_unify(infer_element_of(tensor), element) != PROGRAMS_UNIFIED)
        return infer_give(
            in, e, programs_type_new_tensor(in->arena, element, infer_rank_of(tensor)));
    if (programs_type_unify(leaf, element) == PROGRAMS_UNIFIED)
        return infer_give_rank(in, e, rank);
    const char *name = e->call->element ? e->call->element : "real";
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[0]->start,
                   "argument 1 of `tensor`: expected %s %s, or arrays of %ss, found %s",
                   *name == 'i' ? "an" : "a", name, name,
                   infer_type_text(in, e->operands[0]->type));
    return infer_give_error(in, e);
}

static bool step_break(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a)
        return infer_give_error(in, e);
    if (programs_type_tensor_rank(a) < 0 || !infer_knows_element(in, a))
        return false;
    struct programs_type *type = infer_value_of(in, a);
    for (int i = 0; i < programs_type_tensor_rank(a); i++)
        type = programs_type_new_array(in->arena, type);
    return infer_give(in, e, type);
}

static bool step_convert(struct infer *in, struct programs_expr *e,
                         struct programs_type *element)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a)
        return infer_give_error(in, e);
    return infer_give(in, e,
                      programs_type_new_tensor(in->arena, element, infer_rank_of(a)));
}

static bool step_fill(struct infer *in, struct programs_expr *e)
{
    if (!take_list(in, e, 0))
        return infer_give_error(in, e);
    enum isa_element_kind element = ISA_ELEMENT_REAL;
    if (e->call->element)
        isa_element_find(e->call->element, &element);
    return infer_give(
        in, e,
        programs_type_new_tensor(in->arena, infer_of_element(in, element),
                                 in->of_rank[e->operands[0]->operand_count]));
}

/* Infers a call that draws random numbers: a tensor, or two ints. */
static bool step_draw(struct infer *in, struct programs_expr *e)
{
    infer_take_int(in, e, 0);
    if (programs_tensor_rule(e->call->builtin) == PROGRAMS_TENSOR_RANDOM)
        return !take_list(in, e, 1)
                   ? infer_give_error(in, e)
                   : infer_give(in, e,
                                programs_type_new_tensor(
                                    in->arena, in->of_real,
                                    in->of_rank[e->operands[1]->operand_count]));
    infer_take_int(in, e, 1);
    infer_take_int(in, e, 2);
    struct programs_type *both = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    both->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *, 2);
    both->part_count = 2;
    both->parts[0] = both->parts[1] = in->of_int;
    return infer_give(in, e, both);
}

static bool step_drop(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    infer_expect(in, e->operands[1], in->of_real, PLACE_ARGUMENT,
                 "argument 2 of `%s`: ", e->call->text);
    infer_take_int(in, e, 2);
    return a && infer_takes_element(in, e, ISA_KERNEL_DROPOUT, 0, a)
               ? infer_give(in, e, a)
               : infer_give_error(in, e);
}

/* Returns true if complete; sets `wrong` after an error. */
static bool take_choice(struct infer *in, struct programs_expr *e, size_t i, bool last,
                        bool *wrong)
{
    struct programs_expr *value = e->operands[i];
    *wrong = infer_classify(value) == WRONG;
    if (*wrong || (infer_classify(value) == OPEN && !last))
        return false;
    if (infer_classify(value) == NUMBER)
        return infer_beside(in, value, e->type, wrong);
    struct programs_type *tensor = infer_take_tensor(in, e, i);
    *wrong = !infer_same_element(in, e, e->type, tensor);
    return true;
}

static struct programs_type *rank_chosen(struct infer *in, const struct programs_expr *e)
{
    int most = 0;
    for (size_t i = 0; i < 3; i++) {
        if (infer_classify(e->operands[i]) == NUMBER)
            continue;
        const int rank = programs_type_tensor_rank(e->operands[i]->type);
        if (rank < 0)
            return NULL;
        most = rank > most ? rank : most;
    }
    return in->of_rank[most];
}

static bool step_choose(struct infer *in, struct programs_expr *e, bool last)
{
    if (infer_classify(e->operands[0]) == OPEN && !last)
        return false;
    struct programs_type *condition = infer_take_tensor(in, e, 0);
    if (!condition || !infer_takes_element(in, e, ISA_KERNEL_WHEN, 0, condition))
        return infer_give_error(in, e);
    if (!infer_give_tensor(in, e))
        return true;
    bool done = infer_knows_element(in, condition);
    for (size_t i = 1; i < 3; i++) {
        bool wrong;
        done = take_choice(in, e, i, last, &wrong) && done;
        if (wrong)
            return infer_give_error(in, e);
    }
    for (size_t i = 1; last && i < 3;
         i++) /* an open rank becomes that of the condition */
        if (infer_classify(e->operands[i]) == TENSOR &&
            programs_type_tensor_rank(e->operands[i]->type) < 0)
            programs_type_unify(infer_rank_of(e->operands[i]->type),
                                infer_rank_of(condition));
    struct programs_type *rank = done ? rank_chosen(in, e) : NULL;
    if (!rank && last)
        rank = infer_rank_of(condition);
    return rank && infer_give(in, e,
                              programs_type_new_tensor(in->arena,
                                                       infer_element_of(e->type), rank));
}

static bool step_reshape(struct infer *in, struct programs_expr *e)
{
    struct programs_type *a = infer_take_tensor(in, e, 0);
    if (!a || !take_list(in, e, 1))
        return infer_give_error(in, e);
    return !infer_share_element(in, e, a) ||
           infer_give_rank(in, e, (int)e->operands[1]->operand_count);
}

static bool step_slice(struct infer *in, struct programs_expr *e)
{
    int64_t numbers[3] = {0, ISA_UNKNOWN, ISA_UNKNOWN};
    struct programs_type *a = infer_take_tensor(in, e, 0);
    infer_take_int(in, e, 1);
    infer_take_int(in, e, 2);
    if (!a || !infer_take_axis(in, e, 3, 0, &numbers[0]))
        return infer_give_error(in, e);
    if (!infer_share_element(in, e, a))
        return true;
    if (programs_type_tensor_rank(a) < 0)
        return false;
    numbers[0] = isa_axis_from_end(numbers[0], (unsigned)programs_type_tensor_rank(a));
    return infer_apply_rule(in, e, ISA_KERNEL_SLICE, a, NULL,
                            (struct isa_numbers){numbers, 3});
}

static struct programs_type *type_like(struct infer *in, const struct isa_tensor *tensor)
{
    return programs_type_new_tensor(
        in->arena, infer_of_element(in, (enum isa_element_kind)tensor->shape.element),
        in->of_rank[tensor->shape.rank]);
}

static bool step_data(struct infer *in, struct programs_expr *e)
{
    const struct programs_expr *path = e->operands[0];
    if (path->kind != PROGRAMS_EXPR_TEXT) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, path->start,
                       "argument 1 of `%s`: expected a path in quotes", e->call->text);
        return infer_give_error(in, e);
    }
    if (path->data->kind == PROGRAMS_DATA_FILE)
        return infer_give(in, e, type_like(in, path->data->tensors[0]));
    struct programs_type *parts = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    parts->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                   path->data->part_count);
    parts->part_count = path->data->part_count;
    for (uint32_t i = 0; i < parts->part_count; i++)
        parts->parts[i] = programs_type_new_array(in->arena, in->of_int);
    return infer_give(in, e, parts);
}

bool infer_step_call(struct infer *in, struct programs_expr *e, bool last)
{
    struct programs_type *a;
    int64_t axis;
    switch (programs_tensor_rule(e->call->builtin)) {
    case PROGRAMS_TENSOR_SAME:
        a = infer_take_tensor(in, e, 0);
        return a && infer_takes_element(in, e, programs_tensor_kernel(e), 0, a)
                   ? infer_give(in, e, a)
                   : infer_give_error(in, e);
    case PROGRAMS_TENSOR_TURN:
        a = infer_take_tensor(in, e, 0);
        if (!a || (e->operand_count == 2 && !take_list(in, e, 1)))
            return infer_give_error(in, e);
        return infer_give(in, e, a);
    case PROGRAMS_TENSOR_MATMUL:
        return step_rule(in, e, 2, false, 0, last);
    case PROGRAMS_TENSOR_CONCAT:
        if (!infer_take_axis(in, e, 2, 0, &axis))
            return infer_give_error(in, e);
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
    case PROGRAMS_TENSOR_ARRAYS:
        return step_data(in, e);
    case PROGRAMS_TENSOR_SHAPE:
        if (!infer_take_tensor(in, e, 0))
            return infer_give_error(in, e);
        return infer_give(in, e, programs_type_new_array(in->arena, in->of_int));
    case PROGRAMS_TENSOR_FILL:
        return step_fill(in, e);
    case PROGRAMS_TENSOR_RANDOM:
    case PROGRAMS_TENSOR_DRAWN:
        return step_draw(in, e);
    case PROGRAMS_TENSOR_DROP:
        return step_drop(in, e);
    case PROGRAMS_TENSOR_MAKE:
        return step_make(in, e, last);
    case PROGRAMS_TENSOR_BREAK:
        return step_break(in, e);
    case PROGRAMS_TENSOR_TO_32:
        return step_convert(in, e, in->of_real32);
    case PROGRAMS_TENSOR_TO_64:
        return step_convert(in, e, in->of_real);
    case PROGRAMS_TENSOR_TO_BOOL:
        return step_convert(in, e, in->of_bool);
    case PROGRAMS_TENSOR_CHOOSE:
        return step_choose(in, e, last);
    case PROGRAMS_TENSOR_UPDATE:
        return step_update(in, e, last);
    default:
        return infer_step_index_call(in, e, last);
    }
    return true;
}

/* Extents are ints, arguments reals. */
bool infer_step_param(struct infer *in, struct programs_expr *e)
{
    const struct programs_param *param = e->param;
    for (size_t i = 0; i < e->operand_count; i++)
        infer_expect(in, e->operands[i], i < param->rank ? in->of_int : in->of_real,
                     PLACE_OPERAND, "%s", "");
    if (!param->data)
        return infer_give(
            in, e,
            programs_type_new_tensor(in->arena, in->of_real, in->of_rank[param->rank]));
    const struct isa_tensor *read = param->data->tensors[0];
    if (!isa_element_is_real(read->shape.element)) {
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                       "a param has real elements, and what is in the file is of %s",
                       isa_element_name(read->shape.element));
        return infer_give_error(in, e);
    }
    if (read->shape.rank == param->rank)
        return infer_give(in, e, type_like(in, read));
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->pos,
                   "a param of rank %zu, and what is in the file has rank %u",
                   param->rank, read->shape.rank);
    return infer_give_error(in, e);
}
