/* Type inference of operations and calls on tensors.
 *
 * A step function infers as much of an expression's type as it can, reports errors, and returns
 * true when the type is complete. */
#ifndef PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H
#define PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H

#include "isa/tensor/element.h"
#include "programs/types/infer_internal.h"

/* Class of an operand. OPEN: unknown. WRONG: reported as an error. */
enum infer_operand { OPEN, NUMBER, TENSOR, WRONG };

enum infer_operand infer_classify(const struct programs_expr *e);

/* Returns the type of a tensor's elements, which may be unknown. */
struct programs_type *infer_element_of(struct programs_type *tensor);
/* Returns the rank of a tensor as a type, which may be unknown. */
struct programs_type *infer_rank_of(struct programs_type *tensor);

/* Whether the type of a tensor's elements is known, or counts as real. */
bool infer_knows_element(struct infer *in, struct programs_type *tensor);

/* Returns the type of a number that is read from a tensor: int, bool or real (for real32, too). */
struct programs_type *infer_value_of(struct infer *in, struct programs_type *tensor);

struct programs_type *infer_of_element(struct infer *in, enum isa_element_kind element);

/* Limits the type of a tensor's elements to those that a kernel accepts for the operand with index
 * `operand`. Returns false after an error. */
bool infer_takes_element(struct infer *in, const struct programs_expr *e,
                         enum isa_kernel kernel, size_t operand,
                         struct programs_type *tensor);

/* Unifies the type of a number with the type of a tensor's elements. Returns false while that is
 * unknown. Sets *wrong after an error. */
bool infer_beside(struct infer *in, struct programs_expr *number,
                  struct programs_type *tensor, bool *wrong);

/* Returns a tensor type with unknown element and rank. */
struct programs_type *infer_open_tensor(struct infer *in);

/* Unifies the type of an expression with `type`. Returns true, as a step whose type is complete. */
bool infer_give(struct infer *in, struct programs_expr *e, struct programs_type *type);
/* Gives an expression the type of an error. Returns true, as a step whose type is complete. */
bool infer_give_error(struct infer *in, struct programs_expr *e);

/* Makes the type of an expression a tensor type, and returns that; NULL after an error. */
struct programs_type *infer_give_tensor(struct infer *in, struct programs_expr *e);

/* Gives the result `e` the element type of an operand. Returns false after an error. */
bool infer_share_element(struct infer *in, struct programs_expr *e,
                         struct programs_type *tensor);

/* Whether two tensors have elements of one type. If not, reports an error. */
bool infer_same_element(struct infer *in, struct programs_expr *e,
                        struct programs_type *a, struct programs_type *b);

/* --- arguments of calls ------------------------------------------------------------------- */

/* Makes the type of argument `i` of a call a tensor type, and returns that; NULL after an error. */
struct programs_type *infer_take_tensor(struct infer *in, const struct programs_expr *e,
                                        size_t i);

void infer_take_int(struct infer *in, const struct programs_expr *e, size_t i);

/* Sets *axis to argument `i` of a call, which must be a literal, or to `otherwise` if the call has
 * fewer arguments. Returns false after an error. */
bool infer_take_axis(struct infer *in, const struct programs_expr *e, size_t i,
                     int64_t otherwise, int64_t *axis);

/* Unifies the type of argument 1, indices of rows, with int or an array of ints. Returns false
 * while it is unknown which; `last`: an unknown type becomes int. */
bool infer_take_rows(struct infer *in, const struct programs_expr *e, bool last);

/* Sets the rank of a call's result to `rank`. Returns true, as a step whose type is complete. */
bool infer_give_rank(struct infer *in, struct programs_expr *e, int rank);
/* Sets the rank of a call's result to that which a kernel gives for operands of known rank.
 * Returns true, as a step whose type is complete. */
bool infer_apply_rule(struct infer *in, struct programs_expr *e, enum isa_kernel kernel,
                      struct programs_type *a, struct programs_type *b,
                      struct isa_numbers numbers);

/* --- steps -------------------------------------------------------------------------------- */

/* Infers the type of a call on tensors as far as possible; returns true when it is complete.
 * `last`: unknown types are decided. */
bool infer_step_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_param(struct infer *in, struct programs_expr *e);

#endif
