/* Instances: copies of the types of a function, one for each use, as if uses did not share types.
 * Open variables in the types of a function are generic: a copy has new ones. Variables that the
 * type of a constant or an input has too are shared, and are not copied. */
#ifndef PROGRAMS_TYPES_INSTANCE_H
#define PROGRAMS_TYPES_INSTANCE_H

#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* Marks the variables of a type that all uses share. */
void programs_type_share(struct programs_type *type);

/* Marks the variables of a function's types that are not shared. */
void programs_function_generalise(const struct programs_function *function);

/* Returns a copy of a type, with new variables in place of those that are not shared. */
struct programs_type *programs_type_copy(struct lib_arena *arena,
                                         struct programs_type *type);

/* Returns copies of several types, which share the new variables. */
struct programs_type **programs_types_copy(struct lib_arena *arena,
                                           struct programs_type *const *types,
                                           size_t count);

/* Returns the types of a function's parameters, in order, followed by that of its result, for one
 * use. */
struct programs_type **
programs_function_instance(struct lib_arena *arena,
                           const struct programs_function *function);

#endif
