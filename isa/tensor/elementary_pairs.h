/* Template: arithmetic of pairs, and the exponential without its power of 2. Included once for
 * doubles (elementary.c) and once for each kind of vectors (vectors.c), so that all execute the
 * same operations in the same order and have the same bits.
 *
 * The file that includes it defines, and undefines again:
 *   REAL      double, or a vector of doubles
 *   PAIR      name of the struct of two REALs, high and low, which it declares
 *   NAME(n)   name of a function made here
 *   INLINE    storage class and attributes of the functions
 *   FUSED(a, b, c)   only if the processor can: a * b - c, rounded once */

/* --- pairs (Dekker, Numerische Mathematik 18, 1971; Knuth, TAOCP 2, 4.2.2) ------------ */

/* Returns the exact sum; |a| >= |b|, or a is 0. */
INLINE PAIR NAME(sum_of_ordered)(REAL a, REAL b)
{
    const REAL high = a + b;
    return (PAIR){high, b - (high - a)};
}

INLINE PAIR NAME(sum)(REAL a, REAL b)
{
    const REAL high = a + b, b_there = high - a;
    return (PAIR){high, (a - (high - b_there)) + (b - b_there)};
}

/* Returns the exact product if nothing overflows or underflows. Both ways then compute the same
 * bits, as the rest is a double. */
INLINE PAIR NAME(product)(REAL a, REAL b)
{
    const REAL high = a * b;
#ifdef FUSED
    return (PAIR){high, FUSED(a, b, high)};
#else
    const REAL big_a = a * 134217729.0, big_b = b * 134217729.0; /* 2^27 + 1 */
    const REAL a1 = big_a - (big_a - a), a2 = a - a1;
    const REAL b1 = big_b - (big_b - b), b2 = b - b1;
    return (PAIR){high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
#endif
}

INLINE PAIR NAME(add_pairs)(PAIR a, PAIR b)
{
    const PAIR s = NAME(sum)(a.high, b.high);
    return NAME(sum_of_ordered)(s.high, s.low + (a.low + b.low));
}

INLINE PAIR NAME(multiply)(PAIR a, PAIR b)
{
    const PAIR p = NAME(product)(a.high, b.high);
    return NAME(sum_of_ordered)(p.high, p.low + (a.high * b.low + a.low * b.high));
}

INLINE PAIR NAME(divide)(PAIR a, PAIR b)
{
    const REAL q = a.high / b.high;
    const PAIR p = NAME(product)(q, b.high);
    const REAL left = (a.high - p.high) - p.low + a.low - q * b.low;
    return NAME(sum_of_ordered)(q, left / b.high);
}

INLINE PAIR NAME(scale)(PAIR a, REAL by)
{
    return (PAIR){a.high * by, a.low * by};
}

INLINE PAIR NAME(negative)(PAIR a)
{
    return (PAIR){-a.high, -a.low};
}

/* Reduces the argument of exp: exp(x) = 2^(n / 32) * (1 + result), for the integer n that is
 * nearest to 32 x / ln(2), found by the caller. Requires |x| < 1000. */
INLINE PAIR NAME(exponential_less_one)(REAL x, REAL n)
{
    const PAIR near = NAME(sum)(x, -n * ln2_32.high);
    const PAIR p = NAME(product)(n, (REAL){0} + ln2_32.low);
    const PAIR r = NAME(add_pairs)(near, NAME(negative)(p));
    const REAL h = r.high;
    const PAIR square = NAME(product)(h, h);
    const REAL tail =
        square.high * h *
        (1.0 / 6 +
         h * (1.0 / 24 +
              h * (1.0 / 120 +
                   h * (1.0 / 720 +
                        h * (1.0 / 5040 + h * (1.0 / 40320 + h * (1.0 / 362880)))))));
    const PAIR half = {square.high / 2.0, square.low / 2.0 + h * r.low};
    const PAIR s = NAME(sum_of_ordered)(h, half.high);
    return NAME(sum_of_ordered)(s.high, s.low + (r.low + half.low + tail));
}
