/* The emitter: arrays. An array of tuples is a tuple of arrays, part by part, so that an element is
 * always one value.
 *
 *   [E1, E2]             ALLOC of 2; for each element INDEX and STORE
 *   a[E]                 INDEX, which makes the address of the element, and FETCH
 *   sum(a)               0 if LENGTH says so; else a call of a function, each sum its own, that
 *                        calls itself for both halves
 *   tensor(a)            a call of a function of its own that joins both halves of the array
 *   array(t)             ROW; if t has rows of rows, loops over these that STORE ROWs
 */
#include "programs/graph/emit_internal.h"

#include "isa/kernel_use.h"
#include "lib/text.h"

/* --- elements ---------------------------------------------------------------------------- */

struct region_value emit_alloc(struct region *r, enum isa_type element,
                               struct region_value length, struct lib_pos pos)
{
    return emit_op(r, ISA_OP_ALLOC, element, length, pos);
}

void emit_store(struct region *r, struct region_value array, struct region_value index,
                struct region_value element, struct lib_pos pos)
{
    const enum isa_type type = isa_type_element(array.type);
    region_store(r, type, emit_two(r, ISA_OP_INDEX, type, array, index, pos), element,
                 pos);
}

struct region_value emit_list(struct region *r, enum isa_type element,
                              const struct region_value *items, uint32_t count,
                              struct lib_pos pos)
{
    const struct region_value array = emit_alloc(r, element, emit_integer(count), pos);
    for (uint32_t i = 0; i < count; i++)
        emit_store(r, array, emit_integer(i), items[i], pos);
    return array;
}

struct region_value emit_fetch(struct region *r, struct region_value array,
                               struct region_value index, struct lib_pos pos)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value address = emit_two(r, ISA_OP_INDEX, type, array, index,
                                                 pos);
    return emit_op(r, ISA_OP_FETCH, type, address, pos);
}

/* --- halves ------------------------------------------------------------------------------ */

static struct region_value emit_length(struct region *r, struct region_value array,
                                       struct lib_pos pos)
{
    return emit_op(r, ISA_OP_LENGTH, isa_type_element(array.type), array, pos);
}

static struct region_value call_range(struct region *r, uint32_t function,
                                      struct region_value array, struct region_value low,
                                      struct region_value high, struct lib_pos pos)
{
    const struct region_value arguments[] = {array, low, high};
    struct region_value result;
    region_apply(r, function, arguments, 3, &result, pos);
    return result;
}

/* A function of an array and a range of at least one element, which calls itself for both halves of
 * the range. */
struct halves {
    uint32_t function;
    struct region *top, *inner[2]; /* inner[0]: of one element */
    struct region_value array, low, lower, upper;
};

static struct halves start_halves(struct region *r, const char *what, enum isa_type of,
                                  enum isa_type array_type, enum isa_type result,
                                  struct lib_pos pos)
{
    const enum isa_type params[] = {array_type, ISA_INT, ISA_INT};
    LIB_TEXT_OWN name = {0};
    lib_text_printf(&name, "%s.%s", what, isa_type_name(of));
    struct halves h = {.function = isa_graph_add_function(region_graph(r),
                                                          lib_text_get(&name), params, 3,
                                                          &result, 1, pos)};
    isa_graph_set_names(region_graph(r), h.function,
                        (const char *const[]){"array", "low", "high"});
    h.top = region_of_function(r, h.function);
    h.array = region_param(h.top, 0, pos);
    h.low = region_param(h.top, 1, pos);
    const struct region_value high = region_param(h.top, 2, pos);
    const struct region_value count = emit_two(h.top, ISA_OP_SUB_I, ISA_INT, high, h.low,
                                               pos);
    region_split(h.top,
                 emit_two(h.top, ISA_OP_EQ_I, ISA_INT, count, emit_integer(1), pos), pos,
                 h.inner);
    struct region *more = h.inner[1];
    const struct region_value half = emit_two(more, ISA_OP_DIV_I, ISA_INT, count,
                                              emit_integer(2), pos);
    const struct region_value middle = emit_two(more, ISA_OP_ADD_I, ISA_INT, h.low, half,
                                                pos);
    h.lower = call_range(more, h.function, h.array, h.low, middle, pos);
    h.upper = call_range(more, h.function, h.array, middle, high, pos);
    return h;
}

/* `both`: result for a range of more than one element; `one`: for an element. */
static uint32_t end_halves(struct halves *h, struct region_value one,
                           struct region_value both, struct lib_pos pos)
{
    region_consume(h->top, ISA_OP_RESULT, 0,
                   region_merge(h->top, h->inner, one, both, pos), pos);
    return h->function;
}

/* The condition of a conditional: an array has no elements. */
static struct region_value split_empty(struct region *r, struct region_value array,
                                       struct region *inner[2], struct lib_pos pos)
{
    const struct region_value length = emit_length(r, array, pos);
    region_split(r, emit_two(r, ISA_OP_EQ_I, ISA_INT, length, emit_integer(0), pos), pos,
                 inner);
    return length;
}

/* --- sums -------------------------------------------------------------------------------- */

uint32_t emit_sum_function(struct region *r, enum isa_type type, struct lib_pos pos)
{
    struct halves h = start_halves(r, "sum", type, isa_type_array_of(type), type, pos);
    const struct region_value both = emit_two(
        h.inner[1], type == ISA_REAL ? ISA_OP_ADD_R : ISA_OP_ADD_I, type, h.lower,
        h.upper, pos);
    return end_halves(&h, emit_fetch(h.inner[0], h.array, h.low, pos), both, pos);
}

struct region_value emit_sum(struct region *r, uint32_t function,
                             struct region_value array, struct lib_pos pos)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value nothing = region_literal(
        type, type == ISA_REAL ? isa_value_of_real(0) : isa_value_of_int(0));
    struct region *inner[2];
    const struct region_value length = split_empty(r, array, inner, pos);
    const struct region_value all = call_range(inner[1], function, array, emit_integer(0),
                                               length, pos);
    return region_merge(r, inner, nothing, all, pos);
}

/* --- tensors from arrays ----------------------------------------------------------------- */

static struct region_value vector(struct region *r, struct region_value a,
                                  struct region_value b, struct lib_pos pos)
{
    return emit_two(r, ISA_OP_VECTOR, ISA_INT, a, b, pos);
}

/* Makes a tensor of rank 0 of a number. */
static struct region_value scalar(struct region *r, struct region_value value,
                                  enum isa_element_kind element, struct lib_pos pos)
{
    const enum isa_op op = value.type == ISA_INT && element == ISA_ELEMENT_REAL
                               ? ISA_OP_NUMBER
                           : value.type == ISA_INT         ? ISA_OP_SCALAR_I
                           : value.type == ISA_BOOL        ? ISA_OP_SCALAR_B
                           : element == ISA_ELEMENT_REAL32 ? ISA_OP_SCALAR_F
                                                           : ISA_OP_SCALAR;
    return emit_op(r, op, ISA_INT, value, pos);
}

/* Returns an element of an array for joining: of an array of arrays it has one row. */
static struct region_value row_of(struct region *r, struct region_value value,
                                  enum isa_element_kind element, struct lib_pos pos)
{
    if (isa_type_rank(value.type) == 0)
        return scalar(r, value, element, pos);
    const struct region_value tensor = emit_tensor_of(r, value, element, pos);
    return region_compute(r, ISA_OP_MAP, ISA_INT, isa_use(ISA_USE_LIFT, 0, 0), &tensor, 1,
                          pos);
}

/* Makes the function that makes a tensor of elements `low` to `high` - 1 of an array, at least
 * one. */
static uint32_t part_function(struct region *r, enum isa_type type,
                              enum isa_element_kind element, struct lib_pos pos)
{
    const char *what = element == ISA_ELEMENT_INT ? "ints" : "tensor";
    struct halves h = start_halves(r, what, type, type, ISA_TENSOR, pos);
    const struct region_value halves[] = {h.lower, h.upper};
    const struct region_value both = isa_type_rank(isa_type_element(type)) > 0
                                         ? region_compute(
                                               h.inner[1], ISA_OP_COMBINE, ISA_INT,
                                               isa_use(ISA_KERNEL_CONCAT, 0, 0), halves,
                                               2, pos)
                                         : vector(h.inner[1], h.lower, h.upper, pos);
    const struct region_value one = row_of(
        h.inner[0], emit_fetch(h.inner[0], h.array, h.low, pos), element, pos);
    return end_halves(&h, one, both, pos);
}

static struct region_value load_empty(struct region *r, enum isa_element_kind element,
                                      unsigned rank, struct lib_pos pos)
{
    struct isa_shape shape = isa_shape_scalar(element);
    shape.rank = (uint8_t)rank;
    struct isa_tensor *tensor = isa_tensor_new(&region_graph(r)->tensors, &shape);
    isa_tensor_seal(tensor, true);
    return region_source(r, ISA_OP_LOAD, ISA_INT,
                         isa_graph_add_constant(region_graph(r), "empty", tensor), pos);
}

struct region_value emit_tensor_of(struct region *r, struct region_value array,
                                   enum isa_element_kind element, struct lib_pos pos)
{
    const uint32_t part = part_function(r, array.type, element, pos);
    struct region *inner[2];
    const struct region_value length = split_empty(r, array, inner, pos);
    const struct region_value none = load_empty(inner[0], element,
                                                isa_type_rank(array.type), pos);
    struct region_value all = call_range(inner[1], part, array, emit_integer(0), length,
                                         pos);
    if (isa_type_rank(isa_type_element(array.type)) ==
        0) /* of one element it has rank 0 */
        all = vector(inner[1], all, load_empty(inner[1], element, 1, pos), pos);
    return region_merge(r, inner, none, all, pos);
}

/* --- arrays from tensors ----------------------------------------------------------------- */

/* Rows are numbered as they lie in the tensor; `before` is the number of rows of the axes before
 * `axis`. */
static struct region_value emit_rows_of(struct region *r, struct region_value tensor,
                                        enum isa_type type, int axis,
                                        struct region_value before, struct lib_pos pos)
{
    const enum isa_type element = isa_type_element(type);
    if (isa_type_rank(element) == 0)
        return emit_two(r, ISA_OP_ROW, element, tensor, before, pos);
    const struct region_value length = emit_two(r, ISA_OP_DIM, ISA_INT, tensor,
                                                emit_integer(axis), pos);
    const struct region_value first = axis ? emit_two(r, ISA_OP_MUL_I, ISA_INT, before,
                                                      length, pos)
                                           : before;
    const struct region_value array = emit_alloc(r, element, length, pos);
    struct region_loop *loop = region_loop_open(r, "array", ISA_LOOP_UNBOUNDED, pos);
    struct region_value counter;
    struct region *body = emit_open_body(loop, NULL, NULL, length, &counter, pos);
    const struct region_value at = axis ? emit_two(body, ISA_OP_ADD_I, ISA_INT, first,
                                                   counter, pos)
                                        : counter;
    emit_store(body, array, counter,
               emit_rows_of(body, tensor, element, axis + 1, at, pos), pos);
    emit_close_body(loop, body, counter, pos);
    return array;
}

struct region_value emit_array_of(struct region *r, struct region_value tensor,
                                  enum isa_type type, struct lib_pos pos)
{
    return emit_rows_of(r, tensor, type, 0, emit_integer(0), pos);
}
