/* What instructions on tensors contribute to the adjoints of their operands. An adjoint has the shape of its
 * value: what was broadcast is summed up again (SUM_TO). What needs the shape of an operand alone takes that shape, so
 * that the operand need not be kept until the adjoint comes (Yu et al., 2018, section 5.1). The kinks are those of programs/gradient/rules.c, and
 * relu has the derivative 0 at 0; of several greatest elements the first is it. */
#include "programs/gradient/deferred.h"

#include "isa/kernel_use.h"

static uint32_t map_at(struct form_place p, unsigned kernel, int axis, uint32_t a)
{
    return form_compute(p, ISA_OP_MAP, ISA_INT, isa_use(kernel, axis, 0), &a, 1);
}

static uint32_t map(struct form_place p, unsigned kernel, uint32_t a)
{
    return map_at(p, kernel, ISA_USE_NO_AXIS, a);
}

static uint32_t join_at(struct form_place p, unsigned kernel, int axis, uint32_t a,
                        uint32_t b)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT, isa_use(kernel, axis, 0),
                        (const uint32_t[]){a, b}, 2);
}

static uint32_t join(struct form_place p, unsigned kernel, uint32_t a, uint32_t b)
{
    return join_at(p, kernel, ISA_USE_NO_AXIS, a, b);
}

static uint32_t join_three(struct form_place p, unsigned kernel, uint32_t a, uint32_t b,
                           uint32_t c)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT, isa_use(kernel, ISA_USE_NO_AXIS, 0),
                        (const uint32_t[]){a, b, c}, 3);
}

static uint32_t times(struct form_place p, uint32_t a, uint32_t b)
{
    return join(p, ISA_KERNEL_MUL, a, b);
}

static uint32_t negative(struct form_place p, uint32_t a)
{
    return map(p, ISA_KERNEL_NEG, a);
}

/* An adjoint in the shape of what was perhaps broadcast. */
static uint32_t fit(struct form_place p, uint32_t y, uint32_t like)
{
    return join(p, ISA_KERNEL_SUM_TO, y, form_shape(p, like));
}

/* 0.0 and the elements of y, broadcast to the shape of x. */
static uint32_t spread(struct form_place p, uint32_t y, uint32_t x)
{
    return join(p, ISA_KERNEL_SPREAD_TO, y, form_shape(p, x));
}

/* y, repeated along the last axis of x, which it does not have. */
static uint32_t spread_last(struct form_place p, uint32_t y, uint32_t x)
{
    return join(p, ISA_KERNEL_SPREAD_LAST_TO, y, form_shape(p, x));
}

/* --- whole numbers ------------------------------------------------------------------------- */

static uint32_t extent(struct form_place p, uint32_t tensor, int axis)
{
    return form_compute_2(p, ISA_OP_DIM, tensor, form_integer(p, axis));
}

static uint32_t number(struct form_place p, uint32_t i)
{
    return form_compute_1(p, ISA_OP_NUMBER, i);
}

static uint32_t numbers(struct form_place p, uint32_t first, uint32_t second)
{
    const uint32_t a = number(p, first);
    return form_compute_2(p, ISA_OP_VECTOR, a, number(p, second));
}

static uint32_t number_at(struct form_place p, uint32_t tensor, int64_t at)
{
    return form_compute_1(p, ISA_OP_INT_R,
                          form_compute_2(p, ISA_OP_ITEM, tensor, form_integer(p, at)));
}

static uint32_t slice(struct form_place p, uint32_t tensor, int axis, uint32_t first,
                      uint32_t count)
{
    return join_at(p, ISA_KERNEL_SLICE, axis, tensor, numbers(p, first, count));
}

/* --- which instructions have derivatives -------------------------------------------------------- */

bool differ_is_smooth_use(uint32_t index)
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
    case ISA_USE_ZEROS:
    case ISA_USE_ONES:
    case ISA_USE_NORMAL:
    case ISA_USE_UNIFORM:
        return false;
    default:
        return true;
    }
}

/* --- one tensor ---------------------------------------------------------------------------------- */

/* y, divided by how many elements a mean has. */
static uint32_t differ_mean(struct form_place p, int axis, uint32_t x, uint32_t y)
{
    const uint32_t zero = form_zero(p, x);
    const uint32_t count = map_at(p, ISA_KERNEL_REDUCE_SUM, axis,
                                  join(p, ISA_KERNEL_EQ, zero, zero));
    const uint32_t part = join(p, ISA_KERNEL_DIV, y, count);
    return spread(p, axis == ISA_USE_NO_AXIS ? part : map_at(p, ISA_USE_LIFT, axis, part),
                  x);
}

/* Of an instruction of one tensor x; `v` is its value, `y` the adjoint of that. */
static uint32_t differ_map(struct form_place p, uint32_t index, uint32_t x, uint32_t v,
                           uint32_t y)
{
    const int axis = isa_use_axis(index);
    const bool has_axis = axis != ISA_USE_NO_AXIS;
    uint32_t zero, part;
    switch (isa_use_of(index)) {
    case ISA_KERNEL_NEG:
        return negative(p, y);
    case ISA_KERNEL_ABS:
        zero = form_zero(p, x);
        part = join(p, ISA_KERNEL_LT, x, zero);
        return times(p, y,
                     join(p, ISA_KERNEL_SUB, join(p, ISA_KERNEL_GT, x, zero), part));
    case ISA_KERNEL_SQRT:
        return join(p, ISA_KERNEL_DIV, y, join(p, ISA_KERNEL_ADD, v, v));
    case ISA_KERNEL_EXP:
        return times(p, y, v);
    case ISA_KERNEL_LOG:
        return join(p, ISA_KERNEL_DIV, y, x);
    case ISA_KERNEL_SIN:
        return times(p, y, map(p, ISA_KERNEL_COS, x));
    case ISA_KERNEL_COS:
        return negative(p, times(p, y, map(p, ISA_KERNEL_SIN, x)));
    case ISA_KERNEL_TANH:
        return join(p, ISA_KERNEL_TANH_BACK, y, v);
    case ISA_KERNEL_RELU:
        return times(p, y, join(p, ISA_KERNEL_GT, x, form_zero(p, x)));
    case ISA_KERNEL_SIGMOID:
        return join(p, ISA_KERNEL_SIGMOID_BACK, y, v);
    case ISA_KERNEL_REDUCE_SUM:
        return spread(p, has_axis ? map_at(p, ISA_USE_LIFT, axis, y) : y, x);
    case ISA_KERNEL_REDUCE_MEAN:
        return differ_mean(p, axis, x, y);
    case ISA_KERNEL_CUMSUM:
        return map_at(p, ISA_KERNEL_CUMSUM_BACK, axis, y);
    case ISA_KERNEL_CUMSUM_BACK:
        return map_at(p, ISA_KERNEL_CUMSUM, axis, y);
    case ISA_KERNEL_REDUCE_MAX:
        part = has_axis ? map_at(p, ISA_USE_LIFT, axis, y) : y;
        return times(p, map_at(p, ISA_KERNEL_FIRST_MAX, axis, x), part);
    case ISA_KERNEL_SOFTMAX:
        part = times(p, y, v);
        return join(
            p, ISA_KERNEL_SUB, part,
            times(p, v,
                  join(p, ISA_KERNEL_SPREAD_LAST, map(p, ISA_KERNEL_SUM_LAST, part), v)));
    case ISA_KERNEL_TRANSPOSE:
        return map(p, ISA_KERNEL_TRANSPOSE, y);
    case ISA_USE_LIFT:
        return map_at(p, ISA_USE_DROP, axis, y);
    case ISA_USE_DROP:
        return map_at(p, ISA_USE_LIFT, axis, y);
    case ISA_KERNEL_SUM_LAST:
        return spread_last(p, y, x);
    default: /* real, real32 */
        return join(p, ISA_KERNEL_RESHAPE_LIKE, y, x);
    }
}

/* --- two tensors ---------------------------------------------------------------------------------- */

struct two {
    struct differ *d;
    struct form_place p;
    struct adjoints *a;
    uint32_t x, z, v, y;
};

static void differ_product(struct two t)
{
    if (t.d->active[t.x])
        differ_add(t.d, t.p, t.a, t.x, fit(t.p, times(t.p, t.y, t.z), t.x));
    if (t.d->active[t.z])
        differ_add(t.d, t.p, t.a, t.z, fit(t.p, times(t.p, t.y, t.x), t.z));
}

static void differ_quotient(struct two t)
{
    if (t.d->active[t.x])
        differ_add(t.d, t.p, t.a, t.x,
                   fit(t.p, join(t.p, ISA_KERNEL_DIV, t.y, t.z), t.x));
    if (t.d->active[t.z]) {
        const uint32_t part = join(t.p, ISA_KERNEL_DIV, times(t.p, t.y, t.v), t.z);
        differ_add(t.d, t.p, t.a, t.z, fit(t.p, negative(t.p, part), t.z));
    }
}

/* Of x - n z, with whole numbers n: these are (x - v) / z. */
static void differ_remainder(struct two t)
{
    if (t.d->active[t.x])
        differ_add(t.d, t.p, t.a, t.x, fit(t.p, t.y, t.x));
    if (t.d->active[t.z]) {
        const uint32_t whole = join(t.p, ISA_KERNEL_DIV,
                                    join(t.p, ISA_KERNEL_SUB, t.x, t.v), t.z);
        differ_add(t.d, t.p, t.a, t.z,
                   fit(t.p, negative(t.p, times(t.p, t.y, whole)), t.z));
    }
}

/* The first of equals is chosen. */
static void differ_choice(struct two t, enum isa_kernel kernel)
{
    const uint32_t first = join(t.p, kernel, t.x, t.z);
    const uint32_t second = join(t.p, ISA_KERNEL_EQ, first, form_zero(t.p, first));
    if (t.d->active[t.x])
        differ_add(t.d, t.p, t.a, t.x, fit(t.p, times(t.p, t.y, first), t.x));
    if (t.d->active[t.z])
        differ_add(t.d, t.p, t.a, t.z, fit(t.p, times(t.p, t.y, second), t.z));
}

/* x - x (z z), as the sum of its parts. */
static void differ_tanh_back(struct two t)
{
    const uint32_t minus = negative(t.p, t.y);
    differ_add(t.d, t.p, t.a, t.x, fit(t.p, t.y, t.x));
    differ_add(t.d, t.p, t.a, t.x,
               fit(t.p, times(t.p, minus, times(t.p, t.z, t.z)), t.x));
    if (!t.d->active[t.z])
        return;
    const uint32_t square = fit(t.p, times(t.p, minus, t.x), t.z);
    for (int i = 0; i < 2; i++)
        differ_add(t.d, t.p, t.a, t.z, fit(t.p, times(t.p, square, t.z), t.z));
}

/* u - u z, where u is x z. */
static void differ_sigmoid_back(struct two t)
{
    const uint32_t u = times(t.p, t.x, t.z), minus = negative(t.p, t.y);
    const uint32_t of_u = form_add(t.p, t.y, fit(t.p, times(t.p, minus, t.z), t.z));
    differ_add(t.d, t.p, t.a, t.z, fit(t.p, times(t.p, minus, u), t.z));
    differ_add(t.d, t.p, t.a, t.x, fit(t.p, times(t.p, of_u, t.z), t.x));
    differ_add(t.d, t.p, t.a, t.z, fit(t.p, times(t.p, of_u, t.x), t.z));
}

static void differ_matmul(struct two t, bool is_flat)
{
    if (t.d->active[t.x] &&
        !(is_flat && differ_defer_columns(t.d, t.p, t.a, t.x, t.z, t.y)))
        differ_add(t.d, t.p, t.a, t.x,
                   fit(t.p, join(t.p, ISA_KERNEL_MATMUL_LEFT, t.y, t.z), t.x));
    if (t.d->active[t.z] && !differ_defer_product(t.d, t.p, t.a, t.x, t.z, t.y))
        differ_add(t.d, t.p, t.a, t.z,
                   fit(t.p, join(t.p, ISA_KERNEL_MATMUL_RIGHT, t.x, t.y), t.z));
}

/* Of the products with one operand turned, y is what `matmul` would be given back. */
static void differ_turned(struct two t, bool is_left)
{
    const uint32_t x = is_left ? join(t.p, ISA_KERNEL_MATMUL, t.y, t.z)
                               : join(t.p, ISA_KERNEL_MATMUL_LEFT, t.z, t.y);
    const uint32_t z = is_left ? join(t.p, ISA_KERNEL_MATMUL_RIGHT, t.y, t.x)
                               : join(t.p, ISA_KERNEL_MATMUL, t.x, t.y);
    differ_add(t.d, t.p, t.a, t.x, fit(t.p, x, t.x));
    differ_add(t.d, t.p, t.a, t.z, fit(t.p, z, t.z));
}

/* (softmax(x) * sum(t) - t) * y for the scores x; -log(softmax(x)) * y for what is wanted, t. */
static void differ_cross_entropy(struct two t)
{
    const struct form_place p = t.p;
    const uint32_t y = spread_last(p, t.y, t.x);
    const uint32_t soft = map(p, ISA_KERNEL_SOFTMAX, t.x);
    if (t.d->active[t.x]) {
        const uint32_t sums = join(p, ISA_KERNEL_SPREAD_LAST,
                                   map(p, ISA_KERNEL_SUM_LAST, t.z), t.x);
        differ_add(t.d, p, t.a, t.x,
                   times(p, y, join(p, ISA_KERNEL_SUB, times(p, soft, sums), t.z)));
    }
    if (t.d->active[t.z])
        differ_add(t.d, p, t.a, t.z,
                   negative(p, times(p, y, map(p, ISA_KERNEL_LOG, soft))));
}

static void differ_concat(struct two t, int axis)
{
    const uint32_t length = extent(t.p, t.x, axis);
    if (t.d->active[t.x])
        differ_add(t.d, t.p, t.a, t.x,
                   slice(t.p, t.y, axis, form_integer(t.p, 0), length));
    if (t.d->active[t.z])
        differ_add(t.d, t.p, t.a, t.z,
                   slice(t.p, t.y, axis, length, extent(t.p, t.z, axis)));
}

static uint32_t pad(struct form_place p, int axis, uint32_t y, uint32_t before,
                    uint32_t after)
{
    return join_at(p, ISA_KERNEL_PAD, axis, y, numbers(p, before, after));
}

/* y, between zeros. */
static uint32_t differ_slice(struct form_place p, uint32_t x, uint32_t range, uint32_t y,
                             int axis)
{
    const uint32_t first = number_at(p, range, 0), count = number_at(p, range, 1);
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, first, count);
    return pad(p, axis, y, first,
               form_compute_2(p, ISA_OP_SUB_I, extent(p, x, axis), behind));
}

/* y, around it zeros such that it lies where part number i did, behind `before`. */
static uint32_t differ_part(struct form_place p, int axis, uint32_t x, uint32_t y,
                            uint32_t before)
{
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, before, extent(p, y, axis));
    return pad(p, axis, y, before,
               form_compute_2(p, ISA_OP_SUB_I, extent(p, x, axis), behind));
}

static uint32_t differ_split(struct form_place p, int axis, uint32_t x, uint32_t which,
                             uint32_t y)
{
    const uint32_t length = extent(p, y, axis);
    return differ_part(p, axis, x, y,
                       form_compute_2(p, ISA_OP_MUL_I, number_at(p, which, 0), length));
}

/* The numbers are i and the extents: before part i is what they sum up to at place i, without i itself. */
static uint32_t differ_part_of(struct form_place p, int axis, uint32_t x, uint32_t which,
                               uint32_t y)
{
    const uint32_t i = number_at(p, which, 0);
    const uint32_t sum = form_compute_2(p, ISA_OP_ITEM,
                                        map_at(p, ISA_KERNEL_CUMSUM, 0, which), i);
    return differ_part(
        p, axis, x, y,
        form_compute_2(p, ISA_OP_SUB_I, form_compute_1(p, ISA_OP_INT_R, sum), i));
}

/* A product of y and of what has a row for each of the greatest, 1.0 where it was. */
static uint32_t differ_top(struct form_place p, int axis, uint32_t x, uint32_t count,
                           uint32_t y)
{
    const uint32_t places = join_at(p, ISA_KERNEL_TOP_INDICES, axis, x, count);
    const uint32_t hot = join(p, ISA_KERNEL_ONE_HOTS, places,
                              number(p, extent(p, x, axis)));
    const uint32_t row = map_at(p, ISA_USE_LIFT, axis, map(p, ISA_KERNEL_TO_REAL, y));
    return join(p, ISA_KERNEL_RESHAPE_LIKE, join(p, ISA_KERNEL_MATMUL, row, hot), x);
}

/* Which of both, along the axis that they have got. */
static uint32_t differ_stack(struct form_place p, int axis, int64_t which, uint32_t y)
{
    const uint32_t row = slice(p, y, axis, form_integer(p, which), form_integer(p, 1));
    return map_at(p, ISA_USE_DROP, axis, row);
}

/* Rows may be a tensor of ints: their count before them is one then. */
static uint32_t differ_gather(struct form_place p, uint32_t x, uint32_t rows, uint32_t y)
{
    const uint32_t length = extent(p, x, 0);
    const uint32_t count = form_type(p.form, rows) == FORM_WHOLES
                               ? form_compute_1(p, ISA_OP_SCALAR_I, length)
                               : number(p, length);
    return join(p, ISA_KERNEL_SCATTER, y, form_compute_2(p, ISA_OP_VECTOR, count, rows));
}

static uint32_t differ_scatter(struct form_place p, uint32_t rows, uint32_t y)
{
    const uint32_t count = form_compute_2(p, ISA_OP_SUB_I, extent(p, rows, 0),
                                          form_integer(p, 1));
    return join(p, ISA_KERNEL_GATHER, y, slice(p, rows, 0, form_integer(p, 1), count));
}

/* (softmax(x) - one at each label) * y. */
static uint32_t differ_labels(struct form_place p, uint32_t x, uint32_t labels,
                              uint32_t y)
{
    const uint32_t at = join(p, ISA_KERNEL_ONE_HOT, x, labels);
    const uint32_t slope = join(p, ISA_KERNEL_SUB, map(p, ISA_KERNEL_SOFTMAX, x), at);
    return times(p, spread_last(p, y, x), slope);
}

/* The part of y that lies where x does between zeros. The first of `numbers` is how many zeros come before it. */
static uint32_t differ_padded(struct form_place p, int axis, uint32_t x, uint32_t numbers,
                              uint32_t y)
{
    const uint32_t count = extent(p, x, axis);
    return slice(p, y, axis, number_at(p, numbers, 0), count);
}

static void differ_combine(struct two t, uint32_t index)
{
    const struct form_place p = t.p;
    const int axis = isa_use_axis(index);
    switch (isa_use_of(index)) {
    case ISA_KERNEL_ADD:
        differ_add(t.d, p, t.a, t.x, fit(p, t.y, t.x));
        differ_add(t.d, p, t.a, t.z, fit(p, t.y, t.z));
        break;
    case ISA_KERNEL_SUB:
        differ_add(t.d, p, t.a, t.x, fit(p, t.y, t.x));
        differ_add(t.d, p, t.a, t.z, fit(p, negative(p, t.y), t.z));
        break;
    case ISA_KERNEL_MUL:
        differ_product(t);
        break;
    case ISA_KERNEL_DIV:
        differ_quotient(t);
        break;
    case ISA_KERNEL_REM:
        differ_remainder(t);
        break;
    case ISA_KERNEL_MIN:
        differ_choice(t, ISA_KERNEL_LE);
        break;
    case ISA_KERNEL_MAX:
        differ_choice(t, ISA_KERNEL_GE);
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
        differ_add(t.d, p, t.a, t.x, differ_stack(p, axis, 0, t.y));
        differ_add(t.d, p, t.a, t.z, differ_stack(p, axis, 1, t.y));
        break;
    /* Of these only the first operand has a derivative. */
    case ISA_KERNEL_TOP_VALUES:
        differ_add(t.d, p, t.a, t.x, differ_top(p, axis, t.x, t.z, t.y));
        break;
    case ISA_KERNEL_SPLIT:
        differ_add(t.d, p, t.a, t.x, differ_split(p, axis, t.x, t.z, t.y));
        break;
    case ISA_KERNEL_PART:
        differ_add(t.d, p, t.a, t.x, differ_part_of(p, axis, t.x, t.z, t.y));
        break;
    case ISA_KERNEL_PAD:
        differ_add(t.d, p, t.a, t.x, differ_padded(p, axis, t.x, t.z, t.y));
        break;
    case ISA_KERNEL_CROSS_ENTROPY_AT:
        differ_add(t.d, p, t.a, t.x, differ_labels(p, t.x, t.z, t.y));
        break;
    case ISA_KERNEL_SLICE:
        differ_add(t.d, p, t.a, t.x, differ_slice(p, t.x, t.z, t.y, axis));
        break;
    case ISA_KERNEL_GATHER:
        if (!differ_defer_rows(t.d, p, t.a, t.x, t.z, t.y))
            differ_add(t.d, p, t.a, t.x, differ_gather(p, t.x, t.z, t.y));
        break;
    case ISA_KERNEL_SCATTER:
        differ_add(t.d, p, t.a, t.x, differ_scatter(p, t.z, t.y));
        break;
    case ISA_KERNEL_TRANSPOSE:
        differ_add(t.d, p, t.a, t.x, join(p, ISA_KERNEL_UNTRANSPOSE, t.y, t.z));
        break;
    case ISA_KERNEL_UNTRANSPOSE:
        differ_add(t.d, p, t.a, t.x, join(p, ISA_KERNEL_TRANSPOSE, t.y, t.z));
        break;
    case ISA_KERNEL_TAKE:
        differ_add(t.d, p, t.a, t.x,
                   join_three(p, ISA_KERNEL_SCATTER_ADD, form_zero(p, t.x), t.z, t.y));
        break;
    case ISA_KERNEL_TAKE_LAST:
        differ_add(t.d, p, t.a, t.x,
                   join_three(p, ISA_KERNEL_UPDATE, form_zero(p, t.x), t.z, t.y));
        break;
    case ISA_KERNEL_SUM_LIKE:
    case ISA_KERNEL_SUM_TO:
        differ_add(t.d, p, t.a, t.x, spread(p, t.y, t.x));
        break;
    /* A condition has no derivative: only the second operand has one. */
    case ISA_KERNEL_WHEN:
    case ISA_KERNEL_UNLESS:
        differ_add(t.d, p, t.a, t.z, fit(p, join(p, isa_use_of(index), t.x, t.y), t.z));
        break;
    case ISA_KERNEL_SPREAD_LAST:
    case ISA_KERNEL_SPREAD_LAST_TO:
        differ_add(t.d, p, t.a, t.x, map(p, ISA_KERNEL_SUM_LAST, t.y));
        break;
    case ISA_KERNEL_RESHAPE:
        differ_add(t.d, p, t.a, t.x,
                   join(p, ISA_KERNEL_RESHAPE, t.y, form_shape(p, t.x)));
        break;
    case ISA_KERNEL_SPREAD_TO:
        differ_add(t.d, p, t.a, t.x, fit(p, t.y, t.x));
        break;
    default: /* reshape_like: its elements may be others */
        differ_add(t.d, p, t.a, t.x, join(p, ISA_KERNEL_RESHAPE_LIKE, t.y, t.x));
    }
}

/* The opcode that makes a value in this form, or ISA_OP_COUNT. */
static enum isa_op maker_of(struct form_place p, uint32_t x)
{
    const struct form_value *v = &p.form->values[x];
    return v->kind == FORM_MADE ? (enum isa_op)v->index : ISA_OP_COUNT;
}

/* An element of a vector. ITEMs elsewhere are of tensors of one element; `index` tells them apart. */
static uint32_t item_of_vector(struct form_place p, uint32_t vector, uint32_t i)
{
    return form_compute(p, ISA_OP_ITEM, ISA_INT, FORM_OF_VECTOR,
                        (const uint32_t[]){vector, i}, 2);
}

/* y, between zeros, in the shape of x. */
static uint32_t differ_item_of_vector(struct form_place p, uint32_t x, uint32_t i,
                                      uint32_t y)
{
    const uint32_t one = form_integer(p, 1);
    const uint32_t behind = form_compute_2(p, ISA_OP_ADD_I, i, one);
    const uint32_t left = form_compute_2(p, ISA_OP_SUB_I, extent(p, x, 0), behind);
    const uint32_t like = slice(p, x, 0, i, one);
    const uint32_t alone = join(p, ISA_KERNEL_RESHAPE_LIKE,
                                form_compute_1(p, ISA_OP_SCALAR, y), like);
    return pad(p, 0, alone, i, left);
}

/* Each operand of a VECTOR is a scalar, which the same form makes, or a vector. */
static void differ_vector(struct differ *d, struct form_place p, struct adjoints *a,
                          const uint32_t *x, uint32_t y)
{
    uint32_t first = form_integer(p, 0);
    for (int i = 0; i < 2; i++) {
        const enum isa_op op = maker_of(p, x[i]);
        const bool is_scalar = op == ISA_OP_SCALAR || op == ISA_OP_SCALAR_F;
        const uint32_t count = is_scalar ? form_integer(p, 1) : extent(p, x[i], 0);
        if (d->active[x[i]])
            differ_add(d, p, a, x[i],
                       is_scalar ? form_compute_1(p, op, item_of_vector(p, y, first))
                                 : slice(p, y, 0, first, count));
        first = i ? first : count;
    }
}

/* What was put around x along an axis: the sum of y, but not where x is. */
static uint32_t differ_around(struct form_place p, int axis, uint32_t x, uint32_t counts,
                              uint32_t value, uint32_t y)
{
    const uint32_t zero = form_zero(p, x), ones = join(p, ISA_KERNEL_EQ, zero, zero);
    const uint32_t inside = join_at(p, ISA_KERNEL_PAD, axis, ones, counts);
    return fit(p, join(p, ISA_KERNEL_UNLESS, inside, y), value);
}

/* Of kernels of three operands x: indices, conditions and numbers have no derivative. */
static void differ_three(struct differ *d, struct form_place p, struct adjoints *a,
                         uint32_t index, const uint32_t *x, uint32_t y)
{
    const int axis = isa_use_axis(index);
    switch (isa_use_of(index)) {
    case ISA_KERNEL_SELECT:
        for (int i = 1; i < 3; i++)
            if (d->active[x[i]])
                differ_add(
                    d, p, a, x[i],
                    fit(p, join(p, i == 1 ? ISA_KERNEL_WHEN : ISA_KERNEL_UNLESS, x[0], y),
                        x[i]));
        break;
    case ISA_KERNEL_PAD_WITH:
        if (d->active[x[0]])
            differ_add(d, p, a, x[0], differ_padded(p, axis, x[0], x[1], y));
        if (d->active[x[2]])
            differ_add(d, p, a, x[2], differ_around(p, axis, x[0], x[1], x[2], y));
        break;
    case ISA_KERNEL_UPDATE:
        if (d->active[x[0]])
            differ_add(d, p, a, x[0],
                       join_three(p, ISA_KERNEL_UPDATE, y, x[1], form_zero(p, x[2])));
        if (d->active[x[2]])
            differ_add(d, p, a, x[2], join(p, ISA_KERNEL_TAKE_LAST, y, x[1]));
        break;
    default: /* scatter_add */
        differ_add(d, p, a, x[0], y);
        if (d->active[x[2]])
            differ_add(d, p, a, x[2], join(p, ISA_KERNEL_TAKE, y, x[1]));
    }
}

bool differ_is_of_tensors(enum isa_op op)
{
    return op == ISA_OP_MAP || op == ISA_OP_COMBINE || op == ISA_OP_SCALAR ||
           op == ISA_OP_SCALAR_F || op == ISA_OP_VECTOR || op == ISA_OP_ITEM;
}

void differ_compute_tensor(struct differ *d, struct form_place p, struct adjoints *a,
                           const struct form_entry *e, uint32_t y)
{
    const uint32_t *x = e->operands.items;
    switch (e->op) {
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_F:
        differ_add(d, p, a, x[0], form_compute_2(p, ISA_OP_ITEM, y, form_integer(p, 0)));
        break;
    case ISA_OP_ITEM:
        differ_add(d, p, a, x[0],
                   e->index == FORM_OF_VECTOR
                       ? differ_item_of_vector(p, x[0], x[1], y)
                       : join(p, ISA_KERNEL_RESHAPE_LIKE,
                              form_compute_1(p, ISA_OP_SCALAR, y), x[0]));
        break;
    case ISA_OP_VECTOR:
        differ_vector(d, p, a, x, y);
        break;
    case ISA_OP_MAP:
        differ_add(d, p, a, x[0], differ_map(p, e->index, x[0], e->results.items[0], y));
        break;
    default:
        if (e->operands.count == 3)
            differ_three(d, p, a, e->index, x, y);
        else
            differ_combine((struct two){d, p, a, x[0], x[1], e->results.items[0], y},
                           e->index);
    }
}

/* --- arrays -------------------------------------------------------------------------------------- */

static uint32_t convert(struct form_place p, enum form_entry_kind kind, uint32_t v,
                        enum isa_type type)
{
    struct form_entry *e = form_add_entry(p.program, p.block, kind, p.pos);
    form_add_operand(p.program, e, v);
    return form_add_result(p.program, p.form, e, type);
}

/* The adjoint of an array that became a tensor is that of the tensor, as an array; and the other way round,
 * where an array without elements has lost the other extents. */
void differ_convert(struct differ *d, struct form_place p, struct adjoints *a,
                    const struct form_entry *e, uint32_t y)
{
    const uint32_t x = e->operands.items[0];
    if (e->kind == FORM_TO_TENSOR) {
        differ_add(d, p, a, x, convert(p, FORM_TO_ARRAY, y, form_type(p.form, x)));
        return;
    }
    const uint32_t tensor = convert(p, FORM_TO_TENSOR, y, ISA_TENSOR);
    differ_add(d, p, a, x, join(p, ISA_KERNEL_RESHAPE_LIKE, tensor, x));
}
