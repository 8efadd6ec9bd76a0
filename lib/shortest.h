/* The shortest decimal of a double that reads back as the same double. */
#ifndef LIB_SHORTEST_H
#define LIB_SHORTEST_H

#include <stdint.h>

/* digits * 10^exponent. */
struct lib_decimal {
    uint64_t digits; /* at most 17, and may end in zeros */
    int exponent;
};

/* Returns the decimal of the fewest digits (without zeros at the end) that is rounded to `value`,
 * which is finite and above 0; of several the one nearest to it, and of two as near the even one.
 * Exact: R. Giulietti, "The Schubfach way to render doubles", 2020. */
struct lib_decimal lib_shortest(double value);

#endif
