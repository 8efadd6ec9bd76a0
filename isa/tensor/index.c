/* Kernels that count, choose and place along an axis. NaN is the greatest real, and -0.0 equals
 * 0.0. Equal elements are chosen in order. */
#include "isa/tensor/kernel_internal.h"
#include "lib/memory.h"

static struct isa_kernel_axis axis_of(const struct isa_kernel_call *call)
{
    return isa_kernel_axis(&call->a->shape, (unsigned)call->numbers.items[0]);
}

void isa_kernel_run_iota(const struct isa_kernel_call *call)
{
    for (uint64_t i = 0; i < call->result->count; i++)
        call->result->ints[i] = (int64_t)i;
}

static bool is_greater(const struct isa_tensor *tensor, uint64_t i, uint64_t j)
{
    if (tensor->shape.element == ISA_ELEMENT_INT)
        return tensor->ints[i] > tensor->ints[j];
    const double x = isa_tensor_get(tensor, i), y = isa_tensor_get(tensor, j);
    return x > y || (x != x && y == y);
}

void isa_kernel_run_argmax(const struct isa_kernel_call *call)
{
    const struct isa_kernel_axis axis = isa_kernel_axis_or_all(call);
    for (uint64_t i = 0; i < call->result->count; i++) {
        const uint64_t first = i / axis.inner * axis.length * axis.inner + i % axis.inner;
        uint64_t most = 0;
        for (uint64_t j = 1; j < axis.length; j++)
            if (is_greater(call->a, first + j * axis.inner, first + most * axis.inner))
                most = j;
        call->result->ints[i] = (int64_t)most;
    }
}

struct line {
    const struct isa_tensor *tensor;
    uint64_t first, step;
};

static bool comes_before(const struct line *line, uint64_t i, uint64_t j)
{
    const uint64_t x = line->first + i * line->step, y = line->first + j * line->step;
    return is_greater(line->tensor, x, y) || (i < j && !is_greater(line->tensor, y, x));
}

/* Inserts `place` at the root of a heap, whose root is the element that comes last. */
static void sink(const struct line *line, uint64_t *heap, uint64_t count, uint64_t place)
{
    uint64_t at = 0;
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && comes_before(line, heap[child], heap[child + 1]))
            child++;
        if (comes_before(line, heap[child], place))
            break;
        heap[at] = heap[child];
    }
    heap[at] = place;
}

static void rise(const struct line *line, uint64_t *heap, uint64_t at, uint64_t place)
{
    for (; at > 0 && comes_before(line, heap[(at - 1) / 2], place); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = place;
}

/* Finds the first `most`, at least 1, of a line of `length` elements, in order. */
static void find_top(const struct line *line, uint64_t length, uint64_t most,
                     uint64_t *top)
{
    for (uint64_t i = 0; i < most; i++)
        rise(line, top, i, i);
    for (uint64_t i = most; i < length; i++)
        if (comes_before(line, i, top[0]))
            sink(line, top, most, i);
    for (uint64_t left = most; left-- > 1;) {
        const uint64_t last = top[0];
        sink(line, top, left, top[left]);
        top[left] = last;
    }
}

static void choose_top(const struct isa_kernel_call *call, bool gives_values)
{
    const struct isa_kernel_axis axis = axis_of(call);
    const uint64_t most = (uint64_t)call->numbers.items[1];
    uint64_t *top = lib_mem_new(most * sizeof *top);
    for (uint64_t o = 0; o < axis.outer; o++)
        for (uint64_t k = 0; k < axis.inner; k++) {
            const struct line line = {call->a, o * axis.length * axis.inner + k,
                                      axis.inner};
            find_top(&line, axis.length, most, top);
            for (uint64_t j = 0; j < most; j++) {
                const uint64_t to = (o * most + j) * axis.inner + k;
                const uint64_t from = line.first + top[j] * line.step;
                if (!gives_values)
                    call->result->ints[to] = (int64_t)top[j];
                else if (call->a->shape.element == ISA_ELEMENT_INT)
                    call->result->ints[to] = call->a->ints[from];
                else
                    isa_tensor_set(call->result, to, isa_tensor_get(call->a, from));
            }
        }
    lib_mem_free(top);
}

void isa_kernel_run_top_values(const struct isa_kernel_call *call)
{
    choose_top(call, true);
}

void isa_kernel_run_top_indices(const struct isa_kernel_call *call)
{
    choose_top(call, false);
}

/* Each element of the result is the previous one plus the tensor's. */
#define SUMS(T)                                                                          \
    static void sums_##T(const struct isa_kernel_axis *a, const T *from, T *to)          \
    {                                                                                    \
        const uint64_t size = a->length * a->inner;                                      \
        for (uint64_t i = 0; i < a->outer * size; i++)                                   \
            to[i] = i % size < a->inner ? from[i] : to[i - a->inner] + from[i];          \
    }                                                                                    \
                                                                                         \
    static void sums_back_##T(const struct isa_kernel_axis *a, const T *from, T *to)     \
    {                                                                                    \
        const uint64_t size = a->length * a->inner;                                      \
        for (uint64_t i = a->outer * size; i-- > 0;)                                     \
            to[i] = i % size >= size - a->inner ? from[i] : to[i + a->inner] + from[i];  \
    }
SUMS(double)
SUMS(float)

static void sums_of_ints(const struct isa_kernel_call *call,
                         const struct isa_kernel_axis *a)
{
    const int64_t *from = call->a->ints;
    int64_t *to = call->result->ints;
    for (uint64_t i = 0; i < call->result->count; i++) {
        const bool is_first = i % (a->length * a->inner) < a->inner;
        if (__builtin_add_overflow(is_first ? 0 : to[i - a->inner], from[i], &to[i])) {
            *call->fault = (struct isa_kernel_fault){ISA_FAULT_OVERFLOW, i};
            return;
        }
    }
}

void isa_kernel_run_cumsum(const struct isa_kernel_call *call)
{
    const struct isa_kernel_axis axis = axis_of(call);
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        sums_double(&axis, call->a->reals, call->result->reals);
    else if (call->result->shape.element == ISA_ELEMENT_REAL32)
        sums_float(&axis, call->a->reals32, call->result->reals32);
    else
        sums_of_ints(call, &axis);
}

void isa_kernel_run_cumsum_back(const struct isa_kernel_call *call)
{
    const struct isa_kernel_axis axis = axis_of(call);
    if (call->result->shape.element == ISA_ELEMENT_REAL)
        sums_back_double(&axis, call->a->reals, call->result->reals);
    else
        sums_back_float(&axis, call->a->reals32, call->result->reals32);
}

void isa_kernel_run_one_hots(const struct isa_kernel_call *call)
{
    const uint64_t classes = (uint64_t)call->numbers.items[0];
    for (uint64_t i = 0; i < call->a->count; i++) {
        const uint64_t class = (uint64_t)call->a->ints[i];
        if (class >= classes) { /* also if it is negative */
            *call->fault = (struct isa_kernel_fault){ISA_FAULT_CLASS, i};
            return;
        }
        for (uint64_t k = 0; k < classes; k++)
            call->result->reals[i * classes + k] = k == class;
    }
}
