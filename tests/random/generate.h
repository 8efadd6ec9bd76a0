/* Random programs: well-typed and terminating. A seed gives the same program everywhere.
 *
 * They cover the language: functions, alone and mutually recursive, with several parameters and
 * tuples as arguments and results; constants that need one another; inputs; lets with patterns;
 * conditionals; all operators and built-in functions; shadowing; unused definitions; all ways to
 * write the same thing.
 *
 * With the features: loops of few or no iterations, nested, in functions, with calls in them,
 * with unused variables, of all types; arrays of all types, as lists and comprehensions, which
 * read earlier and later elements of themselves and of each other, alone and through functions,
 * also the result, and other parts of the same element; indices, mostly in range; length, sum.
 *
 * They terminate because a function may call itself, or an earlier one, only with a smaller int
 * parameter, its fuel, and only while that is positive. The number of calls is bounded by what
 * is known of each function when a call of it is written, and of the loops and comprehensions
 * around it. About one program in seven fails (overflow, division, conversion): most keep their
 * ints so small that no operation can fail. */
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
