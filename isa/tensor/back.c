/* Kernels for gradients. */
#include "isa/tensor/kernel_internal.h"
#include "lib/memory.h"

#include <string.h>

/* Adds each element of the first tensor, in order, to the element of the result to which it is
 * broadcast. */
void isa_kernel_run_sum_like(const struct isa_kernel_call *call)
{
    const struct isa_shape *a = &call->a->shape, *r = &call->result->shape;
    int64_t steps[ISA_RANK_MAX] = {0}, at[ISA_RANK_MAX] = {0};
    for (unsigned i = 1; i <= r->rank; i++)
        if (r->extents[r->rank - i] != 1)
            steps[a->rank - i] = isa_shape_product(r, r->rank - i + 1, r->rank);
    for (uint64_t i = 0; i < call->result->count; i++)
        isa_tensor_set(call->result, i, 0);
    int64_t to = 0;
    for (uint64_t i = 0; i < call->a->count; i++) {
        isa_tensor_set(call->result, (uint64_t)to,
                       isa_tensor_get(call->result, (uint64_t)to) +
                           isa_tensor_get(call->a, i));
        for (unsigned axis = a->rank; axis-- > 0;) {
            to += steps[axis];
            if (++at[axis] < a->extents[axis])
                break;
            to -= steps[axis] * at[axis];
            at[axis] = 0;
        }
    }
}

void isa_kernel_run_spread_last(const struct isa_kernel_call *call)
{
    const struct isa_shape *shape = &call->result->shape;
    const uint64_t length = (uint64_t)shape->extents[shape->rank - 1];
    for (uint64_t i = 0; i < call->result->count; i++)
        isa_tensor_set(call->result, i, isa_tensor_get(call->a, i / length));
}

void isa_kernel_run_spread_to(const struct isa_kernel_call *call)
{
    const struct isa_shape *a = &call->a->shape, *r = &call->result->shape;
    int64_t steps[ISA_RANK_MAX] = {0}, at[ISA_RANK_MAX] = {0}, from = 0;
    for (unsigned i = 1; i <= a->rank; i++)
        if (a->extents[a->rank - i] != 1)
            steps[r->rank - i] = isa_shape_product(a, a->rank - i + 1, a->rank);
    for (uint64_t i = 0; i < call->result->count; i++) {
        isa_tensor_set(call->result, i, 0 + isa_tensor_get(call->a, (uint64_t)from));
        for (unsigned axis = r->rank; axis-- > 0;) {
            from += steps[axis];
            if (++at[axis] < r->extents[axis])
                break;
            from -= steps[axis] * at[axis];
            at[axis] = 0;
        }
    }
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

void isa_kernel_run_scatter(const struct isa_kernel_call *call)
{
    const uint64_t inner = isa_kernel_axis(&call->a->shape, 0).inner;
    for (uint64_t i = 0; i < call->result->count; i++)
        isa_tensor_set(call->result, i, 0);
    for (size_t row = 1; row < call->numbers.count; row++)
        for (uint64_t i = 0; i < inner; i++) {
            const uint64_t to = (uint64_t)call->numbers.items[row] * inner + i;
            isa_tensor_set(call->result, to,
                           isa_tensor_get(call->result, to) +
                               isa_tensor_get(call->a, (row - 1) * inner + i));
        }
}

void isa_kernel_run_untranspose(const struct isa_kernel_call *call)
{
    const struct isa_shape *a = &call->a->shape;
    int64_t steps[ISA_RANK_MAX] = {0}, at[ISA_RANK_MAX] = {0}, to = 0;
    for (unsigned i = 0; i < a->rank; i++)
        steps[i] = isa_shape_product(
            &call->result->shape,
            (unsigned)isa_axis_from_end(call->numbers.items[i], a->rank) + 1, a->rank);
    for (uint64_t i = 0; i < call->a->count; i++) {
        isa_tensor_set(call->result, (uint64_t)to, isa_tensor_get(call->a, i));
        for (unsigned axis = a->rank; axis-- > 0;) {
            to += steps[axis];
            if (++at[axis] < a->extents[axis])
                break;
            to -= steps[axis] * at[axis];
            at[axis] = 0;
        }
    }
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

static const void *element_at(const struct isa_tensor *tensor, int64_t at)
{
    return (const char *)tensor->data +
           (size_t)at * isa_element_size(tensor->shape.element);
}

static void turn(const void *from, void *to, int64_t rows, int64_t columns, size_t size)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            memcpy((char *)to + (size_t)(j * rows + i) * size,
                   (const char *)from + (size_t)(i * columns + j) * size, size);
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
            turn(element_at(x, i * steps_x[0] + j * steps_x[1]), turned, rows, columns,
                 size);
            if (is_left)
                isa_kernel_product(call, part, turned, out, y_rows, rows, columns);
            else
                isa_kernel_product(call, turned, part, out, columns, y_columns, rows);
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
