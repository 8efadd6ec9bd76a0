/* Options of a compilation. {0} is the default. */
#ifndef PROGRAMS_GRAPH_BUILD_OPTIONS_H
#define PROGRAMS_GRAPH_BUILD_OPTIONS_H

#include "isa/tensor/tensor.h"
#include "programs/types/known.h"

#include <stdbool.h>

/* Treatment of a value that a loop uses but does not change: the setting loop.constants. */
enum programs_constants {
    PROGRAMS_CONSTANTS_STICKY, /* a HOLD keeps the value for all iterations */
    PROGRAMS_CONSTANTS_COPIES, /* the value circulates like a loop variable */
};

/* Format of the name, in the graph, of the tensor with a param's value, if that is given in
 * `params` of the options. %zu: position of the param in the source, from 1. */
#define PROGRAMS_PARAM_TENSOR "param.%zu"

struct programs_options {
    enum programs_constants constants;
    /* Setting grad.mode: gradients reuse the values of the calls that they belong to. */
    bool pairs_gradients;
    /* Setting grad.params: gradients of params are tensors, not rows. */
    bool dense_gradients;
    /* Arena in which the files that the program names are kept, as diagnostics may refer to them.
     * NULL: no file may be read. */
    struct lib_arena *files;
    /* Files already read, to which new ones are added; or NULL. */
    struct programs_known *known;
    /* Path of a file that replaces all `trees` and `conllu` files; or NULL. */
    const char *trees;
    /* Folder in which NAME.npy is the value of each param NAME; or NULL. */
    const char *params_folder;
    /* Text whose `result` replaces the `result` of the program, and whose inputs, params and
     * constants are added to it (programs/training.h); or NULL. */
    const char *result;
    /* If not NULL, gradients in `result` have three values for each param, and the compiler sets
     * given_rows[i] if param i gets rows (programs/training.h). */
    bool *given_rows;
    /* Values of the params, in source order; NULL: their initial values. */
    const struct isa_tensor *const *params;
};

#endif
