/* Functions of programs/graph/emit_array.c, which makes the nodes of arrays. */
#ifndef PROGRAMS_GRAPH_EMIT_INTERNAL_H
#define PROGRAMS_GRAPH_EMIT_INTERNAL_H

#include "programs/graph/builder.h"
#include "programs/graph/region.h"

static inline struct region_value emit_integer(int64_t i)
{
    return region_literal(ISA_INT, isa_value_of_int(i));
}

static inline struct region_value emit_op(struct region *r, enum isa_op op,
                                          enum isa_type type, struct region_value a,
                                          struct lib_pos pos)
{
    return region_compute(r, op, type, 0, &a, 1, pos);
}

static inline struct region_value emit_two(struct region *r, enum isa_op op,
                                           enum isa_type type, struct region_value a,
                                           struct region_value b, struct lib_pos pos)
{
    const struct region_value operands[] = {a, b};
    return region_compute(r, op, type, 0, operands, 2, pos);
}

/* Makes an array of the type `element` for elements; a STORE sets an element. */
struct region_value emit_alloc(struct region *r, enum isa_type element,
                               struct region_value length, struct lib_pos pos);
void emit_store(struct region *r, struct region_value array, struct region_value index,
                struct region_value element, struct lib_pos pos);

/* Opens the loop of array elements, of which there are `length`, or, if `follows` is not NULL, as
 * many as that array of a port has. Sets *counter to the index of an element in the body. */
struct region *emit_open_body(struct region_loop *loop, const char *name,
                              const struct region_value *follows,
                              struct region_value length, struct region_value *counter,
                              struct lib_pos pos);
void emit_close_body(struct region_loop *loop, struct region *body,
                     struct region_value counter, struct lib_pos pos);

struct region_value emit_list(struct region *r, enum isa_type element,
                              const struct region_value *items, uint32_t count,
                              struct lib_pos pos);
struct region_value emit_fetch(struct region *r, struct region_value array,
                               struct region_value index, struct lib_pos pos);

/* Makes the function that adds elements `low` to `high` - 1 of an array, at least one. Each `sum`
 * has its own, so that a failure has its position. */
uint32_t emit_sum_function(struct region *r, enum isa_type type, struct lib_pos pos);
/* Makes the sum of an array; `function` is from emit_sum_function. */
struct region_value emit_sum(struct region *r, uint32_t function,
                             struct region_value array, struct lib_pos pos);

/* Makes a tensor with an element type, to which ints may be converted, from an array. */
struct region_value emit_tensor_of(struct region *r, struct region_value array,
                                   enum isa_element_kind element, struct lib_pos pos);
/* Makes an array of a type, or a number, from a tensor. */
struct region_value emit_array_of(struct region *r, struct region_value tensor,
                                  enum isa_type type, struct lib_pos pos);

#endif
