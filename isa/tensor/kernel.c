#include "isa/tensor/kernel.h"

#include "isa/tensor/element.h"
#include "isa/tensor/kernel_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const struct isa_kernel_info isa_kernels[ISA_KERNEL_COUNT] = {
#define KERNEL(NAME, text, arity, elements, rule, run, flops, bytes, help)               \
    [ISA_KERNEL_##NAME] = {text, help, #flops, #bytes, arity},
#include "isa/tensor/kernels.def"
#undef KERNEL
};

struct isa_kernel_cost isa_kernel_cost(enum isa_kernel kernel,
                                       const struct isa_shape *const operands[],
                                       const struct isa_shape *result)
{
    const int arity = isa_kernels[kernel].arity;
    const uint64_t r = isa_shape_count(result), a = isa_shape_count(operands[0]);
    const uint64_t in_b = arity >= 2 ? isa_shape_bytes(operands[1]) : 0;
    const uint64_t in_c = arity == 3 ? isa_shape_bytes(operands[2]) : 0;
    const uint64_t c = arity == 3 ? isa_shape_count(operands[2]) : 0;
    const uint64_t in = isa_shape_bytes(operands[0]) + in_b + in_c;
    const uint64_t out = isa_shape_bytes(result);
    /* Variables of the formulas (isa/tensor/kernels.def) */
    const uint64_t k = operands[0]->rank > 0
                           ? (uint64_t)operands[0]->extents[operands[0]->rank - 1]
                           : 1;
    const uint64_t m = operands[0]->rank > 1
                           ? (uint64_t)operands[0]->extents[operands[0]->rank - 2]
                           : 1;
    (void)k;
    (void)m;
    (void)c;
    switch (kernel) {
#define KERNEL(NAME, text, arity, elements, rule, run, flops, bytes, help)               \
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

/* Reports which element cannot be computed: "`+` of int[2] and int[2]: overflow in element [1]". */
static void report_fault(const struct isa_kernel_call *call, struct lib_text *why)
{
    static const char *const texts[] = {
        [ISA_FAULT_NONE] = "",
        [ISA_FAULT_OVERFLOW] = "integer overflow",
        [ISA_FAULT_DIVISION] = "division by zero",
        [ISA_FAULT_EXPONENT] = "the power is negative",
        [ISA_FAULT_RANGE] = "out of the range of int",
        [ISA_FAULT_CLASS] = "no such class",
        [ISA_FAULT_RATE] = "expected a rate from 0.0 to less than 1.0, found ",
        [ISA_FAULT_ROW] = "out of range",
    };
    const struct isa_shape *const shapes[] = {&call->a->shape,
                                              call->b ? &call->b->shape : NULL,
                                              call->c ? &call->c->shape : NULL};
    const struct isa_shape *shape = call->fault->what == ISA_FAULT_CLASS
                                        ? &call->a->shape
                                        : &call->result->shape;
    isa_kernel_write(why, call->kernel, shapes);
    if (call->fault->what == ISA_FAULT_ROW) {
        lib_text_printf(why, "row %" PRId64 " is ", call->b->ints[call->fault->element]);
        lib_text_puts(why, texts[ISA_FAULT_ROW]);
        return;
    }
    lib_text_puts(why, texts[call->fault->what]);
    if (call->fault->what == ISA_FAULT_RATE) {
        lib_text_real(why, isa_tensor_get(call->b, 0));
        return;
    }
    for (unsigned i = 0; i < shape->rank; i++) {
        const int64_t inner = isa_shape_product(shape, i + 1, shape->rank);
        const int64_t place = (int64_t)call->fault->element / inner % shape->extents[i];
        lib_text_printf(why, "%s%" PRId64, i > 0 ? ", " : " in element [", place);
    }
    lib_text_puts(why, shape->rank > 0 ? "]" : "");
}

bool isa_kernel_run(const struct isa_blas *blas, enum isa_kernel kernel,
                    const struct isa_tensor *const operands[], struct isa_numbers numbers,
                    struct isa_tensor *result, struct lib_text *why)
{
    static void (*const runs[])(const struct isa_kernel_call *) = {
#define KERNEL(NAME, text, arity, elements, rule, run, ...)                              \
    [ISA_KERNEL_##NAME] = isa_kernel_run_##run,
#include "isa/tensor/kernels.def"
#undef KERNEL
    };
    struct isa_kernel_fault fault = {ISA_FAULT_NONE, 0};
    const struct isa_kernel_call call = {
        .kernel = kernel,
        .blas = blas,
        .a = operands[0],
        .b = isa_kernels[kernel].arity >= 2 ? operands[1] : NULL,
        .c = isa_kernels[kernel].arity == 3 ? operands[2] : NULL,
        .numbers = numbers,
        .result = result,
        .fault = &fault,
    };
    /* With an empty result, indices still have to be checked. */
    const bool is_of_rows = isa_kernels[kernel].arity >= 2 &&
                            isa_kernel_elements(kernel)->second == ISA_OF_INTS;
    if (result->count > 0 || is_of_rows)
        runs[kernel](&call);
    if (fault.what != ISA_FAULT_NONE)
        report_fault(&call, why);
    return fault.what == ISA_FAULT_NONE;
}

bool isa_kernel_is_canonical(enum isa_kernel kernel, const struct isa_shape *first,
                             const struct isa_shape *result)
{
    const char *flops = isa_kernels[kernel].flops;
    const bool moves = flops[0] == '0' && flops[1] == '\0' &&
                       first->element == result->element;
    return moves || isa_kernel_elements(kernel)->result == ISA_RESULT_TRUTH ||
           isa_kernel_is_operation(kernel, result);
}

bool isa_kernel_reuses(enum isa_kernel kernel, const struct isa_shape *first,
                       const struct isa_shape *second, const struct isa_shape *result)
{
    return isa_kernel_is_operation(kernel, result) && isa_shape_equal(first, second);
}
