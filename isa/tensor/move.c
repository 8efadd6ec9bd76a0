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

static struct order make_order(const struct isa_kernel_call *call)
{
    struct order order = {.extents = {1, 1, 1, 1}};
    const struct isa_shape *a = &call->a->shape;
    const unsigned rank = a->rank, front = ISA_RANK_MAX - rank;
    for (unsigned i = 0; i < rank; i++) {
        const unsigned axis = call->numbers.count ? (unsigned)isa_axis_from_end(
                                                        call->numbers.items[i], rank)
                                                  : rank - 1 - i;
        order.extents[front + i] = a->extents[axis];
        order.steps[front + i] = isa_shape_product(a, axis + 1, rank);
    }
    return order;
}

/* Transposes the last two axes in squares of 16, so that both sides stay in the cache. */
#define TRANSPOSE(T, member)                                                             \
    static void transpose_##T(const struct order *o, const T *from, T *to)               \
    {                                                                                    \
        const int64_t rows = o->extents[2], columns = o->extents[3];                     \
        for (int64_t i = 0; i < rows; i += 16)                                           \
            for (int64_t j = 0; j < columns; j += 16)                                    \
                for (int64_t k = i; k < rows && k < i + 16; k++)                         \
                    for (int64_t l = j; l < columns && l < j + 16; l++)                  \
                        to[k * columns + l] = from[k * o->steps[2] + l * o->steps[3]];   \
    }
TRANSPOSE(double, reals)
TRANSPOSE(float, reals32)
TRANSPOSE(int64_t, ints)
TRANSPOSE(uint8_t, bools)

void isa_kernel_run_transpose(const struct isa_kernel_call *call)
{
    const struct order order = make_order(call);
    const int64_t size = order.extents[2] * order.extents[3];
    for (int64_t i = 0; i < order.extents[0]; i++)
        for (int64_t j = 0; j < order.extents[1]; j++) {
            const int64_t from = i * order.steps[0] + j * order.steps[1];
            const int64_t to = (i * order.extents[1] + j) * size;
            switch (call->result->shape.element) {
            case ISA_ELEMENT_REAL:
                transpose_double(&order, call->a->reals + from, call->result->reals + to);
                break;
            case ISA_ELEMENT_REAL32:
                transpose_float(&order, call->a->reals32 + from,
                                call->result->reals32 + to);
                break;
            case ISA_ELEMENT_INT:
                transpose_int64_t(&order, call->a->ints + from, call->result->ints + to);
                break;
            default:
                transpose_uint8_t(&order, call->a->bools + from,
                                  call->result->bools + to);
            }
        }
}
