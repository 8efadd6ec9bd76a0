#include "lib/shortest.h"

#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* 10^(27 * (i - 11)) / 2^e < 1, rounded down, as 192 bits of which the first is 1. */
static const uint64_t tens[24][3] = {
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36},
    {0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7},
    {0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662},
    {0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418},
    {0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d},
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396},
    {0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3},
    {0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec},
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901},
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8},
    {0x9e74d1b791e07e48, 0x775ea264cf55347d, 0xca49f1c05120c9c7},
    {0x8000000000000000, 0x0000000000000000, 0x0000000000000000},
    {0xcecb8f27f4200f3a, 0x0000000000000000, 0x0000000000000000},
    {0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000},
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28},
    {0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3},
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f},
    {0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5},
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c},
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde},
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47},
    {0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c},
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37},
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2},
};

/* floor(log2(10^k)), floor(log10(2^q)), and floor(log10(3/4 * 2^q)), for |k| < 400, |q| < 1100. */
static int log2_of_ten(int k)
{
    return (k * 1741647) >> 19;
}

static int log10_of_two(int q, bool three_quarters)
{
    return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/* Returns 10^k / 2^e as 128 bits of which the first is 1, rounded up, for -292 <= k <= 324. The 190
 * bits that are computed suffice: tests/unit/lib/shortest.c. */
static wide power_of_ten(int k)
{
    const uint64_t *base = tens[(k + 297) / 27];
    uint64_t factor = 1; /* at most 5^26 */
    for (int i = (k + 297) % 27; i > 0; i--)
        factor *= 5;
    factor <<= __builtin_clzll(factor);
    const wide low = ((wide)base[2] * factor >> 64) + (uint64_t)((wide)base[1] * factor);
    const wide high = (wide)base[0] * factor + ((wide)base[1] * factor >> 64) +
                      (low >> 64);
    const bool is_normal = high >> 127;
    const wide power = is_normal ? high : high << 1 | (uint64_t)low >> 63;
    return power + !(k >= 0 && k <= 55); /* 5^55 has less than 128 bits */
}

/* power * c / 2^128, rounded down; if it is not a whole number, to the odd one beside it. */
static uint64_t round_to_odd(wide power, uint64_t c)
{
    const wide product = (power >> 64) * c + ((power & UINT64_MAX) * c >> 64);
    return (uint64_t)(product >> 64) | ((uint64_t)product > 1);
}

struct lib_decimal lib_shortest(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    const int biased = (int)(bits >> 52);
    const uint64_t c = biased ? fraction | (uint64_t)1 << 52 : fraction;
    const int q = (biased ? biased : 1) - 1075; /* value = c * 2^q */
    /* Below a power of two doubles are twice as dense. */
    const bool is_denser = fraction == 0 && biased > 1;
    const int k = log10_of_two(q, is_denser), h = q + log2_of_ten(-k) + 1;
    const wide power = power_of_ten(-k);
    /* Four times the value, and the bounds of what is rounded to it, in units of 10^k. Bounds are
     * rounded to it if it is even. */
    const uint64_t v = round_to_odd(power, 4 * c << h);
    const uint64_t low = round_to_odd(power, (4 * c - 2 + is_denser) << h) + (c & 1);
    const uint64_t high = round_to_odd(power, (4 * c + 2) << h) - (c & 1);
    const uint64_t unit = v / 4, ten = unit / 10;
    bool is_below = low <= 40 * ten, is_above = 40 * ten + 40 <= high;
    if (unit >= 10 && is_below != is_above)
        return (struct lib_decimal){ten + is_above, k + 1};
    is_below = low <= 4 * unit;
    is_above = 4 * unit + 4 <= high;
    if (is_below != is_above)
        return (struct lib_decimal){unit + is_above, k};
    const uint64_t half = 4 * unit + 2;
    return (struct lib_decimal){unit + (v > half || (v == half && (unit & 1))), k};
}
