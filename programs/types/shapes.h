/* Shapes: the extents of tensors, as far as they are known before a program runs.
 *
 * The pass evaluates the program with shapes instead of tensors, through calls up to a certain
 * depth. An extent that depends on an input, a loop or a condition is unknown. A fault is reported
 * only if it is certain that the program reaches it: not in branches and loops, which may never be
 * executed. Other faults trap when the program runs. */
#ifndef PROGRAMS_TYPES_SHAPES_H
#define PROGRAMS_TYPES_SHAPES_H

#include "programs/syntax/ast.h"

/* Checks the shapes of a program whose types were inferred. Does nothing for a program without
 * tensors. Returns false and adds diagnostics after errors. */
bool programs_shapes(const struct programs_ast *ast, struct lib_diags *diags);

#endif
