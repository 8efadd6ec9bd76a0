/* Graphs of whole arrays: sums, tensors of arrays, arrays of tensors.
 *
 *   sum(a)       0 if LENGTH says so; else a call of a function, each sum its own, that calls
 *                itself for both halves
 *   tensor(a)    a call of a function of its own that joins both halves of the array
 *   array(t)     ROW; if t has rows of rows, loops over these that STORE ROWs */
#ifndef PROGRAMS_GRAPH_FOLDS_H
#define PROGRAMS_GRAPH_FOLDS_H

#include "programs/graph/region.h"

/* Makes the function that adds elements `low` to `high` - 1 of an array, at least one. Each `sum`
 * has its own, so that a failure has its position. */
uint32_t folds_sum_function(struct region_place p, enum isa_type type);

/* Makes the sum of an array; `function` is from folds_sum_function. */
struct region_value folds_sum(struct region_place p, uint32_t function,
                              struct region_value array);

/* Makes a tensor with an element type, to which ints may be converted, from an array. `axes`: those
 * of its elements, if they are tensors; else 0. */
struct region_value folds_tensor(struct region_place p, struct region_value array,
                                 enum isa_element_kind element, unsigned axes);

/* Makes an array of a type, or a number, from a tensor whose axes before `axis` were read. Rows
 * are numbered as they lie in the tensor; `before` is the number of rows of these axes. */
struct region_value folds_rows(struct region_place p, struct region_value tensor,
                               enum isa_type type, int axis, struct region_value before);

#endif
