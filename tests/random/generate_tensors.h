/* Random programs on tensors, with results by an evaluator that shares no code with the kernels.
 * All numbers are small integers, so that sums are exact in any order. Programs have functions that
 * call others, conditionals, loops that hold tensors, and arrays of their elements. */
#ifndef TESTS_RANDOM_GENERATE_TENSORS_H
#define TESTS_RANDOM_GENERATE_TENSORS_H

#include "lib/text.h"

/* Adds the program of a seed, and its result as `hiaton run` prints it. */
void generate_tensors(uint64_t seed, struct lib_text *program, struct lib_text *result);

#endif
