/* Random programs on tensors, and their results by an evaluator that knows nothing of kernels.
 * All numbers are whole and small, so that sums are exact in any order. They have functions that
 * call others, conditionals, loops that hold tensors, and arrays of their elements. */
#ifndef TESTS_RANDOM_GENERATE_TENSORS_H
#define TESTS_RANDOM_GENERATE_TENSORS_H

#include "lib/text.h"

/* Adds the program of a seed, and its result as a run writes it. */
void generate_tensors(uint64_t seed, struct lib_text *program, struct lib_text *result);

#endif
