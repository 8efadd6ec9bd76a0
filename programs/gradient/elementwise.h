/* Contributions of elementwise instructions, on reals and on tensors, to the adjoints of their
 * operands; part of the rules of programs/gradient/rules.c, which has the words used here.
 *
 * At kinks: abs, hypot and atan2 have the derivative 0 at 0; min and max of equal operands have
 * that of the first. A power has the derivative 0 by its base if the exponent is 0, and by its
 * exponent if the power is 0. */
#ifndef PROGRAMS_GRADIENT_ELEMENTWISE_H
#define PROGRAMS_GRADIENT_ELEMENTWISE_H

#include "programs/gradient/differentiate.h"

/* An instruction of two operands. */
struct differ_binary {
    struct differ *d;
    struct form_place p;
    uint32_t x, z, v, y;
};

/* Returns 1 + the kernel that an instruction on reals computes; 0 if there is none. */
unsigned differ_kernel_of(enum isa_op op);

/* These add instructions on reals, or on tensors, and return the value. */
uint32_t differ_times(struct form_place p, uint32_t a, uint32_t b);
uint32_t differ_negative(struct form_place p, uint32_t a);

/* Returns ones in the shape of x. */
uint32_t differ_ones(struct form_place p, uint32_t x);

/* Returns an adjoint in the shape of a value that may have been broadcast. */
uint32_t differ_sum_to_shape(struct form_place p, uint32_t y, uint32_t like);

/* Adds a contribution to the adjoint of an operand, in the operand's shape. */
void differ_add_shaped(struct differ_binary t, uint32_t operand, uint32_t contribution);

/* Returns the contribution of an elementwise instruction of one operand. */
uint32_t differ_one(struct form_place p, enum isa_kernel kernel, uint32_t x, uint32_t v,
                    uint32_t y);

/* Adds the contributions of an elementwise instruction of two operands. */
void differ_two(struct differ_binary t, enum isa_kernel kernel);

#endif
