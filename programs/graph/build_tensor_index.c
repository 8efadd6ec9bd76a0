/* The graph builder: rows of tensors, and calls that count, choose and place along an axis.
 *
 *   t[i]                  GATHER of one row and DROP of its axis; of rank 1 an ITEM
 *   top_k(t, k)           COMBINE twice: the values, and their places
 *   stack(a, b, ...)      two by two a COMBINE of STACK, and these joined in a tree
 *   split(t, ...)         a COMBINE of SPLIT for each part, or of PART
 *   scatter(t, rows, n)   the numbers are n and the rows */
#include "programs/graph/build_tensor_internal.h"

uint32_t programs_build_row(struct form_place p, const struct programs_expr *e,
                            uint32_t tensor, uint32_t index)
{
    if (!is_tensor(e))
        return item_at(p, tensor, index, element_of(e->operands[0]), FORM_OF_VECTOR);
    const uint32_t row = form_join(p, ISA_KERNEL_GATHER, tensor, form_number(p, index));
    return form_map_at(p, ISA_USE_DROP, 0, row);
}

static struct programs_values build_top(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    struct programs_values both = programs_build_values(b, 2);
    uint32_t a = programs_build_one(b, e->operands[0]);
    uint32_t k = programs_build_numbers(b, &e->operands[1], 1);
    const int axis = programs_type_tensor_rank(e->operands[0]->type) - 1;
    both.items[0] = form_join_at(b->at, ISA_KERNEL_TOP_VALUES, axis, a, k);
    both.items[1] = form_join_at(b->at, ISA_KERNEL_TOP_INDICES, axis, a, k);
    return both;
}

static uint32_t stack(struct programs_builder *b, const struct programs_expr *e, int axis,
                      size_t low, size_t high)
{
    uint32_t first, second;
    if (high - low == 1)
        return form_map_at(b->at, ISA_USE_LIFT, axis,
                           programs_build_one(b, e->operands[low]));
    if (high - low == 2) {
        first = programs_build_one(b, e->operands[low]);
        second = programs_build_one(b, e->operands[low + 1]);
        return form_join_at(b->at, ISA_KERNEL_STACK, axis, first, second);
    }
    const size_t middle = low + (high - low + 2) / 4 * 2;
    first = stack(b, e, axis, low, middle);
    second = stack(b, e, axis, middle, high);
    return form_join_at(b->at, ISA_KERNEL_CONCAT, axis, first, second);
}

static uint32_t build_stack(struct programs_builder *b, const struct programs_expr *e)
{
    const size_t count = programs_tensor_stacked(e);
    const int axis = programs_build_axis(e, count,
                                         (unsigned)programs_type_tensor_rank(e->type));
    return stack(b, e, axis, 0, count);
}

static bool all_known(const struct programs_expr *list, int64_t *items)
{
    for (size_t i = 0; i < list->operand_count; i++) {
        if (list->operands[i]->kind != PROGRAMS_EXPR_INT)
            return false;
        items[i] = list->operands[i]->integer;
    }
    return true;
}

/* If the extents of parts are known, the numbers of each part are a constant. */
static struct programs_values build_split(struct programs_builder *b,
                                          const struct programs_expr *e)
{
    const struct programs_expr *sizes = e->operands[1];
    const unsigned rank = (unsigned)programs_type_tensor_rank(e->operands[0]->type);
    const int axis = programs_build_axis(e, 2, rank);
    const uint32_t count = (uint32_t)programs_tensor_parts(e);
    const bool is_list = sizes->kind == PROGRAMS_EXPR_ARRAY;
    struct programs_values parts = programs_build_values(b, count);
    uint32_t a = programs_build_one(b, e->operands[0]), extents = FORM_NONE;
    int64_t numbers[1 + PROGRAMS_SPLIT_MAX] = {0, count};
    const bool is_known = !is_list || all_known(sizes, &numbers[1]);
    if (!is_known)
        extents = programs_build_numbers(b, sizes->operands, count);
    for (uint32_t i = 0; i < count; i++) {
        numbers[0] = i;
        uint32_t part = programs_build_known(b, numbers,
                                             !is_known ? 1
                                             : is_list ? count + 1
                                                       : 2);
        if (!is_known)
            part = form_join_at(b->at, ISA_KERNEL_CONCAT, 0, part, extents);
        parts.items[i] = form_join_at(b->at, is_list ? ISA_KERNEL_PART : ISA_KERNEL_SPLIT,
                                      axis, a, part);
    }
    return parts;
}

static uint32_t build_one_hot(struct programs_builder *b, const struct programs_expr *e)
{
    uint32_t at = programs_build_one(b, e->operands[0]);
    if (form_type(b->at.form, at) == ISA_INT && !is_tensor(e->operands[0]))
        at = scalar(b->at, at, ISA_ELEMENT_INT);
    else if (!is_tensor(e->operands[0]))
        at = programs_build_tensor_of(b->at, at, ISA_ELEMENT_INT);
    return form_join(b->at, ISA_KERNEL_ONE_HOTS, at,
                     programs_build_numbers(b, &e->operands[1], 1));
}

static uint32_t build_scatter(struct programs_builder *b, const struct programs_expr *e)
{
    const struct programs_expr *rows = e->operands[1];
    uint32_t a = programs_build_one(b, e->operands[0]), numbers;
    if (rows->kind == PROGRAMS_EXPR_ARRAY) {
        struct programs_expr **all = LIB_ARENA_ARRAY(b->scratch, struct programs_expr *,
                                                     rows->operand_count + 1);
        all[0] = e->operands[2];
        for (size_t i = 0; i < rows->operand_count; i++)
            all[i + 1] = rows->operands[i];
        numbers = programs_build_numbers(b, all, rows->operand_count + 1);
    } else {
        uint32_t count = programs_build_one(b, e->operands[2]);
        count = is_tensor(rows) ? scalar(b->at, count, ISA_ELEMENT_INT)
                                : form_number(b->at, count);
        numbers = form_vector(b->at, count, programs_build_rows(b, rows));
    }
    return form_join(b->at, ISA_KERNEL_SCATTER, a, numbers);
}

bool programs_build_index_call(struct programs_builder *b, const struct programs_expr *e,
                               struct programs_values *values)
{
    if (e->call.builtin < PROGRAMS_BUILTIN_PLAIN)
        return false;
    switch (programs_tensor_rule(e->call.builtin)) {
    case PROGRAMS_TENSOR_COUNT:
        *values = programs_build_value(
            b, form_map(b->at, ISA_KERNEL_IOTA,
                        programs_build_numbers(b, &e->operands[0], 1)));
        return true;
    case PROGRAMS_TENSOR_TOP:
        *values = build_top(b, e);
        return true;
    case PROGRAMS_TENSOR_STACK:
        *values = programs_build_value(b, build_stack(b, e));
        return true;
    case PROGRAMS_TENSOR_SPLIT:
        *values = build_split(b, e);
        return true;
    case PROGRAMS_TENSOR_ONE_HOT:
        *values = programs_build_value(b, build_one_hot(b, e));
        return true;
    case PROGRAMS_TENSOR_SCATTER:
        *values = programs_build_value(b, build_scatter(b, e));
        return true;
    default:
        return false;
    }
}
