/* Random programs whose gradients by params are sums over calls: functions that call each other
 * until a counter (fuel) is 0, loops, conditionals, and array elements. Some gradients are deferred
 * (programs/gradient/deferred.h). */
#ifndef TESTS_RANDOM_PARAM_RANDOM_H
#define TESTS_RANDOM_PARAM_RANDOM_H

#include "lib/text.h"

#include <stdbool.h>

/* Writes a program whose result, five numbers, depends on each element of the gradients. `whole`:
 * all reals are integers, so that no sum is rounded. */
void param_random(unsigned seed, bool whole, struct lib_text *text);

#endif
