/* Adjoints of operands of instructions that take tensors apart or join them
 * (programs/gradient/tensors_index.c). Functions differ_ return the adjoint of the operand x, where
 * y is the adjoint of the instruction's result. */
#ifndef PROGRAMS_GRADIENT_TENSORS_H
#define PROGRAMS_GRADIENT_TENSORS_H

#include "programs/gradient/differentiate.h"

/* Returns `count` parts of a tensor from `first` on, along an axis. */
uint32_t form_slice(struct form_place p, uint32_t tensor, int axis, uint32_t first,
                    uint32_t count);

/* For a slice, whose `range` is a tensor of two numbers: y between zeros. */
uint32_t differ_slice(struct form_place p, uint32_t x, uint32_t range, uint32_t y,
                      int axis);

/* For a part of a split: for equal parts, and for parts whose extents follow the number of the part
 * in `which`. */
uint32_t differ_split(struct form_place p, int axis, uint32_t x, uint32_t which,
                      uint32_t y);
uint32_t differ_part_of(struct form_place p, int axis, uint32_t x, uint32_t which,
                        uint32_t y);

/* For the `count` greatest elements. */
uint32_t differ_top(struct form_place p, int axis, uint32_t x, uint32_t count,
                    uint32_t y);

/* For a stack: `which` is 0 for its first operand and 1 for its second. */
uint32_t differ_stack(struct form_place p, int axis, int64_t which, uint32_t y);

/* For rows that are gathered or scattered. */
uint32_t differ_gather(struct form_place p, uint32_t x, uint32_t rows, uint32_t y);
uint32_t differ_scatter(struct form_place p, uint32_t rows, uint32_t y);

/* For a tensor that is padded. The first of `numbers` is the padding before it. */
uint32_t differ_padded(struct form_place p, int axis, uint32_t x, uint32_t numbers,
                       uint32_t y);

/* For an element of a vector. */
uint32_t differ_item_of_vector(struct form_place p, uint32_t x, uint32_t i, uint32_t y);

/* Adds the adjoints of both operands of a VECTOR. */
void differ_vector(struct differ *d, struct form_place p, struct adjoints *a,
                   const uint32_t *x, uint32_t y);

#endif
