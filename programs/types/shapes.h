/* Shapes: what is known of the extents of tensors before a program runs.
 *
 * The pass computes with shapes as the program does with tensors, and goes into the functions
 * that are called, as long as they are not nested too deeply. An extent that depends on an input,
 * a loop or a condition is unknown. A mistake is reported where it is certain that the program
 * comes to it: not in a branch, nor in a loop, which may never be executed. What is not found
 * here traps when the program runs. */
#ifndef PROGRAMS_TYPES_SHAPES_H
#define PROGRAMS_TYPES_SHAPES_H

#include "programs/syntax/ast.h"

/* Of a program whose types were inferred; one without tensors has nothing to look at. false:
 * something was reported. */
bool programs_shapes(const struct programs_ast *ast, struct lib_diags *diags);

#endif
