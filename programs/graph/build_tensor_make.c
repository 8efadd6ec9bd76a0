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

uint32_t programs_build_hold(struct form_block *r, const char *name,
                             struct isa_tensor *tensor, struct lib_pos pos)
{
    isa_tensor_seal(tensor, true);
    const struct form_place p = form_at(r, pos);
    struct form_entry *load = form_add_entry(p, FORM_TENSOR);
    load->index = form_add_tensor(r->form, name, tensor);
    return form_add_result(p, load, tensor_type(tensor->shape.element));
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

static uint32_t hold_empty(struct programs_builder *b, struct form_block *r,
                           enum isa_element_kind element, unsigned rank,
                           struct lib_pos pos)
{
    struct isa_shape shape = isa_shape_scalar(element);
    shape.rank = (uint8_t)rank;
    return programs_build_hold(r, "empty", programs_build_constant(b, &shape), pos);
}

/* --- whole numbers ----------------------------------------------------------------------- */

uint32_t programs_build_known(struct programs_builder *b, struct form_block *r,
                              const int64_t *items, size_t count, struct lib_pos pos)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {(int64_t)count}};
    struct isa_tensor *tensor = programs_build_constant(b, &shape);
    for (size_t i = 0; i < count; i++)
        isa_tensor_set(tensor, i, (double)items[i]);
    return programs_build_hold(r, "numbers", tensor, pos);
}

uint32_t programs_build_numbers(struct programs_builder *b, struct form_block *r,
                                struct programs_expr *const *items, size_t count,
                                struct lib_pos pos)
{
    bool literal = true;
    for (size_t i = 0; i < count; i++)
        literal = literal && items[i]->kind == PROGRAMS_EXPR_INT;
    if (literal) {
        int64_t *held = LIB_ARENA_ARRAY(b->scratch, int64_t, count);
        for (size_t i = 0; i < count; i++)
            held[i] = items[i]->integer;
        return programs_build_known(b, r, held, count, pos);
    }
    uint32_t all = number(r, programs_build_one(b, r, items[0]), pos);
    for (size_t i = 1; i < count; i++)
        all = vector(r, all, number(r, programs_build_one(b, r, items[i]), pos), pos);
    return all;
}

/* --- tensors from arrays -------------------------------------------------------------------- */

uint32_t programs_build_tensor_of(struct form_block *r, uint32_t array,
                                  enum isa_element_kind element, struct lib_pos pos)
{
    return form_convert(form_at(r, pos), FORM_TO_TENSOR, array, element,
                        tensor_type(element));
}

static uint32_t join_written(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, enum isa_element_kind element,
                             unsigned rank, size_t low, size_t high);

static uint32_t join_elements(struct programs_builder *b, struct form_block *r,
                              const struct programs_expr *e,
                              const struct isa_shape *shape, unsigned axis, size_t low,
                              size_t high)
{
    if (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        uint32_t lower = join_elements(b, r, e, shape, axis, low, middle);
        return vector(r, lower, join_elements(b, r, e, shape, axis, middle, high),
                      e->pos);
    }
    const struct programs_expr *one = e->operands[low];
    if (axis + 1 < shape->rank)
        return join_elements(b, r, one, shape, axis + 1, 0, one->operand_count);
    return scalar(r, programs_build_one(b, r, one), (enum isa_element_kind)shape->element,
                  one->pos);
}

static uint32_t build_written(struct programs_builder *b, struct form_block *r,
                              const struct programs_expr *e,
                              const struct isa_shape *shape)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < shape->rank; i++)
        count *= (uint64_t)shape->extents[i];
    uint32_t all = join_elements(b, r, e, shape, 0, 0, e->operand_count);
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

uint32_t programs_build_make(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, enum isa_element_kind element,
                             unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    if (rank > 0 && find_written(e, true, rank, &shape, 0)) {
        struct isa_tensor *tensor = programs_build_constant(b, &shape);
        uint64_t at = 0;
        put_literals(e, rank, tensor, &at);
        return programs_build_hold(r, "literal", tensor, e->pos);
    }
    if (rank == 0)
        return scalar(r, programs_build_one(b, r, e), element, e->pos);
    shape = isa_shape_scalar(element);
    if (find_written(e, false, rank, &shape, 0))
        return build_written(b, r, e, &shape);
    if (e->kind == PROGRAMS_EXPR_ARRAY && e->operand_count > 0)
        return join_written(b, r, e, element, rank, 0, e->operand_count);
    return programs_build_tensor_of(r, programs_build_one(b, r, e), element, e->pos);
}

static uint32_t join_written(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, enum isa_element_kind element,
                             unsigned rank, size_t low, size_t high)
{
    if (high - low == 1)
        return lift(r, programs_build_make(b, r, e->operands[low], element, rank - 1),
                    e->pos);
    const size_t middle = low + (high - low) / 2;
    uint32_t lower = join_written(b, r, e, element, rank, low, middle);
    return join(r, lower, join_written(b, r, e, element, rank, middle, high), e->pos);
}

/* --- arrays from tensors ---------------------------------------------------------------------- */

uint32_t programs_build_array_of(struct form_block *r, uint32_t tensor,
                                 enum isa_element_kind kind, enum isa_type type,
                                 struct lib_pos pos)
{
    if (isa_type_rank(type) == 0)
        return item(r, tensor, kind, pos);
    return form_convert(form_at(r, pos), FORM_TO_ARRAY, tensor, kind, type);
}

uint32_t programs_build_shape(struct programs_builder *b, struct form_block *r,
                              uint32_t tensor, int rank, struct lib_pos pos)
{
    struct form_entry *made = form_add_entry(form_at(r, pos), FORM_ARRAY);
    made->index = (uint32_t)rank;
    const uint32_t array = form_add_result(form_at(r, pos), made,
                                           isa_type_array_of(ISA_INT));
    for (int i = 0; i < rank; i++)
        programs_build_store(
            r, made, (uint32_t)i,
            programs_build_value(b, compute(r, ISA_OP_DIM, tensor, integer(r, i), pos)),
            pos);
    return array;
}
