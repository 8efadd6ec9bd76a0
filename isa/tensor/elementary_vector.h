/* Template: exp, tanh and sigmoid of many elements, a vector of them at a time. Included by
 * vectors.c once for each kind of vectors. Each lane executes the operations of the function of
 * one element (elementary.c), so the bits are the same; elements for which that function does
 * something special are left to it.
 *
 * Besides the macros of elementary_pairs.h, the file that includes it defines BITS, a vector of
 * uint64_t as wide as REAL; LANES, the doubles in a vector; and LOOK_UP(table, i), which returns
 * table[2 * i] for each lane of i. */
#include "isa/tensor/elementary_pairs.h"

INLINE BITS NAME(bits_of)(REAL x)
{
    BITS bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE REAL NAME(of_bits)(BITS bits)
{
    REAL x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns x in the lanes of `mask`, and y in the others. */
INLINE REAL NAME(choose)(BITS mask, REAL x, REAL y)
{
    return NAME(of_bits)((NAME(bits_of)(x) & mask) | (NAME(bits_of)(y) & ~mask));
}

INLINE REAL NAME(magnitude)(REAL x)
{
    return NAME(of_bits)(NAME(bits_of)(x) & (UINT64_MAX >> 1));
}

/* An exponential: 2^k times `fraction`; `power` is 2^k. */
struct NAME(exponential) {
    REAL n, power;
    PAIR less_one, fraction;
};

/* Requires 2^-60 <= |x| <= 690, or x == 0. */
INLINE struct NAME(exponential) NAME(exponential_of)(REAL x)
{
    /* Adding and subtracting `integers` rounds to an integer, whose low bits are those of the
     * sum. */
    const double integers = 0x1.8p52;
    const REAL wanted = x * per_ln2_32 + 0.5;
    const REAL rounded = (wanted + integers) - integers;
    const REAL one = (REAL){0} + 1.0;
    const REAL n = rounded -
                   NAME(choose)((BITS)(rounded > wanted), one, (REAL){0}); /* floor */
    const BITS whole = NAME(bits_of)(n + integers) - NAME(bits_of)((REAL){0} + integers);
    const BITS i = whole & 31;
    const PAIR root = {LOOK_UP(&power[0].high, i), LOOK_UP(&power[0].low, i)};
    struct NAME(exponential) e = {.n = n};
    e.power = NAME(of_bits)(((whole - i) << 47) + (UINT64_C(1023) << 52));
    e.less_one = NAME(exponential_less_one)(x, n);
    e.fraction = NAME(add_pairs)(root, NAME(multiply)(root, e.less_one));
    return e;
}

/* Sets *usual to the lanes that need nothing special. Returns x in these, and 0 in others and where
 * |x| is below 2^-60. */
INLINE REAL NAME(usual_of)(REAL x, double greatest, BITS *usual)
{
    const REAL size = NAME(magnitude)(x);
    *usual = (BITS)(size <= greatest);
    return NAME(of_bits)(NAME(bits_of)(x) & *usual & (BITS)(size >= 0x1p-60));
}

/* exp(x) is 1 to the last bit where |x| is below 2^-60. */
INLINE REAL NAME(exp)(REAL x, BITS *usual)
{
    const struct NAME(exponential)
        e = NAME(exponential_of)(NAME(usual_of)(x, 690, usual));
    return (e.fraction.high + e.fraction.low) * e.power;
}

INLINE REAL NAME(sigmoid)(REAL x, BITS *usual)
{
    const REAL near = NAME(usual_of)(x, 690, usual), size = NAME(magnitude)(near);
    const BITS is_negative = (BITS)(near < 0.0);
    const struct NAME(exponential) e = NAME(exponential_of)(-size);
    const REAL one = (REAL){0} + 1.0;
    const PAIR ones = {one, (REAL){0}};
    const PAIR whole = NAME(add_pairs)(ones, NAME(scale)(e.fraction, e.power));
    const PAIR upper = {NAME(choose)(is_negative, e.fraction.high, one),
                        NAME(choose)(is_negative, e.fraction.low, (REAL){0})};
    const PAIR q = NAME(divide)(upper, whole);
    return (q.high + q.low) * NAME(choose)(is_negative, e.power, one);
}

INLINE REAL NAME(tanh)(REAL x, BITS *usual)
{
    const BITS is_tiny = (BITS)(NAME(magnitude)(x) < 0x1p-28);
    const REAL size = NAME(magnitude)(NAME(usual_of)(x, 20, usual));
    const struct NAME(exponential) e = NAME(exponential_of)(-2.0 * size);
    const REAL one = (REAL){0} + 1.0;
    const PAIR less_ones = {-one, (REAL){0}}, twos = {one + one, (REAL){0}};
    const BITS is_near = (BITS)(e.n == 0.0);
    const PAIR far = NAME(add_pairs)(NAME(scale)(e.fraction, e.power), less_ones);
    const PAIR d = {NAME(choose)(is_near, e.less_one.high, far.high),
                    NAME(choose)(is_near, e.less_one.low, far.low)};
    const PAIR q = NAME(divide)(NAME(negative)(d), NAME(add_pairs)(twos, d));
    const REAL result = NAME(choose)((BITS)(x > 0.0), q.high + q.low, -(q.high + q.low));
    return NAME(choose)(is_tiny, x, result);
}

/* Functions of many elements. */
#define FUNCTION(function)                                                               \
    INLINE void NAME(function##_some)(const double *from, double *to, uint64_t count)    \
    {                                                                                    \
        REAL x = {0};                                                                    \
        BITS usual;                                                                      \
        memcpy(&x, from, count * sizeof *from);                                          \
        const REAL y = NAME(function)(x, &usual);                                        \
        double before[LANES];                                                            \
        uint64_t is_usual[LANES], all = UINT64_MAX;                                      \
        memcpy(before, &x, sizeof before);                                               \
        memcpy(is_usual, &usual, sizeof is_usual);                                       \
        memcpy(to, &y, count * sizeof *to);                                              \
        for (uint64_t i = 0; i < LANES; i++)                                             \
            all &= is_usual[i];                                                          \
        for (uint64_t i = 0; all == 0 && i < count; i++)                                 \
            if (is_usual[i] == 0)                                                        \
                to[i] = isa_real_##function(before[i]);                                  \
    }                                                                                    \
                                                                                         \
    TARGET static void NAME(function##_all)(const double *from, double *to,              \
                                            uint64_t count)                              \
    {                                                                                    \
        uint64_t i = 0;                                                                  \
        for (; i + LANES <= count; i += LANES)                                           \
            NAME(function##_some)(from + i, to + i, LANES);                              \
        if (count - i > 4)                                                               \
            NAME(function##_some)(from + i, to + i, count - i);                          \
        else                                                                             \
            for (; i < count; i++)                                                       \
                to[i] = isa_real_##function(from[i]);                                    \
    }
FUNCTION(exp)
FUNCTION(tanh)
FUNCTION(sigmoid)
#undef FUNCTION
