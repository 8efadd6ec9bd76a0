/* Properties of built-in functions on tensors (programs/syntax/tensors.def). */
#ifndef PROGRAMS_TYPES_TENSOR_BUILTIN_H
#define PROGRAMS_TYPES_TENSOR_BUILTIN_H

#include "isa/tensor/kernel.h"
#include "programs/syntax/ast.h"

enum programs_tensor_rule {
    PROGRAMS_TENSOR_SAME,
    PROGRAMS_TENSOR_MATMUL,
    PROGRAMS_TENSOR_CONCAT,
    PROGRAMS_TENSOR_SLICE,
    PROGRAMS_TENSOR_GATHER,
    PROGRAMS_TENSOR_RESHAPE,
    PROGRAMS_TENSOR_REDUCE,
    PROGRAMS_TENSOR_LOSS,
    PROGRAMS_TENSOR_SHAPE,
    PROGRAMS_TENSOR_FILL,
    PROGRAMS_TENSOR_MAKE,
    PROGRAMS_TENSOR_BREAK,
    PROGRAMS_TENSOR_TO_32,
    PROGRAMS_TENSOR_TO_64,
    PROGRAMS_TENSOR_TURN,
    PROGRAMS_TENSOR_FILE,
    PROGRAMS_TENSOR_ARRAYS,
    PROGRAMS_TENSOR_TO_BOOL,
    PROGRAMS_TENSOR_CHOOSE,
    PROGRAMS_TENSOR_COUNT,
    PROGRAMS_TENSOR_PLACE,
    PROGRAMS_TENSOR_TOP,
    PROGRAMS_TENSOR_ALONG,
    PROGRAMS_TENSOR_RANDOM,
    PROGRAMS_TENSOR_DRAWN,
    PROGRAMS_TENSOR_DROP,
    PROGRAMS_TENSOR_EXPAND,
    PROGRAMS_TENSOR_STACK,
    PROGRAMS_TENSOR_SPLIT,
    PROGRAMS_TENSOR_PAD,
    PROGRAMS_TENSOR_ONE_HOT,
    PROGRAMS_TENSOR_SCATTER,
    PROGRAMS_TENSOR_UPDATE,
};

enum programs_tensor_rule programs_tensor_rule(enum programs_builtin builtin);

/* Returns the kernel of an operation on tensors or a built-in function, or ISA_KERNEL_NONE. */
enum isa_kernel programs_tensor_kernel(const struct programs_expr *e);

/* Sets *axis to argument `argument` of a call, a literal that is negative if it counts from the
 * end; to `otherwise` if it is missing. Returns false if it is not a literal. */
bool programs_tensor_axis(const struct programs_expr *call, size_t argument,
                          int64_t otherwise, int64_t *axis);

/* Returns the number of tensors that a call of `stack` joins. */
size_t programs_tensor_stacked(const struct programs_expr *call);

/* Min and max number of parts that a call of `split` may make. */
enum { PROGRAMS_SPLIT_LEAST = 2, PROGRAMS_SPLIT_MAX = 16 };
/* Returns the number of parts that a call of `split` makes; 0 if it is unknown or out of range. */
size_t programs_tensor_parts(const struct programs_expr *call);

#endif
