/* Functions that add instructions on tensors to a form. */
#ifndef PROGRAMS_FORM_KERNELS_H
#define PROGRAMS_FORM_KERNELS_H

#include "isa/kernel_use.h"
#include "programs/form/form.h"

/* Adds an instruction that applies `kernel` to tensor `a` along an axis. Returns its result. */
static inline uint32_t form_map_at(struct form_place p, unsigned kernel, int axis,
                                   uint32_t a)
{
    return form_compute(p, ISA_OP_MAP, ISA_INT, isa_use(kernel, axis, 0), &a, 1);
}

static inline uint32_t form_map(struct form_place p, unsigned kernel, uint32_t a)
{
    return form_map_at(p, kernel, ISA_USE_NO_AXIS, a);
}

/* Adds an instruction that applies `kernel` to two tensors along an axis. Returns its result. */
static inline uint32_t form_join_at(struct form_place p, unsigned kernel, int axis,
                                    uint32_t a, uint32_t b)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT, isa_use(kernel, axis, 0),
                        (const uint32_t[]){a, b}, 2);
}

static inline uint32_t form_join(struct form_place p, unsigned kernel, uint32_t a,
                                 uint32_t b)
{
    return form_join_at(p, kernel, ISA_USE_NO_AXIS, a, b);
}

static inline uint32_t form_join_three(struct form_place p, unsigned kernel, uint32_t a,
                                       uint32_t b, uint32_t c)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT, isa_use(kernel, ISA_USE_NO_AXIS, 0),
                        (const uint32_t[]){a, b, c}, 3);
}

/* Adds an instruction that makes a tensor, an argument of kernels, of an int. */
static inline uint32_t form_number(struct form_place p, uint32_t i)
{
    return form_compute_1(p, ISA_OP_NUMBER, i);
}

/* Adds an instruction that joins vectors or tensors of rank 0. */
static inline uint32_t form_vector(struct form_place p, uint32_t a, uint32_t b)
{
    return form_compute_2(p, ISA_OP_VECTOR, a, b);
}

/* Adds an instruction that returns the length of an axis of a tensor, an int. */
static inline uint32_t form_extent(struct form_place p, uint32_t tensor, int axis)
{
    return form_compute_2(p, ISA_OP_DIM, tensor, form_integer(p, axis));
}

#endif
