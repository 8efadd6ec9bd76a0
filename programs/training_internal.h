/* Function of programs/training.c for the compiler. */
#ifndef PROGRAMS_TRAINING_INTERNAL_H
#define PROGRAMS_TRAINING_INTERNAL_H

#include "programs/syntax/ast.h"

/* Replaces the `result` of a program by that of a text, and puts the inputs and constants of the
 * text, with its params, before it. The text must not have functions, lets, loops or files.
 * `gives_rows`: whether its gradients have three values for each param. Returns false and adds
 * diagnostics after errors. */
bool programs_training_graft(struct programs_ast *ast, const char *text, bool gives_rows,
                             struct lib_diags *diags);

#endif
