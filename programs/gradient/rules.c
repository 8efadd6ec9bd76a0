/* Contributions of instructions to the adjoints of their operands; x and z are operands, v is the
 * value, and y its adjoint. An adjoint has the shape of its value: that of a broadcast operand is
 * summed to that shape (SUM_TO). If only the shape of an operand is needed, the shape alone is kept
 * until the adjoint arrives (paper 2, section 5.1).
 *
 * At kinks: relu has the derivative 0 at 0; of several greatest elements the first one counts;
 * floor and instructions that make ints have none. */
#include "programs/gradient/arrays.h"
#include "programs/gradient/deferred.h"
#include "programs/gradient/elementwise.h"

/* --- shapes ------------------------------------------------------------------------------ */

static uint32_t spread(struct form_place p, uint32_t y, uint32_t x)
{
    return form_join(p, ISA_KERNEL_SPREAD_TO, y, form_shape(p, x));
}

/* x has a last axis that y does not have. */
static uint32_t spread_last(struct form_place p, uint32_t y, uint32_t x)
{
    return form_join(p, ISA_KERNEL_SPREAD_LAST_TO, y, form_shape(p, x));
}

/* --- parts of tensors ------------------------------------------------------------------------- */

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

/* Adds a slice of a tensor: along an axis, `count` indices from `first` on. Returns its value. */
static uint32_t slice(struct form_place p, uint32_t tensor, int axis, uint32_t first,
                      uint32_t count)
{
    return form_join_at(p, ISA_KERNEL_SLICE, axis, tensor, numbers(p, first, count));
}

static uint32_t pad(struct form_place p, int axis, uint32_t y, uint32_t before,
                    uint32_t after)
{
    return form_join_at(p, ISA_KERNEL_PAD, axis, y, numbers(p, before, after));
}

/* Returns the adjoint of an operand of a slice: y between zeros. `range` is a tensor with the first
 * index and the length of the slice. */
static uint32_t differ_slice(struct form_place p, uint32_t x, uint32_t range, uint32_t y,
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

/* Returns the adjoint of an operand of which one of several equal parts is taken; `which` is a
 * tensor whose first element is the index of the part. */
static uint32_t differ_split(struct form_place p, int axis, uint32_t x, uint32_t which,
                             uint32_t y)
{
    const uint32_t length = form_extent(p, y, axis);
    return differ_part(p, axis, x, y,
                       form_compute_2(p, ISA_OP_MUL_I, number_at(p, which, 0), length));
}

/* Returns the adjoint of an operand of which one of several parts is taken; `which` is a tensor
 * with the index of the part, then the extents of all parts. The numbers are i and the extents; the
 * extents before number i add up to the zeros before the part. */
static uint32_t differ_part_of(struct form_place p, int axis, uint32_t x, uint32_t which,
                               uint32_t y)
{
    const uint32_t i = number_at(p, which, 0);
    const uint32_t sum = form_compute_2(p, ISA_OP_ITEM,
                                        form_map_at(p, ISA_KERNEL_CUMSUM, 0, which), i);
    return differ_part(
        p, axis, x, y,
        form_compute_2(p, ISA_OP_SUB_I, form_compute_1(p, ISA_OP_INT_R, sum), i));
}

/* Returns the adjoint of an operand whose `count` greatest elements are taken. Multiplies y with
 * rows that have 1.0 at the place of each of the greatest. */
static uint32_t differ_top(struct form_place p, int axis, uint32_t x, uint32_t count,
                           uint32_t y)
{
    const uint32_t places = form_join_at(p, ISA_KERNEL_TOP_INDICES, axis, x, count);
    const uint32_t hot = form_join(p, ISA_KERNEL_ONE_HOTS, places,
                                   form_number(p, form_extent(p, x, axis)));
    const uint32_t row = form_map_at(p, ISA_USE_LIFT, axis,
                                     form_map(p, ISA_KERNEL_TO_REAL, y));
    return form_join(p, ISA_KERNEL_RESHAPE_LIKE,
                     form_join(p, ISA_KERNEL_MATMUL, row, hot), x);
}

/* Returns the adjoint of the first (`which` = 0) or second (1) operand of a stack. The adjoint is
 * slice `which` of y along the new axis, without that axis. */
static uint32_t differ_stack(struct form_place p, int axis, int64_t which, uint32_t y)
{
    const uint32_t row = slice(p, y, axis, form_integer(p, which), form_integer(p, 1));
    return form_map_at(p, ISA_USE_DROP, axis, row);
}

/* Returns the adjoint of an operand from which the rows with indices `rows` are gathered. Rows may
 * be a tensor of ints: their count before them is one then. */
static uint32_t differ_gather(struct form_place p, uint32_t x, uint32_t rows, uint32_t y)
{
    const uint32_t length = form_extent(p, x, 0);
    const uint32_t count = form_type(p.form, rows) == FORM_WHOLES
                               ? form_compute_1(p, ISA_OP_SCALAR_I, length)
                               : form_number(p, length);
    return form_join(p, ISA_KERNEL_SCATTER, y, form_vector(p, count, rows));
}

/* Returns the adjoint of an operand whose rows are scattered to the indices `rows`. */
static uint32_t differ_scatter(struct form_place p, uint32_t rows, uint32_t y)
{
    const uint32_t count = form_compute_2(p, ISA_OP_SUB_I, form_extent(p, rows, 0),
                                          form_integer(p, 1));
    return form_join(p, ISA_KERNEL_GATHER, y,
                     slice(p, rows, 0, form_integer(p, 1), count));
}

/* Returns the adjoint of an operand that is padded; the first element of tensor `numbers` is the
 * length of the padding before the operand. */
static uint32_t differ_padded(struct form_place p, int axis, uint32_t x, uint32_t numbers,
                              uint32_t y)
{
    const uint32_t count = form_extent(p, x, axis);
    return slice(p, y, axis, number_at(p, numbers, 0), count);
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

/* Returns the adjoint of a vector of which element `i` is taken. */
static uint32_t differ_item_of_vector(struct form_place p, uint32_t x, uint32_t i,
                                      uint32_t y)
{
    const uint32_t one = form_integer(p, 1);
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, i, one);
    const uint32_t left = form_compute_2(p, ISA_OP_SUB_I, form_extent(p, x, 0), behind);
    const uint32_t like = slice(p, x, 0, i, one);
    const uint32_t alone = form_join(p, ISA_KERNEL_RESHAPE_LIKE,
                                     form_compute_1(p, ISA_OP_SCALAR, y), like);
    return pad(p, 0, alone, i, left);
}

/* Adds the contributions of a VECTOR instruction to the adjoints of its operands x[0] and x[1].
 * Each operand of a VECTOR is a scalar, which the same form makes, or a vector. */
static void differ_vector(struct differ *d, const uint32_t *x, uint32_t y)
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
                                 : slice(p, y, 0, first, count));
        first = i ? first : count;
    }
}

/* --- which instructions have derivatives -------------------------------------------- */

static bool is_smooth_use(uint32_t index)
{
    switch (isa_use_of(index)) {
    case ISA_KERNEL_EQ:
    case ISA_KERNEL_NE:
    case ISA_KERNEL_LT:
    case ISA_KERNEL_LE:
    case ISA_KERNEL_GT:
    case ISA_KERNEL_GE:
    case ISA_KERNEL_AND:
    case ISA_KERNEL_OR:
    case ISA_KERNEL_NOT:
    case ISA_KERNEL_FLOOR:
    case ISA_KERNEL_TO_INT:
    case ISA_KERNEL_TO_BOOL:
    case ISA_KERNEL_ONE_HOT:
    case ISA_KERNEL_FIRST_MAX:
    case ISA_KERNEL_IOTA:
    case ISA_KERNEL_ARGMAX:
    case ISA_KERNEL_TOP_INDICES:
    case ISA_KERNEL_ONE_HOTS:
    case ISA_KERNEL_RANDOM_BITS:
    case ISA_KERNEL_RANDOM_UNIFORM:
    case ISA_KERNEL_RANDOM_NORMAL:
    case ISA_USE_ZEROS:
    case ISA_USE_ONES:
    case ISA_USE_NORMAL:
    case ISA_USE_UNIFORM:
        return false;
    default:
        return true;
    }
}

bool differ_is_smooth(const struct form_entry *e)
{
    if (e->op == ISA_OP_MAP || e->op == ISA_OP_COMBINE)
        return is_smooth_use(e->index);
    return differ_kernel_of(e->op) || e->op == ISA_OP_SCALAR ||
           e->op == ISA_OP_SCALAR_F || e->op == ISA_OP_VECTOR || e->op == ISA_OP_ITEM;
}

/* --- one tensor --------------------------------------------------------------------- */

static uint32_t differ_mean(struct form_place p, int axis, uint32_t x, uint32_t y)
{
    const uint32_t count = form_map_at(p, ISA_KERNEL_REDUCE_SUM, axis, differ_ones(p, x));
    const uint32_t part = form_join(p, ISA_KERNEL_DIV, y, count);
    return spread(
        p, axis == ISA_USE_NO_AXIS ? part : form_map_at(p, ISA_USE_LIFT, axis, part), x);
}

/* Returns the contribution of an instruction of one tensor x, with value `v` and adjoint `y`. */
static uint32_t differ_map(struct form_place p, uint32_t index, uint32_t x, uint32_t v,
                           uint32_t y)
{
    const int axis = isa_use_axis(index);
    const bool has_axis = axis != ISA_USE_NO_AXIS;
    uint32_t part;
    switch (isa_use_of(index)) {
    case ISA_KERNEL_RELU:
        return differ_times(p, y, form_join(p, ISA_KERNEL_GT, x, form_zero(p, x)));
    case ISA_KERNEL_SIGMOID:
        return form_join(p, ISA_KERNEL_SIGMOID_BACK, y, v);
    case ISA_KERNEL_REDUCE_SUM:
        return spread(p, has_axis ? form_map_at(p, ISA_USE_LIFT, axis, y) : y, x);
    case ISA_KERNEL_REDUCE_MEAN:
        return differ_mean(p, axis, x, y);
    case ISA_KERNEL_CUMSUM:
        return form_map_at(p, ISA_KERNEL_CUMSUM_BACK, axis, y);
    case ISA_KERNEL_CUMSUM_BACK:
        return form_map_at(p, ISA_KERNEL_CUMSUM, axis, y);
    case ISA_KERNEL_REDUCE_MAX:
    case ISA_KERNEL_REDUCE_MIN:
        part = has_axis ? form_map_at(p, ISA_USE_LIFT, axis, y) : y;
        return differ_times(p,
                            form_map_at(p, ISA_KERNEL_FIRST_MAX, axis,
                                        isa_use_of(index) == ISA_KERNEL_REDUCE_MAX
                                            ? x
                                            : differ_negative(p, x)),
                            part);
    case ISA_KERNEL_LOG_SOFTMAX: /* y - softmax(x) sum(y) */
        part = form_join(p, ISA_KERNEL_SPREAD_LAST, form_map(p, ISA_KERNEL_SUM_LAST, y),
                         v);
        return form_join(p, ISA_KERNEL_SUB, y,
                         differ_times(p, form_map(p, ISA_KERNEL_SOFTMAX, x), part));
    case ISA_KERNEL_SOFTMAX:
        part = differ_times(p, y, v);
        return form_join(
            p, ISA_KERNEL_SUB, part,
            differ_times(p, v,
                         form_join(p, ISA_KERNEL_SPREAD_LAST,
                                   form_map(p, ISA_KERNEL_SUM_LAST, part), v)));
    case ISA_KERNEL_TRANSPOSE:
        return form_map(p, ISA_KERNEL_TRANSPOSE, y);
    case ISA_USE_LIFT:
        return form_map_at(p, ISA_USE_DROP, axis, y);
    case ISA_USE_DROP:
        return form_map_at(p, ISA_USE_LIFT, axis, y);
    case ISA_KERNEL_SUM_LAST:
        return spread_last(p, y, x);
    case ISA_KERNEL_TO_REAL:
    case ISA_KERNEL_TO_REAL32:
        return form_join(p, ISA_KERNEL_RESHAPE_LIKE, y, x);
    default:
        return differ_one(p, (enum isa_kernel)isa_use_of(index), x, v, y);
    }
}

/* --- two tensors -------------------------------------------------------------------- */

/* x - x (z z), as the sum of its parts. */
static void differ_tanh_back(struct differ_binary t)
{
    const uint32_t minus = differ_negative(t.p, t.y);
    differ_add_shaped(t, t.x, t.y);
    differ_add_shaped(t, t.x, differ_times(t.p, minus, differ_times(t.p, t.z, t.z)));
    if (!t.d->active[t.z])
        return;
    const uint32_t square = differ_sum_to_shape(t.p, differ_times(t.p, minus, t.x), t.z);
    for (int i = 0; i < 2; i++)
        differ_add_shaped(t, t.z, differ_times(t.p, square, t.z));
}

/* u - u z, where u is x z. */
static void differ_sigmoid_back(struct differ_binary t)
{
    const uint32_t u = differ_times(t.p, t.x, t.z), minus = differ_negative(t.p, t.y);
    const uint32_t of_u = form_add(
        t.p, t.y, differ_sum_to_shape(t.p, differ_times(t.p, minus, t.z), t.z));
    differ_add_shaped(t, t.z, differ_times(t.p, minus, u));
    differ_add_shaped(t, t.x, differ_times(t.p, of_u, t.z));
    differ_add_shaped(t, t.z, differ_times(t.p, of_u, t.x));
}

static void differ_matmul(struct differ_binary t, bool is_flat)
{
    if (t.d->active[t.x] &&
        !(is_flat && differ_defer_product(t.d, FORM_COLUMNS, t.x, t.z, t.y)))
        differ_add_shaped(t, t.x, form_join(t.p, ISA_KERNEL_MATMUL_LEFT, t.y, t.z));
    if (t.d->active[t.z] && !differ_defer_product(t.d, FORM_PRODUCTS, t.z, t.x, t.y))
        differ_add_shaped(t, t.z, form_join(t.p, ISA_KERNEL_MATMUL_RIGHT, t.x, t.y));
}

static void differ_turned(struct differ_binary t, bool is_left)
{
    const uint32_t x = is_left ? form_join(t.p, ISA_KERNEL_MATMUL, t.y, t.z)
                               : form_join(t.p, ISA_KERNEL_MATMUL_LEFT, t.z, t.y);
    const uint32_t z = is_left ? form_join(t.p, ISA_KERNEL_MATMUL_RIGHT, t.y, t.x)
                               : form_join(t.p, ISA_KERNEL_MATMUL, t.x, t.y);
    differ_add_shaped(t, t.x, x);
    differ_add_shaped(t, t.z, z);
}

/* Adds (softmax(x) * sum(t) - t) * y for the scores x; -log(softmax(x)) * y for the target t. */
static void differ_cross_entropy(struct differ_binary t)
{
    const struct form_place p = t.p;
    const uint32_t y = spread_last(p, t.y, t.x);
    const uint32_t soft = form_map(p, ISA_KERNEL_SOFTMAX, t.x);
    if (t.d->active[t.x]) {
        const uint32_t sums = form_join(p, ISA_KERNEL_SPREAD_LAST,
                                        form_map(p, ISA_KERNEL_SUM_LAST, t.z), t.x);
        differ_add(
            t.d, t.x,
            differ_times(p, y,
                         form_join(p, ISA_KERNEL_SUB, differ_times(p, soft, sums), t.z)));
    }
    if (t.d->active[t.z])
        differ_add(
            t.d, t.z,
            differ_negative(p, differ_times(p, y, form_map(p, ISA_KERNEL_LOG, soft))));
}

static void differ_concat(struct differ_binary t, int axis)
{
    const uint32_t length = form_extent(t.p, t.x, axis);
    if (t.d->active[t.x])
        differ_add(t.d, t.x, slice(t.p, t.y, axis, form_integer(t.p, 0), length));
    if (t.d->active[t.z])
        differ_add(t.d, t.z, slice(t.p, t.y, axis, length, form_extent(t.p, t.z, axis)));
}

/* (softmax(x) - one at each label) * y. */
static uint32_t differ_labels(struct form_place p, uint32_t x, uint32_t labels,
                              uint32_t y)
{
    const uint32_t at = form_join(p, ISA_KERNEL_ONE_HOT, x, labels);
    const uint32_t slope = form_join(p, ISA_KERNEL_SUB,
                                     form_map(p, ISA_KERNEL_SOFTMAX, x), at);
    return differ_times(p, spread_last(p, y, x), slope);
}

/* Returns the contribution to x of a kernel of which only the first operand has a derivative. */
static uint32_t differ_first(struct differ_binary t, uint32_t index)
{
    const struct form_place p = t.p;
    const int axis = isa_use_axis(index);
    switch (isa_use_of(index)) {
    case ISA_KERNEL_TOP_VALUES:
        return differ_top(p, axis, t.x, t.z, t.y);
    case ISA_KERNEL_SPLIT:
        return differ_split(p, axis, t.x, t.z, t.y);
    case ISA_KERNEL_PART:
        return differ_part_of(p, axis, t.x, t.z, t.y);
    case ISA_KERNEL_PAD:
        return differ_padded(p, axis, t.x, t.z, t.y);
    case ISA_KERNEL_CROSS_ENTROPY_AT:
        return differ_labels(p, t.x, t.z, t.y);
    case ISA_KERNEL_SLICE:
        return differ_slice(p, t.x, t.z, t.y, axis);
    case ISA_KERNEL_SCATTER:
        return differ_scatter(p, t.z, t.y);
    case ISA_KERNEL_TRANSPOSE:
        return form_join(p, ISA_KERNEL_UNTRANSPOSE, t.y, t.z);
    case ISA_KERNEL_UNTRANSPOSE:
        return form_join(p, ISA_KERNEL_TRANSPOSE, t.y, t.z);
    case ISA_KERNEL_TAKE:
        return form_join_three(p, ISA_KERNEL_SCATTER_ADD, form_zero(p, t.x), t.z, t.y);
    case ISA_KERNEL_TAKE_LAST:
        return form_join_three(p, ISA_KERNEL_UPDATE, form_zero(p, t.x), t.z, t.y);
    case ISA_KERNEL_SUM_LIKE:
    case ISA_KERNEL_SUM_TO:
        return spread(p, t.y, t.x);
    case ISA_KERNEL_SPREAD_LAST:
    case ISA_KERNEL_SPREAD_LAST_TO:
        return form_map(p, ISA_KERNEL_SUM_LAST, t.y);
    case ISA_KERNEL_RESHAPE:
        return form_join(p, ISA_KERNEL_RESHAPE, t.y, form_shape(p, t.x));
    case ISA_KERNEL_SPREAD_TO:
        return differ_sum_to_shape(p, t.y, t.x);
    default: /* reshape_like: the elements may be others */
        return form_join(p, ISA_KERNEL_RESHAPE_LIKE, t.y, t.x);
    }
}

static void differ_combine(struct differ_binary t, uint32_t index)
{
    const struct form_place p = t.p;
    const int axis = isa_use_axis(index);
    switch (isa_use_of(index)) {
    case ISA_KERNEL_ADD:
    case ISA_KERNEL_SUB:
    case ISA_KERNEL_MUL:
    case ISA_KERNEL_DIV:
    case ISA_KERNEL_REM:
    case ISA_KERNEL_MIN:
    case ISA_KERNEL_MAX:
    case ISA_KERNEL_POW:
    case ISA_KERNEL_ATAN2:
    case ISA_KERNEL_HYPOT:
        differ_two(t, (enum isa_kernel)isa_use_of(index));
        break;
    case ISA_KERNEL_TANH_BACK:
        differ_tanh_back(t);
        break;
    case ISA_KERNEL_SIGMOID_BACK:
        differ_sigmoid_back(t);
        break;
    case ISA_KERNEL_MATMUL:
        differ_matmul(t, isa_use_number(index) == FORM_FLAT);
        break;
    case ISA_KERNEL_MATMUL_LEFT:
        differ_turned(t, true);
        break;
    case ISA_KERNEL_MATMUL_RIGHT:
        differ_turned(t, false);
        break;
    case ISA_KERNEL_CROSS_ENTROPY:
        differ_cross_entropy(t);
        break;
    case ISA_KERNEL_CONCAT:
        differ_concat(t, axis);
        break;
    case ISA_KERNEL_STACK:
        differ_add(t.d, t.x, differ_stack(p, axis, 0, t.y));
        differ_add(t.d, t.z, differ_stack(p, axis, 1, t.y));
        break;
    case ISA_KERNEL_GATHER:
        if (!differ_defer_rows(t.d, t.x, t.z, t.y))
            differ_add(t.d, t.x, differ_gather(p, t.x, t.z, t.y));
        break;
    /* A condition has no derivative: only the second operand has one. */
    case ISA_KERNEL_WHEN:
    case ISA_KERNEL_UNLESS:
        differ_add_shaped(t, t.z, form_join(p, isa_use_of(index), t.x, t.y));
        break;
    default:
        differ_add(t.d, t.x, differ_first(t, index));
    }
}

/* Returns the adjoint of the padding around x along an axis: the sum of y outside of x. */
static uint32_t differ_around(struct form_place p, int axis, uint32_t x, uint32_t counts,
                              uint32_t value, uint32_t y)
{
    const uint32_t inside = form_join_at(p, ISA_KERNEL_PAD, axis, differ_ones(p, x),
                                         counts);
    return differ_sum_to_shape(p, form_join(p, ISA_KERNEL_UNLESS, inside, y), value);
}

/* Adds the contributions of a kernel with three operands x, of which indices, conditions and
 * numbers have no derivative. */
static void differ_three(struct differ *d, uint32_t index, const uint32_t *x, uint32_t y)
{
    const struct form_place p = d->p;
    const int axis = isa_use_axis(index);
    switch (isa_use_of(index)) {
    case ISA_KERNEL_SELECT:
        for (int i = 1; i < 3; i++)
            if (d->active[x[i]])
                differ_add(d, x[i],
                           differ_sum_to_shape(
                               p,
                               form_join(p, i == 1 ? ISA_KERNEL_WHEN : ISA_KERNEL_UNLESS,
                                         x[0], y),
                               x[i]));
        break;
    case ISA_KERNEL_PAD_WITH:
        if (d->active[x[0]])
            differ_add(d, x[0], differ_padded(p, axis, x[0], x[1], y));
        if (d->active[x[2]])
            differ_add(d, x[2], differ_around(p, axis, x[0], x[1], x[2], y));
        break;
    case ISA_KERNEL_UPDATE:
        if (d->active[x[0]])
            differ_add(
                d, x[0],
                form_join_three(p, ISA_KERNEL_UPDATE, y, x[1], form_zero(p, x[2])));
        if (d->active[x[2]])
            differ_add(d, x[2], form_join(p, ISA_KERNEL_TAKE_LAST, y, x[1]));
        break;
    case ISA_KERNEL_DROPOUT: /* none by the rate */
        if (d->active[x[0]])
            differ_add(d, x[0], form_join_three(p, ISA_KERNEL_DROPOUT, y, x[1], x[2]));
        break;
    default: /* scatter_add */
        differ_add(d, x[0], y);
        if (d->active[x[2]])
            differ_add(d, x[2], form_join(p, ISA_KERNEL_TAKE, y, x[1]));
    }
}

void differ_compute(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t *x = e->operands.items, v = e->results.items[0];
    const unsigned kernel = differ_kernel_of(e->op);
    if (kernel && e->operands.count == 1)
        differ_add(d, x[0], differ_one(p, (enum isa_kernel)(kernel - 1), x[0], v, y));
    if (kernel && e->operands.count == 2)
        differ_two((struct differ_binary){d, p, x[0], x[1], v, y},
                   (enum isa_kernel)(kernel - 1));
    if (kernel)
        return;
    switch (e->op) {
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_F:
        differ_add(d, x[0], form_compute_2(p, ISA_OP_ITEM, y, form_integer(p, 0)));
        break;
    case ISA_OP_ITEM:
        differ_add(d, x[0],
                   e->index == FORM_OF_VECTOR
                       ? differ_item_of_vector(p, x[0], x[1], y)
                       : form_join(p, ISA_KERNEL_RESHAPE_LIKE,
                                   form_compute_1(p, ISA_OP_SCALAR, y), x[0]));
        break;
    case ISA_OP_VECTOR:
        differ_vector(d, x, y);
        break;
    case ISA_OP_MAP:
        differ_add(d, x[0], differ_map(p, e->index, x[0], v, y));
        break;
    default:
        if (e->operands.count == 3)
            differ_three(d, e->index, x, y);
        else
            differ_combine((struct differ_binary){d, p, x[0], x[1], v, y}, e->index);
    }
}

/* --- arrays ------------------------------------------------------------------------- */

/* Returns the rows of a tensor as an array of tensors, or of arrays of them. */
static uint32_t list_tensors(struct form_place p, uint32_t tensor, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    const struct form_maker m = form_make_element(p, "row", element, &tensor, 1);
    uint32_t row = form_map_at(m.p, ISA_USE_DROP, 0,
                               form_join(m.p, ISA_KERNEL_GATHER, 1, form_number(m.p, 0)));
    if (element != ISA_TENSOR)
        row = list_tensors(m.p, row, element);
    return form_end_element(&m, row, p, form_extent(p, tensor, 0), &tensor, 1);
}

/* The adjoint of an array that became a tensor is the tensor's adjoint as an array, and vice
 * versa. But an array without elements has lost the other extents. */
void differ_convert(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t x = e->operands.items[0];
    const bool is_array = e->kind == FORM_TO_TENSOR;
    const enum isa_type type = form_type(p.form, x);
    if (is_array && isa_type_leaf(type) == ISA_TENSOR) {
        differ_add(d, x, list_tensors(p, y, type));
        return;
    }
    const uint32_t turned = form_convert(p, is_array ? FORM_TO_ARRAY : FORM_TO_TENSOR, y,
                                         ISA_ELEMENT_REAL, is_array ? type : ISA_TENSOR);
    differ_add(d, x,
               is_array ? turned : form_join(p, ISA_KERNEL_RESHAPE_LIKE, turned, x));
}
