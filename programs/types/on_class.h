/* Classes of PEs that a program names by `--# on CLASS` (doc/language.md, "Places"). */
#ifndef PROGRAMS_TYPES_ON_CLASS_H
#define PROGRAMS_TYPES_ON_CLASS_H

#include "programs/syntax/ast.h"

/* Returns the class for the equation that begins at `pos`, or NULL. */
const char *programs_class_at(const struct programs_ast *ast, struct lib_pos pos);

/* Sets the class of the top level, `on`, which is that of all used constants. Adds diagnostics if
 * they have several, or if `--# on` is before an equation that it cannot place. */
void programs_place_top(struct programs_ast *ast, struct lib_diags *diags);

#endif
