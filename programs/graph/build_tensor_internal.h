#ifndef PROGRAMS_GRAPH_BUILD_TENSOR_INTERNAL_H
#define PROGRAMS_GRAPH_BUILD_TENSOR_INTERNAL_H

#include "programs/form/kernels.h"
#include "programs/graph/builder.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

/* Adds an instruction that makes a tensor of rank 0 of a value. `element`: if the value is a real,
 * element type of the tensor, real or real32. */
static inline uint32_t scalar(struct form_place p, uint32_t value,
                              enum isa_element_kind element)
{
    const enum isa_type type = form_type(p.form, value);
    const enum isa_op op = type == ISA_INT                 ? ISA_OP_SCALAR_I
                           : type == ISA_BOOL              ? ISA_OP_SCALAR_B
                           : element == ISA_ELEMENT_REAL32 ? ISA_OP_SCALAR_F
                                                           : ISA_OP_SCALAR;
    return form_compute_1(p, op, value);
}

static inline uint32_t item_at(struct form_place p, uint32_t tensor, uint32_t index,
                               enum isa_element_kind element, uint32_t which)
{
    const enum isa_op op = element == ISA_ELEMENT_INT    ? ISA_OP_ITEM_I
                           : element == ISA_ELEMENT_BOOL ? ISA_OP_ITEM_B
                                                         : ISA_OP_ITEM;
    return form_compute(p, op, ISA_INT, which, (const uint32_t[]){tensor, index}, 2);
}

/* Adds an instruction that returns the only element of a tensor. */
static inline uint32_t item(struct form_place p, uint32_t tensor,
                            enum isa_element_kind element)
{
    return item_at(p, tensor, form_integer(p, 0), element, 0);
}

static inline bool is_tensor(const struct programs_expr *e)
{
    return programs_type_find(e->type)->kind == PROGRAMS_TYPE_TENSOR;
}

static inline enum isa_element_kind element_of(const struct programs_expr *e)
{
    return programs_type_element(e->type);
}

/* Builds a tensor of rank 1 of the values of int expressions, arguments of a kernel. */
uint32_t programs_build_numbers(struct programs_builder *b,
                                struct programs_expr *const *items, size_t count);
/* Builds a tensor of rank 1 of ints that the compiler knows, arguments of a kernel. */
uint32_t programs_build_known(struct programs_builder *b, const int64_t *items,
                              size_t count);

/* Builds `e`, indices of rows (an int, an array of ints or a tensor), as a tensor. */
uint32_t programs_build_rows(struct programs_builder *b, const struct programs_expr *e);

/* Returns the axis, from 0, that an argument of a call names, which may count from the end; `rank`
 * is the rank of the tensor. */
int programs_build_axis(const struct programs_expr *e, size_t argument, unsigned rank);

/* Builds a call of a built-in function of indices (iota, argmax, top_k, ...); returns false if it
 * is a call of another function. */
bool programs_build_index_call(struct programs_builder *b, const struct programs_expr *e,
                               struct programs_values *values);

/* --- programs/graph/build_tensor_make.c --- */

/* Allocates a tensor of the graph, which the caller fills. */
struct isa_tensor *programs_build_constant(struct programs_builder *b,
                                           const struct isa_shape *shape);

/* Adds an allocated tensor to the graph as a constant, and a LOAD of it. */
uint32_t programs_build_hold(struct form_place p, const char *name,
                             struct isa_tensor *tensor);

/* Builds a call of the built-in tensor(E). */
uint32_t programs_build_make(struct programs_builder *b, const struct programs_expr *e,
                             enum isa_element_kind element, unsigned rank);

/* Builds a call of the built-in shape(t). */
uint32_t programs_build_shape(struct programs_builder *b, uint32_t tensor, int rank);

#endif
