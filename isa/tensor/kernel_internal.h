/* Declarations shared by the files with kernels: one application of a kernel, and iteration over
 * its operands. */
#ifndef ISA_TENSOR_KERNEL_INTERNAL_H
#define ISA_TENSOR_KERNEL_INTERNAL_H

#include "isa/tensor/kernel.h"

/* Reasons why an element of the result cannot be computed. */
enum isa_fault {
    ISA_FAULT_NONE,
    ISA_FAULT_OVERFLOW,
    ISA_FAULT_DIVISION,
    ISA_FAULT_EXPONENT, /* an int to the power of a negative int */
    ISA_FAULT_RANGE,    /* conversion of a real that is NaN or out of the range of ints */
    ISA_FAULT_CLASS,    /* an element of the operand is not a valid class of one_hots */
    ISA_FAULT_RATE,     /* operand b of dropout is not from 0 to less than 1 */
    ISA_FAULT_ROW,      /* an index of operand b is not a row of operand a */
};

/* First fault of a kernel. */
struct isa_kernel_fault {
    enum isa_fault what;
    /* index of the element in the result (ISA_FAULT_CLASS: in operand a; ISA_FAULT_ROW: in operand
     * b) */
    uint64_t element;
};

/* One application of a kernel to operands and integer arguments (`numbers`) that isa_kernel_shape
 * has accepted. */
struct isa_kernel_call {
    enum isa_kernel kernel;
    const struct isa_blas *blas;
    const struct isa_tensor *a, *b, *c; /* operands; NULL if the kernel takes fewer */
    struct isa_numbers numbers;
    struct isa_tensor *result;
    /* first fault; set by a kernel that fails */
    struct isa_kernel_fault *fault;
};

/* Functions that compute the kernels: isa_kernel_run_R for each R in column `run` of
 * isa/tensor/kernels.def. */
#define KERNEL(NAME, text, arity, elements, rule, run, ...)                              \
    void isa_kernel_run_##run(const struct isa_kernel_call *call);
#include "isa/tensor/kernels.def"
#undef KERNEL

/* Strides of two operands, in elements, for kernels that make the result in row-major order. A
 * stride is 0 along an axis on which the operand is broadcast. */
struct isa_kernel_rows {
    int64_t length; /* elements in a row; all elements if both shapes are equal */
    int64_t a, b;   /* strides of operands a and b along the last axis */
    /* Axes before the last one, padded at the front with 1: extents of the result, and strides of
     * operands a and b. */
    int64_t extents[ISA_RANK_MAX - 1];
    int64_t steps_a[ISA_RANK_MAX - 1], steps_b[ISA_RANK_MAX - 1];
};

struct isa_kernel_rows isa_kernel_rows(const struct isa_kernel_call *call);

/* Whether a kernel is computed by the operations of isa/tensor/vectors.h: sums, differences and
 * products of reals and real32s. */
static inline bool isa_kernel_is_operation(enum isa_kernel kernel,
                                           const struct isa_shape *result)
{
    return (kernel == ISA_KERNEL_ADD || kernel == ISA_KERNEL_SUB ||
            kernel == ISA_KERNEL_MUL) &&
           (result->element == ISA_ELEMENT_REAL || result->element == ISA_ELEMENT_REAL32);
}

/* Offsets, in elements, of the start of a row in the result and in operands a and b. */
struct isa_kernel_row {
    int64_t at, a, b;
};

static inline void isa_kernel_begin_row(const struct isa_kernel_rows *rows, int64_t i,
                                        int64_t j, int64_t k, struct isa_kernel_row *row)
{
    row->a = i * rows->steps_a[0] + j * rows->steps_a[1] + k * rows->steps_a[2];
    row->b = i * rows->steps_b[0] + j * rows->steps_b[1] + k * rows->steps_b[2];
}

/* Loops over the rows of the result in order. *row must start as zeros; it is set to the offsets of
 * each row. */
#define ISA_FOR_EACH_ROW(rows, row)                                                      \
    for (int64_t i = 0; i < (rows)->extents[0]; i++)                                     \
        for (int64_t j = 0; j < (rows)->extents[1]; j++)                                 \
            for (int64_t k = 0; k < (rows)->extents[2] &&                                \
                                (isa_kernel_begin_row(rows, i, j, k, row), true);        \
                 k++, (row)->at += (rows)->length)

/* A tensor viewed as one of rank 3, outer x length x inner, with the axis of interest in the
 * middle. */
struct isa_kernel_axis {
    uint64_t outer, length, inner;
};

static inline struct isa_kernel_axis isa_kernel_axis(const struct isa_shape *shape,
                                                     unsigned axis)
{
    return (struct isa_kernel_axis){
        .outer = (uint64_t)isa_shape_product(shape, 0, axis),
        .length = (uint64_t)shape->extents[axis],
        .inner = (uint64_t)isa_shape_product(shape, axis + 1, shape->rank),
    };
}

/* Given the shapes of a product and of one operand: whether the other operand is a matrix. The
 * product then has one of that operand's axes; if it is a vector, none. */
static inline bool isa_product_has_other(const struct isa_shape *product,
                                         const struct isa_shape *operand)
{
    return operand->rank > 1 ? product->rank + 1 != operand->rank : product->rank > 0;
}

/* Returns the view of operand `a` along the axis that is the kernel's integer argument. Without
 * an argument, all elements are one axis. */
struct isa_kernel_axis isa_kernel_axis_or_all(const struct isa_kernel_call *call);

/* Adds a row of reals or real32s to another one, element by element. */
void isa_kernel_add_row(enum isa_element_kind element, const void *from, void *to,
                        int64_t length);

/* Copies a matrix of elements of `size` bytes, 1, 4 or 8. In `from`, neighbours in a column are
 * `row_step` elements apart, and those in a row `column_step`; `to` has one row after the other. */
void isa_kernel_copy_matrix(const void *from, void *to, size_t size, int64_t rows,
                            int64_t columns, int64_t row_step, int64_t column_step);

/* Computes c[m, n] = a[m, k] * b[k, n] with elements of the kind of the result, by call->blas or
 * the reference code. */
void isa_kernel_product(const struct isa_kernel_call *call, const void *a, const void *b,
                        void *c, int64_t m, int64_t n, int64_t k);

/* Reference code for products of row-major matrices: c[m, n] = a[m, k] * b[k, n]. Each element is
 * summed in order of the inner index. */
void isa_reference_gemm(const double *a, const double *b, double *c, int64_t m, int64_t n,
                        int64_t k);
void isa_reference_gemm32(const float *a, const float *b, float *c, int64_t m, int64_t n,
                          int64_t k);

#endif
