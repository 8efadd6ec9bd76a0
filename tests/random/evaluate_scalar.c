#include "tests/random/evaluate_internal.h"

#include <Random123/philox.h>
#include <assert.h>
#include <math.h>

/* An exact result, if an int can be it. */
static struct value exact(struct evaluator *ev, __int128 v)
{
    if (v < -((__int128)1 << 63) || v >= (__int128)1 << 63)
        return evaluate_fail(ev);
    return int_value((int64_t)v);
}

static struct value int_remainder(struct evaluator *ev, __int128 a, __int128 b)
{
    if (b == 0)
        return evaluate_fail(ev);
    __int128 r = a % b;
    if (evaluate_mistake_of(ev) == EVALUATE_MISTAKE_REMAINDER && r != 0 &&
        (r < 0) != (b < 0))
        r += b;
    return exact(ev, r);
}

/* One factor after the other, until the product is no int. */
static struct value int_power(struct evaluator *ev, __int128 base, int64_t exponent)
{
    __int128 all = 1;
    if (exponent < 0)
        return evaluate_fail(ev);
    if (base == 0 || base == 1)
        exponent = exponent > 0;
    if (base == -1)
        exponent %= 2;
    for (; exponent > 0 && all >= INT64_MIN && all <= INT64_MAX; exponent--)
        all *= base;
    return exact(ev, all);
}

struct value evaluate_int_operation(struct evaluator *ev, enum programs_operator op,
                                    int64_t left, int64_t right)
{
    const __int128 a = left, b = right;
    switch (op) {
    case PROGRAMS_ADD:
        if (evaluate_mistake_of(ev) == EVALUATE_MISTAKE_WRAP)
            return int_value((int64_t)((uint64_t)left + (uint64_t)right));
        return exact(ev, a + b);
    case PROGRAMS_SUB:
        return exact(ev, a - b);
    case PROGRAMS_MUL:
        return exact(ev, a * b);
    case PROGRAMS_DIV:
        if (b == 0)
            return evaluate_fail(ev);
        return exact(ev, a / b);
    case PROGRAMS_REM:
        return int_remainder(ev, a, b);
    case PROGRAMS_POW:
        return int_power(ev, a, right);
    case PROGRAMS_EQ:
        return bool_value(a == b);
    case PROGRAMS_NE:
        return bool_value(a != b);
    case PROGRAMS_LT:
        return bool_value(a < b);
    case PROGRAMS_LE:
        return bool_value(a <= b);
    case PROGRAMS_GT:
        return bool_value(a > b);
    default:
        assert(op == PROGRAMS_GE);
        return bool_value(a >= b);
    }
}

struct value evaluate_real_operation(enum programs_operator op, double a, double b)
{
    switch (op) {
    case PROGRAMS_ADD:
        return real_value(a + b);
    case PROGRAMS_SUB:
        return real_value(a - b);
    case PROGRAMS_MUL:
        return real_value(a * b);
    case PROGRAMS_DIV:
        return real_value(a / b);
    case PROGRAMS_REM:
        return real_value(fmod(a, b));
    case PROGRAMS_POW:
        return real_value(pow(a, b));
    case PROGRAMS_EQ:
        return bool_value(a == b);
    case PROGRAMS_NE:
        return bool_value(a != b);
    case PROGRAMS_LT:
        return bool_value(a < b);
    case PROGRAMS_LE:
        return bool_value(a <= b);
    case PROGRAMS_GT:
        return bool_value(a > b);
    default:
        assert(op == PROGRAMS_GE);
        return bool_value(a >= b);
    }
}

/* The smaller real (the greater one): NaN with a NaN, -0.0 before 0.0. */
static double real_extreme(const struct evaluator *ev, double a, double b, bool greater)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == 0 && b == 0 && evaluate_mistake_of(ev) != EVALUATE_MISTAKE_ZERO) {
        bool minus = greater ? signbit(a) && signbit(b) : signbit(a) || signbit(b);
        return minus ? -0.0 : 0.0;
    }
    if (greater)
        return a > b ? a : b;
    return a < b ? a : b;
}

struct value evaluate_real_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                   double a, double b)
{
    switch (builtin) {
    case PROGRAMS_BUILTIN_ABS:
        return real_value(signbit(a) ? -a : a);
    case PROGRAMS_BUILTIN_MIN:
        return real_value(real_extreme(ev, a, b, false));
    case PROGRAMS_BUILTIN_MAX:
        return real_value(real_extreme(ev, a, b, true));
    case PROGRAMS_BUILTIN_SQRT:
        return real_value(sqrt(a));
    case PROGRAMS_BUILTIN_EXP:
        return real_value(exp(a));
    case PROGRAMS_BUILTIN_LOG:
        return real_value(log(a));
    case PROGRAMS_BUILTIN_SIN:
        return real_value(sin(a));
    case PROGRAMS_BUILTIN_COS:
        return real_value(cos(a));
    case PROGRAMS_BUILTIN_TANH:
        return real_value(tanh(a));
    case PROGRAMS_BUILTIN_ATAN:
        return real_value(atan(a));
    case PROGRAMS_BUILTIN_ERF:
        return real_value(erf(a));
    case PROGRAMS_BUILTIN_ATAN2:
        return real_value(atan2(a, b));
    case PROGRAMS_BUILTIN_HYPOT:
        return real_value(hypot(a, b));
    case PROGRAMS_BUILTIN_FLOOR:
        return real_value(floor(a));
    default:
        assert(builtin == PROGRAMS_BUILTIN_INT);
        a = trunc(a);
        if (isnan(a) || a < -9223372036854775808.0 || a >= 9223372036854775808.0)
            return evaluate_fail(ev);
        return int_value((int64_t)a);
    }
}

/* --- bits: one after the other --------------------------------------------------------- */

static bool bit(int64_t a, int64_t number)
{
    return ((uint64_t)a >> number) % 2 == 1;
}

static int64_t with_bit(int64_t a, int number, bool is_one)
{
    return is_one ? (int64_t)((uint64_t)a | UINT64_C(1) << number) : a;
}

static bool bit_of_both(enum programs_builtin builtin, bool a, bool b)
{
    return builtin == PROGRAMS_BUILTIN_BIT_AND  ? a && b
           : builtin == PROGRAMS_BUILTIN_BIT_OR ? a || b
                                                : a != b;
}

/* Returns bit `number` of `a`, moved by `places`. */
static bool bit_of_moved(enum programs_builtin builtin, int64_t a, int64_t places,
                         int number)
{
    switch (builtin) {
    case PROGRAMS_BUILTIN_SHIFT_LEFT:
        return number >= places && bit(a, number - places);
    case PROGRAMS_BUILTIN_ROTATE_LEFT:
        return bit(a, (number - places + 64) % 64);
    case PROGRAMS_BUILTIN_SHIFT_RIGHT:
        return number + places < 64 && bit(a, number + places);
    default:
        assert(builtin == PROGRAMS_BUILTIN_SHIFT_SIGNED);
        return number + places < 64 ? bit(a, number + places) : a < 0;
    }
}

static struct value bits_of(struct evaluator *ev, enum programs_builtin builtin,
                            int64_t a, int64_t b)
{
    const bool moves = builtin >= PROGRAMS_BUILTIN_SHIFT_LEFT;
    int64_t result = 0;
    if (moves && (b < 0 || b >= 64))
        return evaluate_fail(ev);
    for (int i = 0; i < 64; i++)
        result = with_bit(result, i,
                          builtin == PROGRAMS_BUILTIN_BIT_NOT ? !bit(a, i)
                          : moves ? bit_of_moved(builtin, a, b, i)
                                  : bit_of_both(builtin, bit(a, i), bit(b, i)));
    return int_value(result);
}

static struct value count_ones(int64_t a)
{
    int64_t count = 0;
    for (int i = 0; i < 64; i++)
        count += bit(a, i);
    return int_value(count);
}

/* Returns the bits from `first` on of a sum or product. */
static struct value wrapped(unsigned __int128 v, unsigned first)
{
    return int_value((int64_t)(uint64_t)(v >> first));
}

static struct value word_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                 int64_t left, int64_t right)
{
    const unsigned __int128 a = (uint64_t)left, b = (uint64_t)right;
    switch (builtin) {
    case PROGRAMS_BUILTIN_COUNT_ONES:
        return count_ones(left);
    case PROGRAMS_BUILTIN_ADD_WRAPPING:
        return wrapped(a + b, 0);
    case PROGRAMS_BUILTIN_SUB_WRAPPING:
        return wrapped(a - b, 0);
    case PROGRAMS_BUILTIN_MUL_WRAPPING:
        return wrapped(a * b, 0);
    case PROGRAMS_BUILTIN_MUL_HIGH:
        return wrapped((unsigned __int128)((__int128)left * right), 64);
    case PROGRAMS_BUILTIN_MUL_HIGH_U:
        return wrapped(a * b, 64);
    case PROGRAMS_BUILTIN_LESS_UNSIGNED:
        return bool_value(a < b);
    default:
        if (b == 0)
            return evaluate_fail(ev);
        return wrapped(builtin == PROGRAMS_BUILTIN_DIV_UNSIGNED ? a / b : a % b, 0);
    }
}

/* The upper 53 bits, one after the other. */
static struct value draw(int64_t key, int64_t number)
{
    const philox2x64_key_t of_key = {{(uint64_t)key}};
    const philox2x64_ctr_t counter = {{0, (uint64_t)number}};
    const philox2x64_ctr_t made = philox2x64(counter, of_key);
    double all = 0, place = 0.5;
    for (int i = 63; i >= 11; i--, place /= 2)
        all += bit((int64_t)made.v[0], i) ? place : 0;
    return real_value(all);
}

struct value evaluate_int_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                  int64_t a, int64_t b)
{
    if (builtin >= PROGRAMS_BUILTIN_COUNT_ONES)
        return word_builtin(ev, builtin, a, b);
    if (builtin >= PROGRAMS_BUILTIN_BIT_AND)
        return bits_of(ev, builtin, a, b);
    switch (builtin) {
    case PROGRAMS_BUILTIN_RANDOM:
        return draw(a, b);
    case PROGRAMS_BUILTIN_ABS:
        return exact(ev, a < 0 ? -(__int128)a : a);
    case PROGRAMS_BUILTIN_MIN:
        return int_value(b < a ? b : a);
    case PROGRAMS_BUILTIN_MAX:
        return int_value(b > a ? b : a);
    default:
        assert(builtin == PROGRAMS_BUILTIN_REAL);
        return real_value((double)a);
    }
}

struct value evaluate_int_negation(struct evaluator *ev, int64_t a)
{
    return exact(ev, -(__int128)a);
}
