/* Random functions f(x, v, n) of a matrix, a row and a count, with a real result: kernels that
 * broadcast, sum up, move and choose elements, products, loops and recursion. Values stay small,
 * and kinks are left out, so that differences approach the derivatives. */
#ifndef TESTS_RANDOM_GRADIENT_TENSORS_H
#define TESTS_RANDOM_GRADIENT_TENSORS_H

#include "lib/text.h"

/* Adds the equations of f and of what it calls, and those of x0 and v0, which f can be given, and
 * dx and dv, which have the same shapes. */
void gradient_tensors(uint64_t seed, struct lib_text *program);

#endif
