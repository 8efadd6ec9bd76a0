/* Random programs whose gradients by params are sums over calls: functions that call each other
 * with fuel, loops and conditionals, and elements of arrays; what they do with params has
 * gradients in deferred form, or has not. */
#ifndef TESTS_RANDOM_PARAM_RANDOM_H
#define TESTS_RANDOM_PARAM_RANDOM_H

#include "lib/text.h"

#include <stdbool.h>

/* Writes a program. Its result is five numbers that depend on each element of the gradients.
 * `whole`: all reals in it are whole numbers, so that no sum is rounded. */
void param_random(unsigned seed, bool whole, struct lib_text *text);

#endif
