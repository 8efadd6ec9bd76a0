/* Kernels that choose by a condition: between two tensors (SELECT), or a tensor and zeros (WHEN,
 * UNLESS). */
#include "isa/tensor/kernel_internal.h"

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

/* Computes an operand's step along each axis of the result, in elements; 0 where it is
 * broadcast. */
static void find_steps(const struct isa_shape *shape, unsigned rank,
                       int64_t steps[ISA_RANK_MAX])
{
    const unsigned missing = rank - shape->rank;
    for (unsigned axis = 0; axis < rank; axis++)
        steps[axis] = axis < missing || shape->extents[axis - missing] == 1
                          ? 0
                          : isa_shape_product(shape, axis - missing + 1, shape->rank);
}

void isa_kernel_run_select(const struct isa_kernel_call *call)
{
    const struct isa_shape *shape = &call->result->shape;
    const size_t size = isa_element_size(shape->element);
    const struct isa_tensor *const from[] = {call->a, call->b, call->c};
    int64_t steps[3][ISA_RANK_MAX], place[3] = {0}, at[ISA_RANK_MAX] = {0};
    char *to = call->result->data;
    for (unsigned i = 0; i < 3; i++)
        find_steps(&from[i]->shape, shape->rank, steps[i]);
    for (uint64_t n = 0; n < call->result->count; n++, to += size) {
        const unsigned chosen = holds(call->a, place[0]) ? 1 : 2;
        memcpy(to, (const char *)from[chosen]->data + (size_t)place[chosen] * size, size);
        for (unsigned axis = shape->rank; axis-- > 0;) {
            const bool wraps = ++at[axis] == shape->extents[axis];
            for (unsigned i = 0; i < 3; i++)
                place[i] += steps[i][axis] * (wraps ? 1 - at[axis] : 1);
            if (!wraps)
                break;
            at[axis] = 0;
        }
    }
}
