/* Options of the compilation of a source. */
#ifndef PROGRAMS_GRAPH_BUILD_OPTIONS_H
#define PROGRAMS_GRAPH_BUILD_OPTIONS_H

#include "isa/tensor/tensor.h"
#include "programs/types/known.h"

#include <stdbool.h>

/* Treatment of values from outside in a loop; the values of the setting loop.constants. */
enum programs_constants {
    PROGRAMS_CONSTANTS_STICKY, /* a HOLD keeps it for all iterations */
    PROGRAMS_CONSTANTS_COPIES, /* it circulates like a variable that does not change */
};

/* Name of a param among the tensors of a graph, if its value is given. The argument is its number,
 * from 1 on. */
#define PROGRAMS_PARAM_TENSOR "param.%zu"

/* The options. {0} is the default. */
struct programs_options {
    enum programs_constants constants;
    bool pairs_gradients; /* grad.mode: calls of a gradient run with the forward calls */
    bool dense_gradients; /* grad.params: gradients of params are tensors, not rows */
    /* Memory of the files that the program names, to which diagnostics refer. If it is NULL, no
     * files may be read. */
    struct lib_arena *files;
    struct programs_known *known; /* files read before; new ones are added; may be NULL */
    const char *trees; /* file that replaces those of `trees` and `conllu`; or NULL */
    const char *params_folder; /* in which NAME.npy is the value of each param; or NULL */
    /* Inputs, constants and a result that replace the program's result (programs/training.h); or
     * NULL. */
    const char *result;
    /* If not NULL, gradients in `result` give three values for each param, and the compiler sets
     * given_rows[param] if it gives rows for a param (programs/training.h). */
    bool *given_rows;
    const struct isa_tensor *const
        *params; /* values of params, in order; NULL: initial ones */
};

#endif
