/* The inside of the inference of tensors: what its steps share (programs/types/infer_tensor.c), and those
 * of calls (programs/types/infer_tensor_call.c). A step finds out all it can of an expression's type,
 * and says whether nothing is left to find; it reports what is wrong. */
#ifndef PROGRAMS_TYPES_INFER_TENSOR_INSIDE_H
#define PROGRAMS_TYPES_INFER_TENSOR_INSIDE_H

#include "programs/types/infer_inside.h"

/* What an operand is, as far as known. */
enum infer_operand { OPEN, NUMBER, TENSOR, WRONG };

enum infer_operand infer_classify(const struct programs_expr *e);

/* The parts of the type of a tensor; they may be open. */
struct programs_type *infer_element_of(struct programs_type *tensor);
struct programs_type *infer_rank_of(struct programs_type *tensor);

/* The type of a tensor of which nothing is known. */
struct programs_type *infer_open_tensor(struct infer *in);

/* Says what the type of an expression is, which may be known from where it stands. Always true: the
 * step is done. */
bool infer_give(struct infer *in, struct programs_expr *e, struct programs_type *type);
bool infer_give_error(struct infer *in, struct programs_expr *e);

/* The type of an expression, made one of tensors; NULL: it is something else, which was reported. */
struct programs_type *infer_give_tensor(struct infer *in, struct programs_expr *e);

/* The result has the element of an operand. false: it cannot, which was reported. */
bool infer_share_element(struct infer *in, struct programs_expr *e,
                         struct programs_type *tensor);

/* Whether both are tensors of one element; what is wrong is reported. */
bool infer_same_element(struct infer *in, struct programs_expr *e,
                        struct programs_type *a, struct programs_type *b);

/* Steps of built-in functions on tensors, and of params. `last`: what is open is what it would be without
 * tensors. */
bool infer_step_call(struct infer *in, struct programs_expr *e, bool last);
bool infer_step_param(struct infer *in, struct programs_expr *e);

#endif
