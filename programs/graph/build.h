/* The graph builder: from the typed syntax tree to function graphs (paper 1, section 2.4 and
 * figure 2). */
#ifndef PROGRAMS_GRAPH_BUILD_H
#define PROGRAMS_GRAPH_BUILD_H

#include "isa/graph.h"
#include "isa/tensor/tensor.h"
#include "programs/settings/settings.h"
#include "programs/types/known.h"

#include <stdbool.h>

struct form;
struct programs_ast;

/* A pass from form to form. */
struct programs_pass {
    const char *name;   /* NULL ends a list */
    bool for_gradients; /* only functions that are differentiated pass */
    /* Returns what the pass makes of a form: the form itself, changed, or another one. */
    struct form *(*run)(struct form *form, const struct programs_settings *settings);
    /* 1 more than the option of optimise.passes without which forms do not pass; 0: none. Forms of
     * gradients pass these too. */
    unsigned option;
};

/* Format of the name, in the graph, of the tensor with the value of a param (a trainable tensor),
 * if that is given in `params` of the options. %zu: position of the param in the source, from 1. */
#define PROGRAMS_PARAM_TENSOR "param.%zu"

/* Options of a compilation. {0} is the default. */
struct programs_options {
    /* Settings of the compiler; NULL: defaults. */
    const struct programs_settings *settings;
    /* Setting loop.bound, for warnings of loops on which it has no effect. */
    uint64_t loop_bound;
    /* Text to which the form of each definition is appended, after the passes; or NULL. */
    struct lib_text *forms;
    /* Text to which a line is appended for each thing that optimise.passes did, "LINE:COLUMN: PASS:
     * WHAT"; or NULL. */
    struct lib_text *report;
    /* Arena in which the files that the program names are kept, as diagnostics may refer to them.
     * NULL: no file may be read. */
    struct lib_arena *files;
    /* Files already read, to which new ones are added; or NULL. */
    struct programs_known *known;
    /* Path of a file that replaces all `trees` and `conllu` files; or NULL. */
    const char *trees;
    /* Folder in which NAME.npy is the value of each param (trainable tensor) NAME; or NULL. */
    const char *params_folder;
    /* Text whose `result` replaces the `result` of the program, and whose inputs, params and
     * constants are added to it (programs/training.h); or NULL. */
    const char *result;
    /* If not NULL, a gradient in `result` is three values for each param: a tensor, indices of
     * rows, and these rows, which are to be added to the tensor (programs/training.h). The compiler
     * sets given_rows[i] to whether it gives rows for param i; if not, the last two are empty. */
    bool *given_rows;
    /* Values of the params, in source order; NULL: their initial values. */
    const struct isa_tensor *const *params;
};

/* Builds the graph of all used definitions: function 0 is the top level, whose constants are in
 * cells; the functions of the source follow in its order. The tree must have passed
 * programs_resolve, programs_infer and programs_shapes. The form of each definition goes through
 * the passes. The caller owns the graph. Returns NULL and adds diagnostics after errors. */
struct isa_graph *programs_build(const struct programs_ast *ast,
                                 const struct programs_options *options,
                                 const struct programs_pass *passes,
                                 struct lib_diags *diags);

#endif
