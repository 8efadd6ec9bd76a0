/* The inside of the inference of tensors: what its steps share (programs/types/infer_tensor.c),
 * and those of calls (programs/types/infer_tensor_call.c). A step finds out all it can of an
 * expression's type, and says whether nothing is left to find; it reports what is wrong. */
#ifndef PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H
#define PROGRAMS_TYPES_INFER_TENSOR_INTERNAL_H

#include "isa/tensor/element.h"
#include "programs/types/infer_internal.h"

/* What an operand is, as far as known. */
enum infer_operand { OPEN, NUMBER, TENSOR, WRONG };

enum infer_operand infer_classify(const struct programs_expr *e);

/* The parts of the type of a tensor; they may be open. */
struct programs_type *infer_element_of(struct programs_type *tensor);
struct programs_type *infer_rank_of(struct programs_type *tensor);

/* Whether the element of a tensor is known, or taken for a real one since nothing says more. */
bool infer_knows_element(struct infer *in, struct programs_type *tensor);

/* The type of an element as a value: int, bool, or real, also of real32. */
struct programs_type *infer_value_of(struct infer *in, struct programs_type *tensor);

/* The type of elements of a kind. */
struct programs_type *infer_of_element(struct infer *in, enum isa_element_kind element);

/* Limits the elements of a tensor to those that a kernel takes as its operand `operand`, from 0.
 * Returns false after an error. */
bool infer_takes_element(struct infer *in, const struct programs_expr *e,
                         enum isa_kernel kernel, size_t operand,
                         struct programs_type *tensor);

/* Makes a number beside tensors be of their element. Returns false while that is open; *wrong: an
 * error was reported. */
bool infer_beside(struct infer *in, struct programs_expr *number,
                  struct programs_type *tensor, bool *wrong);

/* The type of a tensor of which nothing is known. */
struct programs_type *infer_open_tensor(struct infer *in);

/* Says what the type of an expression is, which may be known from where it stands. Always true: the
 * step is done. */
bool infer_give(struct infer *in, struct programs_expr *e, struct programs_type *type);
bool infer_give_error(struct infer *in, struct programs_expr *e);

/* The type of an expression, made one of tensors; NULL: it is something else, which was
 * reported. */
struct programs_type *infer_give_tensor(struct infer *in, struct programs_expr *e);

/* The result has the element of an operand. false: it cannot, which was reported. */
bool infer_share_element(struct infer *in, struct programs_expr *e,
                         struct programs_type *tensor);

/* Whether both are tensors of one element; what is wrong is reported. */
bool infer_same_element(struct infer *in, struct programs_expr *e,
                        struct programs_type *a, struct programs_type *b);

/* --- arguments of calls ------------------------------------------------------------------- */

/* Makes argument `i` of a call a tensor. NULL: it is none, which was reported. */
struct programs_type *infer_take_tensor(struct infer *in, const struct programs_expr *e,
                                        size_t i);

/* Makes argument `i` an int. */
void infer_take_int(struct infer *in, const struct programs_expr *e, size_t i);

/* Argument `i` is an axis, a literal; `otherwise`: it is left out. Returns false after an error. */
bool infer_take_axis(struct infer *in, const struct programs_expr *e, size_t i,
                     int64_t otherwise, int64_t *axis);

/* Makes argument 1 an int, or an array of ints. Returns false while it is open which. */
bool infer_take_rows(struct infer *in, const struct programs_expr *e, bool last);

/* The rank of a call's result: as given, or as the rule of a kernel says of operands whose ranks
 * are known. Always true: the step is done. */
bool infer_give_rank(struct infer *in, struct programs_expr *e, int rank);
bool infer_apply_rule(struct infer *in, struct programs_expr *e, enum isa_kernel kernel,
                      struct programs_type *a, struct programs_type *b,
                      struct isa_numbers numbers);

/* --- steps -------------------------------------------------------------------------------- */

/* Steps of built-in functions on tensors, and of params. `last`: what is open is what it would be
 * without tensors. */
bool infer_step_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_index(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_param(struct infer *in, struct programs_expr *e);

#endif
