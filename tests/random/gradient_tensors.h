/* Random functions f(x, v, n) of a matrix, a row and a count, with a real result: kernels that
 * broadcast, sum, move and choose elements, products, loops and recursion. Values stay small and
 * kinks are left out, so that difference quotients approach the derivatives. */
#ifndef TESTS_RANDOM_GRADIENT_TENSORS_H
#define TESTS_RANDOM_GRADIENT_TENSORS_H

#include "lib/text.h"

/* Adds the text of f and the functions that it calls, of arguments x0 and v0 for f, and of dx and
 * dv with the shapes of x0 and v0. */
void gradient_tensors(uint64_t seed, struct lib_text *program);

#endif
