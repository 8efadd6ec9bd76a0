/* The part of programs/training.c that the compiler calls. */
#ifndef PROGRAMS_TRAINING_INTERNAL_H
#define PROGRAMS_TRAINING_INTERNAL_H

#include "programs/syntax/ast.h"

/* Replaces the value of `result` in a program by that of `result` in `text`, another program,
 * and adds the inputs, constants and params of `text` before it. `text` must not have functions,
 * lets, loops or files. `gives_rows`: gradients have three values for each param
 * (programs/training.h). Returns false and adds diagnostics after errors. */
bool programs_training_graft(struct programs_ast *ast, const char *text, bool gives_rows,
                             struct lib_diags *diags);

#endif
