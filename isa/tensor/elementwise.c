/* Kernels that compute each element of the result from one of each operand. */
#include "isa/tensor/elementary.h"
#include "isa/tensor/kernel_inside.h"

/* --- one tensor ------------------------------------------------------------ */

#define ELEMENTS(T, member, formula)                                                     \
    for (uint64_t i = 0; i < count; i++) {                                               \
        const T x = call->a->member[i];                                                  \
        call->result->member[i] = (T)(formula);                                          \
    }

#define KERNEL(...)
#define BINARY(...)
#define UNARY(NAME, text, weight, formula, help)                                         \
    void isa_kernel_run_##NAME(const struct isa_kernel_call *call)                       \
    {                                                                                    \
        const uint64_t count = call->result->count;                                      \
        if (call->result->shape.element == ISA_ELEMENT_REAL)                             \
            ELEMENTS(double, reals, formula)                                             \
        else                                                                             \
            ELEMENTS(float, reals32, formula)                                            \
    }
#include "isa/tensor/kernels.def"
#undef KERNEL
#undef UNARY
#undef BINARY

void isa_kernel_run_convert(const struct isa_kernel_call *call)
{
    for (uint64_t i = 0; i < call->result->count; i++)
        isa_tensor_set(call->result, i, isa_tensor_get(call->a, i));
}

/* --- two tensors, broadcast -------------------------------------------------- */

/* How both operands are gone through while the elements of the result are made in order: in rows of
 * `length`, in which each advances by `a` and `b` (0 where it is broadcast). */
struct rows {
    int64_t length, a, b;
    int64_t extents[ISA_RANK_MOST - 1]; /* of the result, without the last axis */
    int64_t steps_a[ISA_RANK_MOST - 1], steps_b[ISA_RANK_MOST - 1];
};

/* How far apart neighbours on an axis of the result are; `from_last`: 1 is the last axis. */
static int64_t step(const struct isa_shape *shape, unsigned from_last)
{
    if (from_last > shape->rank || shape->extents[shape->rank - from_last] == 1)
        return 0;
    return isa_shape_product(shape, shape->rank - from_last + 1, shape->rank);
}

static struct rows make_rows(const struct isa_shape *a, const struct isa_shape *b,
                             const struct isa_shape *result)
{
    struct rows rows = {.length = 1, .extents = {1, 1, 1}};
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
        rows.extents[ISA_RANK_MOST - i] = result->extents[result->rank - i];
        rows.steps_a[ISA_RANK_MOST - i] = step(a, i);
        rows.steps_b[ISA_RANK_MOST - i] = step(b, i);
    }
    return rows;
}

/* The usual rows have loops of their own: both advance, or one of them is a single element. */
#define ROW(T, formula, index_a, index_b)                                                \
    for (int64_t l = 0; l < rows.length; l++) {                                          \
        const T x = pa[index_a], y = pb[index_b];                                        \
        out[l] = (T)(formula);                                                           \
    }

#define ROWS(T, member, formula)                                                         \
    {                                                                                    \
        T *out = call->result->member;                                                   \
        for (int64_t i = 0; i < rows.extents[0]; i++)                                    \
            for (int64_t j = 0; j < rows.extents[1]; j++)                                \
                for (int64_t k = 0; k < rows.extents[2]; k++, out += rows.length) {      \
                    const T *pa = call->a->member + i * rows.steps_a[0] +                \
                                  j * rows.steps_a[1] + k * rows.steps_a[2];             \
                    const T *pb = call->b->member + i * rows.steps_b[0] +                \
                                  j * rows.steps_b[1] + k * rows.steps_b[2];             \
                    if (rows.a && rows.b)                                                \
                        ROW(T, formula, l, l)                                            \
                    else if (rows.a)                                                     \
                        ROW(T, formula, l, 0)                                            \
                    else if (rows.b)                                                     \
                        ROW(T, formula, 0, l)                                            \
                    else                                                                 \
                        ROW(T, formula, 0, 0)                                            \
                }                                                                        \
    }

#define KERNEL(...)
#define UNARY(...)
#define BINARY(NAME, text, weight, formula, help)                                        \
    void isa_kernel_run_##NAME(const struct isa_kernel_call *call)                       \
    {                                                                                    \
        const struct rows rows = make_rows(&call->a->shape, &call->b->shape,             \
                                           &call->result->shape);                        \
        if (call->result->shape.element == ISA_ELEMENT_REAL)                             \
            ROWS(double, reals, formula)                                                 \
        else                                                                             \
            ROWS(float, reals32, formula)                                                \
    }
#include "isa/tensor/kernels.def"
#undef KERNEL
#undef UNARY
#undef BINARY
