/* Random programs: well-typed and terminating. A seed gives the same program everywhere.
 *
 * They cover the language: all constructs, nested and shadowed, used and unused; by features also
 * loops of few or no iterations, and arrays (lists and comprehensions) that read elements of
 * themselves and of each other, directly and through functions, and types of data with `case`.
 * Indices are mostly in range.
 *
 * A function calls itself, or an earlier one, only with a smaller int parameter, its fuel, and only
 * while that is positive. What is known of each function, loop and comprehension bounds the number
 * of calls when a call is written. A type of data bounds how deep its values are, so that functions
 * that follow data, comparisons and results end as well. About one program in seven fails
 * (overflow, division, conversion); most keep ints so small that no operation can fail.
 */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "lib/text.h"

/* Features of programs. Programs without a feature do not change when a feature is added. */
enum {
    GENERATE_LOOPS = 1,
    GENERATE_ARRAYS = 2,
    GENERATE_DATA = 4,
};

/* Adds the program of a seed, of about `size` operations; `features` is a sum of the above. */
void generate(uint64_t seed, unsigned size, unsigned features, struct lib_text *out);

#endif
