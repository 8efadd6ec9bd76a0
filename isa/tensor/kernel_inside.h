/* What the files of the kernels share. */
#ifndef ISA_TENSOR_KERNEL_INSIDE_H
#define ISA_TENSOR_KERNEL_INSIDE_H

#include "isa/tensor/kernel.h"

/* Why an element of ints cannot be computed. */
enum isa_fault {
    ISA_FAULT_NONE,
    ISA_FAULT_OVERFLOW,
    ISA_FAULT_DIVISION, /* by zero */
    ISA_FAULT_RANGE,    /* a real that no int is near to */
    ISA_FAULT_CLASS,    /* an element of the operand that is no class */
    ISA_FAULT_ROW,      /* a row that does not exist; `element` is which index it is */
};

/* The first element of the result, in row-major order, that cannot be computed. */
struct isa_kernel_fault {
    enum isa_fault what;
    uint64_t element;
};

/* One application of a kernel, of which isa_kernel_shape has found that it can be done. */
struct isa_kernel_call {
    enum isa_kernel kernel;
    const struct isa_blas *blas;
    const struct isa_tensor *a, *b; /* b: of kernels that take two or three */
    const struct isa_tensor *c;     /* of kernels that take three */
    struct isa_numbers numbers;
    struct isa_tensor *result;
    struct isa_kernel_fault
        *fault; /* set by kernels on ints; the result is then worth nothing */
};

/* isa_kernel_run_NAME: one function for each name in the column `run`. */
#define KERNEL(NAME, text, arity, elements, rule, run, ...)                              \
    void isa_kernel_run_##run(const struct isa_kernel_call *call);
#include "isa/tensor/kernels.def"
#undef KERNEL

/* How both operands are gone through while the elements of the result are made in order: in rows of
 * `length`, in which each advances by `a` and `b` (0 where it is broadcast). */
struct isa_kernel_rows {
    int64_t length, a, b;
    int64_t extents[ISA_RANK_MOST - 1]; /* of the result, without the last axis */
    int64_t steps_a[ISA_RANK_MOST - 1], steps_b[ISA_RANK_MOST - 1];
};

struct isa_kernel_rows isa_kernel_rows(const struct isa_kernel_call *call);

/* Where a row begins: in the result, and in both operands. */
struct isa_kernel_row {
    int64_t at, a, b;
};

static inline void isa_kernel_begin_row(const struct isa_kernel_rows *rows, int64_t i,
                                        int64_t j, int64_t k, struct isa_kernel_row *row)
{
    row->a = i * rows->steps_a[0] + j * rows->steps_a[1] + k * rows->steps_a[2];
    row->b = i * rows->steps_b[0] + j * rows->steps_b[1] + k * rows->steps_b[2];
}

/* The statement behind it is done for each row of the result in order. */
#define ISA_FOR_EACH_ROW(rows, row)                                                      \
    for (int64_t i = 0; i < (rows)->extents[0]; i++)                                     \
        for (int64_t j = 0; j < (rows)->extents[1]; j++)                                 \
            for (int64_t k = 0; k < (rows)->extents[2] &&                                \
                                (isa_kernel_begin_row(rows, i, j, k, row), true);        \
                 k++, (row)->at += (rows)->length)

/* The elements of an axis, seen as a tensor of rank 3: `outer` times `length` times `inner`. */
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

/* Of a product and one of its operands: whether the other operand has given the product an axis, which a vector
 * does not. */
static inline bool isa_product_has_other(const struct isa_shape *product,
                                         const struct isa_shape *operand)
{
    return operand->rank > 1 ? product->rank + 1 != operand->rank : product->rank > 0;
}

/* The axis that a kernel is given; all of them as one where it is given none. */
struct isa_kernel_axis isa_kernel_axis_or_all(const struct isa_kernel_call *call);

/* One product of a call: c[m, n] = a[m, k] * b[k, n], of elements of its result, by BLAS or by the reference. */
void isa_kernel_product(const struct isa_kernel_call *call, const void *a, const void *b,
                        void *c, int64_t m, int64_t n, int64_t k);

/* Products of matrices, row-major: c[m, n] = a[m, k] * b[k, n]. Each element is summed up from the
 * first product to the last. */
void isa_reference_gemm(const double *a, const double *b, double *c, int64_t m, int64_t n,
                        int64_t k);
void isa_reference_gemm32(const float *a, const float *b, float *c, int64_t m, int64_t n,
                          int64_t k);

#endif
