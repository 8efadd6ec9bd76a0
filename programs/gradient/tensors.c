/* Contributions of instructions on tensors to the adjoints of their operands. An adjoint has the
 * shape of its value: that of a broadcast operand is summed to that shape (SUM_TO). If only the
 * shape of an operand is needed, the shape alone is kept until the adjoint arrives (paper 2,
 * section 5.1). Kinks are as in programs/gradient/rules.c; relu has the derivative 0 at 0; of
 * several greatest elements the first one counts. */
#include "programs/gradient/deferred.h"
#include "programs/form/kernels.h"
#include "programs/gradient/tensors.h"

static uint32_t times(struct form_place p, uint32_t a, uint32_t b)
{
    return form_join(p, ISA_KERNEL_MUL, a, b);
}

static uint32_t negative(struct form_place p, uint32_t a)
{
    return form_map(p, ISA_KERNEL_NEG, a);
}

/* Returns an adjoint in the shape of a value that may have been broadcast. */
static uint32_t sum_to_shape(struct form_place p, uint32_t y, uint32_t like)
{
    return form_join(p, ISA_KERNEL_SUM_TO, y, form_shape(p, like));
}

static uint32_t spread(struct form_place p, uint32_t y, uint32_t x)
{
    return form_join(p, ISA_KERNEL_SPREAD_TO, y, form_shape(p, x));
}

/* x has a last axis that y does not have. */
static uint32_t spread_last(struct form_place p, uint32_t y, uint32_t x)
{
    return form_join(p, ISA_KERNEL_SPREAD_LAST_TO, y, form_shape(p, x));
}

/* --- which instructions have derivatives -------------------------------------------- */

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

/* --- one tensor --------------------------------------------------------------------- */

static uint32_t differ_mean(struct form_place p, int axis, uint32_t x, uint32_t y)
{
    const uint32_t zero = form_zero(p, x);
    const uint32_t count = form_map_at(p, ISA_KERNEL_REDUCE_SUM, axis,
                                       form_join(p, ISA_KERNEL_EQ, zero, zero));
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
    uint32_t zero, part;
    switch (isa_use_of(index)) {
    case ISA_KERNEL_NEG:
        return negative(p, y);
    case ISA_KERNEL_ABS:
        zero = form_zero(p, x);
        part = form_join(p, ISA_KERNEL_LT, x, zero);
        return times(
            p, y,
            form_join(p, ISA_KERNEL_SUB, form_join(p, ISA_KERNEL_GT, x, zero), part));
    case ISA_KERNEL_SQRT:
        return form_join(p, ISA_KERNEL_DIV, y, form_join(p, ISA_KERNEL_ADD, v, v));
    case ISA_KERNEL_EXP:
        return times(p, y, v);
    case ISA_KERNEL_LOG:
        return form_join(p, ISA_KERNEL_DIV, y, x);
    case ISA_KERNEL_SIN:
        return times(p, y, form_map(p, ISA_KERNEL_COS, x));
    case ISA_KERNEL_COS:
        return negative(p, times(p, y, form_map(p, ISA_KERNEL_SIN, x)));
    case ISA_KERNEL_TANH:
        return form_join(p, ISA_KERNEL_TANH_BACK, y, v);
    case ISA_KERNEL_RELU:
        return times(p, y, form_join(p, ISA_KERNEL_GT, x, form_zero(p, x)));
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
        part = has_axis ? form_map_at(p, ISA_USE_LIFT, axis, y) : y;
        return times(p, form_map_at(p, ISA_KERNEL_FIRST_MAX, axis, x), part);
    case ISA_KERNEL_SOFTMAX:
        part = times(p, y, v);
        return form_join(p, ISA_KERNEL_SUB, part,
                         times(p, v,
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
    default: /* real, real32 */
        return form_join(p, ISA_KERNEL_RESHAPE_LIKE, y, x);
    }
}

/* --- two tensors -------------------------------------------------------------------- */

struct two {
    struct differ *d;
    struct form_place p;
    uint32_t x, z, v, y;
};

/* Adds a contribution to the adjoint of an operand, in the operand's shape. */
static void add_shaped(struct two t, uint32_t operand, uint32_t contribution)
{
    differ_add(t.d, operand, sum_to_shape(t.p, contribution, operand));
}

static void differ_product(struct two t)
{
    if (t.d->active[t.x])
        add_shaped(t, t.x, times(t.p, t.y, t.z));
    if (t.d->active[t.z])
        add_shaped(t, t.z, times(t.p, t.y, t.x));
}

static void differ_quotient(struct two t)
{
    if (t.d->active[t.x])
        add_shaped(t, t.x, form_join(t.p, ISA_KERNEL_DIV, t.y, t.z));
    if (t.d->active[t.z]) {
        const uint32_t part = form_join(t.p, ISA_KERNEL_DIV, times(t.p, t.y, t.v), t.z);
        add_shaped(t, t.z, negative(t.p, part));
    }
}

/* Adds the contributions of a remainder x - n z, where n = (x - v) / z is an integer. */
static void differ_remainder(struct two t)
{
    if (t.d->active[t.x])
        add_shaped(t, t.x, t.y);
    if (t.d->active[t.z]) {
        const uint32_t whole = form_join(t.p, ISA_KERNEL_DIV,
                                         form_join(t.p, ISA_KERNEL_SUB, t.x, t.v), t.z);
        add_shaped(t, t.z, negative(t.p, times(t.p, t.y, whole)));
    }
}

/* The first one of equal operands is chosen. */
static void differ_choice(struct two t, enum isa_kernel kernel)
{
    const uint32_t first = form_join(t.p, kernel, t.x, t.z);
    const uint32_t second = form_join(t.p, ISA_KERNEL_EQ, first, form_zero(t.p, first));
    if (t.d->active[t.x])
        add_shaped(t, t.x, times(t.p, t.y, first));
    if (t.d->active[t.z])
        add_shaped(t, t.z, times(t.p, t.y, second));
}

/* x - x (z z), as the sum of its parts. */
static void differ_tanh_back(struct two t)
{
    const uint32_t minus = negative(t.p, t.y);
    add_shaped(t, t.x, t.y);
    add_shaped(t, t.x, times(t.p, minus, times(t.p, t.z, t.z)));
    if (!t.d->active[t.z])
        return;
    const uint32_t square = sum_to_shape(t.p, times(t.p, minus, t.x), t.z);
    for (int i = 0; i < 2; i++)
        add_shaped(t, t.z, times(t.p, square, t.z));
}

/* u - u z, where u is x z. */
static void differ_sigmoid_back(struct two t)
{
    const uint32_t u = times(t.p, t.x, t.z), minus = negative(t.p, t.y);
    const uint32_t of_u = form_add(t.p, t.y,
                                   sum_to_shape(t.p, times(t.p, minus, t.z), t.z));
    add_shaped(t, t.z, times(t.p, minus, u));
    add_shaped(t, t.x, times(t.p, of_u, t.z));
    add_shaped(t, t.z, times(t.p, of_u, t.x));
}

static void differ_matmul(struct two t, bool is_flat)
{
    if (t.d->active[t.x] &&
        !(is_flat && differ_defer_product(t.d, FORM_COLUMNS, t.x, t.z, t.y)))
        add_shaped(t, t.x, form_join(t.p, ISA_KERNEL_MATMUL_LEFT, t.y, t.z));
    if (t.d->active[t.z] && !differ_defer_product(t.d, FORM_PRODUCTS, t.z, t.x, t.y))
        add_shaped(t, t.z, form_join(t.p, ISA_KERNEL_MATMUL_RIGHT, t.x, t.y));
}

static void differ_turned(struct two t, bool is_left)
{
    const uint32_t x = is_left ? form_join(t.p, ISA_KERNEL_MATMUL, t.y, t.z)
                               : form_join(t.p, ISA_KERNEL_MATMUL_LEFT, t.z, t.y);
    const uint32_t z = is_left ? form_join(t.p, ISA_KERNEL_MATMUL_RIGHT, t.y, t.x)
                               : form_join(t.p, ISA_KERNEL_MATMUL, t.x, t.y);
    add_shaped(t, t.x, x);
    add_shaped(t, t.z, z);
}

/* Adds (softmax(x) * sum(t) - t) * y for the scores x; -log(softmax(x)) * y for the target t. */
static void differ_cross_entropy(struct two t)
{
    const struct form_place p = t.p;
    const uint32_t y = spread_last(p, t.y, t.x);
    const uint32_t soft = form_map(p, ISA_KERNEL_SOFTMAX, t.x);
    if (t.d->active[t.x]) {
        const uint32_t sums = form_join(p, ISA_KERNEL_SPREAD_LAST,
                                        form_map(p, ISA_KERNEL_SUM_LAST, t.z), t.x);
        differ_add(t.d, t.x,
                   times(p, y, form_join(p, ISA_KERNEL_SUB, times(p, soft, sums), t.z)));
    }
    if (t.d->active[t.z])
        differ_add(t.d, t.z, negative(p, times(p, y, form_map(p, ISA_KERNEL_LOG, soft))));
}

static void differ_concat(struct two t, int axis)
{
    const uint32_t length = form_extent(t.p, t.x, axis);
    if (t.d->active[t.x])
        differ_add(t.d, t.x, form_slice(t.p, t.y, axis, form_integer(t.p, 0), length));
    if (t.d->active[t.z])
        differ_add(t.d, t.z,
                   form_slice(t.p, t.y, axis, length, form_extent(t.p, t.z, axis)));
}

/* (softmax(x) - one at each label) * y. */
static uint32_t differ_labels(struct form_place p, uint32_t x, uint32_t labels,
                              uint32_t y)
{
    const uint32_t at = form_join(p, ISA_KERNEL_ONE_HOT, x, labels);
    const uint32_t slope = form_join(p, ISA_KERNEL_SUB,
                                     form_map(p, ISA_KERNEL_SOFTMAX, x), at);
    return times(p, spread_last(p, y, x), slope);
}

/* Returns the contribution to x of a kernel of which only the first operand has a derivative. */
static uint32_t differ_first(struct two t, uint32_t index)
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
        return sum_to_shape(p, t.y, t.x);
    default: /* reshape_like: the elements may be others */
        return form_join(p, ISA_KERNEL_RESHAPE_LIKE, t.y, t.x);
    }
}

static void differ_combine(struct two t, uint32_t index)
{
    const struct form_place p = t.p;
    const int axis = isa_use_axis(index);
    switch (isa_use_of(index)) {
    case ISA_KERNEL_ADD:
        add_shaped(t, t.x, t.y);
        add_shaped(t, t.z, t.y);
        break;
    case ISA_KERNEL_SUB:
        add_shaped(t, t.x, t.y);
        add_shaped(t, t.z, negative(p, t.y));
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
        add_shaped(t, t.z, form_join(p, isa_use_of(index), t.x, t.y));
        break;
    default:
        differ_add(t.d, t.x, differ_first(t, index));
    }
}

/* Returns the adjoint of the padding around x along an axis: the sum of y outside of x. */
static uint32_t differ_around(struct form_place p, int axis, uint32_t x, uint32_t counts,
                              uint32_t value, uint32_t y)
{
    const uint32_t zero = form_zero(p, x), ones = form_join(p, ISA_KERNEL_EQ, zero, zero);
    const uint32_t inside = form_join_at(p, ISA_KERNEL_PAD, axis, ones, counts);
    return sum_to_shape(p, form_join(p, ISA_KERNEL_UNLESS, inside, y), value);
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
                           sum_to_shape(
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
    default: /* scatter_add */
        differ_add(d, x[0], y);
        if (d->active[x[2]])
            differ_add(d, x[2], form_join(p, ISA_KERNEL_TAKE, y, x[1]));
    }
}

bool differ_is_of_tensors(enum isa_op op)
{
    return op == ISA_OP_MAP || op == ISA_OP_COMBINE || op == ISA_OP_SCALAR ||
           op == ISA_OP_SCALAR_F || op == ISA_OP_VECTOR || op == ISA_OP_ITEM;
}

void differ_compute_tensor(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t *x = e->operands.items;
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
        differ_add(d, x[0], differ_map(p, e->index, x[0], e->results.items[0], y));
        break;
    default:
        if (e->operands.count == 3)
            differ_three(d, e->index, x, y);
        else
            differ_combine((struct two){d, d->p, x[0], x[1], e->results.items[0], y},
                           e->index);
    }
}

/* --- arrays ------------------------------------------------------------------------- */

/* The adjoint of an array that became a tensor is the tensor's adjoint as an array, and vice
 * versa. But an array without elements has lost the other extents. */
void differ_convert(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t x = e->operands.items[0];
    if (e->kind == FORM_TO_TENSOR) {
        differ_add(
            d, x,
            form_convert(p, FORM_TO_ARRAY, y, ISA_ELEMENT_REAL, form_type(p.form, x)));
        return;
    }
    const uint32_t tensor = form_convert(p, FORM_TO_TENSOR, y, ISA_ELEMENT_REAL,
                                         ISA_TENSOR);
    differ_add(d, x, form_join(p, ISA_KERNEL_RESHAPE_LIKE, tensor, x));
}
