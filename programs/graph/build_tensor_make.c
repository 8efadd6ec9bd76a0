/* Builds tensors of literals and arrays, and arrays of tensors. */
#include "programs/graph/build_tensor_internal.h"

static enum isa_type tensor_type(enum isa_element_kind element)
{
    return isa_element_is_real(element) ? ISA_TENSOR : FORM_WHOLES;
}

/* --- tensors that the graph holds ------------------------------------------------------- */

struct isa_tensor *programs_build_constant(struct programs_builder *b,
                                           const struct isa_shape *shape)
{
    return isa_tensor_new(&b->graph->tensors, shape);
}

uint32_t programs_build_hold(struct form_place p, const char *name,
                             struct isa_tensor *tensor)
{
    isa_tensor_seal(tensor, true);
    struct form_entry *load = form_add_entry(p, FORM_TENSOR);
    load->index = form_add_tensor(p.form, name, tensor);
    return form_add_result(p, load, tensor_type(tensor->shape.element));
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
    return programs_build_hold(b->at, "empty", programs_build_constant(b, &shape));
}

/* --- whole numbers ----------------------------------------------------------------------- */

uint32_t programs_build_known(struct programs_builder *b, const int64_t *items,
                              size_t count)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {(int64_t)count}};
    struct isa_tensor *tensor = programs_build_constant(b, &shape);
    for (size_t i = 0; i < count; i++)
        isa_tensor_set(tensor, i, (double)items[i]);
    return programs_build_hold(b->at, "numbers", tensor);
}

uint32_t programs_build_numbers(struct programs_builder *b,
                                struct programs_expr *const *items, size_t count)
{
    bool literal = true;
    for (size_t i = 0; i < count; i++)
        literal = literal && items[i]->kind == PROGRAMS_EXPR_INT;
    if (literal) {
        int64_t *held = LIB_ARENA_ARRAY(b->scratch, int64_t, count);
        for (size_t i = 0; i < count; i++)
            held[i] = items[i]->integer;
        return programs_build_known(b, held, count);
    }
    uint32_t all = form_number(b->at, programs_build_one(b, items[0]));
    for (size_t i = 1; i < count; i++)
        all = form_vector(b->at, all,
                          form_number(b->at, programs_build_one(b, items[i])));
    return all;
}

/* --- tensors from arrays -------------------------------------------------------------------- */

uint32_t programs_build_tensor_of(struct form_place p, uint32_t array,
                                  enum isa_element_kind element)
{
    return form_convert(p, FORM_TO_TENSOR, array, element, tensor_type(element));
}

static uint32_t join_written(struct programs_builder *b, const struct programs_expr *e,
                             enum isa_element_kind element, unsigned rank, size_t low,
                             size_t high);

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
    uint64_t count = 1;
    for (unsigned i = 0; i < shape->rank; i++)
        count *= (uint64_t)shape->extents[i];
    uint32_t all = join_elements(b, e, shape, 0, 0, e->operand_count);
    if (count == 1) /* the scalar becomes a vector */
        all = form_vector(b->at, all,
                          hold_empty(b, (enum isa_element_kind)shape->element, 1));
    if (shape->rank == 1)
        return all;
    return form_join(b->at, ISA_KERNEL_RESHAPE, all,
                     programs_build_known(b, shape->extents, shape->rank));
}

static uint32_t build_make(struct programs_builder *b, const struct programs_expr *e,
                           enum isa_element_kind element, unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    if (rank > 0 && find_written(e, true, rank, &shape, 0)) {
        struct isa_tensor *tensor = programs_build_constant(b, &shape);
        uint64_t at = 0;
        put_literals(e, rank, tensor, &at);
        return programs_build_hold(b->at, "literal", tensor);
    }
    if (rank == 0)
        return scalar(b->at, programs_build_one(b, e), element);
    shape = isa_shape_scalar(element);
    if (find_written(e, false, rank, &shape, 0))
        return build_written(b, e, &shape);
    if (e->kind == PROGRAMS_EXPR_ARRAY && e->operand_count > 0)
        return join_written(b, e, element, rank, 0, e->operand_count);
    return programs_build_tensor_of(b->at, programs_build_one(b, e), element);
}

static uint32_t join_written(struct programs_builder *b, const struct programs_expr *e,
                             enum isa_element_kind element, unsigned rank, size_t low,
                             size_t high)
{
    if (high - low == 1)
        return form_map_at(b->at, ISA_USE_LIFT, 0,
                           programs_build_make(b, e->operands[low], element, rank - 1));
    const size_t middle = low + (high - low) / 2;
    uint32_t lower = join_written(b, e, element, rank, low, middle);
    return form_join_at(b->at, ISA_KERNEL_CONCAT, 0, lower,
                        join_written(b, e, element, rank, middle, high));
}

uint32_t programs_build_make(struct programs_builder *b, const struct programs_expr *e,
                             enum isa_element_kind element, unsigned rank)
{
    const struct form_place outer = b->at;
    b->at.pos = e->pos;
    const uint32_t made = build_make(b, e, element, rank);
    b->at = outer;
    return made;
}

/* --- arrays from tensors ---------------------------------------------------------------------- */

uint32_t programs_build_array_of(struct form_place p, uint32_t tensor,
                                 enum isa_element_kind kind, enum isa_type type)
{
    return isa_type_rank(type) == 0 ? item(p, tensor, kind)
                                    : form_convert(p, FORM_TO_ARRAY, tensor, kind, type);
}

uint32_t programs_build_shape(struct programs_builder *b, uint32_t tensor, int rank)
{
    struct form_entry *made = form_add_entry(b->at, FORM_ARRAY);
    made->index = (uint32_t)rank;
    const uint32_t array = form_add_result(b->at, made, isa_type_array_of(ISA_INT));
    for (int i = 0; i < rank; i++)
        programs_build_store(b->at, made, (uint32_t)i,
                             programs_build_value(b, form_extent(b->at, tensor, i)));
    return array;
}
