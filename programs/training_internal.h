#ifndef PROGRAMS_TRAINING_INTERNAL_H
#define PROGRAMS_TRAINING_INTERNAL_H

#include "programs/syntax/ast.h"

/* Replaces the `result` of a program by the `result` of another program, `text`, and adds the
 * inputs, constants and params of `text`, which must not have functions, lets, loops or files.
 * `gives_rows`: gradients have three values for each param (programs/training.h). Returns false and
 * adds diagnostics after errors. */
bool programs_training_graft(struct programs_ast *ast, const char *text, bool gives_rows,
                             struct lib_diags *diags);

#endif
