#ifndef PROGRAMS_GRAPH_BUILD_TENSOR_INTERNAL_H
#define PROGRAMS_GRAPH_BUILD_TENSOR_INTERNAL_H

#include "isa/kernel_use.h"
#include "programs/graph/builder.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

static inline uint32_t map(struct form_block *r, uint32_t use, uint32_t a,
                           struct lib_pos pos)
{
    return form_compute(form_at(r, pos), ISA_OP_MAP, ISA_INT, use, &a, 1);
}

static inline uint32_t combine(struct form_block *r, uint32_t use, uint32_t a, uint32_t b,
                               struct lib_pos pos)
{
    return form_compute(form_at(r, pos), ISA_OP_COMBINE, ISA_INT, use,
                        (const uint32_t[]){a, b}, 2);
}

/* Adds an instruction that applies kernel `use` to three tensors. */
static inline uint32_t combine_three(struct form_block *r, uint32_t use, uint32_t a,
                                     uint32_t b, uint32_t c, struct lib_pos pos)
{
    return form_compute(form_at(r, pos), ISA_OP_COMBINE, ISA_INT, use,
                        (const uint32_t[]){a, b, c}, 3);
}

static inline uint32_t compute(struct form_block *r, enum isa_op op, uint32_t a,
                               uint32_t b, struct lib_pos pos)
{
    return form_compute_2(form_at(r, pos), op, a, b);
}

static inline uint32_t plain(unsigned use)
{
    return isa_use(use, ISA_USE_NO_AXIS, 0);
}

static inline uint32_t integer(struct form_block *r, int64_t i)
{
    return form_literal(r->form, ISA_INT, isa_value_of_int(i));
}

/* Adds an instruction that makes a tensor of rank 0 of a value. `element`: if the value is a real,
 * element type of the tensor, real or real32. */
static inline uint32_t scalar(struct form_block *r, uint32_t value,
                              enum isa_element_kind element, struct lib_pos pos)
{
    const enum isa_type type = form_type(r->form, value);
    const enum isa_op op = type == ISA_INT                 ? ISA_OP_SCALAR_I
                           : type == ISA_BOOL              ? ISA_OP_SCALAR_B
                           : element == ISA_ELEMENT_REAL32 ? ISA_OP_SCALAR_F
                                                           : ISA_OP_SCALAR;
    return form_compute_1(form_at(r, pos), op, value);
}

static inline uint32_t item_at(struct form_block *r, uint32_t tensor, uint32_t index,
                               enum isa_element_kind element, uint32_t which,
                               struct lib_pos pos)
{
    const enum isa_op op = element == ISA_ELEMENT_INT    ? ISA_OP_ITEM_I
                           : element == ISA_ELEMENT_BOOL ? ISA_OP_ITEM_B
                                                         : ISA_OP_ITEM;
    return form_compute(form_at(r, pos), op, ISA_INT, which,
                        (const uint32_t[]){tensor, index}, 2);
}

/* Adds an instruction that returns the only element of a tensor. */
static inline uint32_t item(struct form_block *r, uint32_t tensor,
                            enum isa_element_kind element, struct lib_pos pos)
{
    return item_at(r, tensor, integer(r, 0), element, 0, pos);
}

static inline uint32_t lift(struct form_block *r, uint32_t tensor, struct lib_pos pos)
{
    return map(r, isa_use(ISA_USE_LIFT, 0, 0), tensor, pos);
}

static inline uint32_t join(struct form_block *r, uint32_t a, uint32_t b,
                            struct lib_pos pos)
{
    return combine(r, isa_use(ISA_KERNEL_CONCAT, 0, 0), a, b, pos);
}

static inline uint32_t vector(struct form_block *r, uint32_t a, uint32_t b,
                              struct lib_pos pos)
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

static inline uint32_t number(struct form_block *r, uint32_t i, struct lib_pos pos)
{
    return form_compute_1(form_at(r, pos), ISA_OP_NUMBER, i);
}

/* Builds a tensor of rank 1 of the values of int expressions, arguments of a kernel. */
uint32_t programs_build_numbers(struct programs_builder *b, struct form_block *r,
                                struct programs_expr *const *items, size_t count,
                                struct lib_pos pos);
/* Builds a tensor of rank 1 of ints that the compiler knows, arguments of a kernel. */
uint32_t programs_build_known(struct programs_builder *b, struct form_block *r,
                              const int64_t *items, size_t count, struct lib_pos pos);

/* Builds `e`, indices of rows (an int, an array of ints or a tensor), as a tensor. */
uint32_t programs_build_rows(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e);

/* Returns the axis, from 0, that an argument of a call names, which may count from the end; `rank`
 * is the rank of the tensor. */
int programs_build_axis(const struct programs_expr *e, size_t argument, unsigned rank);

/* Builds a call of a built-in function of indices (iota, argmax, top_k, ...); returns false if it
 * is a call of another function. */
bool programs_build_index_call(struct programs_builder *b, struct form_block *r,
                               const struct programs_expr *e,
                               struct programs_values *values);

/* --- programs/graph/build_tensor_make.c --- */

/* Allocates a tensor of the graph, which the caller fills. */
struct isa_tensor *programs_build_constant(struct programs_builder *b,
                                           const struct isa_shape *shape);

/* Adds an allocated tensor to the graph as a constant, and a LOAD of it. */
uint32_t programs_build_hold(struct form_block *r, const char *name,
                             struct isa_tensor *tensor, struct lib_pos pos);

/* Builds a call of the built-in tensor(E). */
uint32_t programs_build_make(struct programs_builder *b, struct form_block *r,
                             const struct programs_expr *e, enum isa_element_kind element,
                             unsigned rank);

/* Builds a call of the built-in shape(t). */
uint32_t programs_build_shape(struct programs_builder *b, struct form_block *r,
                              uint32_t tensor, int rank, struct lib_pos pos);

#endif
