/* The function of programs/training.c that the compiler calls. */
#ifndef PROGRAMS_TRAINING_INTERNAL_H
#define PROGRAMS_TRAINING_INTERNAL_H

#include "programs/syntax/ast.h"

/* Replaces the `result` of a program by that of `text`, a program with other inputs, constants
 * and params, which it puts before those of `ast`. `text` must not have functions, lets, loops
 * or files. `gives_rows`: whether its gradients have three values for each param
 * (programs/training.h). Returns false and adds diagnostics after errors. */
bool programs_training_graft(struct programs_ast *ast, const char *text, bool gives_rows,
                             struct lib_diags *diags);

#endif
