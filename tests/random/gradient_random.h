/* Random functions with a real result, f0 first, whose values stay small: smooth operations and
 * kinks, conditionals, recursion until a counter (fuel) is 0, loops, tuples, arrays whose elements
 * read others, and int and bool parameters that control. */
#ifndef TESTS_RANDOM_GRADIENT_RANDOM_H
#define TESTS_RANDOM_GRADIENT_RANDOM_H

#include "lib/text.h"

#include <stdbool.h>

enum { GRADIENT_PARAMS_MAX = 5 };

struct gradient_program {
    struct lib_text functions;                /* equations of all functions */
    char arguments[GRADIENT_PARAMS_MAX][128]; /* arguments for function f0, as texts */
    bool is_real[GRADIENT_PARAMS_MAX];        /* the argument is a single real */
    unsigned count;
    unsigned real_count; /* number of parameters of f0 that hold reals */
};

void gradient_random(unsigned seed, struct gradient_program *program);

/* Like gradient_random, with `what` as one more real operand in all functions. */
void gradient_random_with(unsigned seed, const char *what,
                          struct gradient_program *program);

#endif
