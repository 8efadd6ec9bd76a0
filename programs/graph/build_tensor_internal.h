#ifndef PROGRAMS_GRAPH_BUILD_TENSOR_INTERNAL_H
#define PROGRAMS_GRAPH_BUILD_TENSOR_INTERNAL_H

#include "isa/kernel_use.h"
#include "programs/graph/builder.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

static inline struct region_value map(struct region *r, uint32_t use,
                                      struct region_value a, struct lib_pos pos)
{
    return region_compute_with(r, ISA_OP_MAP, ISA_INT, use, &a, 1, pos);
}

static inline struct region_value combine(struct region *r, uint32_t use,
                                          struct region_value a, struct region_value b,
                                          struct lib_pos pos)
{
    const struct region_value operands[] = {a, b};
    return region_compute_with(r, ISA_OP_COMBINE, ISA_INT, use, operands, 2, pos);
}

/* Adds instructions that apply kernel `use` to three tensors. In a graph a PAIR joins the last two;
 * in a form (programs/gradient/form.h) a COMBINE takes all three. */
static inline struct region_value combine_three(struct region *r, uint32_t use,
                                                struct region_value a,
                                                struct region_value b,
                                                struct region_value c, struct lib_pos pos)
{
    const struct region_value operands[] = {a, b, c};
    if (region_is_recording(r))
        return region_compute_with(r, ISA_OP_COMBINE, ISA_INT, use, operands, 3, pos);
    return combine(r, use, a,
                   region_compute(r, ISA_OP_PAIR, ISA_INT, &operands[1], 2, pos), pos);
}

static inline struct region_value compute(struct region *r, enum isa_op op,
                                          struct region_value a, struct region_value b,
                                          struct lib_pos pos)
{
    const struct region_value operands[] = {a, b};
    return region_compute(r, op, ISA_INT, operands, 2, pos);
}

static inline uint32_t plain(unsigned use)
{
    return isa_use(use, ISA_USE_NO_AXIS, 0);
}

static inline struct region_value integer(int64_t i)
{
    return region_literal(ISA_INT, isa_value_of_int(i));
}

/* Adds an instruction that makes a tensor of rank 0 of a value. `element`: if the value is a real,
 * element type of the tensor, real or real32. */
static inline struct region_value scalar(struct region *r, struct region_value value,
                                         enum isa_element_kind element,
                                         struct lib_pos pos)
{
    const enum isa_op op = value.type == ISA_INT           ? ISA_OP_SCALAR_I
                           : value.type == ISA_BOOL        ? ISA_OP_SCALAR_B
                           : element == ISA_ELEMENT_REAL32 ? ISA_OP_SCALAR_F
                                                           : ISA_OP_SCALAR;
    return region_compute(r, op, ISA_INT, &value, 1, pos);
}

static inline struct region_value item_at(struct region *r, struct region_value tensor,
                                          struct region_value index,
                                          enum isa_element_kind element,
                                          struct lib_pos pos)
{
    const enum isa_op op = element == ISA_ELEMENT_INT    ? ISA_OP_ITEM_I
                           : element == ISA_ELEMENT_BOOL ? ISA_OP_ITEM_B
                                                         : ISA_OP_ITEM;
    return compute(r, op, tensor, index, pos);
}

/* Adds an instruction that returns the only element of a tensor. */
static inline struct region_value item(struct region *r, struct region_value tensor,
                                       enum isa_element_kind element, struct lib_pos pos)
{
    return item_at(r, tensor, integer(0), element, pos);
}

static inline struct region_value lift(struct region *r, struct region_value tensor,
                                       struct lib_pos pos)
{
    return map(r, isa_use(ISA_USE_LIFT, 0, 0), tensor, pos);
}

static inline struct region_value join(struct region *r, struct region_value a,
                                       struct region_value b, struct lib_pos pos)
{
    return combine(r, isa_use(ISA_KERNEL_CONCAT, 0, 0), a, b, pos);
}

static inline struct region_value vector(struct region *r, struct region_value a,
                                         struct region_value b, struct lib_pos pos)
{
    return compute(r, ISA_OP_VECTOR, a, b, pos);
}

static inline bool is_tensor(const struct programs_expr *e)
{
    return programs_type_find(e->type)->kind == PROGRAMS_TYPE_TENSOR;
}

static inline enum isa_element_kind element_of(const struct programs_expr *e)
{
    return programs_type_element(e->type);
}

static inline struct region_value number(struct region *r, struct region_value i,
                                         struct lib_pos pos)
{
    return region_compute(r, ISA_OP_NUMBER, ISA_INT, &i, 1, pos);
}

/* Builds a tensor of rank 1 of the values of int expressions, arguments of a kernel. */
struct region_value programs_build_numbers(struct programs_builder *b, struct region *r,
                                           struct programs_expr *const *items,
                                           size_t count, struct lib_pos pos);
/* Builds a tensor of rank 1 of ints that the compiler knows, arguments of a kernel. */
struct region_value programs_build_known(struct programs_builder *b, struct region *r,
                                         const int64_t *items, size_t count,
                                         struct lib_pos pos);

/* Builds `e`, indices of rows (an int, an array of ints or a tensor), as a tensor. */
struct region_value programs_build_rows(struct programs_builder *b, struct region *r,
                                        const struct programs_expr *e);

/* Returns the axis, from 0, that an argument of a call names, which may count from the end; `rank`
 * is the rank of the tensor. */
int programs_build_axis(const struct programs_expr *e, size_t argument, unsigned rank);

/* Builds a call of a built-in function of indices (iota, argmax, top_k, ...); returns false if it
 * is a call of another function. */
bool programs_build_index_call(struct programs_builder *b, struct region *r,
                               const struct programs_expr *e,
                               struct programs_values *values);

/* --- programs/graph/build_tensor_make.c --- */

/* Allocates a tensor of the graph, which the caller fills. */
struct isa_tensor *programs_build_constant(struct programs_builder *b,
                                           const struct isa_shape *shape);

/* Adds an allocated tensor to the graph as a constant, and a LOAD of it. */
struct region_value programs_build_hold(struct programs_builder *b, struct region *r,
                                        const char *name, struct isa_tensor *tensor,
                                        struct lib_pos pos);

/* Builds a call of the built-in tensor(E). */
struct region_value programs_build_make(struct programs_builder *b, struct region *r,
                                        const struct programs_expr *e,
                                        enum isa_element_kind element, unsigned rank);

/* Builds a call of the built-in shape(t). */
struct region_value programs_build_shape(struct region *r, struct region_value tensor,
                                         int rank, struct lib_pos pos);

#endif
