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
static uint32_t beside(struct form_place p, uint32_t v, enum isa_element_kind element)
{
    return isa_type_is_reference(form_type(p.form, v)) ? v : scalar(p, v, element);
}

bool programs_build_is_tensor(const struct programs_expr *e)
{
    return is_tensor(e);
}

uint32_t programs_build_kernel(struct form_place p, const struct programs_expr *e,
                               const uint32_t *operands, size_t count)
{
    const unsigned kernel = programs_tensor_kernel(e);
    const enum isa_element_kind element = element_of(
        e->operands[!is_tensor(e->operands[0])]);
    const uint32_t a = beside(p, operands[0], element);
    return count == 1 ? form_map(p, kernel, a)
                      : form_join(p, kernel, a, beside(p, operands[1], element));
}

int programs_build_axis(const struct programs_expr *e, size_t argument, unsigned rank)
{
    int64_t axis;
    programs_tensor_axis(e, argument, 0, &axis);
    return (int)isa_axis_from_end(axis, rank);
}

static int axis_of(const struct programs_expr *e, size_t argument)
{
    const int rank = programs_type_tensor_rank(e->operands[0]->type);
    return programs_build_axis(e, argument, (unsigned)rank);
}

uint32_t programs_build_rows(struct programs_builder *b, const struct programs_expr *e)
{
    const struct form_place p = programs_build_at(b, e->pos);
    const uint32_t v = programs_build_one(b, e);
    return is_tensor(e) ? v
           : form_type(p.form, v) == ISA_INT
               ? form_number(p, v)
               : programs_build_tensor_of(p, v, ISA_ELEMENT_REAL);
}

static uint32_t build_gather(struct programs_builder *b, const struct programs_expr *e,
                             uint32_t tensor)
{
    const bool is_one = programs_type_find(e->operands[1]->type)->kind ==
                        PROGRAMS_TYPE_INT;
    uint32_t rows = form_join(b->at, ISA_KERNEL_GATHER, tensor,
                              programs_build_rows(b, e->operands[1]));
    return is_one ? form_map_at(b->at, ISA_USE_DROP, 0, rows) : rows;
}

static uint32_t build_loss(struct programs_builder *b, const struct programs_expr *e,
                           uint32_t tensor)
{
    if (is_tensor(e->operands[1]) && element_of(e->operands[1]) != ISA_ELEMENT_INT)
        return form_join(b->at, ISA_KERNEL_CROSS_ENTROPY, tensor,
                         programs_build_one(b, e->operands[1]));
    return form_join(b->at, ISA_KERNEL_CROSS_ENTROPY_AT, tensor,
                     programs_build_rows(b, e->operands[1]));
}

static uint32_t build_with_list(struct programs_builder *b, const struct programs_expr *e,
                                uint32_t tensor)
{
    const struct programs_expr *list = e->operands[1];
    return form_join(b->at, programs_tensor_kernel(e), tensor,
                     programs_build_numbers(b, list->operands, list->operand_count));
}

static uint32_t build_fill(struct programs_builder *b, const struct programs_expr *e)
{
    const struct programs_expr *list = e->operands[0];
    const unsigned use = e->call.builtin == PROGRAMS_BUILTIN_ZEROS ? ISA_USE_ZEROS
                                                                   : ISA_USE_ONES;
    uint32_t filled = form_map(
        b->at, use, programs_build_numbers(b, list->operands, list->operand_count));
    return element_of(e) == ISA_ELEMENT_INT ? form_map(b->at, ISA_KERNEL_TO_INT, filled)
           : element_of(e) == ISA_ELEMENT_BOOL
               ? form_map(b->at, ISA_KERNEL_TO_BOOL, filled)
               : filled;
}

/* select(c, a, b) */
static uint32_t build_choice(struct programs_builder *b, const struct programs_expr *e,
                             uint32_t condition)
{
    uint32_t chosen[2];
    for (int i = 0; i < 2; i++)
        chosen[i] = beside(b->at, programs_build_one(b, e->operands[i + 1]),
                           element_of(e));
    return form_join_three(b->at, ISA_KERNEL_SELECT, condition, chosen[0], chosen[1]);
}

static uint32_t build_update(struct programs_builder *b, const struct programs_expr *e,
                             uint32_t tensor)
{
    uint32_t rows = programs_build_one(b, e->operands[1]);
    if (!is_tensor(e->operands[1]))
        rows = form_type(b->at.form, rows) == ISA_INT
                   ? scalar(b->at, rows, ISA_ELEMENT_INT)
                   : programs_build_tensor_of(b->at, rows, ISA_ELEMENT_INT);
    return form_join_three(b->at, programs_tensor_kernel(e), tensor, rows,
                           programs_build_one(b, e->operands[2]));
}

static uint32_t build_pad(struct programs_builder *b, const struct programs_expr *e,
                          uint32_t tensor)
{
    uint32_t counts = programs_build_numbers(b, &e->operands[1], 2);
    if (e->operand_count < 5)
        return form_join_at(b->at, programs_tensor_kernel(e), axis_of(e, 3), tensor,
                            counts);
    const uint32_t value = beside(b->at, programs_build_one(b, e->operands[4]),
                                  element_of(e));
    return form_compute(b->at, ISA_OP_COMBINE, ISA_INT,
                        isa_use(ISA_KERNEL_PAD_WITH, axis_of(e, 3), 0),
                        (const uint32_t[]){tensor, counts, value}, 3);
}

/* Whether the second operand of a product has at most two axes. */
static bool is_flat(const struct programs_expr *e)
{
    return programs_type_tensor_rank(e->operands[1]->type) <= 2;
}

static uint32_t build_on_tensor(struct programs_builder *b, const struct programs_expr *e)
{
    const enum programs_tensor_rule rule = programs_tensor_rule(e->call.builtin);
    const unsigned kernel = programs_tensor_kernel(e);
    uint32_t a = programs_build_one(b, e->operands[0]);
    switch (rule) {
    case PROGRAMS_TENSOR_MATMUL:
        return form_compute(b->at, ISA_OP_COMBINE, ISA_INT,
                            isa_use(kernel, ISA_USE_NO_AXIS, is_flat(e) ? FORM_FLAT : 0),
                            (const uint32_t[]){a, programs_build_one(b, e->operands[1])},
                            2);
    case PROGRAMS_TENSOR_CONCAT:
        return form_join_at(b->at, programs_tensor_kernel(e), axis_of(e, 2), a,
                            programs_build_one(b, e->operands[1]));
    case PROGRAMS_TENSOR_SLICE:
        return form_join_at(b->at, programs_tensor_kernel(e), axis_of(e, 3), a,
                            programs_build_numbers(b, &e->operands[1], 2));
    case PROGRAMS_TENSOR_GATHER:
        return build_gather(b, e, a);
    case PROGRAMS_TENSOR_LOSS:
        return build_loss(b, e, a);
    case PROGRAMS_TENSOR_RESHAPE:
        return build_with_list(b, e, a);
    case PROGRAMS_TENSOR_TURN:
        return e->operand_count == 2 ? build_with_list(b, e, a)
                                     : form_map(b->at, kernel, a);
    case PROGRAMS_TENSOR_PLACE:
        return e->operand_count == 2
                   ? form_map_at(b->at, programs_tensor_kernel(e), axis_of(e, 1), a)
                   : item(b->at, form_map(b->at, kernel, a), ISA_ELEMENT_INT);
    case PROGRAMS_TENSOR_REDUCE:
        return e->operand_count == 2
                   ? form_map_at(b->at, programs_tensor_kernel(e), axis_of(e, 1), a)
                   : item(b->at, form_map(b->at, kernel, a), element_of(e->operands[0]));
    case PROGRAMS_TENSOR_SHAPE:
        return programs_build_shape(b, a,
                                    programs_type_tensor_rank(e->operands[0]->type));
    case PROGRAMS_TENSOR_BREAK:
        return programs_build_array_of(b->at, a, element_of(e->operands[0]),
                                       programs_build_type(e->type));
    case PROGRAMS_TENSOR_CHOOSE:
        return build_choice(b, e, a);
    case PROGRAMS_TENSOR_ALONG:
        return form_map_at(b->at, programs_tensor_kernel(e), axis_of(e, 1), a);
    case PROGRAMS_TENSOR_PAD:
        return build_pad(b, e, a);
    case PROGRAMS_TENSOR_UPDATE:
        return build_update(b, e, a);
    default:
        return form_map(b->at, kernel, a);
    }
}

/* Builds real(t) or int(t): a tensor, or the only element of one. */
static uint32_t build_conversion(struct programs_builder *b,
                                 const struct programs_expr *e)
{
    uint32_t a = programs_build_one(b, e->operands[0]);
    return is_tensor(e) ? form_map(b->at, programs_tensor_kernel(e), a)
                        : item(b->at, a, element_of(e->operands[0]));
}

/* --- data ------------------------------------------------------------------------------------ */

static uint32_t build_read(struct programs_builder *b, const char *name,
                           const struct isa_tensor *read)
{
    struct isa_tensor *tensor = programs_build_constant(b, &read->shape);
    if (read->bytes)
        memcpy(tensor->data, read->data, read->bytes);
    return programs_build_hold(b->at, name, tensor);
}

static struct programs_values build_arrays(struct programs_builder *b,
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
            b->at, build_read(b, names[data->kind][i], data->tensors[i]),
            ISA_ELEMENT_REAL, isa_type_array_of(ISA_INT));
    return arrays;
}

struct programs_values programs_build_tensor_builtin(struct programs_builder *b,
                                                     const struct programs_expr *e)
{
    uint32_t v;
    struct programs_values values;
    if (e->call.builtin == PROGRAMS_BUILTIN_TREES ||
        e->call.builtin == PROGRAMS_BUILTIN_CONLLU)
        return build_arrays(b, e);
    if (programs_build_index_call(b, e, &values))
        return values;
    if (e->call.builtin == PROGRAMS_BUILTIN_FILE)
        v = build_read(b, e->operands[0]->data->path, e->operands[0]->data->tensors[0]);
    else if (e->call.builtin < PROGRAMS_BUILTIN_PLAIN)
        v = build_conversion(b, e);
    else if (programs_tensor_rule(e->call.builtin) == PROGRAMS_TENSOR_MAKE)
        v = programs_build_make(b, e->operands[0], element_of(e),
                                (unsigned)programs_type_tensor_rank(e->type));
    else if (programs_tensor_rule(e->call.builtin) == PROGRAMS_TENSOR_FILL)
        v = build_fill(b, e);
    else
        v = build_on_tensor(b, e);
    return programs_build_value(b, v);
}

/* --- params ---------------------------------------------------------------------------------- */

struct programs_values programs_build_param(struct programs_builder *b,
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
            b, build_read(b,
                          lib_arena_printf(b->scratch, PROGRAMS_PARAM_TENSOR,
                                           (size_t)param->number),
                          b->options->params[param->number - 1]));
    if (param->data)
        return programs_build_value(
            b, build_read(b, param->data->path, param->data->tensors[0]));
    uint32_t extents = programs_build_numbers(b, e->operands, param->rank);
    if (param->argument_count == 0)
        return programs_build_value(b,
                                    form_map(b->at, uses[param->initialiser], extents));
    uint32_t arguments = FORM_NONE;
    for (size_t i = 0; i < param->argument_count; i++) {
        const struct programs_expr *argument = e->operands[param->rank + i];
        const struct form_place p = programs_build_at(b, argument->pos);
        const uint32_t one = scalar(p, programs_build_one(b, argument), ISA_ELEMENT_REAL);
        arguments = i ? form_vector(p, arguments, one) : one;
    }
    return programs_build_value(
        b, form_compute(b->at, ISA_OP_COMBINE, ISA_INT,
                        isa_use(uses[param->initialiser], ISA_USE_NO_AXIS, param->number),
                        (const uint32_t[]){extents, arguments}, 2));
}
