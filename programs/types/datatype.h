/* Types of data: what their declarations name, which of them are boxed, which can be compared. */
#ifndef PROGRAMS_TYPES_DATATYPE_H
#define PROGRAMS_TYPES_DATATYPE_H

#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* Binds the names in declarations of types of data, and finds which types are boxed and which have
 * equality. Adds diagnostics for unknown types, numbers of arguments that do not fit, and types,
 * constructors or fields that are defined twice. */
void programs_datatypes(const struct programs_ast *ast, struct lib_diags *diags);

/* Returns the type DATA with these arguments, which are not copied. */
struct programs_type *programs_type_new_data(struct lib_arena *arena,
                                             const struct programs_datatype *datatype,
                                             struct programs_type **arguments);

/* Returns the type of a field in data of type `data`. */
struct programs_type *programs_type_of_field(struct programs_type *data,
                                             const struct programs_field *field);

#endif
