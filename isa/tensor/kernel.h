/* Kernels: the operations on tensors. The table is isa/tensor/kernels.def.
 *
 * A kernel takes one to three tensors, and integers such as an axis. To apply a kernel:
 *   1. isa_kernel_shape computes the shape of the result and reports invalid operands. Afterwards
 *      only elements can make the kernel fail: an int overflows, or an element is not a valid class
 *      or row number.
 *   2. isa_tensor_new allocates the result.
 *   3. isa_kernel_run computes its elements, and isa_tensor_seal completes it, or
 *      isa_tensor_seal_canonical if isa_kernel_is_canonical.
 * The compiler uses step 1 alone, with partly known shapes.
 *
 * Arithmetic has the type of the elements: each operation on real32s rounds to a real32, and ints
 * are those of the language, so that an overflow is an error. exp, log, sin, cos, tanh, powers and
 * kernels made of them compute in reals and round once. doc/tensors.md specifies the order of sums.
 */
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

/* Texts and cost of a kernel (isa/tensor/kernels.def). */
struct isa_kernel_info {
    const char *text, *help;
    const char *flops, *bytes; /* formulas of the cost, as text */
    uint8_t arity;             /* number of tensors that the kernel takes */
};

extern const struct isa_kernel_info isa_kernels[ISA_KERNEL_COUNT];

/* Whether a kernel of two tensors also takes integers. Instructions have two operands, so operand 1
 * is then a pair of the integers and the second tensor. */
static inline bool isa_kernel_has_numbers(enum isa_kernel kernel)
{
    return kernel == ISA_KERNEL_PAD_WITH;
}

/* Integer arguments of a kernel, such as an axis; borrowed. At compile time an item may be
 * ISA_UNKNOWN, and `items` may be NULL: then only the count is known. */
struct isa_numbers {
    const int64_t *items;
    size_t count;
};

/* `count` of isa_numbers if unknown; legal only for kernels that take any number of rows or
 * labels. */
#define ISA_NUMBERS_UNKNOWN SIZE_MAX

/* Library for products of matrices (isa/tensor/blas.h); NULL selects the reference code. */
struct isa_blas;

/* Computes the shape of the result. `operands` has one shape for each tensor of the kernel. Returns
 * false and adds the reason to `why`, with the shapes, if the operands are invalid. An extent that
 * depends on an unknown one is ISA_UNKNOWN; errors that depend on it are found at run time. */
bool isa_kernel_shape(enum isa_kernel kernel, const struct isa_shape *const operands[],
                      struct isa_numbers numbers, struct isa_shape *result,
                      struct lib_text *why);

/* Cost of a kernel: floating-point operations, and bytes read and written, by the formulas of
 * isa/tensor/kernels.def. */
struct isa_kernel_cost {
    uint64_t flops, bytes;
};

/* Computes the cost of a kernel. isa_kernel_shape must have accepted the operands, with all extents
 * known. */
struct isa_kernel_cost isa_kernel_cost(enum isa_kernel kernel,
                                       const struct isa_shape *const operands[],
                                       const struct isa_shape *result);

/* Computes the elements of `result`, which has the shape that isa_kernel_shape computed and is not
 * sealed. UPDATE and SCATTER_ADD change operand 0 in place if it is also `result`; kernels for
 * which isa_kernel_reuses holds change operand 0 or 1. Returns false and adds the reason to `why`
 * if an int overflows, is divided by zero, has a negative power or is made of a real out of range,
 * or if an operand has an invalid class or row number. The elements of `result` are then
 * undefined, but UPDATE has changed nothing. */
bool isa_kernel_run(const struct isa_blas *blas, enum isa_kernel kernel,
                    const struct isa_tensor *const operands[], struct isa_numbers numbers,
                    struct isa_tensor *result, struct lib_text *why);

/* Whether isa_kernel_run makes no NaN but the canonical one from operands that have no other. Then
 * isa_tensor_seal_canonical completes the result. Such kernels move elements, make truth values, or
 * look for NaNs while they compute. */
bool isa_kernel_is_canonical(enum isa_kernel kernel, const struct isa_shape *first,
                             const struct isa_shape *result);

/* Whether isa_kernel_run can store its result in operand 0 or 1, which have these shapes. Such
 * kernels do not fail. */
bool isa_kernel_reuses(enum isa_kernel kernel, const struct isa_shape *first,
                       const struct isa_shape *second, const struct isa_shape *result);

#endif
