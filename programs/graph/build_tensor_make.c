/* Builds tensors of literals and arrays, and arrays of tensors. */
#include "programs/graph/build_tensor_internal.h"

/* --- tensors that the graph holds ------------------------------------------------------- */

struct isa_tensor *programs_build_constant(struct programs_builder *b,
                                           const struct isa_shape *shape)
{
    return isa_tensor_new(&b->graph->tensors, shape);
}

struct region_value programs_build_hold(struct programs_builder *b, struct region *r,
                                        const char *name, struct isa_tensor *tensor,
                                        struct lib_pos pos)
{
    isa_tensor_seal(tensor, true);
    return region_load(r, isa_graph_add_constant(b->graph, name, tensor), pos);
}

static bool is_literal(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL ||
           e->kind == PROGRAMS_EXPR_BOOL;
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
        return is_literal(e) || !literal;
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

static struct region_value hold_empty(struct programs_builder *b, struct region *r,
                                      enum isa_element_kind element, unsigned rank,
                                      struct lib_pos pos)
{
    struct isa_shape shape = isa_shape_scalar(element);
    shape.rank = (uint8_t)rank;
    return programs_build_hold(b, r, "empty", programs_build_constant(b, &shape), pos);
}

/* --- whole numbers ----------------------------------------------------------------------- */

struct region_value programs_build_known(struct programs_builder *b, struct region *r,
                                         const int64_t *items, size_t count,
                                         struct lib_pos pos)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {(int64_t)count}};
    struct isa_tensor *tensor = programs_build_constant(b, &shape);
    for (size_t i = 0; i < count; i++)
        isa_tensor_set(tensor, i, (double)items[i]);
    return programs_build_hold(b, r, "numbers", tensor, pos);
}

struct region_value programs_build_numbers(struct programs_builder *b, struct region *r,
                                           struct programs_expr *const *items,
                                           size_t count, struct lib_pos pos)
{
    bool literal = true;
    for (size_t i = 0; i < count; i++)
        literal = literal && items[i]->kind == PROGRAMS_EXPR_INT;
    if (literal) {
        int64_t *held = LIB_ARENA_ARRAY(b->arena, int64_t, count);
        for (size_t i = 0; i < count; i++)
            held[i] = items[i]->integer;
        return programs_build_known(b, r, held, count, pos);
    }
    struct region_value all = number(r, programs_build_one(b, r, items[0]), pos);
    for (size_t i = 1; i < count; i++)
        all = vector(r, all, number(r, programs_build_one(b, r, items[i]), pos), pos);
    return all;
}

/* --- tensors from arrays -------------------------------------------------------------------- */

/* Returns an element of an array for joining: of an array of arrays it has one row. */
static struct region_value row_of(struct programs_builder *b, struct region *r,
                                  struct region_value value,
                                  enum isa_element_kind element, struct lib_pos pos)
{
    if (isa_type_rank(value.type) > 0)
        return lift(r, programs_build_tensor_of(b, r, value, element, pos), pos);
    if (value.type == ISA_INT && element == ISA_ELEMENT_REAL)
        return number(r, value, pos);
    return scalar(r, value, element, pos);
}

/* Returns the function that makes a tensor of elements `low` to `high` - 1 of an array, at least
 * one. */
__attribute__((noinline)) static uint32_t
build_part_function(struct programs_builder *b, enum isa_type type,
                    enum isa_element_kind element, struct lib_pos pos)
{
    const enum isa_type params[] = {type, ISA_INT, ISA_INT}, result = ISA_TENSOR;
    const uint32_t part = isa_graph_add_function(
        b->graph,
        lib_arena_printf(b->arena, element == ISA_ELEMENT_INT ? "ints.%s" : "tensor.%s",
                         isa_type_name(type)),
        params, 3, &result, 1, pos);
    isa_graph_set_names(b->graph, part, (const char *const[]){"array", "low", "high"});
    struct region *top = region_top(b->graph, b->arena, part, b->options);
    struct region *inner[2];
    struct region_value array = region_param(top, 0, pos),
                        low = region_param(top, 1, pos), high = region_param(top, 2, pos);
    struct region_value count = compute(top, ISA_OP_SUB_I, high, low, pos);
    region_split(top, compute(top, ISA_OP_EQ_I, count, integer(1), pos), pos, inner);
    struct region_value half = compute(inner[1], ISA_OP_DIV_I, count, integer(2), pos);
    struct region_value middle = compute(inner[1], ISA_OP_ADD_I, low, half, pos);
    struct region_value lower = programs_build_range(inner[1], part, array, low, middle,
                                                     pos);
    struct region_value upper = programs_build_range(inner[1], part, array, middle, high,
                                                     pos);
    struct region_value both = isa_type_rank(isa_type_element(type)) > 0
                                   ? join(inner[1], lower, upper, pos)
                                   : vector(inner[1], lower, upper, pos);
    struct region_value one = row_of(
        b, inner[0], programs_build_fetch(inner[0], array, low, pos), element, pos);
    region_consume(top, ISA_OP_RESULT, 0, region_merge(top, inner, one, both, pos), pos);
    return part;
}

struct region_value programs_build_tensor_of(struct programs_builder *b, struct region *r,
                                             struct region_value array,
                                             enum isa_element_kind element,
                                             struct lib_pos pos)
{
    if (region_is_recording(r))
        return region_to_tensor(r, array, element, pos);
    const uint32_t part = build_part_function(b, array.type, element, pos);
    struct region *inner[2];
    struct region_value length = region_compute(
        r, ISA_OP_LENGTH, isa_type_element(array.type), &array, 1, pos);
    region_split(r, compute(r, ISA_OP_EQ_I, length, integer(0), pos), pos, inner);
    struct region_value none = hold_empty(b, inner[0], element, isa_type_rank(array.type),
                                          pos);
    struct region_value all = programs_build_range(inner[1], part, array, integer(0),
                                                   length, pos);
    if (isa_type_rank(isa_type_element(array.type)) ==
        0) /* of one element it has rank 0 */
        all = vector(inner[1], all, hold_empty(b, inner[1], element, 1, pos), pos);
    return region_merge(r, inner, none, all, pos);
}

static struct region_value join_written(struct programs_builder *b, struct region *r,
                                        const struct programs_expr *e,
                                        enum isa_element_kind element, unsigned rank,
                                        size_t low, size_t high);

static struct region_value join_elements(struct programs_builder *b, struct region *r,
                                         const struct programs_expr *e,
                                         const struct isa_shape *shape, unsigned axis,
                                         size_t low, size_t high)
{
    if (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        struct region_value lower = join_elements(b, r, e, shape, axis, low, middle);
        return vector(r, lower, join_elements(b, r, e, shape, axis, middle, high),
                      e->pos);
    }
    const struct programs_expr *one = e->operands[low];
    if (axis + 1 < shape->rank)
        return join_elements(b, r, one, shape, axis + 1, 0, one->operand_count);
    return scalar(r, programs_build_one(b, r, one), (enum isa_element_kind)shape->element,
                  one->pos);
}

static struct region_value build_written(struct programs_builder *b, struct region *r,
                                         const struct programs_expr *e,
                                         const struct isa_shape *shape)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < shape->rank; i++)
        count *= (uint64_t)shape->extents[i];
    struct region_value all = join_elements(b, r, e, shape, 0, 0, e->operand_count);
    if (count == 1) /* the scalar becomes a vector */
        all = vector(r, all,
                     hold_empty(b, r, (enum isa_element_kind)shape->element, 1, e->pos),
                     e->pos);
    if (shape->rank == 1)
        return all;
    return combine(r, plain(ISA_KERNEL_RESHAPE), all,
                   programs_build_known(b, r, shape->extents, shape->rank, e->pos),
                   e->pos);
}

struct region_value programs_build_make(struct programs_builder *b, struct region *r,
                                        const struct programs_expr *e,
                                        enum isa_element_kind element, unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    if (rank > 0 && find_written(e, true, rank, &shape, 0)) {
        struct isa_tensor *tensor = programs_build_constant(b, &shape);
        uint64_t at = 0;
        put_literals(e, rank, tensor, &at);
        return programs_build_hold(b, r, "literal", tensor, e->pos);
    }
    if (rank == 0)
        return scalar(r, programs_build_one(b, r, e), element, e->pos);
    shape = isa_shape_scalar(element);
    if (find_written(e, false, rank, &shape, 0))
        return build_written(b, r, e, &shape);
    if (e->kind == PROGRAMS_EXPR_ARRAY && e->operand_count > 0)
        return join_written(b, r, e, element, rank, 0, e->operand_count);
    return programs_build_tensor_of(b, r, programs_build_one(b, r, e), element, e->pos);
}

static struct region_value join_written(struct programs_builder *b, struct region *r,
                                        const struct programs_expr *e,
                                        enum isa_element_kind element, unsigned rank,
                                        size_t low, size_t high)
{
    if (high - low == 1)
        return lift(r, programs_build_make(b, r, e->operands[low], element, rank - 1),
                    e->pos);
    const size_t middle = low + (high - low) / 2;
    struct region_value lower = join_written(b, r, e, element, rank, low, middle);
    return join(r, lower, join_written(b, r, e, element, rank, middle, high), e->pos);
}

/* --- arrays from tensors ---------------------------------------------------------------------- */

static void store_element(struct region *r, struct region_value array,
                          struct region_value index, struct region_value element,
                          struct lib_pos pos)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value operands[] = {array, index};
    region_store(r, type, region_compute(r, ISA_OP_INDEX, type, operands, 2, pos),
                 element, pos);
}

/* Rows are numbered as they lie in the tensor; `before` is the number of rows of the axes before
 * `axis`. */
static struct region_value build_rows_of(struct region *r, struct region_value tensor,
                                         enum isa_type type, int axis,
                                         struct region_value before, struct lib_pos pos)
{
    const enum isa_type element = isa_type_element(type);
    const struct region_value operands[] = {tensor, before};
    if (isa_type_rank(element) == 0)
        return region_compute(r, ISA_OP_ROW, element, operands, 2, pos);
    struct region_value length = compute(r, ISA_OP_DIM, tensor, integer(axis), pos);
    struct region_value first = axis ? compute(r, ISA_OP_MUL_I, before, length, pos)
                                     : before;
    struct region_value array = region_compute(r, ISA_OP_ALLOC, element, &length, 1, pos);
    struct region_loop *loop = region_loop_open(r, "array", ISA_LOOP_UNBOUNDED, pos);
    struct region_value counter = region_loop_enter(loop, integer(0), NULL, pos);
    struct region *body = region_loop_test(
        loop, compute(region_loop_header(loop), ISA_OP_LT_I, counter, length, pos));
    struct region_value at = axis ? compute(body, ISA_OP_ADD_I, first, counter, pos)
                                  : counter;
    store_element(body, array, counter,
                  build_rows_of(body, tensor, element, axis + 1, at, pos), pos);
    region_loop_next(loop, 0, compute(body, ISA_OP_ADD_I, counter, integer(1), pos), pos);
    region_loop_close(loop);
    return array;
}

struct region_value programs_build_array_of(struct region *r, struct region_value tensor,
                                            enum isa_element_kind kind,
                                            enum isa_type type, struct lib_pos pos)
{
    if (isa_type_rank(type) == 0)
        return item(r, tensor, kind, pos);
    if (region_is_recording(r))
        return region_to_array(r, tensor, kind, type, pos);
    return build_rows_of(r, tensor, type, 0, integer(0), pos);
}

struct region_value programs_build_shape(struct region *r, struct region_value tensor,
                                         int rank, struct lib_pos pos)
{
    struct region_value length = integer(rank);
    if (region_is_recording(r)) {
        struct region_value extents[PROGRAMS_TENSOR_RANK_MAX];
        for (int i = 0; i < rank; i++)
            extents[i] = compute(r, ISA_OP_DIM, tensor, integer(i), pos);
        return region_list(r, ISA_INT, extents, (uint32_t)rank, pos);
    }
    struct region_value array = region_compute(r, ISA_OP_ALLOC, ISA_INT, &length, 1, pos);
    for (int i = 0; i < rank; i++)
        store_element(r, array, integer(i),
                      compute(r, ISA_OP_DIM, tensor, integer(i), pos), pos);
    return array;
}
