/* What programs/syntax/tensors.def says of a built-in function on tensors. */
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
    PROGRAMS_TENSOR_STACK,
    PROGRAMS_TENSOR_SPLIT,
    PROGRAMS_TENSOR_PAD,
    PROGRAMS_TENSOR_ONE_HOT,
    PROGRAMS_TENSOR_SCATTER,
    PROGRAMS_TENSOR_UPDATE,
};

/* Of a built-in function from PROGRAMS_BUILTIN_PLAIN on. */
enum programs_tensor_rule programs_tensor_rule(enum programs_builtin builtin);

/* The kernel of an operation on tensors, or of a built-in function; ISA_KERNEL_NONE: it is none. */
enum isa_kernel programs_tensor_kernel(const struct programs_expr *e);

/* The axis of a call that may have one, behind its other arguments: a literal, below 0 if it is
 * counted from the end. `otherwise`: where it is left out. false: something else stands there. */
bool programs_tensor_axis(const struct programs_expr *call, size_t argument,
                          int64_t otherwise, int64_t *axis);

/* How many tensors a call of `stack` has: all arguments, but for an axis. */
size_t programs_tensor_stacked(const struct programs_expr *call);

/* The parts that a call of `split` makes; 0: they are no literal, nor a list, or too few or too
 * many. */
enum { PROGRAMS_SPLIT_LEAST = 2, PROGRAMS_SPLIT_MAX = 16 };
size_t programs_tensor_parts(const struct programs_expr *call);

#endif
