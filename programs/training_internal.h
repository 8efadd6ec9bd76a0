/* What the compiler asks programs/training.c for. */
#ifndef PROGRAMS_TRAINING_INTERNAL_H
#define PROGRAMS_TRAINING_INTERNAL_H

#include "programs/syntax/ast.h"

/* Puts the `result` of a text in the place of the program's, and before it the inputs and
 * constants of the text, its params among them. The text has no function, no let, no loop and no
 * file. `gives_rows`: its gradients have three values for each param. Returns false if something
 * was reported. */
bool programs_training_graft(struct programs_ast *ast, const char *text, bool gives_rows,
                             struct lib_diags *diags);

#endif
