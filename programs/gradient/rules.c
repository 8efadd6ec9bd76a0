/* Contributions of instructions on reals to the adjoints of their operands. At kinks: abs has
 * the derivative 0 at 0; min and max of equal operands have that of the first; floor and
 * instructions that make ints have none. */
#include "programs/gradient/differentiate.h"

static uint32_t times(struct form_place p, uint32_t a, uint32_t b)
{
    return form_compute_2(p, ISA_OP_MUL_R, a, b);
}

static uint32_t negative(struct form_place p, uint32_t a)
{
    return form_compute_1(p, ISA_OP_NEG_R, a);
}

static uint32_t zero(struct form_place p)
{
    return form_real(p.form, 0);
}

bool differ_is_smooth(const struct form_entry *e)
{
    switch (e->op) {
    case ISA_OP_ADD_R:
    case ISA_OP_SUB_R:
    case ISA_OP_MUL_R:
    case ISA_OP_DIV_R:
    case ISA_OP_REM_R:
    case ISA_OP_NEG_R:
    case ISA_OP_ABS_R:
    case ISA_OP_MIN_R:
    case ISA_OP_MAX_R:
    case ISA_OP_SQRT_R:
    case ISA_OP_EXP_R:
    case ISA_OP_LOG_R:
    case ISA_OP_SIN_R:
    case ISA_OP_COS_R:
    case ISA_OP_TANH_R:
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_F:
    case ISA_OP_VECTOR:
    case ISA_OP_ITEM:
        return true;
    case ISA_OP_MAP:
    case ISA_OP_COMBINE:
        return differ_is_smooth_use(e->index);
    default:
        return false;
    }
}

/* The adjoint goes to the operand that was chosen. */
static void differ_choice(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t first = e->operands.items[0], second = e->operands.items[1];
    const enum isa_op op = e->op == ISA_OP_MIN_R ? ISA_OP_LE_R : ISA_OP_GE_R;
    struct form_entry *choice = form_split(p, form_compute_2(p, op, first, second));
    if (d->active[first])
        differ_add(d, first, form_merge(p, choice, y, zero(p)));
    if (d->active[second])
        differ_add(d, second, form_merge(p, choice, zero(p), y));
}

/* Returns y, -y or 0 for x above, below or at 0. */
static uint32_t differ_abs(struct form_place p, uint32_t x, uint32_t y)
{
    struct form_entry *above = form_split(p, form_compute_2(p, ISA_OP_GT_R, x, zero(p)));
    const struct form_place not_above = form_side(p, above, 1);
    struct form_entry *below = form_split(
        not_above, form_compute_2(not_above, ISA_OP_LT_R, x, zero(p)));
    const uint32_t minus = negative(form_side(not_above, below, 0), y);
    return form_merge(p, above, y, form_merge(not_above, below, minus, zero(p)));
}

/* Returns the contribution of an instruction of one operand x with value `v`. */
static uint32_t differ_one(struct form_place p, enum isa_op op, uint32_t x, uint32_t v,
                           uint32_t y)
{
    switch (op) {
    case ISA_OP_NEG_R:
        return negative(p, y);
    case ISA_OP_ABS_R:
        return differ_abs(p, x, y);
    case ISA_OP_SQRT_R: /* y / (2 v) */
        return form_compute_2(p, ISA_OP_DIV_R, y, times(p, form_real(p.form, 2), v));
    case ISA_OP_EXP_R:
        return times(p, y, v);
    case ISA_OP_LOG_R:
        return form_compute_2(p, ISA_OP_DIV_R, y, x);
    case ISA_OP_SIN_R:
        return times(p, y, form_compute_1(p, ISA_OP_COS_R, x));
    case ISA_OP_COS_R:
        return negative(p, times(p, y, form_compute_1(p, ISA_OP_SIN_R, x)));
    default: /* tanh: y (1 - v v) */
        return times(
            p, y, form_compute_2(p, ISA_OP_SUB_R, form_real(p.form, 1), times(p, v, v)));
    }
}

/* Adds the contributions of a quotient v = x / z: y / z for x, -(y v) / z for z; and of a
 * remainder v = x - n z with an integer n = (x - v) / z: y for x, -y n for z. */
static void differ_quotient(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t x = e->operands.items[0], z = e->operands.items[1];
    const uint32_t v = e->results.items[0];
    const bool is_rest = e->op == ISA_OP_REM_R;
    if (d->active[x])
        differ_add(d, x, is_rest ? y : form_compute_2(p, ISA_OP_DIV_R, y, z));
    if (!d->active[z])
        return;
    const uint32_t whole = is_rest ? form_compute_2(p, ISA_OP_SUB_R, x, v) : v;
    const uint32_t part = is_rest
                              ? times(p, y, form_compute_2(p, ISA_OP_DIV_R, whole, z))
                              : form_compute_2(p, ISA_OP_DIV_R, times(p, y, whole), z);
    differ_add(d, z, negative(p, part));
}

void differ_compute(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t *x = e->operands.items;
    if (differ_is_of_tensors(e->op)) {
        differ_compute_tensor(d, e, y);
        return;
    }
    switch (e->op) {
    case ISA_OP_ADD_R:
        differ_add(d, x[0], y);
        differ_add(d, x[1], y);
        break;
    case ISA_OP_SUB_R:
        differ_add(d, x[0], y);
        if (d->active[x[1]])
            differ_add(d, x[1], negative(p, y));
        break;
    case ISA_OP_MUL_R:
        if (d->active[x[0]])
            differ_add(d, x[0], times(p, y, x[1]));
        if (d->active[x[1]])
            differ_add(d, x[1], times(p, y, x[0]));
        break;
    case ISA_OP_DIV_R:
    case ISA_OP_REM_R:
        differ_quotient(d, e, y);
        break;
    case ISA_OP_MIN_R:
    case ISA_OP_MAX_R:
        differ_choice(d, e, y);
        break;
    default:
        differ_add(d, x[0], differ_one(p, e->op, x[0], e->results.items[0], y));
    }
}
