/* Contributions of instructions that take tensors apart or join them to the adjoints of their
 * operands. */
#include "programs/form/kernels.h"
#include "programs/gradient/tensors.h"

/* --- whole numbers ------------------------------------------------------------------------- */

static uint32_t numbers(struct form_place p, uint32_t first, uint32_t second)
{
    const uint32_t a = form_number(p, first);
    return form_vector(p, a, form_number(p, second));
}

static uint32_t number_at(struct form_place p, uint32_t tensor, int64_t at)
{
    return form_compute_1(p, ISA_OP_INT_R,
                          form_compute_2(p, ISA_OP_ITEM, tensor, form_integer(p, at)));
}

uint32_t form_slice(struct form_place p, uint32_t tensor, int axis, uint32_t first,
                    uint32_t count)
{
    return form_join_at(p, ISA_KERNEL_SLICE, axis, tensor, numbers(p, first, count));
}

static uint32_t pad(struct form_place p, int axis, uint32_t y, uint32_t before,
                    uint32_t after)
{
    return form_join_at(p, ISA_KERNEL_PAD, axis, y, numbers(p, before, after));
}

uint32_t differ_slice(struct form_place p, uint32_t x, uint32_t range, uint32_t y,
                      int axis)
{
    const uint32_t first = number_at(p, range, 0), count = number_at(p, range, 1);
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, first, count);
    return pad(p, axis, y, first,
               form_compute_2(p, ISA_OP_SUB_I, form_extent(p, x, axis), behind));
}

/* Returns y between zeros: at the place of part number i, after the extents `before`. */
static uint32_t differ_part(struct form_place p, int axis, uint32_t x, uint32_t y,
                            uint32_t before)
{
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, before,
                                           form_extent(p, y, axis));
    return pad(p, axis, y, before,
               form_compute_2(p, ISA_OP_SUB_I, form_extent(p, x, axis), behind));
}

uint32_t differ_split(struct form_place p, int axis, uint32_t x, uint32_t which,
                      uint32_t y)
{
    const uint32_t length = form_extent(p, y, axis);
    return differ_part(p, axis, x, y,
                       form_compute_2(p, ISA_OP_MUL_I, number_at(p, which, 0), length));
}

/* The numbers are i and the extents; the extents before number i add up to the zeros before the
 * part. */
uint32_t differ_part_of(struct form_place p, int axis, uint32_t x, uint32_t which,
                        uint32_t y)
{
    const uint32_t i = number_at(p, which, 0);
    const uint32_t sum = form_compute_2(p, ISA_OP_ITEM,
                                        form_map_at(p, ISA_KERNEL_CUMSUM, 0, which), i);
    return differ_part(
        p, axis, x, y,
        form_compute_2(p, ISA_OP_SUB_I, form_compute_1(p, ISA_OP_INT_R, sum), i));
}

/* Multiplies y with rows that have 1.0 at the place of each of the greatest. */
uint32_t differ_top(struct form_place p, int axis, uint32_t x, uint32_t count, uint32_t y)
{
    const uint32_t places = form_join_at(p, ISA_KERNEL_TOP_INDICES, axis, x, count);
    const uint32_t hot = form_join(p, ISA_KERNEL_ONE_HOTS, places,
                                   form_number(p, form_extent(p, x, axis)));
    const uint32_t row = form_map_at(p, ISA_USE_LIFT, axis,
                                     form_map(p, ISA_KERNEL_TO_REAL, y));
    return form_join(p, ISA_KERNEL_RESHAPE_LIKE,
                     form_join(p, ISA_KERNEL_MATMUL, row, hot), x);
}

/* The adjoint is slice `which` of y along the new axis, without that axis. */
uint32_t differ_stack(struct form_place p, int axis, int64_t which, uint32_t y)
{
    const uint32_t row = form_slice(p, y, axis, form_integer(p, which),
                                    form_integer(p, 1));
    return form_map_at(p, ISA_USE_DROP, axis, row);
}

/* Rows may be a tensor of ints: their count before them is one then. */
uint32_t differ_gather(struct form_place p, uint32_t x, uint32_t rows, uint32_t y)
{
    const uint32_t length = form_extent(p, x, 0);
    const uint32_t count = form_type(p.form, rows) == FORM_WHOLES
                               ? form_compute_1(p, ISA_OP_SCALAR_I, length)
                               : form_number(p, length);
    return form_join(p, ISA_KERNEL_SCATTER, y, form_vector(p, count, rows));
}

uint32_t differ_scatter(struct form_place p, uint32_t rows, uint32_t y)
{
    const uint32_t count = form_compute_2(p, ISA_OP_SUB_I, form_extent(p, rows, 0),
                                          form_integer(p, 1));
    return form_join(p, ISA_KERNEL_GATHER, y,
                     form_slice(p, rows, 0, form_integer(p, 1), count));
}

uint32_t differ_padded(struct form_place p, int axis, uint32_t x, uint32_t numbers,
                       uint32_t y)
{
    const uint32_t count = form_extent(p, x, axis);
    return form_slice(p, y, axis, number_at(p, numbers, 0), count);
}

/* Returns the opcode that makes a value in this form, or ISA_OP_COUNT. */
static enum isa_op maker_of(struct form_place p, uint32_t x)
{
    const struct form_value *v = &p.form->values[x];
    return v->kind == FORM_MADE ? (enum isa_op)v->index : ISA_OP_COUNT;
}

/* Adds an element of a vector; `index` distinguishes this ITEM from those of tensors of one
 * element. */
static uint32_t item_of_vector(struct form_place p, uint32_t vector, uint32_t i)
{
    return form_compute(p, ISA_OP_ITEM, ISA_INT, FORM_OF_VECTOR,
                        (const uint32_t[]){vector, i}, 2);
}

uint32_t differ_item_of_vector(struct form_place p, uint32_t x, uint32_t i, uint32_t y)
{
    const uint32_t one = form_integer(p, 1);
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, i, one);
    const uint32_t left = form_compute_2(p, ISA_OP_SUB_I, form_extent(p, x, 0), behind);
    const uint32_t like = form_slice(p, x, 0, i, one);
    const uint32_t alone = form_join(p, ISA_KERNEL_RESHAPE_LIKE,
                                     form_compute_1(p, ISA_OP_SCALAR, y), like);
    return pad(p, 0, alone, i, left);
}

/* Each operand of a VECTOR is a scalar, which the same form makes, or a vector. */
void differ_vector(struct differ *d, const uint32_t *x, uint32_t y)
{
    const struct form_place p = d->p;
    uint32_t first = form_integer(p, 0);
    for (int i = 0; i < 2; i++) {
        const enum isa_op op = maker_of(p, x[i]);
        const bool is_scalar = op == ISA_OP_SCALAR || op == ISA_OP_SCALAR_F;
        const uint32_t count = is_scalar ? form_integer(p, 1) : form_extent(p, x[i], 0);
        if (d->active[x[i]])
            differ_add(d, x[i],
                       is_scalar ? form_compute_1(p, op, item_of_vector(p, y, first))
                                 : form_slice(p, y, 0, first, count));
        first = i ? first : count;
    }
}
