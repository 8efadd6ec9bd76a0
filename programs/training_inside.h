/* What the compiler asks programs/training.c for. */
#ifndef PROGRAMS_TRAINING_INSIDE_H
#define PROGRAMS_TRAINING_INSIDE_H

#include "programs/syntax/ast.h"

/* Puts an expression in the place of the program's result. It is made of names, calls and tuples. false:
 * something was reported. */
bool programs_training_graft(struct programs_ast *ast, const char *result,
                             struct lib_diags *diags);

#endif
