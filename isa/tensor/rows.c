/* Kernels that read and write rows at indices. */
#include "isa/tensor/kernel_internal.h"
#include "lib/memory.h"

#include <string.h>

static size_t row_bytes(const struct isa_tensor *tensor)
{
    return (size_t)isa_kernel_axis(&tensor->shape, 0).inner *
           isa_element_size(tensor->shape.element);
}

/* Reports the first index that is out of range. */
static bool has_rows(const struct isa_kernel_call *call)
{
    for (uint64_t i = 0; i < call->b->count; i++)
        if (call->b->ints[i] < 0 || call->b->ints[i] >= call->a->shape.extents[0]) {
            *call->fault = (struct isa_kernel_fault){ISA_FAULT_ROW, i};
            return false;
        }
    return true;
}

static void *row_at(const struct isa_tensor *tensor, int64_t row, size_t bytes)
{
    return (char *)tensor->data + (size_t)row * bytes;
}

/* Copies the first tensor to the result, unless it is changed in place. */
static void copy_first(const struct isa_kernel_call *call)
{
    if (call->a->bytes && call->result != call->a)
        memcpy(call->result->data, call->a->data, call->a->bytes);
}

void isa_kernel_run_update(const struct isa_kernel_call *call)
{
    const size_t bytes = row_bytes(call->a);
    if (!has_rows(call))
        return;
    copy_first(call);
    for (uint64_t i = 0; bytes && i < call->b->count; i++)
        memcpy(row_at(call->result, call->b->ints[i], bytes),
               row_at(call->c, (int64_t)i, bytes), bytes);
}

static void add_rows_of_ints(const struct isa_kernel_call *call, uint64_t inner)
{
    for (uint64_t row = 0; row < call->b->count; row++)
        for (uint64_t i = 0; i < inner; i++) {
            const uint64_t at = (uint64_t)call->b->ints[row] * inner + i;
            int64_t *sum = &call->result->ints[at];
            if (__builtin_add_overflow(*sum, call->c->ints[row * inner + i], sum)) {
                *call->fault = (struct isa_kernel_fault){ISA_FAULT_OVERFLOW, at};
                return;
            }
        }
}

void isa_kernel_run_scatter_add(const struct isa_kernel_call *call)
{
    const uint64_t inner = isa_kernel_axis(&call->a->shape, 0).inner;
    if (!has_rows(call))
        return;
    copy_first(call);
    const enum isa_element_kind element = call->a->shape.element;
    if (element == ISA_ELEMENT_INT) {
        add_rows_of_ints(call, inner);
        return;
    }
    const size_t bytes = row_bytes(call->a);
    for (uint64_t row = 0; row < call->b->count; row++)
        isa_kernel_add_row(element, row_at(call->c, (int64_t)row, bytes),
                           row_at(call->result, call->b->ints[row], bytes),
                           (int64_t)inner);
}

void isa_kernel_run_take(const struct isa_kernel_call *call)
{
    const size_t bytes = row_bytes(call->a);
    if (!has_rows(call))
        return;
    for (uint64_t i = 0; bytes && i < call->b->count; i++)
        memcpy(row_at(call->result, (int64_t)i, bytes),
               row_at(call->a, call->b->ints[i], bytes), bytes);
}

/* Reverses update: takes each row at its last index only, as earlier ones were overwritten. *seen
 * marks rows that were taken. */
void isa_kernel_run_take_last(const struct isa_kernel_call *call)
{
    const size_t bytes = row_bytes(call->a);
    if (!has_rows(call))
        return;
    const size_t rows = (size_t)call->a->shape.extents[0];
    bool *seen = lib_mem_new(rows + 1);
    memset(seen, 0, rows + 1);
    for (uint64_t i = call->b->count; bytes && i-- > 0;) {
        const int64_t row = call->b->ints[i];
        void *to = row_at(call->result, (int64_t)i, bytes);
        if (seen[row])
            memset(to, 0, bytes);
        else
            memcpy(to, row_at(call->a, row, bytes), bytes);
        seen[row] = true;
    }
    lib_mem_free(seen);
}
