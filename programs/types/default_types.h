/* What inference has left open: numbers become int, anything else is an error. */
#ifndef PROGRAMS_TYPES_DEFAULT_TYPES_H
#define PROGRAMS_TYPES_DEFAULT_TYPES_H

#include "programs/syntax/ast.h"

/* Closes every type of a tree in which types fit together, and reports those of which
 * nothing is known. For programs/types/infer.c. */
void programs_default_types(struct programs_ast *ast, struct lib_diags *diags);

/* Reports that a type has too many parts. */
void programs_default_types_too_large(const struct programs_ast *ast,
                                      struct lib_diags *diags, struct lib_pos pos);

#endif
