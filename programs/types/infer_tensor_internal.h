/* Declarations that programs/types/infer_tensor.c and the files for calls on tensors share.
 *
 * A step for an expression infers as much of its type as it can, reports errors, and returns
 * whether it is done. */
#ifndef PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H
#define PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H

#include "isa/tensor/element.h"
#include "programs/types/infer_internal.h"

/* Class of an operand, as far as it is known. */
enum infer_operand { OPEN, NUMBER, TENSOR, WRONG };

enum infer_operand infer_classify(const struct programs_expr *e);

/* Return the parts of the type of a tensor, which may be open. */
struct programs_type *infer_element_of(struct programs_type *tensor);
struct programs_type *infer_rank_of(struct programs_type *tensor);

/* Whether the element of a tensor is known, or counts as real (`takes_reals`). */
bool infer_knows_element(struct infer *in, struct programs_type *tensor);

/* Returns the type of an element as a value: int, bool or real; real for real32 too. */
struct programs_type *infer_value_of(struct infer *in, struct programs_type *tensor);

struct programs_type *infer_of_element(struct infer *in, enum isa_element_kind element);

/* Limits the element of a tensor to those that a kernel accepts as operand `operand`, from 0 on.
 * Returns false after an error. */
bool infer_takes_element(struct infer *in, const struct programs_expr *e,
                         enum isa_kernel kernel, size_t operand,
                         struct programs_type *tensor);

/* Unifies the type of a number that is used with tensors with that of their elements. Returns false
 * while that is open. Sets *wrong after an error. */
bool infer_beside(struct infer *in, struct programs_expr *number,
                  struct programs_type *tensor, bool *wrong);

/* Returns the type of a tensor with open element and rank. */
struct programs_type *infer_open_tensor(struct infer *in);

/* Unifies the type of an expression with `type`, or makes it the error type. Returns true: the step
 * is done. */
bool infer_give(struct infer *in, struct programs_expr *e, struct programs_type *type);
bool infer_give_error(struct infer *in, struct programs_expr *e);

/* Returns the type of an expression, unified with that of a tensor; or NULL after an error. */
struct programs_type *infer_give_tensor(struct infer *in, struct programs_expr *e);

/* Gives the result the element of an operand. Returns false after an error. */
bool infer_share_element(struct infer *in, struct programs_expr *e,
                         struct programs_type *tensor);

/* Whether two tensors have the same element. Reports an error if not. */
bool infer_same_element(struct infer *in, struct programs_expr *e,
                        struct programs_type *a, struct programs_type *b);

/* --- arguments of calls ------------------------------------------------------------------- */

/* Returns the type of argument `i` of a call, unified with that of a tensor; or NULL after an
 * error. */
struct programs_type *infer_take_tensor(struct infer *in, const struct programs_expr *e,
                                        size_t i);

/* Unifies the type of argument `i` with int. */
void infer_take_int(struct infer *in, const struct programs_expr *e, size_t i);

/* Reads argument `i`, an axis, which must be a literal. *axis is `otherwise` if the argument is
 * missing. Returns false after an error. */
bool infer_take_axis(struct infer *in, const struct programs_expr *e, size_t i,
                     int64_t otherwise, int64_t *axis);

/* Unifies the type of argument 1 with int, an array of ints or a tensor of ints. Returns false
 * while it is open which. */
bool infer_take_rows(struct infer *in, const struct programs_expr *e, bool last);

/* Set the rank of a call's result: a given one, or that which the rule of a kernel gives for
 * operands of known rank. Return true: the step is done. */
bool infer_give_rank(struct infer *in, struct programs_expr *e, int rank);
bool infer_apply_rule(struct infer *in, struct programs_expr *e, enum isa_kernel kernel,
                      struct programs_type *a, struct programs_type *b,
                      struct isa_numbers numbers);

/* --- steps -------------------------------------------------------------------------------- */

/* Steps of built-in functions on tensors, and of params. In the last one, open operands get the
 * types that they have without tensors. */
bool infer_step_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_param(struct infer *in, struct programs_expr *e);

#endif
