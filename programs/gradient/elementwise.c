#include "programs/gradient/elementwise.h"

/* ROW(NAME) for each kernel that is also an instruction on reals and has a derivative. */
#define REAL_KERNELS(ROW)                                                                \
    ROW(NEG)                                                                             \
    ROW(ABS)                                                                             \
    ROW(SQRT)                                                                            \
    ROW(EXP)                                                                             \
    ROW(LOG)                                                                             \
    ROW(SIN)                                                                             \
    ROW(COS)                                                                             \
    ROW(TANH)                                                                            \
    ROW(ATAN)                                                                            \
    ROW(ERF)                                                                             \
    ROW(POW)                                                                             \
    ROW(ATAN2)                                                                           \
    ROW(HYPOT)                                                                           \
    ROW(ADD)                                                                             \
    ROW(SUB)                                                                             \
    ROW(MUL)                                                                             \
    ROW(DIV)                                                                             \
    ROW(REM)                                                                             \
    ROW(MIN)                                                                             \
    ROW(MAX)

/* Returns the instruction on reals that computes a kernel. */
static enum isa_op op_of(enum isa_kernel kernel)
{
    static const enum isa_op ops[] = {
#define ROW(NAME) [ISA_KERNEL_##NAME] = ISA_OP_##NAME##_R,
        REAL_KERNELS(ROW)
#undef ROW
    };
    return ops[kernel];
}

unsigned differ_kernel_of(enum isa_op op)
{
    static const uint8_t kernels[ISA_OP_COUNT] = {
#define ROW(NAME) [ISA_OP_##NAME##_R] = 1 + ISA_KERNEL_##NAME,
        REAL_KERNELS(ROW)
#undef ROW
    };
    return kernels[op];
}

static bool is_real(struct form_place p, uint32_t value)
{
    return form_type(p.form, value) == ISA_REAL;
}

/* Adds an elementwise instruction on a real or tensor. */
static uint32_t apply(struct form_place p, enum isa_kernel kernel, uint32_t a)
{
    return is_real(p, a) ? form_compute_1(p, op_of(kernel), a) : form_map(p, kernel, a);
}

/* Adds an elementwise instruction on two reals or two tensors. */
static uint32_t combine(struct form_place p, enum isa_kernel kernel, uint32_t a,
                        uint32_t b)
{
    return is_real(p, a) ? form_compute_2(p, op_of(kernel), a, b)
                         : form_join(p, kernel, a, b);
}

uint32_t differ_times(struct form_place p, uint32_t a, uint32_t b)
{
    return combine(p, ISA_KERNEL_MUL, a, b);
}

uint32_t differ_negative(struct form_place p, uint32_t a)
{
    return apply(p, ISA_KERNEL_NEG, a);
}

uint32_t differ_sum_to_shape(struct form_place p, uint32_t y, uint32_t like)
{
    return is_real(p, like) ? y : form_join(p, ISA_KERNEL_SUM_TO, y, form_shape(p, like));
}

/* Returns y, -y or 0 for x above, below or at 0. */
static uint32_t differ_abs(struct form_place p, uint32_t x, uint32_t y)
{
    const uint32_t zero = form_zero(p, x);
    if (!is_real(p, x)) {
        const uint32_t below = form_join(p, ISA_KERNEL_LT, x, zero);
        return differ_times(
            p, y,
            form_join(p, ISA_KERNEL_SUB, form_join(p, ISA_KERNEL_GT, x, zero), below));
    }
    struct form_entry *above = form_split(p, form_compute_2(p, ISA_OP_GT_R, x, zero));
    const struct form_place not_above = form_side(p, above, 1);
    struct form_entry *below = form_split(
        not_above, form_compute_2(not_above, ISA_OP_LT_R, x, zero));
    const uint32_t minus = differ_negative(form_side(not_above, below, 0), y);
    return form_merge(p, above, y, form_merge(not_above, below, minus, zero));
}

static uint32_t differ_tanh(struct form_place p, uint32_t v, uint32_t y)
{
    return is_real(p, v) ? differ_times(p, y,
                                        combine(p, ISA_KERNEL_SUB, form_real(p.form, 1),
                                                differ_times(p, v, v)))
                         : form_join(p, ISA_KERNEL_TANH_BACK, y, v);
}

/* Returns a value where x is not 0, else 0. */
static uint32_t unless_zero(struct form_place p, uint32_t x, uint32_t value)
{
    if (!is_real(p, x))
        return form_join(p, ISA_KERNEL_WHEN, x, value);
    const uint32_t zero = form_real(p.form, 0);
    struct form_entry *branch = form_split(p, form_compute_2(p, ISA_OP_NE_R, x, zero));
    return form_merge(p, branch, value, zero);
}

uint32_t differ_ones(struct form_place p, uint32_t x)
{
    if (is_real(p, x))
        return form_real(p.form, 1);
    const uint32_t zero = form_zero(p, x);
    return form_join(p, ISA_KERNEL_EQ, zero, zero);
}

/* Returns y / (1 + x^2). */
static uint32_t differ_atan(struct form_place p, uint32_t x, uint32_t y)
{
    return is_real(p, x) ? combine(p, ISA_KERNEL_DIV, y,
                                   combine(p, ISA_KERNEL_ADD, form_real(p.form, 1),
                                           differ_times(p, x, x)))
                         : differ_times(p, y, form_map(p, ISA_KERNEL_ATAN_SLOPE, x));
}

/* Returns y 2 / sqrt(pi) exp(-x^2). */
static uint32_t differ_erf(struct form_place p, uint32_t x, uint32_t y)
{
    return differ_times(
        p, y,
        is_real(p, x) ? differ_times(p, form_real(p.form, 1.1283791670955126),
                                     apply(p, ISA_KERNEL_EXP,
                                           differ_negative(p, differ_times(p, x, x))))
                      : form_map(p, ISA_KERNEL_ERF_SLOPE, x));
}

uint32_t differ_one(struct form_place p, enum isa_kernel kernel, uint32_t x, uint32_t v,
                    uint32_t y)
{
    switch (kernel) {
    case ISA_KERNEL_NEG:
        return differ_negative(p, y);
    case ISA_KERNEL_ABS:
        return differ_abs(p, x, y);
    case ISA_KERNEL_SQRT: /* y / (2 v) */
        return combine(p, ISA_KERNEL_DIV, y,
                       is_real(p, v) ? differ_times(p, form_real(p.form, 2), v)
                                     : form_join(p, ISA_KERNEL_ADD, v, v));
    case ISA_KERNEL_EXP:
        return differ_times(p, y, v);
    case ISA_KERNEL_LOG:
        return combine(p, ISA_KERNEL_DIV, y, x);
    case ISA_KERNEL_SIN:
        return differ_times(p, y, apply(p, ISA_KERNEL_COS, x));
    case ISA_KERNEL_COS:
        return differ_negative(p, differ_times(p, y, apply(p, ISA_KERNEL_SIN, x)));
    case ISA_KERNEL_ATAN:
        return differ_atan(p, x, y);
    case ISA_KERNEL_ERF:
        return differ_erf(p, x, y);
    case ISA_KERNEL_ATAN_SLOPE: /* -2 x v^2 y */
        return differ_negative(p, differ_times(p, differ_times(p, y, form_add(p, x, x)),
                                               differ_times(p, v, v)));
    case ISA_KERNEL_ERF_SLOPE: /* -2 x v y */
        return differ_negative(p,
                               differ_times(p, differ_times(p, y, form_add(p, x, x)), v));
    default:
        return differ_tanh(p, v, y);
    }
}

void differ_add_shaped(struct differ_binary t, uint32_t operand, uint32_t contribution)
{
    differ_add(t.d, operand, differ_sum_to_shape(t.p, contribution, operand));
}

/* Adds the contributions of a quotient v = x / z: y / z for x, -(y v) / z for z; or of a remainder
 * v = x - n z with an integer n = (x - v) / z: y for x, -y n for z. */
static void differ_quotient(struct differ_binary t, bool is_rest)
{
    if (t.d->active[t.x])
        differ_add_shaped(t, t.x, is_rest ? t.y : combine(t.p, ISA_KERNEL_DIV, t.y, t.z));
    if (!t.d->active[t.z])
        return;
    const uint32_t above = is_rest ? combine(t.p, ISA_KERNEL_SUB, t.x, t.v)
                                   : differ_times(t.p, t.y, t.v);
    const uint32_t part = combine(t.p, ISA_KERNEL_DIV, above, t.z);
    differ_add_shaped(
        t, t.z, differ_negative(t.p, is_rest ? differ_times(t.p, t.y, part) : part));
}

/* Adds the contributions of a power v = x^z: y z x^(z - 1) for x, which is 0 if z is; y v log(x)
 * for z, which is 0 if v is. */
static void differ_power(struct differ_binary t)
{
    const struct form_place p = t.p;
    if (t.d->active[t.x]) {
        const uint32_t less = combine(p, ISA_KERNEL_SUB, t.z, differ_ones(p, t.z));
        const uint32_t slope = differ_times(p, t.z,
                                            combine(p, ISA_KERNEL_POW, t.x, less));
        differ_add_shaped(t, t.x, differ_times(p, t.y, unless_zero(p, t.z, slope)));
    }
    if (t.d->active[t.z]) {
        const uint32_t slope = differ_times(p, t.v, apply(p, ISA_KERNEL_LOG, t.x));
        differ_add_shaped(t, t.z, differ_times(p, t.y, unless_zero(p, t.v, slope)));
    }
}

/* Adds the contributions of a length v = hypot(x, z): y x / v for x, y z / v for z; 0 if v is. */
static void differ_length(struct differ_binary t)
{
    for (int i = 0; i < 2; i++) {
        const uint32_t side = i ? t.z : t.x;
        if (t.d->active[side])
            differ_add_shaped(
                t, side,
                differ_times(
                    t.p, t.y,
                    unless_zero(t.p, t.v, combine(t.p, ISA_KERNEL_DIV, side, t.v))));
    }
}

/* Adds the contributions of an angle v = atan2(x, z): with r = hypot(x, z), y z / r^2 for x and
 * -y x / r^2 for z; 0 if r is. */
static void differ_angle(struct differ_binary t)
{
    const struct form_place p = t.p;
    const uint32_t r = combine(p, ISA_KERNEL_HYPOT, t.x, t.z);
    for (int i = 0; i < 2; i++) {
        const uint32_t side = i ? t.z : t.x, other = i ? t.x : t.z;
        if (!t.d->active[side])
            continue;
        const uint32_t slope = combine(p, ISA_KERNEL_DIV,
                                       combine(p, ISA_KERNEL_DIV, other, r), r);
        const uint32_t signed_slope = i ? differ_negative(p, slope) : slope;
        differ_add_shaped(t, side, differ_times(p, t.y, unless_zero(p, r, signed_slope)));
    }
}

/* Adds the contributions of min or max: the adjoint goes to the operand that was chosen. */
static void differ_choice(struct differ_binary t, bool is_min)
{
    const struct form_place p = t.p;
    const uint32_t active[] = {t.d->active[t.x], t.d->active[t.z]};
    if (is_real(p, t.x)) {
        const uint32_t is_first = form_compute_2(p, is_min ? ISA_OP_LE_R : ISA_OP_GE_R,
                                                 t.x, t.z);
        struct form_entry *choice = form_split(p, is_first);
        if (active[0])
            differ_add(t.d, t.x, form_merge(p, choice, t.y, form_real(p.form, 0)));
        if (active[1])
            differ_add(t.d, t.z, form_merge(p, choice, form_real(p.form, 0), t.y));
        return;
    }
    const uint32_t first = form_join(p, is_min ? ISA_KERNEL_LE : ISA_KERNEL_GE, t.x, t.z);
    const uint32_t second = form_join(p, ISA_KERNEL_EQ, first, form_zero(p, first));
    if (active[0])
        differ_add_shaped(t, t.x, differ_times(p, t.y, first));
    if (active[1])
        differ_add_shaped(t, t.z, differ_times(p, t.y, second));
}

void differ_two(struct differ_binary t, enum isa_kernel kernel)
{
    switch (kernel) {
    case ISA_KERNEL_ADD:
        differ_add_shaped(t, t.x, t.y);
        differ_add_shaped(t, t.z, t.y);
        break;
    case ISA_KERNEL_SUB:
        differ_add_shaped(t, t.x, t.y);
        differ_add_shaped(t, t.z, differ_negative(t.p, t.y));
        break;
    case ISA_KERNEL_MUL:
        if (t.d->active[t.x])
            differ_add_shaped(t, t.x, differ_times(t.p, t.y, t.z));
        if (t.d->active[t.z])
            differ_add_shaped(t, t.z, differ_times(t.p, t.y, t.x));
        break;
    case ISA_KERNEL_DIV:
    case ISA_KERNEL_REM:
        differ_quotient(t, kernel == ISA_KERNEL_REM);
        break;
    case ISA_KERNEL_POW:
        differ_power(t);
        break;
    case ISA_KERNEL_ATAN2:
        differ_angle(t);
        break;
    case ISA_KERNEL_HYPOT:
        differ_length(t);
        break;
    default:
        differ_choice(t, kernel == ISA_KERNEL_MIN);
    }
}
