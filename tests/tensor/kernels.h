/* Finding and applying kernels; tensors as comma-separated values. */
#ifndef TESTS_TENSOR_KERNELS_H
#define TESTS_TENSOR_KERNELS_H

#include "isa/tensor/kernel.h"

#include <string.h>

/* Returns the kernel of that name, or ISA_KERNEL_NONE. */
static inline enum isa_kernel test_kernel_find(const char *text)
{
    for (enum isa_kernel kernel = 0; kernel < ISA_KERNEL_COUNT; kernel++)
        if (strcmp(isa_kernels[kernel].text, text) == 0)
            return kernel;
    return ISA_KERNEL_NONE;
}

/* Applies a kernel. Returns a new, sealed tensor, or NULL with the reason in `why`; *is_refused,
 * which may be NULL, then says whether it does not fit in the memory. */
static __attribute__((noinline, unused)) struct isa_tensor *
test_kernel_apply(struct isa_tensor_memory *memory, const struct isa_blas *blas,
                  enum isa_kernel kernel, const struct isa_tensor *const operands[],
                  struct isa_numbers numbers, bool with_word, bool *is_refused,
                  struct lib_text *why)
{
    const struct isa_shape *const shapes[] = {
        &operands[0]->shape,
        isa_kernels[kernel].arity >= 2 ? &operands[1]->shape : NULL,
        isa_kernels[kernel].arity == 3 ? &operands[2]->shape : NULL,
    };
    struct isa_shape shape;
    if (is_refused)
        *is_refused = false;
    if (!isa_kernel_shape(kernel, shapes, numbers, &shape, why))
        return NULL;
    struct isa_tensor *result = isa_tensor_new(memory, &shape);
    if (!result) {
        if (is_refused)
            *is_refused = true;
        isa_tensor_refusal(why, memory, &shape);
        return NULL;
    }
    if (!isa_kernel_run(blas, kernel, operands, numbers, result, why)) {
        isa_tensor_free(memory, result);
        return NULL;
    }
    isa_tensor_seal(result, with_word);
    return result;
}

/* Adds a tensor of rank 0 to 2: a line for each row, a vector as one row. It reads back the
 * same. */
static inline void test_csv_write(struct lib_text *out, const struct isa_tensor *tensor)
{
    const struct isa_shape *shape = &tensor->shape;
    const uint64_t columns = shape->rank ? (uint64_t)shape->extents[shape->rank - 1] : 1;
    for (uint64_t i = 0; i < tensor->count; i++) {
        lib_text_real(out, isa_tensor_get(tensor, i));
        lib_text_puts(out, (i + 1) % columns == 0 ? "\n" : ",");
    }
}

#endif
