/* Kernels for gradients. */
#include "isa/tensor/kernel_internal.h"
#include "lib/memory.h"

#include <string.h>

/* Steps of a small tensor along the axes of a large one to which it is broadcast, in elements;
 * 0 where it is broadcast. Axes along which both advance alike are one axis; the last one is a
 * row. */
struct spread {
    unsigned rank; /* axes before the row */
    int64_t extents[ISA_RANK_MAX], steps[ISA_RANK_MAX];
    int64_t length, step; /* of a row */
};

static struct spread make_spread(const struct isa_shape *small,
                                 const struct isa_shape *large)
{
    struct spread s = {.length = 1, .step = 1};
    for (unsigned i = large->rank; i > 0; i--) {
        const unsigned from_last = large->rank - i + 1;
        const int64_t extent = large->extents[i - 1];
        const bool advances = from_last <= small->rank &&
                              small->extents[small->rank - from_last] != 1;
        const int64_t step = advances
                                 ? isa_shape_product(small, small->rank - from_last + 1,
                                                     small->rank)
                                 : 0;
        const unsigned last = s.rank - 1;
        if (extent == 1)
            continue;
        if (s.length == 1) {
            s.length = extent;
            s.step = step;
        } else if (s.rank == 0 && step == s.step * s.length) {
            s.length *= extent;
        } else if (s.rank > 0 && step == s.steps[last] * s.extents[last]) {
            s.extents[last] *= extent;
        } else {
            s.extents[s.rank] = extent;
            s.steps[s.rank++] = step;
        }
    }
    return s;
}

/* Position in a spread; starts as zeros. */
struct spread_place {
    int64_t at[ISA_RANK_MAX], small; /* `small`: offset of the row in the small tensor */
};

/* Advances to the next row. */
static void advance_row(const struct spread *s, struct spread_place *place)
{
    for (unsigned axis = 0; axis < s->rank; axis++) {
        place->small += s->steps[axis];
        if (++place->at[axis] < s->extents[axis])
            return;
        place->small -= s->steps[axis] * place->at[axis];
        place->at[axis] = 0;
    }
}

enum { VECTOR_BYTES = 16 };

#define SPREADS(T)                                                                       \
    typedef T vector_##T                                                                 \
        __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));       \
    enum { LANES_##T = VECTOR_BYTES / sizeof(T) };                                       \
                                                                                         \
    static void add_row_##T(const T *from, T *to, int64_t length)                        \
    {                                                                                    \
        int64_t i = 0;                                                                   \
        for (; i + LANES_##T <= length; i += LANES_##T)                                  \
            *(vector_##T *)(to + i) += *(const vector_##T *)(from + i);                  \
        for (; i < length; i++)                                                          \
            to[i] += from[i];                                                            \
    }                                                                                    \
                                                                                         \
    static void sum_like_##T(const struct spread *s, const T *from, uint64_t count,      \
                             T *to)                                                      \
    {                                                                                    \
        struct spread_place place = {0};                                                 \
        for (uint64_t i = 0; i < count; i += (uint64_t)s->length) {                      \
            T sum = to[place.small];                                                     \
            if (s->step) {                                                               \
                add_row_##T(from + i, to + place.small, s->length);                      \
            } else {                                                                     \
                for (int64_t j = 0; j < s->length; j++)                                  \
                    sum += from[i + (uint64_t)j];                                        \
                to[place.small] = sum;                                                   \
            }                                                                            \
            advance_row(s, &place);                                                      \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    /* Each element, added to 0. */                                                      \
    static void copy_sums_##T(const T *from, T *to, uint64_t count)                      \
    {                                                                                    \
        uint64_t i = 0;                                                                  \
        for (; i + LANES_##T <= count; i += LANES_##T)                                   \
            *(vector_##T *)(to + i) = 0 + *(const vector_##T *)(from + i);               \
        for (; i < count; i++)                                                           \
            to[i] = 0 + from[i];                                                         \
    }                                                                                    \
                                                                                         \
    static void spread_to_##T(const struct spread *s, const T *from, T *to,              \
                              uint64_t count)                                            \
    {                                                                                    \
        struct spread_place place = {0};                                                 \
        for (uint64_t i = 0; i < count; i += (uint64_t)s->length) {                      \
            const T *row = from + place.small, first = 0 + *row;                         \
            T *out = to + i;                                                             \
            if (s->step)                                                                 \
                for (int64_t j = 0; j < s->length; j++)                                  \
                    out[j] = 0 + row[j];                                                 \
            else                                                                         \
                for (int64_t j = 0; j < s->length; j++)                                  \
                    out[j] = first;                                                      \
            advance_row(s, &place);                                                      \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    static void spread_last_##T(const T *from, T *to, uint64_t count, uint64_t length)   \
    {                                                                                    \
        for (uint64_t i = 0; i < count; i += length, from++)                             \
            for (uint64_t j = 0; j < length; j++)                                        \
                to[i + j] = *from;                                                       \
    }
SPREADS(double)
SPREADS(float)

void isa_kernel_add_row(enum isa_element_kind element, const void *from, void *to,
                        int64_t length)
{
    if (element == ISA_ELEMENT_REAL)
        add_row_double(from, to, length);
    else
        add_row_float(from, to, length);
}

/* Adds each element of the first tensor, in order, to the element of the result to which it is
 * broadcast. */
void isa_kernel_run_sum_like(const struct isa_kernel_call *call)
{
    const struct spread s = make_spread(&call->result->shape, &call->a->shape);
    const uint64_t count = call->a->count;
    if (count == call->result->count) { /* nothing was broadcast */
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            copy_sums_double(call->a->reals, call->result->reals, count);
        else
            copy_sums_float(call->a->reals32, call->result->reals32, count);
        return;
    }
    memset(call->result->data, 0, call->result->bytes);
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        sum_like_double(&s, call->a->reals, call->a->count, call->result->reals);
    else
        sum_like_float(&s, call->a->reals32, call->a->count, call->result->reals32);
}

void isa_kernel_run_spread_last(const struct isa_kernel_call *call)
{
    const struct isa_shape *shape = &call->result->shape;
    const uint64_t length = (uint64_t)shape->extents[shape->rank - 1];
    if (shape->element == ISA_ELEMENT_REAL)
        spread_last_double(call->a->reals, call->result->reals, call->result->count,
                           length);
    else
        spread_last_float(call->a->reals32, call->result->reals32, call->result->count,
                          length);
}

void isa_kernel_run_spread_to(const struct isa_kernel_call *call)
{
    const struct spread s = make_spread(&call->a->shape, &call->result->shape);
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        spread_to_double(&s, call->a->reals, call->result->reals, call->result->count);
    else
        spread_to_float(&s, call->a->reals32, call->result->reals32, call->result->count);
}

void isa_kernel_run_one_hot(const struct isa_kernel_call *call)
{
    const struct isa_shape *shape = &call->result->shape;
    const uint64_t length = (uint64_t)shape->extents[shape->rank - 1];
    for (uint64_t i = 0; i < call->result->count; i++)
        isa_tensor_set(call->result, i,
                       i % length == (uint64_t)call->numbers.items[i / length]);
}

void isa_kernel_run_first_max(const struct isa_kernel_call *call)
{
    const struct isa_kernel_axis axis = isa_kernel_axis_or_all(call);
    for (uint64_t i = 0; i < call->result->count; i++)
        isa_tensor_set(call->result, i, 0);
    for (uint64_t o = 0; o < axis.outer; o++)
        for (uint64_t k = 0; k < axis.inner; k++) {
            const uint64_t first = o * axis.length * axis.inner + k;
            uint64_t most = first;
            for (uint64_t j = 1; j < axis.length; j++) {
                const uint64_t at = first + j * axis.inner;
                const double x = isa_tensor_get(call->a, at);
                const double y = isa_tensor_get(call->a, most);
                if (x > y || (x != x && y == y))
                    most = at;
            }
            isa_tensor_set(call->result, most, 1);
        }
}

static void *element_at(const struct isa_tensor *tensor, int64_t at)
{
    return (char *)tensor->data + (size_t)at * isa_element_size(tensor->shape.element);
}

void isa_kernel_run_scatter(const struct isa_kernel_call *call)
{
    const int64_t inner = (int64_t)isa_kernel_axis(&call->a->shape, 0).inner;
    memset(call->result->data, 0, call->result->bytes);
    for (size_t row = 1; row < call->numbers.count; row++)
        isa_kernel_add_row((enum isa_element_kind)call->a->shape.element,
                           element_at(call->a, (int64_t)(row - 1) * inner),
                           element_at(call->result, call->numbers.items[row] * inner),
                           inner);
}

/* Returns the extent of axis front - from_last, and sets *step to the distance of neighbours in
 * elements. 1 and 0 if there is no such axis, or it is broadcast. */
static int64_t front_of(const struct isa_shape *shape, unsigned front, unsigned from_last,
                        int64_t *step)
{
    *step = 0;
    if (from_last > front || shape->extents[front - from_last] == 1)
        return 1;
    *step = isa_shape_product(shape, front - from_last + 1, shape->rank);
    return shape->extents[front - from_last];
}

/* Returns the transpose of a matrix: in `turned`, or the matrix itself if it is a vector. */
static const void *turn(const void *matrix, void *turned, int64_t rows, int64_t columns,
                        size_t size)
{
    if (rows == 1 || columns == 1)
        return matrix;
    isa_kernel_copy_matrix(matrix, turned, size, columns, rows, 1, columns);
    return turned;
}

/* Multiplies `y`, a product, by the transpose of its operand `x`. */
static void multiply_turned(const struct isa_kernel_call *call,
                            const struct isa_tensor *y, const struct isa_tensor *x,
                            bool is_left)
{
    const unsigned other = isa_product_has_other(&y->shape, &x->shape);
    const unsigned own = x->shape.rank > 1;
    const unsigned front_y = y->shape.rank - own - other;
    const unsigned front_x = own ? x->shape.rank - 2u : 0;
    const int64_t *last = &x->shape.extents[x->shape.rank - 1];
    const int64_t rows = own ? last[-1] : is_left ? *last : 1;
    const int64_t columns = own || !is_left ? *last : 1;
    const int64_t y_columns = other && !is_left ? y->shape.extents[y->shape.rank - 1] : 1;
    const int64_t y_rows = other && is_left ? y->shape.extents[front_y] : 1;
    const size_t size = isa_element_size(x->shape.element);
    void *turned = lib_mem_resize(NULL, (size_t)(rows * columns) * size + 1);
    int64_t steps_y[2], steps_x[2], extents[2], to = 0;
    for (unsigned i = 0; i < 2; i++) {
        const int64_t a = front_of(&y->shape, front_y, 2 - i, &steps_y[i]);
        const int64_t b = front_of(&x->shape, front_x, 2 - i, &steps_x[i]);
        extents[i] = a == 1 ? b : a;
    }
    for (int64_t i = 0; i < extents[0]; i++)
        for (int64_t j = 0; j < extents[1]; j++) {
            const void *part = element_at(y, i * steps_y[0] + j * steps_y[1]);
            void *out = (char *)call->result->data + (size_t)to * size;
            const void *other_part = turn(element_at(x, i * steps_x[0] + j * steps_x[1]),
                                          turned, rows, columns, size);
            if (is_left)
                isa_kernel_product(call, part, other_part, out, y_rows, rows, columns);
            else
                isa_kernel_product(call, other_part, part, out, columns, y_columns, rows);
            to += is_left ? y_rows * rows : columns * y_columns;
        }
    lib_mem_free(turned);
}

void isa_kernel_run_matmul_left(const struct isa_kernel_call *call)
{
    multiply_turned(call, call->a, call->b, true);
}

void isa_kernel_run_matmul_right(const struct isa_kernel_call *call)
{
    multiply_turned(call, call->b, call->a, false);
}
