/* The graph builder: tensors.
 *
 *   a + b, relu(t), ...   MAP or COMBINE of a kernel; a number with a tensor becomes a SCALAR
 *   tensor(E)             literals: a tensor of the graph, and LOAD. Other elements: SCALARs,
 *                         joined by VECTORs in a tree, and RESHAPE if the rank is above 1. An
 *                         array: TO_TENSOR
 *   array(t)              TO_ARRAY
 *   shape(t)              DIMs, in an array
 *   reduce_sum(t)         MAP, and ITEM of its one element
 *   select(c, a, b)       COMBINE of c, a and b; update and scatter_add too
 *   t[i]                  GATHER of one row and DROP of its axis; of rank 1 an ITEM
 *   top_k(t, k)           COMBINE twice: the values, and their places
 *   stack(a, b, ...)      two by two a COMBINE of STACK, and these joined in a tree
 *   uniform(k, ...)       COMBINE of the key and the extents; normal too
 *   random_bits(k, a, b)  COMBINE of the counter and the key, and its two ITEMs
 *   dropout(t, r, k)      COMBINE of t, the rate and the key
 *   split(t, ...)         a COMBINE of SPLIT for each part, or of PART
 *   scatter(t, rows, n)   the numbers are n and the rows
 *   param                 MAP or COMBINE of a fill
 *
 * Integer arguments of a kernel are the elements of a tensor of rank 1. If all are literals, it is
 * a tensor of the graph; otherwise each is a NUMBER, and VECTORs join them. No kernel is launched
 * for them. */
#include "programs/graph/builder.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

#include <string.h>

/* Adds an instruction that makes a tensor of rank 0 of a value (form_scalar_op). */
static uint32_t scalar(struct form_place p, uint32_t value, enum isa_element_kind element)
{
    return form_compute_1(p, form_scalar_op(form_type(p.form, value), element), value);
}

static uint32_t item_at(struct form_place p, uint32_t tensor, uint32_t index,
                        enum isa_element_kind element, uint32_t which)
{
    const enum isa_op op = element == ISA_ELEMENT_INT    ? ISA_OP_ITEM_I
                           : element == ISA_ELEMENT_BOOL ? ISA_OP_ITEM_B
                                                         : ISA_OP_ITEM;
    return form_compute(p, op, ISA_INT, which, (const uint32_t[]){tensor, index}, 2);
}

/* Adds an instruction that returns the only element of a tensor. */
static uint32_t item(struct form_place p, uint32_t tensor, enum isa_element_kind element)
{
    return item_at(p, tensor, form_integer(p, 0), element, 0);
}

static bool is_tensor(const struct programs_expr *e)
{
    return programs_type_find(e->type)->kind == PROGRAMS_TYPE_TENSOR;
}

static enum isa_element_kind element_of(const struct programs_expr *e)
{
    return programs_type_element(e->type);
}

static enum isa_type tensor_type(enum isa_element_kind element)
{
    return isa_element_is_real(element) ? ISA_TENSOR : FORM_WHOLES;
}

/* --- tensors that the graph holds ------------------------------------------------------- */

/* Adds an allocated tensor to the graph as a constant, and a LOAD of it. */
static uint32_t build_load(struct form_place p, const char *name,
                           struct isa_tensor *tensor)
{
    isa_tensor_seal(tensor, true);
    return form_convert(p, FORM_TENSOR, FORM_NONE, form_add_tensor(p.form, name, tensor),
                        tensor_type(tensor->shape.element));
}

static void put_literal(struct isa_tensor *tensor, uint64_t at,
                        const struct programs_expr *e)
{
    if (tensor->shape.element == ISA_ELEMENT_INT)
        tensor->ints[at] = e->integer;
    else
        isa_tensor_set(tensor, at,
                       e->kind == PROGRAMS_EXPR_INT    ? (double)e->integer
                       : e->kind == PROGRAMS_EXPR_BOOL ? (double)e->boolean
                                                       : e->real);
}

/* Whether an expression is a literal of nested arrays of equal lengths, of literals or of any
 * elements. Sets `shape`. */
static bool find_written(const struct programs_expr *e, bool literal, unsigned rank,
                         struct isa_shape *shape, unsigned axis)
{
    if (rank == 0)
        return programs_build_is_literal(e) || !literal;
    if (e->kind != PROGRAMS_EXPR_ARRAY)
        return false;
    const int64_t length = (int64_t)e->operand_count;
    if (axis == shape->rank) {
        shape->rank++;
        shape->extents[axis] = length;
    }
    bool good = shape->extents[axis] == length && (length > 0 || rank == 1);
    for (size_t i = 0; good && i < e->operand_count; i++)
        good = find_written(e->operands[i], literal, rank - 1, shape, axis + 1);
    return good;
}

static void put_literals(const struct programs_expr *e, unsigned rank,
                         struct isa_tensor *tensor, uint64_t *at)
{
    if (rank == 0)
        put_literal(tensor, (*at)++, e);
    for (size_t i = 0; rank > 0 && i < e->operand_count; i++)
        put_literals(e->operands[i], rank - 1, tensor, at);
}

static uint32_t hold_empty(struct programs_builder *b, enum isa_element_kind element,
                           unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    shape.rank = (uint8_t)rank;
    return build_load(b->at, "empty", isa_tensor_new(&b->graph->tensors, &shape));
}

/* --- whole numbers ----------------------------------------------------------------------- */

/* Builds a tensor of rank 1 of ints that the compiler knows, arguments of a kernel. */
static uint32_t build_known(struct programs_builder *b, const int64_t *items,
                            size_t count)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {(int64_t)count}};
    struct isa_tensor *tensor = isa_tensor_new(&b->graph->tensors, &shape);
    for (size_t i = 0; i < count; i++)
        isa_tensor_set(tensor, i, (double)items[i]);
    return build_load(b->at, "numbers", tensor);
}

/* Sets `known` to the values of int expressions. Returns false if not all are literals. */
static bool all_known(struct programs_expr *const *items, size_t count, int64_t *known)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i]->kind != PROGRAMS_EXPR_INT)
            return false;
        known[i] = items[i]->integer;
    }
    return true;
}

/* Builds a tensor of rank 1 of the values of int expressions, arguments of a kernel. */
static uint32_t build_numbers(struct programs_builder *b,
                              struct programs_expr *const *items, size_t count)
{
    int64_t *known = LIB_ARENA_ARRAY(b->scratch, int64_t, count);
    if (all_known(items, count, known))
        return build_known(b, known, count);
    uint32_t all = form_number(b->at, programs_build_one(b, items[0]));
    for (size_t i = 1; i < count; i++)
        all = form_vector(b->at, all,
                          form_number(b->at, programs_build_one(b, items[i])));
    return all;
}

static uint32_t build_list(struct programs_builder *b, const struct programs_expr *list)
{
    return build_numbers(b, list->operands, list->operand_count);
}

/* --- tensors from arrays -------------------------------------------------------------------- */

/* Builds tensor(array) with an element type, to which ints may be converted, and a rank. */
static uint32_t build_tensor_of(struct form_place p, uint32_t array,
                                enum isa_element_kind element, unsigned rank)
{
    const unsigned axes = rank - isa_type_rank(form_type(p.form, array));
    return form_convert(p, FORM_TO_TENSOR, array, element + FORM_AXIS * axes,
                        tensor_type(element));
}

static uint32_t join_written(struct programs_builder *b, const struct programs_expr *e,
                             enum isa_element_kind element, unsigned rank, size_t low,
                             size_t high);

static uint32_t build_make(struct programs_builder *b, const struct programs_expr *e,
                           enum isa_element_kind element, unsigned rank);

static uint32_t join_elements(struct programs_builder *b, const struct programs_expr *e,
                              const struct isa_shape *shape, unsigned axis, size_t low,
                              size_t high)
{
    if (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const struct form_place p = programs_build_at(b, e->pos);
        const uint32_t lower = join_elements(b, e, shape, axis, low, middle);
        return form_vector(p, lower, join_elements(b, e, shape, axis, middle, high));
    }
    const struct programs_expr *one = e->operands[low];
    if (axis + 1 < shape->rank)
        return join_elements(b, one, shape, axis + 1, 0, one->operand_count);
    return scalar(programs_build_at(b, one->pos), programs_build_one(b, one),
                  (enum isa_element_kind)shape->element);
}

static uint32_t build_written(struct programs_builder *b, const struct programs_expr *e,
                              const struct isa_shape *shape)
{
    uint32_t all = join_elements(b, e, shape, 0, 0, e->operand_count);
    if (isa_shape_count(shape) == 1) /* the scalar becomes a vector */
        all = form_vector(b->at, all,
                          hold_empty(b, (enum isa_element_kind)shape->element, 1));
    if (shape->rank == 1)
        return all;
    return form_join(b->at, ISA_KERNEL_RESHAPE, all,
                     build_known(b, shape->extents, shape->rank));
}

static uint32_t make_at(struct programs_builder *b, const struct programs_expr *e,
                        enum isa_element_kind element, unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    if (rank > 0 && find_written(e, true, rank, &shape, 0)) {
        struct isa_tensor *tensor = isa_tensor_new(&b->graph->tensors, &shape);
        uint64_t at = 0;
        put_literals(e, rank, tensor, &at);
        return build_load(b->at, "literal", tensor);
    }
    if (is_tensor(e))
        return programs_build_one(b, e);
    if (rank == 0)
        return scalar(b->at, programs_build_one(b, e), element);
    shape = isa_shape_scalar(element);
    if (find_written(e, false, rank, &shape, 0))
        return build_written(b, e, &shape);
    if (e->kind == PROGRAMS_EXPR_ARRAY && e->operand_count > 0)
        return join_written(b, e, element, rank, 0, e->operand_count);
    return build_tensor_of(b->at, programs_build_one(b, e), element, rank);
}

static uint32_t join_written(struct programs_builder *b, const struct programs_expr *e,
                             enum isa_element_kind element, unsigned rank, size_t low,
                             size_t high)
{
    if (high - low == 1)
        return form_map_at(b->at, ISA_USE_LIFT, 0,
                           build_make(b, e->operands[low], element, rank - 1));
    const size_t middle = low + (high - low) / 2;
    uint32_t lower = join_written(b, e, element, rank, low, middle);
    return form_join_at(b->at, ISA_KERNEL_CONCAT, 0, lower,
                        join_written(b, e, element, rank, middle, high));
}

/* Builds a call of the built-in tensor(E). */
static uint32_t build_make(struct programs_builder *b, const struct programs_expr *e,
                           enum isa_element_kind element, unsigned rank)
{
    const struct form_place outer = b->at;
    b->at.pos = e->pos;
    const uint32_t made = make_at(b, e, element, rank);
    b->at = outer;
    return made;
}

/* --- arrays from tensors ---------------------------------------------------------------------- */

/* Builds the built-in array(tensor) for a given type. */
static uint32_t build_array_of(struct form_place p, uint32_t tensor,
                               enum isa_element_kind kind, enum isa_type type)
{
    return isa_type_rank(type) == 0 ? item(p, tensor, kind)
                                    : form_convert(p, FORM_TO_ARRAY, tensor, kind, type);
}

/* Builds a call of the built-in shape(t). */
static uint32_t build_shape(struct programs_builder *b, uint32_t tensor, int rank)
{
    struct form_entry *made = form_add_entry(b->at, FORM_ARRAY);
    made->index = (uint32_t)rank;
    const uint32_t array = form_add_result(b->at, made, isa_type_array_of(ISA_INT));
    for (int i = 0; i < rank; i++)
        programs_build_store(b->at, made, (uint32_t)i,
                             programs_build_value(b, form_extent(b->at, tensor, i)));
    return array;
}

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

/* Returns the axis, from 0, that an argument of a call names, which may count from the end; `rank`
 * is the rank of the tensor. */
static int axis_at(const struct programs_expr *e, size_t argument, unsigned rank)
{
    int64_t axis;
    programs_tensor_axis(e, argument, 0, &axis);
    return (int)isa_axis_from_end(axis, rank);
}

static int axis_of(const struct programs_expr *e, size_t argument)
{
    const int rank = programs_type_tensor_rank(e->operands[0]->type);
    return axis_at(e, argument, (unsigned)rank);
}

/* Returns the value `v` of `e`, an int, an array of ints or a tensor, as a tensor. `element`: INT
 * for a tensor of ints, REAL for the arguments of a kernel. */
static uint32_t as_tensor(struct form_place p, const struct programs_expr *e, uint32_t v,
                          enum isa_element_kind element)
{
    if (is_tensor(e))
        return v;
    if (form_type(p.form, v) != ISA_INT)
        return build_tensor_of(p, v, element, isa_type_rank(form_type(p.form, v)));
    return element == ISA_ELEMENT_INT ? scalar(p, v, element) : form_number(p, v);
}

/* Builds `e`, indices of rows, as a tensor. */
static uint32_t build_rows(struct programs_builder *b, const struct programs_expr *e)
{
    const struct form_place p = programs_build_at(b, e->pos);
    return as_tensor(p, e, programs_build_one(b, e), ISA_ELEMENT_REAL);
}

/* --- rows, and calls that count, choose and place along an axis ------------------------- */

uint32_t programs_build_row(struct form_place p, const struct programs_expr *e,
                            uint32_t tensor, uint32_t index)
{
    if (!is_tensor(e))
        return item_at(p, tensor, index, element_of(e->operands[0]), FORM_OF_VECTOR);
    const uint32_t row = form_join(p, ISA_KERNEL_GATHER, tensor, form_number(p, index));
    return form_map_at(p, ISA_USE_DROP, 0, row);
}

static struct form_ids build_top(struct programs_builder *b,
                                 const struct programs_expr *e)
{
    struct form_ids both = programs_build_values(b, 2);
    uint32_t a = programs_build_one(b, e->operands[0]);
    uint32_t k = build_numbers(b, &e->operands[1], 1);
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
    const int axis = axis_at(e, count, (unsigned)programs_type_tensor_rank(e->type));
    return stack(b, e, axis, 0, count);
}

/* If the extents of parts are known, the numbers of each part are a constant. */
static struct form_ids build_split(struct programs_builder *b,
                                   const struct programs_expr *e)
{
    const struct programs_expr *sizes = e->operands[1];
    const unsigned rank = (unsigned)programs_type_tensor_rank(e->operands[0]->type);
    const int axis = axis_at(e, 2, rank);
    const uint32_t count = (uint32_t)programs_tensor_parts(e);
    const bool is_list = sizes->kind == PROGRAMS_EXPR_ARRAY;
    struct form_ids parts = programs_build_values(b, count);
    uint32_t a = programs_build_one(b, e->operands[0]), extents = FORM_NONE;
    int64_t numbers[1 + PROGRAMS_SPLIT_MAX] = {0, count};
    const bool is_known = !is_list ||
                          all_known(sizes->operands, sizes->operand_count, &numbers[1]);
    if (!is_known)
        extents = build_numbers(b, sizes->operands, count);
    for (uint32_t i = 0; i < count; i++) {
        numbers[0] = i;
        uint32_t part = build_known(b, numbers, !is_known ? 1 : is_list ? count + 1 : 2);
        if (!is_known)
            part = form_join_at(b->at, ISA_KERNEL_CONCAT, 0, part, extents);
        parts.items[i] = form_join_at(b->at, is_list ? ISA_KERNEL_PART : ISA_KERNEL_SPLIT,
                                      axis, a, part);
    }
    return parts;
}

static uint32_t build_scatter(struct programs_builder *b, const struct programs_expr *e,
                              uint32_t tensor)
{
    const struct programs_expr *rows = e->operands[1];
    uint32_t numbers;
    if (rows->kind == PROGRAMS_EXPR_ARRAY) {
        struct programs_expr **all = LIB_ARENA_ARRAY(b->scratch, struct programs_expr *,
                                                     rows->operand_count + 1);
        all[0] = e->operands[2];
        for (size_t i = 0; i < rows->operand_count; i++)
            all[i + 1] = rows->operands[i];
        numbers = build_numbers(b, all, rows->operand_count + 1);
    } else {
        uint32_t count = programs_build_one(b, e->operands[2]);
        count = is_tensor(rows) ? scalar(b->at, count, ISA_ELEMENT_INT)
                                : form_number(b->at, count);
        numbers = form_vector(b->at, count, build_rows(b, rows));
    }
    return form_join(b->at, ISA_KERNEL_SCATTER, tensor, numbers);
}

/* --- calls on a tensor ------------------------------------------------------------------- */

static uint32_t build_gather(struct programs_builder *b, const struct programs_expr *e,
                             uint32_t tensor)
{
    const bool is_one = programs_type_find(e->operands[1]->type)->kind ==
                        PROGRAMS_TYPE_INT;
    uint32_t rows = form_join(b->at, ISA_KERNEL_GATHER, tensor,
                              build_rows(b, e->operands[1]));
    return is_one ? form_map_at(b->at, ISA_USE_DROP, 0, rows) : rows;
}

static uint32_t build_loss(struct programs_builder *b, const struct programs_expr *e,
                           uint32_t tensor)
{
    if (is_tensor(e->operands[1]) && element_of(e->operands[1]) != ISA_ELEMENT_INT)
        return form_join(b->at, ISA_KERNEL_CROSS_ENTROPY, tensor,
                         programs_build_one(b, e->operands[1]));
    return form_join(b->at, ISA_KERNEL_CROSS_ENTROPY_AT, tensor,
                     build_rows(b, e->operands[1]));
}

static uint32_t build_fill(struct programs_builder *b, const struct programs_expr *e)
{
    const unsigned use = e->call->builtin == PROGRAMS_BUILTIN_ZEROS ? ISA_USE_ZEROS
                                                                    : ISA_USE_ONES;
    uint32_t filled = form_map(b->at, use, build_list(b, e->operands[0]));
    return element_of(e) == ISA_ELEMENT_INT ? form_map(b->at, ISA_KERNEL_TO_INT, filled)
           : element_of(e) == ISA_ELEMENT_BOOL
               ? form_map(b->at, ISA_KERNEL_TO_BOOL, filled)
               : filled;
}

/* Builds `e`, an int, as a tensor of rank 0. */
static uint32_t build_int(struct programs_builder *b, const struct programs_expr *e)
{
    return scalar(programs_build_at(b, e->pos), programs_build_one(b, e),
                  ISA_ELEMENT_INT);
}

static uint32_t build_random(struct programs_builder *b, const struct programs_expr *e)
{
    const uint32_t key = build_int(b, e->operands[0]);
    return form_join(b->at, programs_tensor_kernel(e), key,
                     build_list(b, e->operands[1]));
}

/* Builds random_bits(key, high, low). */
static struct form_ids build_bits(struct programs_builder *b,
                                  const struct programs_expr *e)
{
    const uint32_t key = build_int(b, e->operands[0]);
    const uint32_t high = build_int(b, e->operands[1]);
    const uint32_t counter = form_vector(b->at, high, build_int(b, e->operands[2]));
    const uint32_t words = form_join(b->at, ISA_KERNEL_RANDOM_BITS, counter, key);
    struct form_ids both = programs_build_values(b, 2);
    for (int i = 0; i < 2; i++)
        both.items[i] = item_at(b->at, words, form_integer(b->at, i), ISA_ELEMENT_INT,
                                FORM_OF_VECTOR);
    return both;
}

static uint32_t build_drop(struct programs_builder *b, const struct programs_expr *e,
                           uint32_t tensor)
{
    const uint32_t rate = beside(b->at, programs_build_one(b, e->operands[1]),
                                 element_of(e));
    return form_join_three(b->at, ISA_KERNEL_DROPOUT, tensor, rate,
                           build_int(b, e->operands[2]));
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
    const uint32_t rows = as_tensor(
        b->at, e->operands[1], programs_build_one(b, e->operands[1]), ISA_ELEMENT_INT);
    return form_join_three(b->at, programs_tensor_kernel(e), tensor, rows,
                           programs_build_one(b, e->operands[2]));
}

static uint32_t build_pad(struct programs_builder *b, const struct programs_expr *e,
                          uint32_t tensor)
{
    uint32_t counts = build_numbers(b, &e->operands[1], 2);
    if (e->operand_count < 5)
        return form_join_at(b->at, programs_tensor_kernel(e), axis_of(e, 3), tensor,
                            counts);
    const uint32_t value = beside(b->at, programs_build_one(b, e->operands[4]),
                                  element_of(e));
    return form_compute(b->at, ISA_OP_COMBINE, ISA_INT,
                        isa_use(ISA_KERNEL_PAD_WITH, axis_of(e, 3), 0),
                        (const uint32_t[]){tensor, counts, value}, 3);
}

/* Builds a product. A form says whether the second operand has at most two axes. */
static uint32_t build_product(struct programs_builder *b, const struct programs_expr *e,
                              uint32_t a)
{
    const struct programs_expr *second = e->operands[1];
    const bool is_flat = programs_type_tensor_rank(second->type) <= 2;
    const uint32_t operands[] = {a, programs_build_one(b, second)};
    return form_compute(
        b->at, ISA_OP_COMBINE, ISA_INT,
        isa_use(ISA_KERNEL_MATMUL, ISA_USE_NO_AXIS, is_flat ? FORM_FLAT : 0), operands,
        2);
}

/* Builds a call along an axis, or over all elements. */
static uint32_t build_along(struct programs_builder *b, const struct programs_expr *e,
                            uint32_t a)
{
    const enum isa_kernel kernel = programs_tensor_kernel(e);
    if (e->operand_count == 2 || is_tensor(e))
        return form_map_at(b->at, kernel, axis_of(e, 1), a);
    const bool is_place = programs_tensor_rule(e->call->builtin) == PROGRAMS_TENSOR_PLACE;
    return item(b->at, form_map(b->at, kernel, a),
                is_place ? ISA_ELEMENT_INT : element_of(e->operands[0]));
}

static uint32_t build_one_hot(struct programs_builder *b, const struct programs_expr *e,
                              uint32_t at)
{
    const uint32_t indices = as_tensor(b->at, e->operands[0], at, ISA_ELEMENT_INT);
    return form_join(b->at, ISA_KERNEL_ONE_HOTS, indices,
                     build_numbers(b, &e->operands[1], 1));
}

static uint32_t build_on_tensor(struct programs_builder *b, const struct programs_expr *e)
{
    const enum programs_tensor_rule rule = programs_tensor_rule(e->call->builtin);
    const enum isa_kernel kernel = programs_tensor_kernel(e);
    const uint32_t a = programs_build_one(b, e->operands[0]);
    switch (rule) {
    case PROGRAMS_TENSOR_MATMUL:
        return build_product(b, e, a);
    case PROGRAMS_TENSOR_CONCAT:
        return form_join_at(b->at, kernel, axis_of(e, 2), a,
                            programs_build_one(b, e->operands[1]));
    case PROGRAMS_TENSOR_SLICE:
        return form_join_at(b->at, kernel, axis_of(e, 3), a,
                            build_numbers(b, &e->operands[1], 2));
    case PROGRAMS_TENSOR_GATHER:
        return build_gather(b, e, a);
    case PROGRAMS_TENSOR_LOSS:
        return build_loss(b, e, a);
    case PROGRAMS_TENSOR_RESHAPE:
    case PROGRAMS_TENSOR_TURN:
        return e->operand_count == 2
                   ? form_join(b->at, kernel, a, build_list(b, e->operands[1]))
                   : form_map(b->at, kernel, a);
    case PROGRAMS_TENSOR_PLACE:
    case PROGRAMS_TENSOR_REDUCE:
    case PROGRAMS_TENSOR_ALONG:
        return build_along(b, e, a);
    case PROGRAMS_TENSOR_DROP:
        return build_drop(b, e, a);
    case PROGRAMS_TENSOR_EXPAND:
        return form_map_at(b->at, ISA_USE_LIFT,
                           axis_at(e, 1, (unsigned)programs_type_tensor_rank(e->type)),
                           a);
    case PROGRAMS_TENSOR_SHAPE:
        return build_shape(b, a, programs_type_tensor_rank(e->operands[0]->type));
    case PROGRAMS_TENSOR_BREAK:
        return build_array_of(b->at, a, element_of(e->operands[0]),
                              programs_build_type(e->type));
    case PROGRAMS_TENSOR_CHOOSE:
        return build_choice(b, e, a);
    case PROGRAMS_TENSOR_PAD:
        return build_pad(b, e, a);
    case PROGRAMS_TENSOR_UPDATE:
        return build_update(b, e, a);
    case PROGRAMS_TENSOR_ONE_HOT:
        return build_one_hot(b, e, a);
    case PROGRAMS_TENSOR_SCATTER:
        return build_scatter(b, e, a);
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
    struct isa_tensor *tensor = isa_tensor_new(&b->graph->tensors, &read->shape);
    if (read->bytes)
        memcpy(tensor->data, read->data, read->bytes);
    return build_load(b->at, name, tensor);
}

/* Builds a tensor of a file. */
static uint32_t build_data(struct programs_builder *b, const struct programs_data *data)
{
    return build_read(b, data->path, data->tensors[0]);
}

/* Builds the parts of an array or a tensor that is given, at top level. */
struct form_ids programs_build_given(struct programs_builder *b,
                                     const struct programs_expr *e)
{
    const uint32_t first = b->given_index[e->given->equation->index];
    enum isa_type *types;
    struct form_ids parts = {0};
    programs_build_form_types(b, e->type, &types, &parts.count);
    parts = programs_build_values(b, parts.count);
    for (uint32_t k = 0; k < parts.count; k++) {
        const struct isa_tensor *tensor = b->graph->constants[first + k].tensor;
        const enum isa_element_kind element = tensor->shape.element;
        if (form_graph_type(types[k]) != ISA_TENSOR &&
            isa_type_rank(form_graph_type(types[k])) == 1) {
            struct form_entry *made = form_add_entry(b->at, FORM_GIVEN);
            made->type = isa_type_leaf(form_graph_type(types[k]));
            made->index = first + k;
            parts.items[k] = form_add_result(b->at, made, types[k]);
            continue;
        }
        parts.items[k] = form_convert(b->at, FORM_LOAD, FORM_NONE, first + k,
                                      tensor_type(element));
        if (form_graph_type(types[k]) != ISA_TENSOR)
            parts.items[k] = build_array_of(b->at, parts.items[k], element, types[k]);
    }
    return parts;
}

static struct form_ids build_arrays(struct programs_builder *b,
                                    const struct programs_expr *e)
{
    static const char *const names[][PROGRAMS_DATA_PARTS] = {
        [PROGRAMS_DATA_TREES] = {"left", "right", "word", "label"},
        [PROGRAMS_DATA_CONLLU] = {"form", "tag", "head", "label", "first", "length",
                                  "hybrid", "eager"},
    };
    const struct programs_data *data = e->operands[0]->data;
    struct form_ids arrays = programs_build_values(b, data->part_count);
    for (uint32_t i = 0; i < arrays.count; i++)
        arrays.items[i] = build_array_of(
            b->at, build_read(b, names[data->kind][i], data->tensors[i]),
            ISA_ELEMENT_REAL, isa_type_array_of(ISA_INT));
    return arrays;
}

/* Builds a call that makes one value. */
static uint32_t build_call(struct programs_builder *b, const struct programs_expr *e)
{
    if (e->call->builtin < PROGRAMS_BUILTIN_PLAIN)
        return build_conversion(b, e);
    switch (programs_tensor_rule(e->call->builtin)) {
    case PROGRAMS_TENSOR_FILE:
        return build_data(b, e->operands[0]->data);
    case PROGRAMS_TENSOR_MAKE:
        return build_make(b, e->operands[0], element_of(e),
                          (unsigned)programs_type_tensor_rank(e->type));
    case PROGRAMS_TENSOR_FILL:
        return build_fill(b, e);
    case PROGRAMS_TENSOR_RANDOM:
        return build_random(b, e);
    case PROGRAMS_TENSOR_COUNT:
        return form_map(b->at, ISA_KERNEL_IOTA, build_numbers(b, &e->operands[0], 1));
    case PROGRAMS_TENSOR_STACK:
        return build_stack(b, e);
    default:
        return build_on_tensor(b, e);
    }
}

struct form_ids programs_build_tensor_builtin(struct programs_builder *b,
                                              const struct programs_expr *e)
{
    switch (e->call->builtin) {
    case PROGRAMS_BUILTIN_TREES:
    case PROGRAMS_BUILTIN_CONLLU:
        return build_arrays(b, e);
    case PROGRAMS_BUILTIN_RANDOM_BITS:
        return build_bits(b, e);
    case PROGRAMS_BUILTIN_TOP_K:
        return build_top(b, e);
    case PROGRAMS_BUILTIN_SPLIT:
        return build_split(b, e);
    default:
        return programs_build_value(b, build_call(b, e));
    }
}

/* --- params ---------------------------------------------------------------------------------- */

uint32_t programs_build_param(struct programs_builder *b, const struct programs_expr *e)
{
    static const unsigned uses[] = {
        [PROGRAMS_INIT_ZEROS] = ISA_USE_ZEROS,
        [PROGRAMS_INIT_ONES] = ISA_USE_ONES,
        [PROGRAMS_INIT_NORMAL] = ISA_USE_NORMAL,
        [PROGRAMS_INIT_UNIFORM] = ISA_USE_UNIFORM,
    };
    const struct programs_param *param = e->param;
    if (b->options->params)
        return build_read(
            b, lib_arena_printf(b->scratch, PROGRAMS_PARAM_TENSOR, (size_t)param->number),
            b->options->params[param->number - 1]);
    if (param->data)
        return build_data(b, param->data);
    uint32_t extents = build_numbers(b, e->operands, param->rank), arguments = FORM_NONE;
    if (param->argument_count == 0)
        return form_map(b->at, uses[param->initialiser], extents);
    for (size_t i = 0; i < param->argument_count; i++) {
        const struct programs_expr *argument = e->operands[param->rank + i];
        const struct form_place p = programs_build_at(b, argument->pos);
        const uint32_t one = scalar(p, programs_build_one(b, argument), ISA_ELEMENT_REAL);
        arguments = i ? form_vector(p, arguments, one) : one;
    }
    return form_compute(b->at, ISA_OP_COMBINE, ISA_INT,
                        isa_use(uses[param->initialiser], ISA_USE_NO_AXIS, param->number),
                        (const uint32_t[]){extents, arguments}, 2);
}
