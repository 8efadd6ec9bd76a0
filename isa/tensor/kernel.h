/* Kernels: what is computed of tensors. Everything is derived from isa/tensor/kernels.def.
 *
 * A kernel takes one or two tensors, and whole numbers such as an axis. To apply one:
 *   1. isa_kernel_shape says the shape of the result, or why there is none. It sees every mistake, also
 *      a row that is not there; what it accepts can be computed, unless ints overflow.
 *   2. isa_tensor_new makes the result, or refuses it for its size.
 *   3. isa_kernel_run fills it, and isa_tensor_seal ends its making.
 * The compiler asks step 1 alone, of shapes that it knows in part.
 *
 * All arithmetic is that of the element's type: each operation on real32s rounds to a real32. Ints are
 * those of the language: what overflows has no result.
 * exp, log, sin, cos, tanh and what is made of them is computed in reals, and rounded once. In which order
 * sums are formed, says doc/tensors.md. */
#ifndef ISA_TENSOR_KERNEL_H
#define ISA_TENSOR_KERNEL_H

#include "isa/tensor/tensor.h"

enum isa_kernel {
#define KERNEL(NAME, ...) ISA_KERNEL_##NAME,
#include "isa/tensor/kernels.def"
#undef KERNEL
    ISA_KERNEL_COUNT,
    ISA_KERNEL_NONE = ISA_KERNEL_COUNT,
};

struct isa_kernel_info {
    const char *text, *help;
    const char *flops, *bytes; /* the formulas, as the table has them */
    uint8_t arity;
};

extern const struct isa_kernel_info isa_kernels[ISA_KERNEL_COUNT];

/* Whether a kernel of two tensors is given whole numbers beside its axis. An instruction has two operands: the
 * second is a pair then, of the numbers and of the second tensor. */
static inline bool isa_kernel_has_numbers(enum isa_kernel kernel)
{
    return kernel == ISA_KERNEL_PAD_WITH;
}

/* The whole numbers that a kernel is given, borrowed. While a program is compiled, an item may be
 * ISA_UNKNOWN; and if `items` is NULL, none but their count is known. */
struct isa_numbers {
    const int64_t *items;
    size_t count;
};

/* How many numbers there are is not known either: only the rows of a gather, labels. */
#define ISA_NUMBERS_UNKNOWN SIZE_MAX

/* Who multiplies matrices (isa/tensor/blas.h); NULL: the reference. */
struct isa_blas;

/* The shape of the result, of operands of which there are as many as the arity says. false: there is
 * none, and `why` has both shapes: "`matmul` of real[2, 3] and real[4, 5]: ...".
 * Extents of the result are unknown where they follow from what is unknown; what could still turn out
 * to be wrong then is found when all is known. */
bool isa_kernel_shape(enum isa_kernel kernel, const struct isa_shape *const operands[],
                      struct isa_numbers numbers, struct isa_shape *result,
                      struct lib_text *why);

/* What a kernel costs: operations and bytes, by the formulas of the table. */
struct isa_kernel_cost {
    uint64_t flops, bytes;
};

/* Of shapes that are known, and that isa_kernel_shape has accepted. */
struct isa_kernel_cost isa_kernel_cost(enum isa_kernel kernel,
                                       const struct isa_shape *const operands[],
                                       const struct isa_shape *result);

/* Computes the elements of `result`, which is new and has the shape that isa_kernel_shape says. All is
 * borrowed. The result of UPDATE and SCATTER_ADD may be operand 0 itself: then it is changed in place, but not if
 * UPDATE returns false. The result is not sealed. Returns false if an element of ints overflows, is divided by zero, or
 * comes of a real that is out of their range; `why` names the first one in row-major order, and the
 * result is worth nothing. */
bool isa_kernel_run(const struct isa_blas *blas, enum isa_kernel kernel,
                    const struct isa_tensor *const operands[], struct isa_numbers numbers,
                    struct isa_tensor *result, struct lib_text *why);

#endif
