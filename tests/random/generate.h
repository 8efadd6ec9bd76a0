/* Random programs: well-typed and terminating. A seed gives the same program everywhere.
 *
 * They cover the language: all constructs, nested and shadowed, used and unused, in all ways to
 * write them. With the features also loops of few or no iterations and arrays, as lists and
 * comprehensions, which read earlier and later elements of themselves and of each other, alone
 * and through functions; indices are mostly in range.
 *
 * They terminate because a function may call itself, or an earlier one, only with a smaller int
 * parameter, its fuel, and only while that is positive. The number of calls is bounded by what
 * is known of each function, loop and comprehension when a call is written. About one program in
 * seven fails (overflow, division, conversion): most keep their ints so small that no operation
 * can fail. */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "lib/text.h"

/* Features that programs may have. Programs without them are the same whether or not the
 * features exist. */
enum {
    GENERATE_LOOPS = 1,
    GENERATE_ARRAYS = 2,
};

/* Adds the program of a seed. `size` is about its number of operations; `features` is a sum of
 * the above. */
void generate(uint64_t seed, unsigned size, unsigned features, struct lib_text *out);

#endif
