/* Method: a table brings the argument near to 0, a polynomial does the rest. Large terms are pairs
 * of doubles, with some 100 bits; small ones are single doubles. So a result is known to some 70
 * bits before it is rounded. */
#include "isa/tensor/elementary.h"

#include "isa/tensor/elementary_tables.h"

#include <float.h>
#include <string.h>

/* 16: as 0, with a half-precision type beside. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "doubles are computed as doubles");

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns 2^k for normal numbers: -1022 <= k <= 1023. */
static double power_of_2(int k)
{
    return of_bits((uint64_t)(k + 1023) << 52);
}

static bool is_nan_or_infinite(double x)
{
    return (bits_of(x) >> 52 & 0x7ff) == 0x7ff;
}

/* Returns the exponent of a positive finite x, and makes x a number from 1 to 2. */
static int exponent_of(double *x)
{
    int exponent = -1023;
    if (*x < 0x1p-1022) {
        *x *= 0x1p54;
        exponent -= 54;
    }
    exponent += (int)(bits_of(*x) >> 52);
    *x = of_bits((bits_of(*x) & (UINT64_MAX >> 12)) | UINT64_C(1023) << 52);
    return exponent;
}

#define REAL double
#define PAIR struct pair
#define NAME(name) name
#define INLINE static inline
#include "isa/tensor/elementary_pairs.h"
#undef REAL
#undef PAIR
#undef NAME
#undef INLINE

/* Returns the double nearest to 2^k a, for |a| from 1/2 to 2. Subnormal results are rounded
 * once. */
static double round_scaled(struct pair a, int k)
{
    if (k > 0)
        return (a.high + a.low) * power_of_2(k - 1) * 2;
    if (k > -1022 || (k == -1022 && a.high >= 1))
        return (a.high + a.low) * power_of_2(k);
    if (k < -1080)
        return 0;
    /* last bit of `large` is that of subnormals */
    const double large = power_of_2(52 - 1074 - k);
    const struct pair s = sum(large, a.high);
    const double rounded = (s.high + (s.low + a.low)) - large;
    return rounded * power_of_2(-1000) * power_of_2(k + 1000);
}

/* exp(x) = 2^k * power[i] * (1 + less_one). */
struct exponential {
    int k, i;
    struct pair less_one;
};

/* Requires |x| < 1000. */
static struct exponential exponential_of(double x)
{
    const double n = __builtin_floor(x * per_ln2_32 + 0.5);
    const int whole = (int)n;
    return (struct exponential){
        .k = whole >> 5,
        .i = whole & 31,
        .less_one = exponential_less_one(x, n),
    };
}

/* Returns the exponential without its power of 2. */
static struct pair fraction_of(const struct exponential *e)
{
    return add_pairs(power[e->i], multiply(power[e->i], e->less_one));
}

double isa_real_exp(double x)
{
    if (x != x)
        return x;
    if (x > 709.79)
        return __builtin_inf();
    if (x < -745.2)
        return 0;
    const struct exponential e = exponential_of(x);
    return round_scaled(fraction_of(&e), e.k);
}

static struct pair exp_of_negative(double x)
{
    const struct exponential e = exponential_of(x);
    return scale(fraction_of(&e), power_of_2(e.k));
}

double isa_real_sigmoid(double x)
{
    static const struct pair one = {1, 0};
    if (x != x)
        return x;
    const double size = __builtin_fabs(x);
    if (size > 745.2)
        return x > 0 ? 1 : 0;
    const struct pair small = size > 690 ? (struct pair){0, 0} : exp_of_negative(-size);
    const struct pair whole = add_pairs(one, small);
    if (x >= 0) {
        const struct pair q = divide(one, whole);
        return q.high + q.low;
    }
    const struct exponential e = exponential_of(x);
    return round_scaled(divide(fraction_of(&e), whole), e.k);
}

double isa_real_tanh(double x)
{
    static const struct pair two = {2, 0}, less_one = {-1, 0};
    const double size = __builtin_fabs(x);
    if (x != x || size < 0x1p-28)
        return x; /* the next term, x^3 / 3, is less than half an ulp */
    if (size > 20)
        return x > 0 ? 1 : -1;
    /* (1 - exp(-2x)) / (1 + exp(-2x)) = -d / (2 + d), where d = exp(-2x) - 1 */
    const struct exponential e = exponential_of(-2 * size);
    const struct pair d = e.k == 0 && e.i == 0
                              ? e.less_one
                              : add_pairs(exp_of_negative(-2 * size), less_one);
    const struct pair q = divide(negative(d), add_pairs(two, d));
    return x > 0 ? q.high + q.low : -(q.high + q.low);
}

/* --- logarithms ---------------------------------------------------------------------------- */

/* Returns log(1 + r) for a small r. */
static struct pair log_of_one_and(struct pair r)
{
    const double h = r.high;
    const struct pair square = product(h, h);
    const double tail =
        square.high * h *
        (1.0 / 3 -
         h * (1.0 / 4 -
              h * (1.0 / 5 -
                   h * (1.0 / 6 -
                        h * (1.0 / 7 -
                             h * (1.0 / 8 - h * (1.0 / 9 - h * (1.0 / 10))))))));
    const struct pair half = {square.high / 2, square.low / 2 + h * r.low};
    const struct pair s = sum_of_ordered(h, -half.high);
    return sum_of_ordered(s.high, s.low + (r.low - half.low + tail));
}

/* A positive finite x: log(x) = n ln(2) + logarithm[i].log + log(1 + rest). */
struct reduced {
    double n;
    int i;
    struct pair rest;
};

static struct reduced reduce_log(double x)
{
    const int exponent = exponent_of(&x);
    const bool is_more = x > 1.4142135623730951;
    const double m = is_more ? x / 2 : x;
    const int i = (int)(m * 128 + 0.5) - LOG_FIRST;
    const struct pair p = product(m, logarithm[i].inverse);
    return (struct reduced){exponent + is_more, i, sum_of_ordered(p.high - 1, p.low)};
}

/* Returns the logarithm; `small` is log(1 + rest). */
static struct pair join_log(const struct reduced *x, struct pair small)
{
    const struct pair low = product(x->n, ln2_short.low);
    const struct pair whole = add_pairs((struct pair){x->n * ln2_short.high, 0}, low);
    return add_pairs(add_pairs(whole, logarithm[x->i].log), small);
}

double isa_real_log(double x)
{
    if (x != x || x == __builtin_inf())
        return x;
    if (x == 0)
        return -__builtin_inf();
    if (x < 0)
        return __builtin_nan("");
    const struct reduced reduced = reduce_log(x);
    const struct pair all = join_log(&reduced, log_of_one_and(reduced.rest));
    return all.high + all.low;
}

/* --- powers ------------------------------------------------------------------------------- */

/* Returns log(1 + r) for a small r, with a relative error of 2^-95. */
static struct pair exact_log_of_one_and(struct pair r)
{
    const struct pair terms[] = {scale(third, 0.5), fifth, {0.25, 0}, third,
                                 {0.5, 0},          {1, 0}};
    const double h = r.high;
    struct pair all = {
        1.0 / 7 -
            h * (1.0 / 8 - h * (1.0 / 9 - h * (1.0 / 10 - h * (1.0 / 11 - h / 12)))),
        0};
    for (int i = 0; i < 6; i++)
        all = add_pairs(terms[i], negative(multiply(r, all)));
    return multiply(r, all);
}

static double exp_of_pair(struct pair x)
{
    if (x.high > 710)
        return __builtin_inf();
    if (x.high < -746)
        return 0;
    const struct exponential e = exponential_of(x.high);
    const struct pair fraction = fraction_of(&e);
    const struct pair rest = {fraction.high * x.low, 0};
    return round_scaled(add_pairs(fraction, rest), e.k);
}

/* Returns x^y for a positive finite x and a finite y. */
static double power_of(double x, double y)
{
    const struct reduced reduced = reduce_log(x);
    const struct pair log = join_log(&reduced, exact_log_of_one_and(reduced.rest));
    const double near = y * log.high;
    if (near > 800)
        return __builtin_inf();
    if (near < -800)
        return 0;
    if (__builtin_fabs(near) < 0x1p-60)
        return 1;
    return exp_of_pair(multiply((struct pair){y, 0}, log));
}

/* Whether y is an integer; sets is_odd. */
static bool is_integer(double y, bool *is_odd)
{
    const double size = __builtin_fabs(y);
    *is_odd = size < 0x1p53 && (int64_t)size & 1;
    return size >= 0x1p53 || (double)(int64_t)size == size;
}

double isa_real_pow(double x, double y)
{
    bool is_odd;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    const bool whole = is_integer(y, &is_odd);
    const double size = __builtin_fabs(x);
    double result;
    if (size == 1)
        result = 1;
    else if (size == 0 || is_nan_or_infinite(size) || is_nan_or_infinite(y))
        result = (size > 1) == (y > 0) ? __builtin_inf() : 0;
    else if (x < 0 && !whole)
        return __builtin_nan("");
    else
        result = power_of(size, y);
    if (x == -1 && !whole)
        return __builtin_nan("");
    return whole && is_odd && !is_nan_or_infinite(y) ? __builtin_copysign(result, x)
                                                     : result;
}

/* --- sine and cosine ----------------------------------------------------------------------- */

/* An angle: `turn` quarters of a circle plus `rest`, at most pi / 4. */
struct angle {
    unsigned turn;
    struct pair rest;
};

/* Returns 256 bits of 2 / pi, most significant word first, from the bit whose weight times 2^e is
 * 2. Earlier bits make whole circles. */
static void bits_of_two_over_pi(int e, uint64_t window[4])
{
    const unsigned at = (unsigned)(e - 2 + 64), word = at / 64, shift = at % 64;
    for (unsigned i = 0; i < 4; i++) {
        window[i] = two_over_pi[word + i] << shift;
        if (shift > 0)
            window[i] |= two_over_pi[word + i + 1] >> (64 - shift);
    }
}

/* Returns the fraction in `words`, below 1/2, whose most significant bit counts 1. */
static struct pair pair_of_words(const uint64_t words[4])
{
    unsigned first = 0;
    while (first < 2 && words[first] == 0)
        first++;
    const unsigned zeros = words[first] ? (unsigned)__builtin_clzll(words[first]) : 0;
    uint64_t high = words[first] << zeros, low = words[first + 1] << zeros;
    if (zeros > 0) {
        high |= words[first + 1] >> (64 - zeros);
        if (first + 2 < 4)
            low |= words[first + 2] >> (64 - zeros);
    }
    const double unit = power_of_2(-(int)(64 * first + zeros));
    const double upper = (double)(high >> 11) * 0x1p-52;
    const double lower = (double)((high & 0x7ff) << 42 | low >> 22) * 0x1p-105;
    return scale(sum_of_ordered(upper, lower), unit);
}

/* Reduces a finite x >= pi / 4: the turn is x * 2 / pi rounded to an integer, modulo 4 (Payne,
 * Hanek, SIGNUM Newsletter 18, 1983). */
static struct angle angle_of(double x)
{
    const int e = (int)(bits_of(x) >> 52) - 1075;
    const uint64_t m = (bits_of(x) & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    uint64_t window[4];
    unsigned __int128 carry = 0;
    bits_of_two_over_pi(e, window);
    for (int i = 3; i >= 0; i--) {
        carry += (unsigned __int128)window[i] * m;
        window[i] = (uint64_t)carry;
        carry >>= 64;
    }
    /* Two bits count quarters of a circle; the next bit is half of one. */
    unsigned turn = (unsigned)(window[0] >> 62);
    const bool is_more = window[0] >> 61 & 1;
    if (is_more) {
        turn++;
        bool borrows = true; /* the complement: distance to the next quarter */
        for (int i = 3; i >= 0; i--) {
            window[i] = ~window[i] + borrows;
            borrows = borrows && window[i] == 0;
        }
    }
    window[0] = window[0] << 2 >> 2;
    const struct pair rest = multiply(scale(pair_of_words(window), 2), half_pi);
    return (struct angle){turn, is_more ? negative(rest) : rest};
}

/* Computes sine and cosine of an angle from 0 to slightly above pi / 4. */
static void sin_and_cos(struct pair r, struct pair *sine, struct pair *cosine)
{
    const int i = (int)(r.high * 32 + 0.5);
    const struct pair near = sum(r.high - i * 0x1p-5, r.low);
    const double d = near.high;
    const struct pair square = product(d, d);
    const double s = square.high;
    const double tail = d * s *
                        (-1.0 / 6 +
                         s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880))));
    const struct pair sin_d = sum_of_ordered(d, near.low + (tail - s * near.low / 2));
    const double tail_of_cos =
        s * s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800))));
    const struct pair cos_d_less_one = sum_of_ordered(
        -s / 2, tail_of_cos - (square.low / 2 + d * near.low));
    const struct pair S = circle[i].sin, C = circle[i].cos;
    *sine = add_pairs(S, add_pairs(multiply(C, sin_d), multiply(S, cos_d_less_one)));
    *cosine = add_pairs(
        C, add_pairs(multiply(C, cos_d_less_one), negative(multiply(S, sin_d))));
}

/* Returns the sine of `quarters` quarters of a circle plus |x|. */
static double sine_of(unsigned quarters, double x)
{
    struct angle angle = {0, {x, 0}};
    struct pair sine, cosine;
    if (x > 0.7853981633974483)
        angle = angle_of(x);
    const bool is_negative = angle.rest.high < 0;
    sin_and_cos(is_negative ? negative(angle.rest) : angle.rest, &sine, &cosine);
    quarters += angle.turn;
    struct pair result = quarters & 1 ? cosine : is_negative ? negative(sine) : sine;
    if (quarters & 2)
        result = negative(result);
    return result.high + result.low;
}

double isa_real_sin(double x)
{
    if (is_nan_or_infinite(x))
        return x - x;
    if (__builtin_fabs(x) < 0x1p-27)
        return x; /* the next term, x^3 / 6, is less than half an ulp */
    return x < 0 ? -sine_of(0, -x) : sine_of(0, x);
}

double isa_real_cos(double x)
{
    if (is_nan_or_infinite(x))
        return x - x;
    if (__builtin_fabs(x) < 0x1p-27)
        return 1;
    return sine_of(1, __builtin_fabs(x));
}

/* --- angles and lengths -------------------------------------------------------------------- */

/* Returns atan(y / x) of positive numbers whose quotient is from 2^-100 to 2^100. */
static struct pair atan_of_quotient(double y, double x)
{
    static const struct pair one = {1, 0};
    const bool is_steep = y > x;
    const struct pair a = {is_steep ? x : y, 0}, b = {is_steep ? y : x, 0};
    const struct pair t = divide(a, b);
    const int i = (int)(t.high * 64 + 0.5);
    const struct pair near = sum(t.high - i * 0x1p-6, t.low);
    /* the difference of the angles of t and i / 64 */
    const struct pair d = divide(
        near, add_pairs(one, multiply(t, (struct pair){i * 0x1p-6, 0})));
    const double h = d.high, s = h * h;
    const double tail =
        h * s *
        (-1.0 / 3 + s * (1.0 / 5 + s * (-1.0 / 7 + s * (1.0 / 9 + s * (-1.0 / 11)))));
    const struct pair angle = add_pairs(arctangent[i], sum_of_ordered(h, d.low + tail));
    return is_steep ? add_pairs(half_pi, negative(angle)) : angle;
}

double isa_real_atan(double x)
{
    const double size = __builtin_fabs(x);
    if (x != x || size < 0x1p-27)
        return x; /* the next term, x^3 / 3, is less than half an ulp */
    if (size > 0x1p60)
        return __builtin_copysign(half_pi.high, x);
    const struct pair angle = atan_of_quotient(size, 1);
    return __builtin_copysign(angle.high + angle.low, x);
}

/* Returns the angle of the point (x, y) if one of them is 0 or infinite; y is not negative. */
static double special_angle(double y, double x)
{
    const double inf = __builtin_inf();
    if (y == inf && __builtin_fabs(x) == inf)
        return x > 0 ? half_pi.high / 2 : 2.356194490192345; /* 3 pi / 4 */
    if (y == 0 || __builtin_fabs(x) == inf)
        return __builtin_signbit(x) ? 2 * half_pi.high : 0;
    return half_pi.high;
}

double isa_real_atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    double a = __builtin_fabs(y), b = __builtin_fabs(x);
    if (a == 0 || b == 0 || is_nan_or_infinite(a) || is_nan_or_infinite(b))
        return __builtin_copysign(special_angle(a, x), y);
    const int exponent = exponent_of(&a), k = exponent - exponent_of(&b);
    if (k < -34 && x > 0) /* the quotient */
        return __builtin_copysign(
            round_scaled(divide((struct pair){a, 0}, (struct pair){b, 0}), k), y);
    struct pair angle = k > 70    ? half_pi
                        : k < -70 ? (struct pair){0, 0}
                                  : atan_of_quotient(a * power_of_2(k), b);
    if (x < 0)
        angle = add_pairs(scale(half_pi, 2), negative(angle));
    return __builtin_copysign(angle.high + angle.low, y);
}

double isa_real_hypot(double x, double y)
{
    const double inf = __builtin_inf();
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (a == inf || b == inf)
        return inf;
    if (a != a || b != b)
        return a + b;
    if (a < b) {
        const double smaller = a;
        a = b;
        b = smaller;
    }
    if (b == 0)
        return a;
    const double most = a;
    const int k = exponent_of(&a), less = exponent_of(&b);
    if (k - less > 60)
        return most;
    b *= power_of_2(less - k);
    const struct pair square = add_pairs(product(a, a), product(b, b));
    const double root = __builtin_sqrt(square.high);
    const struct pair p = product(root, root);
    const double rest = ((square.high - p.high) - p.low + square.low) / (2 * root);
    return round_scaled((struct pair){root / 2, rest / 2}, k + 1);
}

/* --- the error function --------------------------------------------------------------------- */

/* Returns the sum of terms 3 to 12 of the Taylor series of erf at c, divided by its derivative
 * there and by d^3. Term n is derivative n + 1, by the recurrence of Hermite's polynomials. */
static double tail_of_erf(double c, double d)
{
    double before = -c, now = (2 * c * c - 1) / 3, factor = d, all = 0;
    for (int n = 2; n < 12; n++) {
        const double next = -2 * (c * now + n * before / (n + 1)) / (n + 2);
        before = now;
        now = next;
        all += now * factor;
        factor *= d;
    }
    return all;
}

double isa_real_erf(double x)
{
    static const struct pair one = {1, 0};
    double size = __builtin_fabs(x);
    if (x != x || size == 0)
        return x;
    if (size > 6)
        return x > 0 ? 1 : -1;
    if (size < 0x1p-34) {
        const int k = exponent_of(&size);
        const struct pair first = multiply(two_per_root_pi, (struct pair){size / 2, 0});
        return __builtin_copysign(round_scaled(first, k + 1), x);
    }
    const int i = (int)(size * 16 + 0.5);
    const double c = i * 0x1p-4;
    const struct pair d = {size - c, 0};
    struct pair all = add_pairs(multiply(third, (struct pair){2 * c * c - 1, 0}),
                                (struct pair){tail_of_erf(c, d.high), 0});
    all = add_pairs((struct pair){-c, 0}, multiply(d, all));
    all = multiply(d, add_pairs(one, multiply(d, all)));
    all = add_pairs(error_function[i].erf, multiply(error_function[i].slope, all));
    return __builtin_copysign(all.high + all.low, x);
}

double isa_real_erf_slope(double x)
{
    if (x != x)
        return x;
    if (__builtin_fabs(x) > 28)
        return 0;
    const struct pair square = product(x, x);
    const struct exponential e = exponential_of(-square.high);
    const struct pair f = fraction_of(&e);
    const struct pair value = add_pairs(f, (struct pair){-f.high * square.low, 0});
    return round_scaled(scale(multiply(value, two_per_root_pi), 0.5), e.k + 1);
}

double isa_real_gauss(double u, double turn, bool is_second)
{
    const double radius = __builtin_sqrt(-2 * isa_real_log(1 - u));
    const double angle = 6.283185307179586 * turn;
    return radius * (is_second ? isa_real_sin(angle) : isa_real_cos(angle));
}
