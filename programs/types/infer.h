/* Type inference (doc/language.md, "Types"): by unification, one type per name.
 *
 * An equation is inferred after those that it names, so that an error is reported where a name
 * is used against its definition. An expression with an error has the type ERROR, which fits
 * everything: one mistake, one message. */
#ifndef PROGRAMS_TYPES_INFER_H
#define PROGRAMS_TYPES_INFER_H

#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* Sets the type of every expression, name and function, used or not, after programs_resolve. All
 * types are then known: programs_type_find returns int, real, bool, a tensor, a tuple or an
 * array. Returns false and adds diagnostics after errors. */
bool programs_infer(struct programs_ast *ast, struct lib_diags *diags);

#endif
