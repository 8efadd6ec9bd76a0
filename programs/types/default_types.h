/* Default types: a number whose type inference has left open becomes an int. Any other open type
 * is an error. */
#ifndef PROGRAMS_TYPES_DEFAULT_TYPES_H
#define PROGRAMS_TYPES_DEFAULT_TYPES_H

#include "programs/syntax/ast.h"

/* Gives default types to a tree without type errors, and reports types that remain open. */
void programs_default_types(struct programs_ast *ast, struct lib_diags *diags);

void programs_default_types_too_large(const struct programs_ast *ast,
                                      struct lib_diags *diags, struct lib_pos pos);

#endif
