/* Kernels that compute each element of the result from one element of each operand. */
#include "isa/tensor/elementary.h"
#include "isa/tensor/kernel_internal.h"
#include "isa/tensor/vectors.h"

#include <string.h>

#define NO_INTS set_int(0, z)

static inline enum isa_fault set_int(int64_t value, int64_t *z)
{
    *z = value;
    return ISA_FAULT_NONE;
}

static inline enum isa_fault add_ints(int64_t x, int64_t y, int64_t *z)
{
    return __builtin_add_overflow(x, y, z) ? ISA_FAULT_OVERFLOW : ISA_FAULT_NONE;
}

static inline enum isa_fault sub_ints(int64_t x, int64_t y, int64_t *z)
{
    return __builtin_sub_overflow(x, y, z) ? ISA_FAULT_OVERFLOW : ISA_FAULT_NONE;
}

static inline enum isa_fault mul_ints(int64_t x, int64_t y, int64_t *z)
{
    return __builtin_mul_overflow(x, y, z) ? ISA_FAULT_OVERFLOW : ISA_FAULT_NONE;
}

/* Truncates toward zero, as for scalars. */
static inline enum isa_fault div_ints(int64_t x, int64_t y, int64_t *z)
{
    if (y == 0)
        return ISA_FAULT_DIVISION;
    if (y == -1)
        return sub_ints(0, x, z);
    return set_int(x / y, z);
}

/* Has the sign of the dividend, as for scalars. */
static inline enum isa_fault rem_ints(int64_t x, int64_t y, int64_t *z)
{
    if (y == 0)
        return ISA_FAULT_DIVISION;
    return set_int(y == -1 ? 0 : x % y, z);
}

static inline enum isa_fault pow_ints(int64_t x, int64_t y, int64_t *z)
{
    return y < 0                  ? ISA_FAULT_EXPONENT
           : isa_int_pow(x, y, z) ? ISA_FAULT_NONE
                                  : ISA_FAULT_OVERFLOW;
}

static inline int64_t int_at(const struct isa_tensor *tensor, int64_t i)
{
    return tensor->shape.element == ISA_ELEMENT_INT ? tensor->ints[i] : tensor->bools[i];
}

/* Sets an element of the result. After a fault, records it in the call and returns false. */
static bool put_int(const struct isa_kernel_call *call, int64_t i, enum isa_fault fault,
                    int64_t z)
{
    if (fault) {
        *call->fault = (struct isa_kernel_fault){fault, (uint64_t)i};
        return false;
    }
    if (call->result->shape.element == ISA_ELEMENT_INT)
        call->result->ints[i] = z;
    else
        call->result->bools[i] = z != 0;
    return true;
}

typedef enum isa_fault of_ints(int64_t x, int64_t y, int64_t *z);

static inline __attribute__((always_inline)) void
run_ints(const struct isa_kernel_call *call, of_ints *formula)
{
    for (uint64_t i = 0; i < call->result->count; i++) {
        int64_t z = 0;
        const enum isa_fault fault = formula(int_at(call->a, (int64_t)i), 0, &z);
        if (!put_int(call, (int64_t)i, fault, z))
            return;
    }
}

static inline __attribute__((always_inline)) void
run_rows_of_ints(const struct isa_kernel_call *call, of_ints *formula)
{
    const struct isa_kernel_rows rows = isa_kernel_rows(call);
    struct isa_kernel_row row = {0};
    ISA_FOR_EACH_ROW(&rows, &row)
    for (int64_t l = 0; l < rows.length; l++) {
        int64_t z = 0;
        const enum isa_fault fault = formula(int_at(call->a, row.a + l * rows.a),
                                             int_at(call->b, row.b + l * rows.b), &z);
        if (!put_int(call, row.at + l, fault, z))
            return;
    }
}

/* Number of elements that are computed before they are stored, those of a vector of any processor.
 * So compilers use vectors, whether or not operands and result overlap. */
#define TOGETHER(T) (16 / (int)sizeof(T))

#define ELEMENTS(T, member, formula)                                                     \
    {                                                                                    \
        const T *from = call->a->member;                                                 \
        T *to = call->result->member;                                                    \
        uint64_t i = 0;                                                                  \
        for (; count - i >= TOGETHER(T); i += TOGETHER(T)) {                             \
            T part[TOGETHER(T)];                                                         \
            for (int k = 0; k < TOGETHER(T); k++) {                                      \
                const T x = from[i + k];                                                 \
                part[k] = (T)(formula);                                                  \
            }                                                                            \
            memcpy(to + i, part, sizeof part);                                           \
        }                                                                                \
        for (; i < count; i++) {                                                         \
            const T x = from[i];                                                         \
            to[i] = (T)(formula);                                                        \
        }                                                                                \
    }

#define KERNEL(...)
#define BINARY(...)
#define FUNCTION(...)
#define UNARY(NAME, text, weight, elements, formula, ints, help)                         \
    static enum isa_fault NAME##_of_ints(int64_t x, int64_t y, int64_t *z)               \
    {                                                                                    \
        (void)x;                                                                         \
        (void)y;                                                                         \
        return ints;                                                                     \
    }                                                                                    \
                                                                                         \
    void isa_kernel_run_##NAME(const struct isa_kernel_call *call)                       \
    {                                                                                    \
        const uint64_t count = call->result->count;                                      \
        if (call->a->shape.element == ISA_ELEMENT_REAL)                                  \
            ELEMENTS(double, reals, formula)                                             \
        else if (call->a->shape.element == ISA_ELEMENT_REAL32)                           \
            ELEMENTS(float, reals32, formula)                                            \
        else                                                                             \
            run_ints(call, NAME##_of_ints);                                              \
    }
#include "isa/tensor/kernels.def"
#undef KERNEL
#undef UNARY
#undef BINARY
#undef FUNCTION

#define KERNEL(...)
#define BINARY(...)
#define UNARY(...)
#define FUNCTION(NAME, text, function, help)                                             \
    void isa_kernel_run_##NAME(const struct isa_kernel_call *call)                       \
    {                                                                                    \
        const struct isa_tensor *a = call->a, *result = call->result;                    \
        if (a->shape.element == ISA_ELEMENT_REAL)                                        \
            function(a->reals, result->reals, result->count);                            \
        else                                                                             \
            isa_reals32_apply(function, a->reals32, result->reals32, result->count);     \
    }
#include "isa/tensor/kernels.def"
#undef KERNEL
#undef UNARY
#undef BINARY
#undef FUNCTION

/* Returns the step of an operand along an axis of the result, in elements; 0 where it is broadcast.
 * `from_last` is 1 for the last axis. */
static int64_t step(const struct isa_shape *shape, unsigned from_last)
{
    if (from_last > shape->rank || shape->extents[shape->rank - from_last] == 1)
        return 0;
    return isa_shape_product(shape, shape->rank - from_last + 1, shape->rank);
}

struct isa_kernel_rows isa_kernel_rows(const struct isa_kernel_call *call)
{
    const struct isa_shape *a = &call->a->shape, *b = &call->b->shape;
    const struct isa_shape *result = &call->result->shape;
    struct isa_kernel_rows rows = {.length = 1, .extents = {1, 1, 1}};
    if (isa_shape_equal(a, b)) {
        rows.length = (int64_t)isa_shape_count(result);
        rows.a = rows.b = 1;
        return rows;
    }
    if (result->rank > 0)
        rows.length = result->extents[result->rank - 1];
    rows.a = step(a, 1);
    rows.b = step(b, 1);
    for (unsigned i = 2; i <= result->rank; i++) {
        rows.extents[ISA_RANK_MAX - i] = result->extents[result->rank - i];
        rows.steps_a[ISA_RANK_MAX - i] = step(a, i);
        rows.steps_b[ISA_RANK_MAX - i] = step(b, i);
    }
    return rows;
}

/* Separate loops for the usual rows: both operands advance, or one is a single element. */
#define ROW(T, formula, step_a, step_b)                                                  \
    {                                                                                    \
        int64_t l = 0;                                                                   \
        for (; rows.length - l >= TOGETHER(T); l += TOGETHER(T)) {                       \
            T part[TOGETHER(T)];                                                         \
            for (int m = 0; m < TOGETHER(T); m++) {                                      \
                const T x = pa[(l + m) * step_a], y = pb[(l + m) * step_b];              \
                part[m] = (T)(formula);                                                  \
            }                                                                            \
            memcpy(out + l, part, sizeof part);                                          \
        }                                                                                \
        for (; l < rows.length; l++) {                                                   \
            const T x = pa[l * step_a], y = pb[l * step_b];                              \
            out[l] = (T)(formula);                                                       \
        }                                                                                \
    }

#define ROWS(T, member, formula)                                                         \
    ISA_FOR_EACH_ROW(&rows, &row)                                                        \
    {                                                                                    \
        T *out = call->result->member + row.at;                                          \
        const T *pa = call->a->member + row.a, *pb = call->b->member + row.b;            \
        if (rows.a && rows.b)                                                            \
            ROW(T, formula, 1, 1)                                                        \
        else if (rows.a)                                                                 \
            ROW(T, formula, 1, 0)                                                        \
        else if (rows.b)                                                                 \
            ROW(T, formula, 0, 1)                                                        \
        else                                                                             \
            ROW(T, formula, 0, 0)                                                        \
    }

/* Computes sums, differences and products of reals by the widest vectors, with the canonical NaN.
 * Returns false for other kernels. */
static bool run_by_vectors(const struct isa_kernel_call *call,
                           const struct isa_kernel_rows *rows)
{
    const struct isa_vector_functions *v = isa_widest_vectors();
    struct isa_kernel_row row = {0};
    bool has_nan = false;
    if (!isa_kernel_is_operation(call->kernel, &call->result->shape))
        return false;
    if (call->result->shape.element == ISA_ELEMENT_REAL) {
        isa_reals_operation *operation = call->kernel == ISA_KERNEL_ADD   ? v->add
                                         : call->kernel == ISA_KERNEL_SUB ? v->sub
                                                                          : v->mul;
        ISA_FOR_EACH_ROW(rows, &row)
        has_nan |= operation(call->a->reals + row.a, (uint64_t)rows->a,
                             call->b->reals + row.b, (uint64_t)rows->b,
                             call->result->reals + row.at, (uint64_t)rows->length);
    } else {
        isa_reals32_operation *operation = call->kernel == ISA_KERNEL_ADD   ? v->add32
                                           : call->kernel == ISA_KERNEL_SUB ? v->sub32
                                                                            : v->mul32;
        ISA_FOR_EACH_ROW(rows, &row)
        has_nan |= operation(call->a->reals32 + row.a, (uint64_t)rows->a,
                             call->b->reals32 + row.b, (uint64_t)rows->b,
                             call->result->reals32 + row.at, (uint64_t)rows->length);
    }
    if (has_nan)
        isa_tensor_seal(call->result, false);
    return true;
}

#define KERNEL(...)
#define UNARY(...)
#define FUNCTION(...)
#define BINARY(NAME, text, weight, elements, formula, ints, help)                        \
    static enum isa_fault NAME##_of_ints(int64_t x, int64_t y, int64_t *z)               \
    {                                                                                    \
        (void)x; /* not used where there are NO_INTS */                                  \
        (void)y;                                                                         \
        return ints;                                                                     \
    }                                                                                    \
                                                                                         \
    void isa_kernel_run_##NAME(const struct isa_kernel_call *call)                       \
    {                                                                                    \
        const struct isa_kernel_rows rows = isa_kernel_rows(call);                       \
        struct isa_kernel_row row = {0};                                                 \
        if (ISA_KERNEL_##NAME == ISA_KERNEL_LT && call->a == call->b) {                  \
            memset(call->result->data, 0, call->result->bytes); /* zeros of gradients */ \
            return;                                                                      \
        }                                                                                \
        if (run_by_vectors(call, &rows))                                                 \
            return;                                                                      \
        if (call->a->shape.element == ISA_ELEMENT_REAL)                                  \
            ROWS(double, reals, formula)                                                 \
        else if (call->a->shape.element == ISA_ELEMENT_REAL32)                           \
            ROWS(float, reals32, formula)                                                \
        else                                                                             \
            run_rows_of_ints(call, NAME##_of_ints);                                      \
    }
#include "isa/tensor/kernels.def"
#undef KERNEL
#undef UNARY
#undef BINARY
#undef FUNCTION
