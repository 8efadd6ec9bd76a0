/* Random functions with a real result, f0 first, whose values stay small: smooth operations and
 * kinks, conditionals, recursion until a counter (fuel) is 0, loops, tuples, arrays whose
 * elements read others of the same array, and int and bool parameters that control. */
#ifndef TESTS_RANDOM_GRADIENT_RANDOM_H
#define TESTS_RANDOM_GRADIENT_RANDOM_H

#include "lib/text.h"

#include <stdbool.h>

enum { GRADIENT_PARAMS_MAX = 5 };

struct gradient_program {
    struct lib_text functions;                /* the equations of all functions */
    char arguments[GRADIENT_PARAMS_MAX][128]; /* texts of arguments for f0 */
    bool is_real[GRADIENT_PARAMS_MAX];        /* whether the argument is a single real */
    unsigned count;
    unsigned real_count; /* number of its parameters that hold reals */
};

void gradient_random(unsigned seed, struct gradient_program *program);

/* As gradient_random, with `what` among the reals of all functions. */
void gradient_random_with(unsigned seed, const char *what,
                          struct gradient_program *program);

#endif
