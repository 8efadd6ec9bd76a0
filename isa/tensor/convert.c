/* Kernels that convert elements. */
#include "isa/tensor/kernel_internal.h"

/* Truncates toward zero. Returns false if out of range. */
static bool truncate(double x, int64_t *z)
{
    if (!(x >= -9223372036854775808.0 && x < 9223372036854775808.0))
        return false;
    *z = (int64_t)x;
    return true;
}

static void to_ints(const struct isa_kernel_call *call)
{
    for (uint64_t i = 0; i < call->result->count; i++)
        if (call->a->shape.element == ISA_ELEMENT_INT)
            call->result->ints[i] = call->a->ints[i];
        else if (!truncate(isa_tensor_get(call->a, i), &call->result->ints[i])) {
            *call->fault = (struct isa_kernel_fault){ISA_FAULT_RANGE, i};
            return;
        }
}

/* Converts ints to real32s in one rounding. */
static void ints_to_reals32(const struct isa_kernel_call *call)
{
    for (uint64_t i = 0; i < call->result->count; i++)
        call->result->reals32[i] = (float)call->a->ints[i];
}

void isa_kernel_run_convert(const struct isa_kernel_call *call)
{
    const enum isa_element_kind from = call->a->shape.element;
    if (call->result->shape.element == ISA_ELEMENT_INT)
        to_ints(call);
    else if (from == ISA_ELEMENT_INT && call->result->shape.element == ISA_ELEMENT_REAL32)
        ints_to_reals32(call);
    else
        for (uint64_t i = 0; i < call->result->count; i++)
            isa_tensor_set(call->result, i, isa_tensor_get(call->a, i));
}
