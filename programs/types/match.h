/* Compiles every `case` to a tree of decisions: LETs and IFs that test the number of a constructor
 * (NUMBER), take fields (FIELD), and compare with literals. */
#ifndef PROGRAMS_TYPES_MATCH_H
#define PROGRAMS_TYPES_MATCH_H

#include "programs/syntax/ast.h"

/* Replaces every `case` of a program whose types are known. Returns false and adds a diagnostic,
 * with an example, for each `case` that has no arm for some values; warns of arms that no value
 * reaches. */
bool programs_match(struct programs_ast *ast, struct lib_diags *diags);

#endif
