/* Declarations that programs/types/infer_tensor.c and the files for calls on tensors share.
 *
 * A step for an expression infers as much of its type as it can, reports errors, and returns
 * whether it is done. */
#ifndef PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H
#define PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H

#include "isa/tensor/element.h"
#include "programs/types/infer_internal.h"

/* Class of an operand; OPEN: not known yet. */
enum infer_operand { OPEN, NUMBER, TENSOR, WRONG };

enum infer_operand infer_classify(const struct programs_expr *e);

/* Return the type of a tensor's elements, and its rank; either may be open. */
struct programs_type *infer_element_of(struct programs_type *tensor);
struct programs_type *infer_rank_of(struct programs_type *tensor);

/* Whether the type of a tensor's elements is known, or counts as real (in->takes_reals). */
bool infer_knows_element(struct infer *in, struct programs_type *tensor);

/* Returns the type of a value that is an element: int, bool or real; real for real32 too. */
struct programs_type *infer_value_of(struct infer *in, struct programs_type *tensor);

struct programs_type *infer_of_element(struct infer *in, enum isa_element_kind element);

/* Limits the type of a tensor's elements to what a kernel accepts as operand `operand`, from 0
 * on. Returns false after an error. */
bool infer_takes_element(struct infer *in, const struct programs_expr *e,
                         enum isa_kernel kernel, size_t operand,
                         struct programs_type *tensor);

/* Unifies the type of a number that is used with a tensor with that of its elements. Returns
 * false while that is open. Sets *wrong after an error. */
bool infer_beside(struct infer *in, struct programs_expr *number,
                  struct programs_type *tensor, bool *wrong);

/* Returns the type of a tensor with open element and rank. */
struct programs_type *infer_open_tensor(struct infer *in);

/* Unify the type of an expression with `type`, or with the error type. Return true: its
 * inference is complete. */
bool infer_give(struct infer *in, struct programs_expr *e, struct programs_type *type);
bool infer_give_error(struct infer *in, struct programs_expr *e);

/* Makes the type of an expression that of a tensor. Returns it, or NULL after an error. */
struct programs_type *infer_give_tensor(struct infer *in, struct programs_expr *e);

/* Gives the result `e` elements of the type of an operand's. Returns false after an error. */
bool infer_share_element(struct infer *in, struct programs_expr *e,
                         struct programs_type *tensor);

/* Whether two tensors have elements of one type. Reports an error if not. */
bool infer_same_element(struct infer *in, struct programs_expr *e,
                        struct programs_type *a, struct programs_type *b);

/* --- arguments of calls ------------------------------------------------------------------- */

/* Makes the type of argument `i` of a call that of a tensor. Returns it, or NULL after an error. */
struct programs_type *infer_take_tensor(struct infer *in, const struct programs_expr *e,
                                        size_t i);

void infer_take_int(struct infer *in, const struct programs_expr *e, size_t i);

/* Reads argument `i`, an axis, which must be a literal. *axis is `otherwise` if the argument is
 * missing. Returns false after an error. */
bool infer_take_axis(struct infer *in, const struct programs_expr *e, size_t i,
                     int64_t otherwise, int64_t *axis);

/* Unifies the type of argument 1 with int, an array of ints or a tensor of ints. Returns false
 * if it is not known yet which one. */
bool infer_take_rows(struct infer *in, const struct programs_expr *e, bool last);

/* Set the rank of a call's result: to `rank`, or to that which a kernel gives for operands of
 * known rank. Return true: the inference of the call is complete. */
bool infer_give_rank(struct infer *in, struct programs_expr *e, int rank);
bool infer_apply_rule(struct infer *in, struct programs_expr *e, enum isa_kernel kernel,
                      struct programs_type *a, struct programs_type *b,
                      struct isa_numbers numbers);

/* --- steps -------------------------------------------------------------------------------- */

/* Steps for calls of built-in functions on tensors, and for params. `last`: open operands get
 * the types that they have without tensors. */
bool infer_step_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_param(struct infer *in, struct programs_expr *e);

#endif
