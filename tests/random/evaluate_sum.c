/* Exact sums of reals, digit by digit, for accumulating arrays. */
#include "tests/random/evaluate_internal.h"

#include <math.h>

enum { DIGIT_BITS = 32, LOWEST = -1126 }; /* digit 0 is worth 2^LOWEST */

void evaluate_sum_add(struct evaluate_sum *sum, double r)
{
    int exponent;
    sum->count++;
    sum->minus_zeros += r == 0 && signbit(r);
    if (!isfinite(r)) {
        sum->special = sum->specials++ ? sum->special + r : r;
        return;
    }
    const double fraction = frexp(r, &exponent);
    const int64_t mantissa = (int64_t)ldexp(fraction, 53);
    const unsigned shift = (unsigned)(exponent - 53 - LOWEST);
    unsigned __int128 rest = (unsigned __int128)(mantissa < 0 ? -mantissa : mantissa)
                             << shift % DIGIT_BITS;
    for (unsigned at = shift / DIGIT_BITS; rest && r != 0; at++, rest >>= DIGIT_BITS)
        sum->digits[at] += (mantissa < 0 ? -1 : 1) * (int64_t)(uint32_t)rest;
}

/* Makes each digit one from 0 to 2^32 - 1. Returns the carry out of the last one. */
static int64_t carry_digits(struct evaluate_sum *sum)
{
    int64_t carry = 0;
    for (unsigned i = 0; i < EVALUATE_SUM_DIGITS; i++) {
        const int64_t digit = sum->digits[i] + carry;
        sum->digits[i] = (int64_t)(uint32_t)digit;
        carry = (digit - sum->digits[i]) / ((int64_t)1 << DIGIT_BITS);
    }
    return carry;
}

static bool bit(const struct evaluate_sum *sum, int at)
{
    return at >= 0 && sum->digits[at / DIGIT_BITS] >> at % DIGIT_BITS & 1;
}

double evaluate_sum_total(struct evaluate_sum *sum)
{
    if (sum->specials)
        return sum->special;
    const bool is_minus = carry_digits(sum) < 0;
    if (is_minus) {
        for (unsigned i = 0; i < EVALUATE_SUM_DIGITS; i++)
            sum->digits[i] = -sum->digits[i];
        carry_digits(sum);
    }
    int top = EVALUATE_SUM_DIGITS * DIGIT_BITS - 1;
    while (top >= 0 && !bit(sum, top))
        top--;
    if (top < 0)
        return sum->count == sum->minus_zeros ? -0.0 : 0.0;
    uint64_t bits = 0;
    for (int i = 0; i < 53; i++)
        bits = 2 * bits + bit(sum, top - i);
    bool is_more = bits & 1;
    for (int i = 0; i < top - 53; i++)
        is_more |= bit(sum, i);
    bits += bit(sum, top - 53) && is_more;
    const double r = ldexp((double)bits, top - 52 + LOWEST);
    return is_minus ? -r : r;
}
