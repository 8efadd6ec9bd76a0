/* Products of matrices, by BLAS or reference code; leading axes are broadcast. */
#include "isa/tensor/blas.h"
#include "isa/tensor/kernel_internal.h"

#include <string.h>

struct sizes {
    int64_t m, n, k;
};

/* A product whose inner extent is 1: 0 plus one product. By the reference code, and by BLAS where
 * isa_blas_adds_to_zero, it has the same bits, but takes copies of the operands. */
#define OUTER(T)                                                                         \
    static void multiply_outer_##T(const T *a, const T *b, T *c, int64_t m, int64_t n)   \
    {                                                                                    \
        enum { TOGETHER = 16 / sizeof(T) };                                              \
        for (int64_t i = 0; i < m; i++, c += n) {                                        \
            const T x = a[i];                                                            \
            int64_t j = 0;                                                               \
            for (; n - j >= TOGETHER; j += TOGETHER) {                                   \
                T part[TOGETHER];                                                        \
                for (int k = 0; k < TOGETHER; k++)                                       \
                    part[k] = 0 + x * b[j + k];                                          \
                memcpy(c + j, part, sizeof part);                                        \
            }                                                                            \
            for (; j < n; j++)                                                           \
                c[j] = 0 + x * b[j];                                                     \
        }                                                                                \
    }
OUTER(double)
OUTER(float)

void isa_kernel_product(const struct isa_kernel_call *call, const void *a, const void *b,
                        void *c, int64_t m, int64_t n, int64_t k)
{
    const bool by_blas = call->blas && k > 0;
    const bool is_outer = k == 1 && m > 1 && n > 1 &&
                          (!by_blas || isa_blas_adds_to_zero(call->blas));
    if (call->result->shape.element == ISA_ELEMENT_REAL) {
        if (is_outer)
            multiply_outer_double(a, b, c, m, n);
        else if (by_blas)
            isa_blas_gemm(call->blas, a, b, c, m, n, k);
        else
            isa_reference_gemm(a, b, c, m, n, k);
    } else if (is_outer) {
        multiply_outer_float(a, b, c, m, n);
    } else if (by_blas) {
        isa_blas_gemm32(call->blas, a, b, c, m, n, k);
    } else {
        isa_reference_gemm32(a, b, c, m, n, k);
    }
}

/* Adds products in order. Every partial sum must be an int. */
static void multiply_ints(const struct isa_kernel_call *call, const struct sizes *s,
                          int64_t a, int64_t b, int64_t c)
{
    for (int64_t i = 0; i < s->m * s->n && call->fault->what == ISA_FAULT_NONE; i++) {
        const int64_t *x = call->a->ints + a + i / s->n * s->k;
        const int64_t *y = call->b->ints + b + i % s->n;
        int64_t sum = 0, product;
        for (int64_t k = 0; k < s->k; k++)
            if (__builtin_mul_overflow(x[k], y[k * s->n], &product) ||
                __builtin_add_overflow(sum, product, &sum)) {
                *call->fault = (struct isa_kernel_fault){ISA_FAULT_OVERFLOW,
                                                         (uint64_t)(c + i)};
                break;
            }
        call->result->ints[c + i] = sum;
    }
}

static void multiply_matrices(const struct isa_kernel_call *call, const struct sizes *s,
                              int64_t a, int64_t b, int64_t c)
{
    if (call->result->shape.element == ISA_ELEMENT_INT) {
        multiply_ints(call, s, a, b, c);
        return;
    }
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        isa_kernel_product(call, call->a->reals + a, call->b->reals + b,
                           call->result->reals + c, s->m, s->n, s->k);
    else
        isa_kernel_product(call, call->a->reals32 + a, call->b->reals32 + b,
                           call->result->reals32 + c, s->m, s->n, s->k);
}

/* Returns the number of matrices along the axis `from_last` before the last two, and sets *step to
 * their distance in elements; 1 and 0 if one matrix serves all. */
static int64_t front(const struct isa_shape *shape, unsigned from_last, int64_t *step)
{
    const unsigned axes = shape->rank < 2 ? 0 : shape->rank - 2u;
    *step = 0;
    if (from_last > axes || shape->extents[axes - from_last] == 1)
        return 1;
    *step = isa_shape_product(shape, axes - from_last + 1, shape->rank);
    return shape->extents[axes - from_last];
}

void isa_kernel_run_matmul(const struct isa_kernel_call *call)
{
    const struct isa_shape *a = &call->a->shape, *b = &call->b->shape;
    const struct sizes s = {
        .m = a->rank > 1 ? a->extents[a->rank - 2] : 1,
        .n = b->rank > 1 ? b->extents[b->rank - 1] : 1,
        .k = a->extents[a->rank - 1],
    };
    int64_t outer_a, outer_b, inner_a, inner_b, c = 0;
    const int64_t many_a = front(a, 2, &outer_a), many_b = front(b, 2, &outer_b);
    const int64_t some_a = front(a, 1, &inner_a), some_b = front(b, 1, &inner_b);
    for (int64_t i = 0; i < (many_a == 1 ? many_b : many_a); i++)
        for (int64_t j = 0; j < (some_a == 1 ? some_b : some_a); j++, c += s.m * s.n)
            multiply_matrices(call, &s, i * outer_a + j * inner_a,
                              i * outer_b + j * inner_b, c);
}
