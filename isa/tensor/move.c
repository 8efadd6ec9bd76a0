/* Kernels that move elements without computing. */
#include "isa/tensor/kernel_internal.h"

#include <string.h>

static size_t element_size(const struct isa_kernel_call *call)
{
    return isa_element_size(call->result->shape.element);
}

void isa_kernel_run_concat(const struct isa_kernel_call *call)
{
    const unsigned axis = (unsigned)call->numbers.items[0];
    const struct isa_kernel_axis a = isa_kernel_axis(&call->a->shape, axis);
    const struct isa_kernel_axis b = isa_kernel_axis(&call->b->shape, axis);
    const size_t size_a = a.length * a.inner * element_size(call);
    const size_t size_b = b.length * b.inner * element_size(call);
    char *to = call->result->data;
    for (uint64_t i = 0; i < a.outer; i++) {
        memcpy(to, (const char *)call->a->data + i * size_a, size_a);
        memcpy(to + size_a, (const char *)call->b->data + i * size_b, size_b);
        to += size_a + size_b;
    }
}

/* Copies a range of the axis that starts at `first`, with the result's length. */
static void copy_range(const struct isa_kernel_call *call, uint64_t first)
{
    const unsigned axis = (unsigned)call->numbers.items[0];
    const struct isa_kernel_axis a = isa_kernel_axis(&call->a->shape, axis);
    const size_t size = a.inner * element_size(call);
    const size_t some = (uint64_t)call->result->shape.extents[axis] * size;
    for (uint64_t i = 0; i < a.outer; i++)
        memcpy((char *)call->result->data + i * some,
               (const char *)call->a->data + (i * a.length + first) * size, some);
}

void isa_kernel_run_slice(const struct isa_kernel_call *call)
{
    copy_range(call, (uint64_t)call->numbers.items[1]);
}

void isa_kernel_run_split(const struct isa_kernel_call *call)
{
    const int64_t *numbers = call->numbers.items;
    copy_range(call, (uint64_t)(numbers[1] * call->result->shape.extents[numbers[0]]));
}

void isa_kernel_run_part(const struct isa_kernel_call *call)
{
    int64_t first = 0;
    for (int64_t i = 0; i < call->numbers.items[1]; i++)
        first += call->numbers.items[2 + i];
    copy_range(call, (uint64_t)first);
}

/* Inserts the operand's elements between the padding of the result. */
static void put_between(const struct isa_kernel_call *call)
{
    const unsigned axis = (unsigned)call->numbers.items[0];
    const struct isa_kernel_axis a = isa_kernel_axis(&call->a->shape, axis);
    const size_t size = a.inner * element_size(call), some = a.length * size;
    const size_t before = (uint64_t)call->numbers.items[1] * size;
    const size_t row = (uint64_t)call->result->shape.extents[axis] * size;
    char *to = call->result->data;
    for (uint64_t i = 0; some > 0 && i < a.outer; i++)
        memcpy(to + i * row + before, (const char *)call->a->data + i * some, some);
}

void isa_kernel_run_pad(const struct isa_kernel_call *call)
{
    memset(call->result->data, 0, call->result->bytes);
    put_between(call);
}

void isa_kernel_run_pad_with(const struct isa_kernel_call *call)
{
    const size_t size = element_size(call);
    for (size_t at = 0; at < call->result->bytes; at += size)
        memcpy((char *)call->result->data + at, call->b->data, size);
    put_between(call);
}

void isa_kernel_run_stack(const struct isa_kernel_call *call)
{
    const unsigned axis = (unsigned)call->numbers.items[0];
    const struct isa_shape *a = &call->a->shape;
    const size_t size = (size_t)isa_shape_product(a, axis, a->rank) * element_size(call);
    char *to = call->result->data;
    for (size_t at = 0; at < call->a->bytes; at += size, to += 2 * size) {
        memcpy(to, (const char *)call->a->data + at, size);
        memcpy(to + size, (const char *)call->b->data + at, size);
    }
}

void isa_kernel_run_gather(const struct isa_kernel_call *call)
{
    const size_t size = isa_kernel_axis(&call->a->shape, 0).inner * element_size(call);
    for (size_t i = 0; i < call->numbers.count; i++)
        memcpy((char *)call->result->data + i * size,
               (const char *)call->a->data + (uint64_t)call->numbers.items[i] * size,
               size);
}

void isa_kernel_run_reshape(const struct isa_kernel_call *call)
{
    memcpy(call->result->data, call->a->data, call->result->bytes);
}

/* Extents of the result, and distance of neighbours in the operand; leading axes are 1. */
struct order {
    int64_t extents[ISA_RANK_MAX], steps[ISA_RANK_MAX];
};

/* `axes` has the operand's axis for each axis of the result. */
static struct order make_order(const struct isa_shape *a, const unsigned axes[])
{
    struct order order = {.extents = {1, 1, 1, 1}};
    const unsigned rank = a->rank, front = ISA_RANK_MAX - rank;
    for (unsigned i = 0; i < rank; i++) {
        order.extents[front + i] = a->extents[axes[i]];
        order.steps[front + i] = isa_shape_product(a, axes[i] + 1, rank);
    }
    return order;
}

enum { SIDE = 8 }; /* rows and columns of a square: both sides stay in the cache */

#define COPY_MATRIX(T)                                                                   \
    typedef T pair_##T                                                                   \
        __attribute__((vector_size(2 * sizeof(T)), aligned(sizeof(T)), may_alias));      \
                                                                                         \
    /* Copies a square in fours: each is loaded by columns, and stored by rows. */       \
    static void turn_square_##T(const T *from, T *to, int64_t columns, int64_t step)     \
    {                                                                                    \
        for (int k = 0; k < SIDE; k += 2, from += 2, to += 2 * columns)                  \
            for (int l = 0; l < SIDE; l += 2) {                                          \
                const pair_##T a = *(const pair_##T *)(from + l * step);                 \
                const pair_##T b = *(const pair_##T *)(from + (l + 1) * step);           \
                *(pair_##T *)(to + l) = (pair_##T){a[0], b[0]};                          \
                *(pair_##T *)(to + columns + l) = (pair_##T){a[1], b[1]};                \
            }                                                                            \
    }                                                                                    \
                                                                                         \
    static void copy_square_##T(const T *from, T *to, int64_t columns, int64_t row_step, \
                                int64_t column_step)                                     \
    {                                                                                    \
        for (int k = 0; k < SIDE; k++)                                                   \
            for (int l = 0; l < SIDE; l++)                                               \
                to[k * columns + l] = from[k * row_step + l * column_step];              \
    }                                                                                    \
                                                                                         \
    static void copy_rest_##T(const T *from, T *to, int64_t first_row, int64_t rows,     \
                              int64_t first_column, int64_t columns, int64_t row_step,   \
                              int64_t column_step)                                       \
    {                                                                                    \
        for (int64_t k = first_row; k < rows; k++)                                       \
            for (int64_t l = first_column; l < columns; l++)                             \
                to[k * columns + l] = from[k * row_step + l * column_step];              \
    }                                                                                    \
                                                                                         \
    static void copy_matrix_##T(const T *from, T *to, int64_t rows, int64_t columns,     \
                                int64_t row_step, int64_t column_step)                   \
    {                                                                                    \
        const int64_t rows_in = rows - rows % SIDE,                                      \
                      columns_in = columns - columns % SIDE;                             \
        for (int64_t i = 0; i < rows_in; i += SIDE)                                      \
            for (int64_t j = 0; j < columns_in; j += SIDE) {                             \
                const T *square = from + i * row_step + j * column_step;                 \
                if (row_step == 1)                                                       \
                    turn_square_##T(square, to + i * columns + j, columns, column_step); \
                else                                                                     \
                    copy_square_##T(square, to + i * columns + j, columns, row_step,     \
                                    column_step);                                        \
            }                                                                            \
        copy_rest_##T(from, to, 0, rows_in, columns_in, columns, row_step, column_step); \
        copy_rest_##T(from, to, rows_in, rows, 0, columns, row_step, column_step);       \
    }
COPY_MATRIX(uint64_t)
COPY_MATRIX(uint32_t)
COPY_MATRIX(uint8_t)

void isa_kernel_copy_matrix(const void *from, void *to, size_t size, int64_t rows,
                            int64_t columns, int64_t row_step, int64_t column_step)
{
    if (size == 8)
        copy_matrix_uint64_t(from, to, rows, columns, row_step, column_step);
    else if (size == 4)
        copy_matrix_uint32_t(from, to, rows, columns, row_step, column_step);
    else
        copy_matrix_uint8_t(from, to, rows, columns, row_step, column_step);
}

static void transpose(const struct isa_kernel_call *call, const unsigned axes[])
{
    const struct order order = make_order(&call->a->shape, axes);
    const size_t size = element_size(call);
    const int64_t count = order.extents[2] * order.extents[3];
    char *to = call->result->data;
    for (int64_t i = 0; i < order.extents[0]; i++)
        for (int64_t j = 0; j < order.extents[1]; j++, to += (size_t)count * size) {
            const int64_t from = i * order.steps[0] + j * order.steps[1];
            isa_kernel_copy_matrix((const char *)call->a->data + (size_t)from * size, to,
                                   size, order.extents[2], order.extents[3],
                                   order.steps[2], order.steps[3]);
        }
}

/* Returns the axis of the operand that axis i of a transposition's result is. */
static unsigned axis_of(const struct isa_kernel_call *call, unsigned i)
{
    const unsigned rank = call->a->shape.rank;
    return call->numbers.count ? (unsigned)isa_axis_from_end(call->numbers.items[i], rank)
                               : rank - 1 - i;
}

void isa_kernel_run_transpose(const struct isa_kernel_call *call)
{
    unsigned axes[ISA_RANK_MAX] = {0};
    for (unsigned i = 0; i < call->a->shape.rank; i++)
        axes[i] = axis_of(call, i);
    transpose(call, axes);
}

void isa_kernel_run_untranspose(const struct isa_kernel_call *call)
{
    unsigned axes[ISA_RANK_MAX] = {0};
    for (unsigned i = 0; i < call->a->shape.rank; i++)
        axes[axis_of(call, i)] = i;
    transpose(call, axes);
}
