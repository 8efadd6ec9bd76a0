#include "programs/graph/folds.h"

#include "isa/kernel_use.h"
#include "lib/text.h"
#include "programs/form/form.h"
#include "programs/graph/strands.h"

/* --- halves ------------------------------------------------------------------------------ */

static struct region_value call_range(struct region_place p, uint32_t function,
                                      struct region_value array, struct region_value low,
                                      struct region_value high)
{
    const struct region_value arguments[] = {array, low, high};
    return region_result(p.region, region_apply(p, function, arguments, 3), 0);
}

/* A function of an array and a range of at least one element, which calls itself for both halves of
 * the range. */
struct halves {
    uint32_t function;
    struct region_place top, inner[2]; /* inner[0]: of one element */
    struct region_value array, low, lower, upper;
};

static struct halves start_halves(struct region_place p, const char *what,
                                  enum isa_type of, enum isa_type array_type,
                                  enum isa_type result)
{
    const enum isa_type params[] = {array_type, ISA_INT, ISA_INT};
    LIB_TEXT_OWN name = {0};
    lib_text_printf(&name, "%s.%s", what, isa_type_name(of));
    struct halves h = {.function = isa_graph_add_function(region_graph(p.region),
                                                          lib_text_get(&name), params, 3,
                                                          &result, 1, p.pos)};
    isa_graph_set_names(region_graph(p.region), h.function,
                        (const char *const[]){"array", "low", "high"});
    const struct region_place top = region_of_function(p, h.function);
    h.top = top;
    h.array = region_param(top, 0);
    h.low = region_param(top, 1);
    const struct region_value high = region_param(top, 2);
    const struct region_value count = region_two(top, ISA_OP_SUB_I, ISA_INT, high, h.low);
    region_split(top, region_two(top, ISA_OP_EQ_I, ISA_INT, count, region_integer(1)),
                 h.inner);
    const struct region_place more = h.inner[1];
    const struct region_value half = region_two(more, ISA_OP_DIV_I, ISA_INT, count,
                                                region_integer(2));
    const struct region_value middle = region_two(more, ISA_OP_ADD_I, ISA_INT, h.low,
                                                  half);
    h.lower = call_range(more, h.function, h.array, h.low, middle);
    h.upper = call_range(more, h.function, h.array, middle, high);
    return h;
}

/* `both`: result for a range of more than one element; `one`: for an element. */
static uint32_t end_halves(const struct halves *h, struct region_value one,
                           struct region_value both)
{
    region_consume(h->top, ISA_OP_RESULT, 0, region_merge(h->top, h->inner, one, both));
    return h->function;
}

/* The condition of a conditional: an array has no elements. */
static struct region_value split_empty(struct region_place p, struct region_value array,
                                       struct region_place inner[2])
{
    const struct region_value length = region_op(p, ISA_OP_LENGTH,
                                                 isa_type_element(array.type), array);
    region_split(p, region_two(p, ISA_OP_EQ_I, ISA_INT, length, region_integer(0)),
                 inner);
    return length;
}

/* --- sums -------------------------------------------------------------------------------- */

uint32_t folds_sum_function(struct region_place p, enum isa_type type)
{
    struct halves h = start_halves(p, "sum", type, isa_type_array_of(type), type);
    const struct region_value both = region_two(
        h.inner[1], type == ISA_REAL ? ISA_OP_ADD_R : ISA_OP_ADD_I, type, h.lower,
        h.upper);
    return end_halves(&h, region_get(h.inner[0], h.array, h.low), both);
}

struct region_value folds_sum(struct region_place p, uint32_t function,
                              struct region_value array)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value nothing = region_literal(
        type, type == ISA_REAL ? isa_value_of_real(0) : isa_value_of_int(0));
    struct region_place inner[2];
    const struct region_value length = split_empty(p, array, inner);
    const struct region_value all = call_range(inner[1], function, array,
                                               region_integer(0), length);
    return region_merge(p, inner, nothing, all);
}

/* --- tensors from arrays ----------------------------------------------------------------- */

/* Whether the elements of an array have rows. */
static bool has_rows(enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    return isa_type_rank(element) > 0 || element == ISA_TENSOR;
}

/* Returns an element of an array for joining: of an array of arrays or tensors it has one row. */
static struct region_value row_of(struct region_place p, struct region_value value,
                                  enum isa_element_kind element, unsigned axes)
{
    const bool is_converted = value.type == ISA_INT && element == ISA_ELEMENT_REAL;
    if (isa_type_rank(value.type) == 0 && value.type != ISA_TENSOR)
        return region_op(
            p, is_converted ? ISA_OP_NUMBER : form_scalar_op(value.type, element),
            ISA_INT, value);
    const struct region_value tensor = value.type == ISA_TENSOR
                                           ? value
                                           : folds_tensor(p, value, element, axes);
    return region_compute(p, ISA_OP_MAP, ISA_INT, isa_use(ISA_USE_LIFT, 0, 0), &tensor,
                          1);
}

/* Makes the function that makes a tensor of elements `low` to `high` - 1 of an array, at least
 * one. */
static uint32_t part_function(struct region_place p, enum isa_type type,
                              enum isa_element_kind element, unsigned axes)
{
    const char *what = element == ISA_ELEMENT_INT ? "ints" : "tensor";
    struct halves h = start_halves(p, what, type, type, ISA_TENSOR);
    const struct region_value halves[] = {h.lower, h.upper};
    const struct region_value both =
        has_rows(type) ? region_compute(h.inner[1], ISA_OP_COMBINE, ISA_INT,
                                        isa_use(ISA_KERNEL_CONCAT, 0, 0), halves, 2)
                       : region_two(h.inner[1], ISA_OP_VECTOR, ISA_INT, h.lower, h.upper);
    const struct region_value one = row_of(
        h.inner[0], region_get(h.inner[0], h.array, h.low), element, axes);
    return end_halves(&h, one, both);
}

static struct region_value load_empty(struct region_place p,
                                      enum isa_element_kind element, unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    shape.rank = (uint8_t)rank;
    struct isa_tensor *tensor = isa_tensor_new(&region_graph(p.region)->tensors, &shape);
    isa_tensor_seal(tensor, true);
    return region_source(p, ISA_OP_LOAD, ISA_INT,
                         isa_graph_add_constant(region_graph(p.region), "empty", tensor));
}

struct region_value folds_tensor(struct region_place p, struct region_value array,
                                 enum isa_element_kind element, unsigned axes)
{
    const uint32_t part = part_function(p, array.type, element, axes);
    struct region_place inner[2];
    const struct region_value length = split_empty(p, array, inner);
    const struct region_value none = load_empty(inner[0], element,
                                                isa_type_rank(array.type) + axes);
    struct region_value all = call_range(inner[1], part, array, region_integer(0),
                                         length);
    if (!has_rows(array.type)) /* of one element it has rank 0 */
        all = region_two(inner[1], ISA_OP_VECTOR, ISA_INT, all,
                         load_empty(inner[1], element, 1));
    return region_merge(p, inner, none, all);
}

/* --- arrays from tensors ----------------------------------------------------------------- */

struct region_value folds_rows(struct region_place p, struct region_value tensor,
                               enum isa_type type, int axis, struct region_value before)
{
    const enum isa_type element = isa_type_element(type);
    if (isa_type_rank(element) == 0)
        return region_two(p, ISA_OP_ROW, element, tensor, before);
    const struct region_value length = region_two(p, ISA_OP_DIM, ISA_INT, tensor,
                                                  region_integer(axis));
    const struct region_value first = axis ? region_two(p, ISA_OP_MUL_I, ISA_INT, before,
                                                        length)
                                           : before;
    const struct region_value array = region_op(p, ISA_OP_ALLOC, element, length);
    const struct strands_loop b = strands_chain(p, NULL, false, false, length);
    const struct region_value at = axis ? region_two(b.at, ISA_OP_ADD_I, ISA_INT, first,
                                                     b.counter)
                                        : b.counter;
    region_put(b.at, array, b.counter, folds_rows(b.at, tensor, element, axis + 1, at));
    strands_close(&b);
    return array;
}
