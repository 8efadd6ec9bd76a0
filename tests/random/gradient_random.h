/* Random functions of one real result, f0 first, whose values stay small: smooth operations and
 * kinks, conditionals, recursion with fuel, loops, tuples, arrays whose elements read others of
 * the same array, int and bool parameters that control. */
#ifndef TESTS_RANDOM_GRADIENT_RANDOM_H
#define TESTS_RANDOM_GRADIENT_RANDOM_H

#include "lib/text.h"

#include <stdbool.h>

enum { GRADIENT_PARAMS_MAX = 5 };

struct gradient_program {
    struct lib_text functions;                /* the equations */
    char arguments[GRADIENT_PARAMS_MAX][128]; /* of f0 */
    bool is_real[GRADIENT_PARAMS_MAX];        /* the argument is one real */
    unsigned count;
    unsigned real_count; /* of its parameters that hold reals */
};

void gradient_random(unsigned seed, struct gradient_program *program);

/* The same with `what` among the reals of all its functions. */
void gradient_random_with(unsigned seed, const char *what,
                          struct gradient_program *program);

#endif
