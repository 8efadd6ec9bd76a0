/* The graph builder: tensors.
 *
 *   a + b, relu(t), ...   MAP or COMBINE of a kernel; a number with a tensor becomes a SCALAR
 *   tensor(E)             literals: a tensor of the graph, and LOAD. Other elements: SCALARs,
 *                         joined by VECTORs in a tree, and RESHAPE if the rank is above 1. An
 *                         array: a call of a function of its own that joins both halves of it
 *   array(t)              ROW; if t has rows of rows, loops over these that STORE ROWs
 *   shape(t)              DIMs, in an array
 *   reduce_sum(t)         MAP, and ITEM of its one element
 *   select(c, a, b)       COMBINE of c and a PAIR of a and b; update and scatter_add too
 *   param                 MAP or COMBINE of a fill
 *
 * Integer arguments of a kernel are the elements of a tensor of rank 1. If all are literals, it is
 * a tensor of the graph; otherwise each is a NUMBER, and VECTORs join them. No kernel is launched
 * for them. */
#include "programs/graph/build_tensor_internal.h"

#include <string.h>

/* --- operations ------------------------------------------------------------------------------ */

/* Returns an operand beside tensors of an element type. */
static uint32_t beside(struct form_block *r, uint32_t v, enum isa_element_kind element,
                       struct lib_pos pos)
{
    if (isa_type_is_reference(form_type(r->form, v)))
        return v;
    return scalar(r, v, element, pos);
}

bool programs_build_is_tensor(const struct programs_expr *e)
{
    return is_tensor(e);
}

uint32_t programs_build_kernel(struct form_block *r, const struct programs_expr *e,
                               const uint32_t *operands, size_t count)
{
    const uint32_t use = plain(programs_tensor_kernel(e));
    const enum isa_element_kind element = element_of(
        e->operands[!is_tensor(e->operands[0])]);
    uint32_t a = beside(r, operands[0], element, e->pos);
    if (count == 1)
        return map(r, use, a, e->pos);
    return combine(r, use, a, beside(r, operands[1], element, e->pos), e->pos);
}

int programs_build_axis(const struct programs_expr *e, size_t argument, unsigned rank)
{
    int64_t axis;
    programs_tensor_axis(e, argument, 0, &axis);
    return (int)isa_axis_from_end(axis, rank);
}

static uint32_t use_with_axis(const struct programs_expr *e, size_t argument)
{
    const int rank = programs_type_tensor_rank(e->operands[0]->type);
    return isa_use(programs_tensor_kernel(e),
                   programs_build_axis(e, argument, (unsigned)rank), 0);
}

uint32_t programs_build_rows(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e)
{
    uint32_t v = programs_build_one(b, r, e);
    if (is_tensor(e))
        return v;
    return form_type(r->form, v) == ISA_INT
               ? number(r, v, e->pos)
               : programs_build_tensor_of(r, v, ISA_ELEMENT_REAL, e->pos);
}

static uint32_t build_gather(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, uint32_t tensor)
{
    const bool is_one = programs_type_find(e->operands[1]->type)->kind ==
                        PROGRAMS_TYPE_INT;
    uint32_t rows = combine(r, plain(ISA_KERNEL_GATHER), tensor,
                            programs_build_rows(b, r, e->operands[1]), e->pos);
    return is_one ? map(r, isa_use(ISA_USE_DROP, 0, 0), rows, e->pos) : rows;
}

static uint32_t build_loss(struct programs_builder *b, struct form_block *r,
                           const struct programs_expr *e, uint32_t tensor)
{
    if (is_tensor(e->operands[1]) && element_of(e->operands[1]) != ISA_ELEMENT_INT)
        return combine(r, plain(ISA_KERNEL_CROSS_ENTROPY), tensor,
                       programs_build_one(b, r, e->operands[1]), e->pos);
    return combine(r, plain(ISA_KERNEL_CROSS_ENTROPY_AT), tensor,
                   programs_build_rows(b, r, e->operands[1]), e->pos);
}

static uint32_t build_with_list(struct programs_builder *b, struct form_block *r,
                                const struct programs_expr *e, uint32_t tensor)
{
    const struct programs_expr *list = e->operands[1];
    return combine(
        r, plain(programs_tensor_kernel(e)), tensor,
        programs_build_numbers(b, r, list->operands, list->operand_count, e->pos),
        e->pos);
}

static uint32_t build_fill(struct programs_builder *b, struct form_block *r,
                           const struct programs_expr *e)
{
    const struct programs_expr *list = e->operands[0];
    const unsigned use = e->call.builtin == PROGRAMS_BUILTIN_ZEROS ? ISA_USE_ZEROS
                                                                   : ISA_USE_ONES;
    uint32_t filled = map(
        r, plain(use),
        programs_build_numbers(b, r, list->operands, list->operand_count, e->pos),
        e->pos);
    return element_of(e) == ISA_ELEMENT_INT
               ? map(r, plain(ISA_KERNEL_TO_INT), filled, e->pos)
           : element_of(e) == ISA_ELEMENT_BOOL
               ? map(r, plain(ISA_KERNEL_TO_BOOL), filled, e->pos)
               : filled;
}

/* select(c, a, b) */
static uint32_t build_choice(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, uint32_t condition)
{
    uint32_t chosen[2];
    for (int i = 0; i < 2; i++)
        chosen[i] = beside(r, programs_build_one(b, r, e->operands[i + 1]), element_of(e),
                           e->pos);
    return combine_three(r, plain(ISA_KERNEL_SELECT), condition, chosen[0], chosen[1],
                         e->pos);
}

static uint32_t build_update(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, uint32_t tensor)
{
    uint32_t rows = programs_build_one(b, r, e->operands[1]);
    if (!is_tensor(e->operands[1]))
        rows = form_type(r->form, rows) == ISA_INT
                   ? scalar(r, rows, ISA_ELEMENT_INT, e->pos)
                   : programs_build_tensor_of(r, rows, ISA_ELEMENT_INT, e->pos);
    return combine_three(r, plain(programs_tensor_kernel(e)), tensor, rows,
                         programs_build_one(b, r, e->operands[2]), e->pos);
}

static uint32_t build_pad(struct programs_builder *b, struct form_block *r,
                          const struct programs_expr *e, uint32_t tensor)
{
    uint32_t counts = programs_build_numbers(b, r, &e->operands[1], 2, e->pos);
    if (e->operand_count < 5)
        return combine(r, use_with_axis(e, 3), tensor, counts, e->pos);
    const int axis = isa_use_axis(use_with_axis(e, 3));
    return combine_three(
        r, isa_use(ISA_KERNEL_PAD_WITH, axis, 0), tensor, counts,
        beside(r, programs_build_one(b, r, e->operands[4]), element_of(e), e->pos),
        e->pos);
}

/* Whether the second operand of a product has at most two axes. */
static bool is_flat(const struct programs_expr *e)
{
    return programs_type_tensor_rank(e->operands[1]->type) <= 2;
}

static uint32_t build_on_tensor(struct programs_builder *b, struct form_block *r,
                                const struct programs_expr *e)
{
    const enum programs_tensor_rule rule = programs_tensor_rule(e->call.builtin);
    const unsigned kernel = programs_tensor_kernel(e);
    uint32_t a = programs_build_one(b, r, e->operands[0]);
    switch (rule) {
    case PROGRAMS_TENSOR_MATMUL:
        return combine(r, isa_use(kernel, ISA_USE_NO_AXIS, is_flat(e) ? FORM_FLAT : 0), a,
                       programs_build_one(b, r, e->operands[1]), e->pos);
    case PROGRAMS_TENSOR_CONCAT:
        return combine(r, use_with_axis(e, 2), a,
                       programs_build_one(b, r, e->operands[1]), e->pos);
    case PROGRAMS_TENSOR_SLICE:
        return combine(r, use_with_axis(e, 3), a,
                       programs_build_numbers(b, r, &e->operands[1], 2, e->pos), e->pos);
    case PROGRAMS_TENSOR_GATHER:
        return build_gather(b, r, e, a);
    case PROGRAMS_TENSOR_LOSS:
        return build_loss(b, r, e, a);
    case PROGRAMS_TENSOR_RESHAPE:
        return build_with_list(b, r, e, a);
    case PROGRAMS_TENSOR_TURN:
        return e->operand_count == 2 ? build_with_list(b, r, e, a)
                                     : map(r, plain(kernel), a, e->pos);
    case PROGRAMS_TENSOR_PLACE:
        return e->operand_count == 2
                   ? map(r, use_with_axis(e, 1), a, e->pos)
                   : item(r, map(r, plain(kernel), a, e->pos), ISA_ELEMENT_INT, e->pos);
    case PROGRAMS_TENSOR_REDUCE:
        return e->operand_count == 2 ? map(r, use_with_axis(e, 1), a, e->pos)
                                     : item(r, map(r, plain(kernel), a, e->pos),
                                            element_of(e->operands[0]), e->pos);
    case PROGRAMS_TENSOR_SHAPE:
        return programs_build_shape(
            b, r, a, programs_type_tensor_rank(e->operands[0]->type), e->pos);
    case PROGRAMS_TENSOR_BREAK:
        return programs_build_array_of(r, a, element_of(e->operands[0]),
                                       programs_build_type(e->type), e->pos);
    case PROGRAMS_TENSOR_CHOOSE:
        return build_choice(b, r, e, a);
    case PROGRAMS_TENSOR_ALONG:
        return map(r, use_with_axis(e, 1), a, e->pos);
    case PROGRAMS_TENSOR_PAD:
        return build_pad(b, r, e, a);
    case PROGRAMS_TENSOR_UPDATE:
        return build_update(b, r, e, a);
    default:
        return map(r, plain(kernel), a, e->pos);
    }
}

/* Builds real(t) or int(t): a tensor, or the only element of one. */
static uint32_t build_conversion(struct programs_builder *b, struct form_block *r,
                                 const struct programs_expr *e)
{
    uint32_t a = programs_build_one(b, r, e->operands[0]);
    return is_tensor(e) ? map(r, plain(programs_tensor_kernel(e)), a, e->pos)
                        : item(r, a, element_of(e->operands[0]), e->pos);
}

/* --- data ------------------------------------------------------------------------------------ */

static uint32_t build_read(struct programs_builder *b, struct form_block *r,
                           const char *name, const struct isa_tensor *read,
                           struct lib_pos pos)
{
    struct isa_tensor *tensor = programs_build_constant(b, &read->shape);
    if (read->bytes)
        memcpy(tensor->data, read->data, read->bytes);
    return programs_build_hold(r, name, tensor, pos);
}

static struct programs_values build_arrays(struct programs_builder *b,
                                           struct form_block *r,
                                           const struct programs_expr *e)
{
    static const char *const names[][PROGRAMS_DATA_PARTS] = {
        [PROGRAMS_DATA_TREES] = {"left", "right", "word", "label"},
        [PROGRAMS_DATA_CONLLU] = {"form", "tag", "head", "label", "first", "length",
                                  "hybrid", "eager"},
    };
    const struct programs_data *data = e->operands[0]->data;
    struct programs_values arrays = programs_build_values(b, data->part_count);
    for (uint32_t i = 0; i < arrays.count; i++)
        arrays.items[i] = programs_build_array_of(
            r, build_read(b, r, names[data->kind][i], data->tensors[i], e->pos),
            ISA_ELEMENT_REAL, isa_type_array_of(ISA_INT), e->pos);
    return arrays;
}

struct programs_values programs_build_tensor_builtin(struct programs_builder *b,
                                                     struct form_block *r,
                                                     const struct programs_expr *e)
{
    uint32_t v;
    struct programs_values values;
    if (e->call.builtin == PROGRAMS_BUILTIN_TREES ||
        e->call.builtin == PROGRAMS_BUILTIN_CONLLU)
        return build_arrays(b, r, e);
    if (programs_build_index_call(b, r, e, &values))
        return values;
    if (e->call.builtin == PROGRAMS_BUILTIN_FILE)
        v = build_read(b, r, e->operands[0]->data->path, e->operands[0]->data->tensors[0],
                       e->pos);
    else if (e->call.builtin < PROGRAMS_BUILTIN_PLAIN)
        v = build_conversion(b, r, e);
    else if (programs_tensor_rule(e->call.builtin) == PROGRAMS_TENSOR_MAKE)
        v = programs_build_make(b, r, e->operands[0], element_of(e),
                                (unsigned)programs_type_tensor_rank(e->type));
    else if (programs_tensor_rule(e->call.builtin) == PROGRAMS_TENSOR_FILL)
        v = build_fill(b, r, e);
    else
        v = build_on_tensor(b, r, e);
    return programs_build_value(b, v);
}

/* --- params ---------------------------------------------------------------------------------- */

struct programs_values programs_build_param(struct programs_builder *b,
                                            struct form_block *r,
                                            const struct programs_expr *e)
{
    static const unsigned uses[] = {
        [PROGRAMS_INIT_ZEROS] = ISA_USE_ZEROS,
        [PROGRAMS_INIT_ONES] = ISA_USE_ONES,
        [PROGRAMS_INIT_NORMAL] = ISA_USE_NORMAL,
        [PROGRAMS_INIT_UNIFORM] = ISA_USE_UNIFORM,
    };
    const struct programs_param *param = e->param;
    if (b->options->params)
        return programs_build_value(
            b, build_read(b, r,
                          lib_arena_printf(b->scratch, PROGRAMS_PARAM_TENSOR,
                                           (size_t)param->number),
                          b->options->params[param->number - 1], e->pos));
    if (param->data)
        return programs_build_value(
            b, build_read(b, r, param->data->path, param->data->tensors[0], e->pos));
    uint32_t extents = programs_build_numbers(b, r, e->operands, param->rank, e->pos);
    if (param->argument_count == 0)
        return programs_build_value(
            b, map(r, plain(uses[param->initialiser]), extents, e->pos));
    uint32_t arguments = FORM_NONE;
    for (size_t i = 0; i < param->argument_count; i++) {
        const struct programs_expr *argument = e->operands[param->rank + i];
        uint32_t one = scalar(r, programs_build_one(b, r, argument), ISA_ELEMENT_REAL,
                              argument->pos);
        arguments = i ? vector(r, arguments, one, argument->pos) : one;
    }
    return programs_build_value(
        b, combine(r, isa_use(uses[param->initialiser], ISA_USE_NO_AXIS, param->number),
                   extents, arguments, e->pos));
}
