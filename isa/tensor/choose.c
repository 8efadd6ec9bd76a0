/* Kernels that choose between two tensors by a third. As no instruction takes three operands,
 * select(c, a, b) is EITHER of WHEN(c, a) and UNLESS(c, b): the bits of an element, or none. */
#include "isa/tensor/kernel_inside.h"

#include <string.h>

static bool holds(const struct isa_tensor *condition, int64_t i)
{
    return isa_tensor_get(condition, (uint64_t)i) != 0;
}

static void choose(const struct isa_kernel_call *call, bool wanted)
{
    const struct isa_kernel_rows rows = isa_kernel_rows(call);
    struct isa_kernel_row row = {0};
    const size_t size = isa_element_size(call->result->shape.element);
    const char *from = call->b->data;
    char *to = call->result->data;
    memset(to, 0, call->result->bytes);
    ISA_FOR_EACH_ROW(&rows, &row)
    for (int64_t l = 0; l < rows.length; l++)
        if (holds(call->a, row.a + l * rows.a) == wanted)
            memcpy(to + (size_t)(row.at + l) * size,
                   from + (size_t)(row.b + l * rows.b) * size, size);
}

void isa_kernel_run_when(const struct isa_kernel_call *call)
{
    choose(call, true);
}

void isa_kernel_run_unless(const struct isa_kernel_call *call)
{
    choose(call, false);
}

void isa_kernel_run_either(const struct isa_kernel_call *call)
{
    const struct isa_kernel_rows rows = isa_kernel_rows(call);
    struct isa_kernel_row row = {0};
    const size_t size = isa_element_size(call->result->shape.element);
    const unsigned char *a = call->a->data, *b = call->b->data;
    unsigned char *to = call->result->data;
    ISA_FOR_EACH_ROW(&rows, &row)
    for (int64_t l = 0; l < rows.length; l++) {
        const unsigned char *x = a + (size_t)(row.a + l * rows.a) * size;
        const unsigned char *y = b + (size_t)(row.b + l * rows.b) * size;
        for (size_t byte = 0; byte < size; byte++)
            *to++ = x[byte] | y[byte];
    }
}
