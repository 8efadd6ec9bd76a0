/* Kernels that reduce many elements to one. Sums have one order, the tree of the language's `sum`:
 * elements l to h - 1 are those before l + (h - l) / 2, plus the rest. */
#include "isa/tensor/elementary.h"
#include "isa/tensor/kernel_internal.h"
#include "isa/tensor/vectors.h"
#include "lib/memory.h"

#include <string.h>

enum { COLUMNS = 64 };

/* The tree of 2 to 15 elements, written out. */
#define SUM_2(x) ((x)[0] + (x)[1])
#define SUM_3(x) ((x)[0] + SUM_2((x) + 1))
#define SUM_4(x) (SUM_2(x) + SUM_2((x) + 2))
#define SUM_5(x) (SUM_2(x) + SUM_3((x) + 2))
#define SUM_6(x) (SUM_3(x) + SUM_3((x) + 3))
#define SUM_7(x) (SUM_3(x) + SUM_4((x) + 3))
#define SUM_8(x) (SUM_4(x) + SUM_4((x) + 4))
#define SUM_9(x) (SUM_4(x) + SUM_5((x) + 4))
#define SUM_10(x) (SUM_5(x) + SUM_5((x) + 5))
#define SUM_11(x) (SUM_5(x) + SUM_6((x) + 5))
#define SUM_12(x) (SUM_6(x) + SUM_6((x) + 6))
#define SUM_13(x) (SUM_6(x) + SUM_7((x) + 6))
#define SUM_14(x) (SUM_7(x) + SUM_7((x) + 7))
#define SUM_15(x) (SUM_7(x) + SUM_8((x) + 7))
#define SUM_CASE(n)                                                                      \
    case n:                                                                              \
        return SUM_##n(x)

#define EXTREMES(name, choose, T)                                                        \
    static void name##_axis_##T(const struct isa_kernel_axis *a, const T *from, T *to)   \
    {                                                                                    \
        for (uint64_t i = 0; i < a->outer; i++, to += a->inner) {                        \
            memcpy(to, from, a->inner * sizeof *to);                                     \
            from += a->inner;                                                            \
            for (uint64_t j = 1; j < a->length; j++, from += a->inner)                   \
                for (uint64_t k = 0; k < a->inner; k++)                                  \
                    to[k] = (T)choose(to[k], from[k]);                                   \
        }                                                                                \
    }

#define SUMS(T)                                                                           \
    /* Sums elements as a tree: the sum of both halves, of which the second is larger. */ \
    static T sum_##T(const T *x, uint64_t count)                                          \
    {                                                                                     \
        switch (count) {                                                                  \
        case 0:                                                                           \
            return 0;                                                                     \
        case 1:                                                                           \
            return x[0];                                                                  \
            SUM_CASE(2);                                                                  \
            SUM_CASE(3);                                                                  \
            SUM_CASE(4);                                                                  \
            SUM_CASE(5);                                                                  \
            SUM_CASE(6);                                                                  \
            SUM_CASE(7);                                                                  \
            SUM_CASE(8);                                                                  \
            SUM_CASE(9);                                                                  \
            SUM_CASE(10);                                                                 \
            SUM_CASE(11);                                                                 \
            SUM_CASE(12);                                                                 \
            SUM_CASE(13);                                                                 \
            SUM_CASE(14);                                                                 \
            SUM_CASE(15);                                                                 \
        default:;                                                                         \
            const uint64_t half = count / 2;                                              \
            const T left = sum_##T(x, half);                                              \
            return left + sum_##T(x + half, count - half);                                \
        }                                                                                 \
    }                                                                                     \
                                                                                          \
    /* Sums `count` rows, which are `stride` apart, in each of `columns` columns. */      \
    static void sum_rows_##T(const T *x, uint64_t count, uint64_t stride,                 \
                             uint64_t columns, T *sums)                                   \
    {                                                                                     \
        if (count <= 1) {                                                                 \
            for (uint64_t i = 0; i < columns; i++)                                        \
                sums[i] = count ? x[i] : 0;                                               \
            return;                                                                       \
        }                                                                                 \
        T right[COLUMNS];                                                                 \
        const uint64_t half = count / 2;                                                  \
        sum_rows_##T(x, half, stride, columns, sums);                                     \
        sum_rows_##T(x + half * stride, count - half, stride, columns, right);            \
        for (uint64_t i = 0; i < columns; i++)                                            \
            sums[i] += right[i];                                                          \
    }                                                                                     \
                                                                                          \
    static void sum_axis_##T(const struct isa_kernel_axis *a, const T *from, T *to)       \
    {                                                                                     \
        for (uint64_t i = 0; i < a->outer; i++, from += a->length * a->inner)             \
            if (a->inner == 1)                                                            \
                *to++ = sum_##T(from, a->length);                                         \
            else                                                                          \
                for (uint64_t j = 0; j < a->inner; j += COLUMNS) {                        \
                    const uint64_t left = a->inner - j;                                   \
                    const uint64_t columns = left < COLUMNS ? left : COLUMNS;             \
                    sum_rows_##T(from + j, a->length, a->inner, columns, to);             \
                    to += columns;                                                        \
                }                                                                         \
    }                                                                                     \
                                                                                          \
    EXTREMES(max, isa_real_max, T)                                                        \
    EXTREMES(min, isa_real_min, T)
SUMS(double)
SUMS(float)

/* Sums ints that are `stride` apart, as the same tree. Returns false on overflow. */
static bool sum_ints(const int64_t *x, uint64_t count, uint64_t stride, int64_t *sum)
{
    int64_t left, right;
    const uint64_t half = count / 2;
    if (count <= 1) {
        *sum = count ? *x : 0;
        return true;
    }
    return sum_ints(x, half, stride, &left) &&
           sum_ints(x + half * stride, count - half, stride, &right) &&
           !__builtin_add_overflow(left, right, sum);
}

static void sum_axis_ints(const struct isa_kernel_call *call,
                          const struct isa_kernel_axis *a)
{
    for (uint64_t i = 0; i < call->result->count; i++) {
        const uint64_t from = i / a->inner * a->length * a->inner + i % a->inner;
        if (!sum_ints(call->a->ints + from, a->length, a->inner,
                      &call->result->ints[i])) {
            *call->fault = (struct isa_kernel_fault){ISA_FAULT_OVERFLOW, i};
            return;
        }
    }
}

static int64_t max_int(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static int64_t min_int(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

EXTREMES(max, max_int, int64_t)
EXTREMES(min, min_int, int64_t)

struct isa_kernel_axis isa_kernel_axis_or_all(const struct isa_kernel_call *call)
{
    if (call->numbers.count == 0)
        return (struct isa_kernel_axis){.outer = 1, .length = call->a->count, .inner = 1};
    return isa_kernel_axis(&call->a->shape, (unsigned)call->numbers.items[0]);
}

void isa_kernel_run_reduce_sum(const struct isa_kernel_call *call)
{
    const struct isa_kernel_axis a = isa_kernel_axis_or_all(call);
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        sum_axis_double(&a, call->a->reals, call->result->reals);
    else if (call->result->shape.element == ISA_ELEMENT_REAL32)
        sum_axis_float(&a, call->a->reals32, call->result->reals32);
    else
        sum_axis_ints(call, &a);
}

void isa_kernel_run_reduce_mean(const struct isa_kernel_call *call)
{
    const uint64_t length = isa_kernel_axis_or_all(call).length;
    isa_kernel_run_reduce_sum(call);
    for (uint64_t i = 0; i < call->result->count; i++)
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            call->result->reals[i] /= (double)length;
        else
            call->result->reals32[i] /= (float)length;
}

void isa_kernel_run_sum_last(const struct isa_kernel_call *call)
{
    const struct isa_kernel_axis a = isa_kernel_axis(&call->a->shape,
                                                     call->a->shape.rank - 1u);
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        sum_axis_double(&a, call->a->reals, call->result->reals);
    else
        sum_axis_float(&a, call->a->reals32, call->result->reals32);
}

#define RUN_EXTREME(name)                                                                \
    void isa_kernel_run_reduce_##name(const struct isa_kernel_call *call)                \
    {                                                                                    \
        const struct isa_kernel_axis a = isa_kernel_axis_or_all(call);                   \
        if (call->result->shape.element == ISA_ELEMENT_REAL)                             \
            name##_axis_double(&a, call->a->reals, call->result->reals);                 \
        else if (call->result->shape.element == ISA_ELEMENT_REAL32)                      \
            name##_axis_float(&a, call->a->reals32, call->result->reals32);              \
        else                                                                             \
            name##_axis_int64_t(&a, call->a->ints, call->result->ints);                  \
    }
RUN_EXTREME(max)
RUN_EXTREME(min)

/* --- rows of the last axis: softmax, cross-entropy ---------------------------- */

static void exp_in_place(double *x, uint64_t count)
{
    isa_reals_exp(x, x, count);
}

static void exp_in_place32(float *x, uint64_t count)
{
    isa_reals32_apply(isa_reals_exp, x, x, count);
}

/* Computes the exponentials of a row's elements minus the greatest one, so that none overflows.
 * Returns the greatest. */
#define ROWS(T, compute_exponentials)                                                    \
    static T exponentials_##T(const T *x, uint64_t count, T *exponentials)               \
    {                                                                                    \
        T most = x[0];                                                                   \
        for (uint64_t i = 1; i < count; i++)                                             \
            most = (T)isa_real_max(most, x[i]);                                          \
        for (uint64_t i = 0; i < count; i++)                                             \
            exponentials[i] = (T)(x[i] - most);                                          \
        compute_exponentials(exponentials, count);                                       \
        return most;                                                                     \
    }                                                                                    \
                                                                                         \
    static void softmax_##T(const T *x, uint64_t count, T *out)                          \
    {                                                                                    \
        exponentials_##T(x, count, out);                                                 \
        const T sum = sum_##T(out, count);                                               \
        for (uint64_t i = 0; i < count; i++)                                             \
            out[i] /= sum;                                                               \
    }                                                                                    \
                                                                                         \
    static void log_softmax_##T(const T *x, uint64_t count, T *out)                      \
    {                                                                                    \
        const T most = exponentials_##T(x, count, out);                                  \
        const T log_sum = (T)isa_real_log(sum_##T(out, count));                          \
        for (uint64_t i = 0; i < count; i++)                                             \
            out[i] = (x[i] - most) - log_sum;                                            \
    }                                                                                    \
                                                                                         \
    /* -log(softmax(x)[i]) is log(sum) - (x[i] - most). */                               \
    static T cross_entropy_##T(const T *x, const T *y, uint64_t count, T *kept)          \
    {                                                                                    \
        const T most = exponentials_##T(x, count, kept);                                 \
        const T log_sum = (T)isa_real_log(sum_##T(kept, count));                         \
        for (uint64_t i = 0; i < count; i++)                                             \
            kept[i] = y[i] * (log_sum - (x[i] - most));                                  \
        return sum_##T(kept, count);                                                     \
    }                                                                                    \
                                                                                         \
    static T cross_entropy_at_##T(const T *x, int64_t label, uint64_t count, T *kept)    \
    {                                                                                    \
        const T most = exponentials_##T(x, count, kept);                                 \
        const T log_sum = (T)isa_real_log(sum_##T(kept, count));                         \
        return log_sum - (x[label] - most);                                              \
    }
ROWS(double, exp_in_place)
ROWS(float, exp_in_place32)

static uint64_t last_extent(const struct isa_kernel_call *call)
{
    return (uint64_t)call->a->shape.extents[call->a->shape.rank - 1];
}

void isa_kernel_run_softmax(const struct isa_kernel_call *call)
{
    const uint64_t n = last_extent(call);
    for (uint64_t i = 0; i < call->result->count; i += n)
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            softmax_double(call->a->reals + i, n, call->result->reals + i);
        else
            softmax_float(call->a->reals32 + i, n, call->result->reals32 + i);
}

void isa_kernel_run_log_softmax(const struct isa_kernel_call *call)
{
    const uint64_t n = last_extent(call);
    for (uint64_t i = 0; i < call->result->count; i += n)
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            log_softmax_double(call->a->reals + i, n, call->result->reals + i);
        else
            log_softmax_float(call->a->reals32 + i, n, call->result->reals32 + i);
}

void isa_kernel_run_cross_entropy(const struct isa_kernel_call *call)
{
    const uint64_t n = last_extent(call);
    void *kept = lib_mem_resize(NULL, n * sizeof(double));
    for (uint64_t i = 0; i < call->result->count; i++)
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            call->result->reals[i] = cross_entropy_double(
                call->a->reals + i * n, call->b->reals + i * n, n, kept);
        else
            call->result->reals32[i] = cross_entropy_float(
                call->a->reals32 + i * n, call->b->reals32 + i * n, n, kept);
    lib_mem_free(kept);
}

void isa_kernel_run_cross_entropy_at(const struct isa_kernel_call *call)
{
    const uint64_t n = last_extent(call);
    void *kept = lib_mem_resize(NULL, n * sizeof(double));
    for (uint64_t i = 0; i < call->result->count; i++) {
        const int64_t label = call->numbers.items[i];
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            call->result->reals[i] = cross_entropy_at_double(call->a->reals + i * n,
                                                             label, n, kept);
        else
            call->result->reals32[i] = cross_entropy_at_float(call->a->reals32 + i * n,
                                                              label, n, kept);
    }
    lib_mem_free(kept);
}
