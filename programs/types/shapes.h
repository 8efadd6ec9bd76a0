/* Shapes: the extents of tensors, as far as they are known before a program runs.
 *
 * The program is evaluated with shapes instead of tensors, through calls up to a max depth. An
 * extent that depends on an input, a loop or a condition is unknown. Faults are reported only if
 * the program certainly reaches them, so not in branches and loops. Other faults trap at run
 * time. */
#ifndef PROGRAMS_TYPES_SHAPES_H
#define PROGRAMS_TYPES_SHAPES_H

#include "programs/syntax/ast.h"

/* Checks the shapes of a program after type inference. Does nothing without tensors. Returns
 * false and adds diagnostics after errors. */
bool programs_shapes(const struct programs_ast *ast, struct lib_diags *diags);

#endif
