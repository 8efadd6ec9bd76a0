/* Values of constants and inputs that are given: read from files, or written in the program. */
#ifndef PROGRAMS_TYPES_GIVEN_H
#define PROGRAMS_TYPES_GIVEN_H

#include "programs/syntax/ast.h"

/* Sets the tensors of `data`, of kind GIVEN, from the file `source`, or if that is NULL from what
 * the program says; and the type of the given, if the program does not say it. Returns false and
 * adds diagnostics if the type cannot be that of a given, or the value is not of the type. */
bool programs_given_read(struct programs_ast *ast, struct programs_data *data,
                         const struct lib_source *source, struct lib_diags *diags);

/* Checks the type of a given. If neither the program nor a file has said it, finds it from the
 * value as it is written. Returns false and adds a diagnostic if it cannot be that of a given, or
 * if the value says none, or is in a file. */
bool programs_given_settle(struct programs_ast *ast, struct programs_given *given,
                           struct lib_diags *diags);

#endif
