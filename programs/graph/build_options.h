/* What can be chosen about the compilation of a source. */
#ifndef PROGRAMS_GRAPH_BUILD_OPTIONS_H
#define PROGRAMS_GRAPH_BUILD_OPTIONS_H

#include "isa/tensor/tensor.h"
#include "programs/types/known.h"

#include <stdbool.h>

/* How the iterations of a loop get a value from outside, in the order of the setting
 * loop.constants. */
enum programs_constants {
    PROGRAMS_CONSTANTS_STICKY, /* it is held for all of them */
    PROGRAMS_CONSTANTS_COPIES, /* it goes round like a variable that does not change */
};

/* What a param is called among the tensors of a graph, if its value is given: by its number, from
 * 1 on. */
#define PROGRAMS_PARAM_TENSOR "param.%zu"

/* All 0 is the standard. */
struct programs_options {
    enum programs_constants constants;
    bool
        pairs_gradients; /* a gradient's calls run with the forward calls that they belong to (grad.mode) */
    bool
        dense_gradients; /* those of params are tensors in each call, and not rows (grad.params) */
    struct lib_arena *
        files; /* what the program names is read into it, as errors point there; NULL: not read */
    struct programs_known *
        known; /* files that are not read again; those that are read are added. NULL: none */
    const char *
        trees; /* a file that is read in place of each that `trees` and `conllu` name; NULL: none */
    const char *
        result; /* inputs, constants and a result in the place of its own (programs/training.h); NULL: none */
    /* Per param: set if the gradients of `result` have it as rows (programs/training.h). Not NULL:
     * they give three values for each param. */
    bool *given_rows;
    const struct isa_tensor *const *
        params; /* what params are, in the order of the text; NULL: as the program says */
};

#endif
