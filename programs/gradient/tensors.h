/* Adjoints (derivatives of the output) of operands of instructions that take tensors apart or
 * join them. Always, x is the operand and y the adjoint of the instruction's result. */
#ifndef PROGRAMS_GRADIENT_TENSORS_H
#define PROGRAMS_GRADIENT_TENSORS_H

#include "programs/gradient/differentiate.h"

/* Adds a slice of a tensor: along an axis, `count` indices from `first` on. Returns its value. */
uint32_t form_slice(struct form_place p, uint32_t tensor, int axis, uint32_t first,
                    uint32_t count);

/* Returns the adjoint of an operand of a slice: y between zeros. `range` is a tensor with the first
 * index and the length of the slice. */
uint32_t differ_slice(struct form_place p, uint32_t x, uint32_t range, uint32_t y,
                      int axis);

/* Returns the adjoint of an operand of which one of several equal parts is taken; `which` is a
 * tensor whose first element is the index of the part. */
uint32_t differ_split(struct form_place p, int axis, uint32_t x, uint32_t which,
                      uint32_t y);
/* Returns the adjoint of an operand of which one of several parts is taken; `which` is a tensor
 * with the index of the part, then the extents of all parts. */
uint32_t differ_part_of(struct form_place p, int axis, uint32_t x, uint32_t which,
                        uint32_t y);

/* Returns the adjoint of an operand whose `count` greatest elements are taken. */
uint32_t differ_top(struct form_place p, int axis, uint32_t x, uint32_t count,
                    uint32_t y);

/* Returns the adjoint of the first (`which` = 0) or second (1) operand of a stack. */
uint32_t differ_stack(struct form_place p, int axis, int64_t which, uint32_t y);

/* Returns the adjoint of an operand from which the rows with indices `rows` are gathered. */
uint32_t differ_gather(struct form_place p, uint32_t x, uint32_t rows, uint32_t y);
/* Returns the adjoint of an operand whose rows are scattered to the indices `rows`. */
uint32_t differ_scatter(struct form_place p, uint32_t rows, uint32_t y);

/* Returns the adjoint of an operand that is padded; the first element of tensor `numbers` is the
 * length of the padding before the operand. */
uint32_t differ_padded(struct form_place p, int axis, uint32_t x, uint32_t numbers,
                       uint32_t y);

/* Returns the adjoint of a vector of which element `i` is taken. */
uint32_t differ_item_of_vector(struct form_place p, uint32_t x, uint32_t i, uint32_t y);

/* Adds the contributions of a VECTOR instruction to the adjoints of its operands x[0] and x[1]. */
void differ_vector(struct differ *d, const uint32_t *x, uint32_t y);

#endif
