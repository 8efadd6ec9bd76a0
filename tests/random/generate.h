/* Random programs: well-typed, terminating, each the same for its seed everywhere.
 *
 * They cover the language as it stands: functions, alone and mutually recursive, with
 * several parameters and tuples in and out; constants that need one another; inputs; lets
 * with patterns; conditionals everywhere; all operators and built-in functions; shadowing;
 * things that nobody uses; all ways to write the same thing.
 *
 * With the features: loops that go round a few times or not at all, within one another, in
 * functions, with calls in them, with variables that nobody reads, of all types; arrays of
 * all types, as written and as comprehensions, which read earlier and later elements of
 * themselves and of each other, alone and through functions, also the result, and other parts of
 * the same element; indices, mostly in range; length, sum.
 *
 * They terminate because a function may call itself, or one before it, only with less fuel, which
 * is an int parameter, and only while it has some; and the number of calls is bounded by what is
 * known of each function when a call of it is written, and of the loops and comprehensions in
 * which it stands. About one in seven fails (overflow, division, conversion): most programs keep
 * their ints so small that none can; the others do not care. */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "lib/text.h"

/* What programs may have beyond that. The programs without do not depend on there being
 * such features. */
enum {
    GENERATE_LOOPS = 1,
    GENERATE_ARRAYS = 2,
};

/* Adds the program of a seed. `size` is about the number of operations written in it;
 * `features` are some of the above. */
void generate(uint64_t seed, unsigned size, unsigned features, struct lib_text *out);

#endif
