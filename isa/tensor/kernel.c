#include "isa/tensor/kernel.h"

#include "isa/tensor/kernel_inside.h"

#include <assert.h>
#include <string.h>

const struct isa_kernel_info isa_kernels[ISA_KERNEL_COUNT] = {
#define KERNEL(NAME, text, arity, rule, run, flops, bytes, help)                         \
    [ISA_KERNEL_##NAME] = {text, help, #flops, #bytes, arity},
#include "isa/tensor/kernels.def"
#undef KERNEL
};

enum isa_kernel isa_kernel_find(const char *text)
{
    for (enum isa_kernel kernel = 0; kernel < ISA_KERNEL_COUNT; kernel++)
        if (strcmp(isa_kernels[kernel].text, text) == 0)
            return kernel;
    return ISA_KERNEL_NONE;
}

struct isa_kernel_cost isa_kernel_cost(enum isa_kernel kernel,
                                       const struct isa_shape *const operands[],
                                       const struct isa_shape *result)
{
    const bool is_binary = isa_kernels[kernel].arity == 2;
    const uint64_t r = isa_shape_count(result), a = isa_shape_count(operands[0]);
    const uint64_t in = isa_shape_bytes(operands[0]) +
                        (is_binary ? isa_shape_bytes(operands[1]) : 0);
    const uint64_t out = isa_shape_bytes(result);
    /* Of a product: how long the rows of the left one are. */
    const uint64_t k = operands[0]->rank > 0
                           ? (uint64_t)operands[0]->extents[operands[0]->rank - 1]
                           : 1;
    (void)k;
    switch (kernel) {
#define KERNEL(NAME, text, arity, rule, run, flops, bytes, help)                         \
    case ISA_KERNEL_##NAME:                                                              \
        return (struct isa_kernel_cost){flops, bytes};
#include "isa/tensor/kernels.def"
#undef KERNEL
    case ISA_KERNEL_COUNT:
        break;
    }
    assert(false);
    return (struct isa_kernel_cost){0};
}

void isa_kernel_run(const struct isa_blas *blas, enum isa_kernel kernel,
                    const struct isa_tensor *const operands[], struct isa_numbers numbers,
                    struct isa_tensor *result)
{
    static void (*const runs[])(const struct isa_kernel_call *) = {
#define KERNEL(NAME, text, arity, rule, run, ...)                                        \
    [ISA_KERNEL_##NAME] = isa_kernel_run_##run,
#include "isa/tensor/kernels.def"
#undef KERNEL
    };
    const struct isa_kernel_call call = {
        .kernel = kernel,
        .blas = blas,
        .a = operands[0],
        .b = isa_kernels[kernel].arity == 2 ? operands[1] : NULL,
        .numbers = numbers,
        .result = result,
    };
    if (result->count > 0)
        runs[kernel](&call);
}

struct isa_tensor *isa_kernel_apply(struct isa_tensor_memory *memory,
                                    const struct isa_blas *blas, enum isa_kernel kernel,
                                    const struct isa_tensor *const operands[],
                                    struct isa_numbers numbers, bool with_word,
                                    bool *is_refused, struct lib_text *why)
{
    const struct isa_shape *const shapes[] = {
        &operands[0]->shape,
        isa_kernels[kernel].arity == 2 ? &operands[1]->shape : NULL,
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
    isa_kernel_run(blas, kernel, operands, numbers, result);
    isa_tensor_seal(result, with_word);
    return result;
}
