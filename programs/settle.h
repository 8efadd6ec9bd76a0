/* What inference has left open: numbers become int, anything else is an error. */
#ifndef PROGRAMS_SETTLE_H
#define PROGRAMS_SETTLE_H

#include "programs/syntax/ast.h"

/* Closes every type of a tree in which types fit together, and reports those of which
 * nothing is known. For programs/infer.c. */
void programs_settle(struct programs_ast *ast, struct lib_diags *diags);

/* Reports that a type has too many parts. */
void programs_settle_too_large(const struct programs_ast *ast, struct lib_diags *diags,
                               struct lib_pos pos);

#endif
